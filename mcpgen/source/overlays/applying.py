"""Applying overlays to the root document of a tree, one after the other, action by action (Overlay 1.1, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jsonpath_rfc9535 import JSONPathError, JSONPathNode, JSONPathQuery

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.source.document import Document
from mcpgen.source.limits import MAX_DEPTH, MAX_NODES
from mcpgen.source.overlays.editing import Incompatible, Placed, kind_of, plan_of, removed, updated
from mcpgen.source.overlays.explaining import why_nothing
from mcpgen.source.overlays.extending import mismatch
from mcpgen.source.overlays.jsonpath import Environment, TooMuchWork, problem_with
from mcpgen.source.overlays.model import Action, Overlay
from mcpgen.source.overlays.origins import Origin
from mcpgen.source.overlays.reading import read_overlay
from mcpgen.source.pointer import join
from mcpgen.source.tree import SourceTree

_SHOWN = 120


def applied(
    tree: SourceTree, paths: Sequence[Path], max_bytes: int, diagnostics: Collector
) -> tuple[tuple[str, str], ...]:
    """See `apply_overlays`; there is at least one path."""
    environment = Environment()
    read = [read_overlay(path, environment, max_bytes, diagnostics) for path in paths]
    overlays = [overlay for overlay, _ in read if overlay is not None]
    if len(overlays) < len(paths):
        raise Refused("an overlay cannot be used")
    run = _Run(Placed(tree.root.value, Origin(tree.root, "")), diagnostics)
    for overlay in overlays:
        _check_extends(overlay, tree.root, diagnostics)
        for action in overlay.actions:
            run.act(overlay, action)
    if run.failed:
        raise Refused("an overlay does not fit the document")
    tree.replace_root(
        replace(tree.root, value=run.place.value, origins=run.place.origin),
        b"".join(data for _, data in read),
    )
    return tuple((Path(overlay.document.name).name, overlay.document.digest) for overlay in overlays)


def _check_extends(overlay: Overlay, root: Document, diagnostics: Collector) -> None:
    message = mismatch(overlay, root)
    if message is not None:
        diagnostics.add("overlay-extends", message, overlay.document.locate("/extends"))


class _Failed(Exception):
    """An action cannot be done; `pointer` is the part of it that is at fault."""

    def __init__(
        self, message: str, pointer: str, hint: str | None = None, code: str = "overlay-invalid"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.pointer = pointer
        self.hint = hint
        self.code = code


class _Run:
    """The document between two actions. An action that fails is reported and changes nothing."""

    def __init__(self, place: Placed, diagnostics: Collector) -> None:
        self.place = place
        self.failed = False
        self._diagnostics = diagnostics
        self._room = MAX_NODES
        self._exhausted = False

    def act(self, overlay: Overlay, action: Action) -> None:
        """Does one action, unless a limit was met: then everything after it would meet it too."""
        document = overlay.document
        if self._exhausted:
            return
        try:
            self._act(overlay, action)
        except _Failed as problem:
            self._fail(problem.code, problem.message, document.locate(problem.pointer), problem.hint)
        except Incompatible as problem:
            own = problem.origin.document is document
            location = problem.origin.location if own else document.locate(join(action.pointer, "copy"))
            below = f" at `{problem.path}` below" if problem.path else ""
            message = f"{problem.new} cannot be merged into {problem.old}{below} the target `{_short(action.target)}`"
            self._fail(
                "overlay-invalid", message, location, "Remove the old value by an action before this one."
            )

    def _fail(self, code: str, message: str, location: Location, hint: str | None) -> None:
        self.failed = True
        self._exhausted = code == "source-limit"
        self._diagnostics.add(code, message, location, hint=hint)

    def _act(self, overlay: Overlay, action: Action) -> None:
        document, place = overlay.document, join(action.pointer, "target")
        nodes = self._find(action.query, place)
        if not nodes:
            hint = why_nothing(action.query, self.place.value)
            message = f"the target `{_short(action.target)}` matches nothing; the action changes nothing"
            self._diagnostics.add("overlay-no-effect", message, document.locate(place), hint=hint)
        if action.remove:
            self._remove(nodes, place)
        elif action.copy is not None:
            copied = self._copied(action.copy, join(action.pointer, "copy"))
            self._update(overlay, nodes, copied, join(action.pointer, "copy"), place)
        elif action.has_update:
            pointer = join(action.pointer, "update")
            self._update(overlay, nodes, Placed(action.update, Origin(document, pointer)), pointer, place)
        else:
            message = "the action has neither `update` nor `copy` nor `remove: true`; it changes nothing"
            self._diagnostics.add("overlay-no-effect", message, document.locate(action.pointer))

    def _find(self, query: JSONPathQuery, pointer: str) -> list[JSONPathNode]:
        try:
            return list(query.finditer(self.place.value))
        except TooMuchWork:
            message = "the queries of the overlays look at too many values of the document"
            raise _Failed(
                message, pointer, "Name the places more exactly, with fewer `..`.", "source-limit"
            ) from None
        except JSONPathError as error:
            raise _Failed(f"the JSONPath cannot be evaluated: {problem_with(error)}", pointer) from None

    def _remove(self, nodes: Sequence[JSONPathNode], place: str) -> None:
        if any(not node.location for node in nodes):
            raise _Failed("the whole document cannot be removed", place)
        if nodes:
            self.place = removed(self.place, plan_of(node.location for node in nodes))

    def _copied(self, query: JSONPathQuery, pointer: str) -> Placed:
        nodes = self._find(query, pointer)
        if len(nodes) != 1:
            number = "nothing" if not nodes else f"{len(nodes)} values"
            hint = why_nothing(query, self.place.value) if not nodes else None
            raise _Failed(f"`copy` must select a single value; it selects {number}", pointer, hint)
        origin = self.place.origin
        for key in nodes[0].location:
            origin = origin.child(key)
        return Placed(nodes[0].value, origin)

    def _update(
        self, overlay: Overlay, nodes: Sequence[JSONPathNode], new: Placed, pointer: str, place: str
    ) -> None:
        if not nodes:
            return
        kinds = {kind_of(node.value) for node in nodes}
        if overlay.is_1_0 and not all(isinstance(node.value, (dict, list)) for node in nodes):
            hint = "Select the object that contains it, or write overlay: 1.1.0."
            raise _Failed("the target is a single value, which version 1.0 cannot update", place, hint)
        if not overlay.is_1_0 and len(kinds) > 1:
            raise _Failed(f"the target selects values of different kinds ({', '.join(sorted(kinds))})", place)
        self._take_room(nodes, new.value, pointer)
        plan = plan_of(node.location for node in nodes)
        self.place = updated(self.place, plan, new, appends=overlay.is_1_0)

    def _take_room(self, nodes: Sequence[JSONPathNode], new: Any, pointer: str) -> None:
        """Overlays may add about as many values as a document can have, and not make it deeper than one can be."""
        size, height = _extent(new, self._room)
        self._room -= size * len(nodes)
        if self._room < 0:
            raise _Failed(f"the overlays add more than {MAX_NODES:,} values", pointer, code="source-limit")
        if max(len(node.location) for node in nodes) + height > MAX_DEPTH:
            message = f"the result would be nested more than {MAX_DEPTH} levels deep"
            raise _Failed(message, pointer, code="source-limit")


def _extent(value: Any, limit: int) -> tuple[int, int]:
    """The number of values in a value, counted a little over the limit, and how deep it is nested."""
    size, height, level = 1, 0, [value]
    while level and size <= limit:
        inner: list[Any] = []
        for item in level:
            if isinstance(item, (dict, list)):
                inner += item.values() if isinstance(item, dict) else item
        height += bool(inner) or any(isinstance(item, (dict, list)) for item in level)
        size += len(inner)
        level = inner
    return size, height


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
