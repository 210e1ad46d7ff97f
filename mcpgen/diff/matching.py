"""Which tool of the new catalogue is which one of the old.

By method, path and what the tool sets itself, as the lock remembers it; else by operationId; else by the shape of the path (parameters may have
other names, `PUT` may have become `PATCH`); else by a kept name and the end of the path; else by likeness of path, arguments and results. Only what is clear counts:
an old tool with two equally good successors has none.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpgen.diff.view import Pair, View, views

_PARAMETER = re.compile(r"\{[^{}]*\}")
_LIKE = 0.75
"""How alike two operations have to be, of 1, where nothing else ties them together."""
_COMPARED = 40_000
"""Pairs that are held against each other at most; beyond, likeness says little and costs much."""


@dataclass(slots=True)
class Matched:
    """The pairs, and what has no partner."""

    pairs: list[Pair] = field(default_factory=list)
    removed: list[View] = field(default_factory=list)
    added: list[View] = field(default_factory=list)


def successors(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """The tools of the old catalogue that the new one still has, under whatever name: old name to new name."""
    pairs = match(views(old), views(new)).pairs
    return {pair.old.name: pair.new.name for pair in sorted(pairs, key=lambda pair: pair.old.name)}


def match(old: Mapping[str, View], new: Mapping[str, View]) -> Matched:
    """The tools of both catalogues, paired."""
    state = Matched(removed=list(old.values()), added=list(new.values()))
    for rule in (_by_key, _by_operation_id, _by_shape, _by_shape_and_name, _by_route, _by_name_and_end):
        _pair(state, rule)
    _pair_alike(state)
    state.pairs.sort(key=lambda pair: pair.new.name)
    return state


def _by_key(view: View) -> Hashable:
    return view.operation["method"], view.operation["path"], _fixed(view)


def _by_operation_id(view: View) -> Hashable:
    name = view.operation.get("operation_id")
    return (name, _fixed(view)) if name else None


def _by_shape(view: View) -> Hashable:
    return view.operation["method"], _shape(view), _fixed(view)


def _by_shape_and_name(view: View) -> Hashable:
    return view.name, _shape(view)


def _by_route(view: View) -> Hashable:
    """The same path with one operation on it that has no partner: its method changed, if it writes as it did."""
    return _shape(view), view.effect == "read", _fixed(view)


def _by_name_and_end(view: View) -> Hashable:
    """The same name, which an update keeps for what it recognises, and the same word at the end of the path."""
    words = [part for part in _shape(view).split("/") if part and part != "{}"]
    return (view.name, view.operation["method"], words[-1], _fixed(view)) if words else None


def _shape(view: View) -> str:
    return _PARAMETER.sub("{}", view.operation["path"]).rstrip("/")


def _fixed(view: View) -> str:
    return json.dumps(view.fixed, sort_keys=True)


def _pair(state: Matched, key: Callable[[View], Hashable]) -> None:
    """Pairs what has the same key, where one on each side has it."""
    before, after = _grouped(state.removed, key), _grouped(state.added, key)
    for value, olds in before.items():
        news = after.get(value, [])
        if len(olds) == 1 and len(news) == 1:
            state.pairs.append(Pair(olds[0], news[0]))
    _drop_paired(state)


def _grouped(items: Iterable[View], key: Callable[[View], Hashable]) -> dict[Hashable, list[View]]:
    groups: dict[Hashable, list[View]] = defaultdict(list)
    for view in items:
        if (value := key(view)) is not None:
            groups[value].append(view)
    return groups


def _drop_paired(state: Matched) -> None:
    olds, news = {pair.old.name for pair in state.pairs}, {pair.new.name for pair in state.pairs}
    state.removed = [view for view in state.removed if view.name not in olds]
    state.added = [view for view in state.added if view.name not in news]


def _pair_alike(state: Matched) -> None:
    """Pairs what is each other's best, where nothing else is as good."""
    if len(state.removed) * len(state.added) > _COMPARED:
        return
    traits = {id(view): _traits(view) for view in (*state.removed, *state.added)}
    scores = {
        (old.name, new.name): score
        for old in state.removed
        for new in state.added
        if old.operation["method"] == new.operation["method"]
        and (score := _likeness(traits[id(old)], traits[id(new)])) >= _LIKE
    }
    by_old, by_new = defaultdict(list), defaultdict(list)
    for (old_name, new_name), score in scores.items():
        by_old[old_name].append(score)
        by_new[new_name].append(score)
    olds, news = {view.name: view for view in state.removed}, {view.name: view for view in state.added}
    for (old_name, new_name), score in scores.items():
        if _alone_on_top(by_old[old_name], score) and _alone_on_top(by_new[new_name], score):
            state.pairs.append(Pair(olds[old_name], news[new_name]))
    _drop_paired(state)


def _alone_on_top(rivals: list[float], score: float) -> bool:
    return max(rivals) == score and rivals.count(score) == 1


def _traits(view: View) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    path = frozenset(part for part in _shape(view).split("/") if part)
    arguments = frozenset(
        f"{one['in']} {one.get('wire_name', one.get('pointer'))}" for one in view.operation["arguments"]
    )
    data = view.wire["outputSchema"].get("properties", {}).get("data", {})
    answer = frozenset(data.get("properties", {})) if isinstance(data, Mapping) else frozenset()
    return path, arguments, answer


def _likeness(old: tuple[frozenset[str], ...], new: tuple[frozenset[str], ...]) -> float:
    """The mean likeness of paths, arguments and results; results count only where one side has any."""
    parts = [_share(a, b) for a, b in zip(old, new, strict=True) if a or b]
    return sum(parts) / len(parts) if parts else 0.0


def _share(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b)
