"""The one authority for names: every name that a generated project shows is made here.

Two phases: first each thing gets a ladder of candidate names, best first, from itself alone; then all clashes
are settled together (`identifiers.resolve`). So a name never depends on the order of the document, and a thing
added to the API renames others only when it takes part in their clash.
"""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcpgen.plan.naming.identifiers import (
    ascii_text,
    cut,
    fold,
    is_identifier,
    legal_start,
    python_identifier,
    resolve,
    short_hash,
    split_words,
)
from mcpgen.plan.naming.project_names import (
    distribution_name,
    env_name,
    env_names,
    env_prefix,
    module_name,
    module_names,
    package_name,
)
from mcpgen.plan.naming.tool_words import NameRequest, tool_candidates
from mcpgen.plan.naming.verbs import is_verb

__all__ = [
    "ArgumentRequest",
    "NameRequest",
    "argument_names",
    "distribution_name",
    "env_name",
    "env_names",
    "env_prefix",
    "module_name",
    "module_names",
    "package_name",
    "python_identifier",
    "tool_names",
    "usable_pins",
]

TOOL_LIMIT = 56
"""Hosts put a server name before a tool's name and allow 64 characters for both."""

ARGUMENT_LIMIT = 64
_HASHES = (6, 10, 16, 40)
_MEANING = 3
"""A long name keeps at least so many words after its verb."""
_MOST_WORDS = 400
"""Words of a name that is shortened one by one; those of a megabyte would take minutes."""
_MANNERS = frozenset("bulk batch partial".split())
_FILLERS = frozenset(
    "a an the of for and with to in on by from using via api endpoint given specified".split()
)


def tool_names(operations: Sequence[NameRequest], pinned: Mapping[str, str] | None = None) -> dict[str, str]:
    """Names the tools of a server.

    The names match `[a-zA-Z_][a-zA-Z0-9_]*`, have at most 56 characters, are no Python keywords and differ when
    case and underscores are left out.

    Args:
        operations: one request a tool; keys must be unique.
        pinned: key -> name, kept as it is (the lock, the configuration). Keys of other tools are ignored.

    Raises:
        ValueError: two requests have the same key, or two pinned names clash: both are mistakes of the caller.
    """
    fixed = {
        request.key: (pinned or {})[request.key] for request in operations if request.key in (pinned or {})
    }
    if len({request.key for request in operations}) != len(operations):
        raise ValueError("tool name requests with equal keys")
    if len({fold(name) for name in fixed.values()}) != len(fixed):
        raise ValueError("pinned tool names clash")
    ladders = {request.key: _tool_ladder(request) for request in operations if request.key not in fixed}
    return resolve(ladders, tuple(fixed.values())) | fixed


def usable_pins(pinned: Mapping[str, str]) -> dict[str, str]:
    """The pinned names that can stay: legal, and each for one tool only. A lock can have been edited or merged by hand."""
    legal = {
        key: name
        for key, name in pinned.items()
        if is_identifier(name) and len(name) <= TOOL_LIMIT and not keyword.iskeyword(name)
    }
    folded = Counter(fold(name) for name in legal.values())
    return {key: name for key, name in legal.items() if folded[fold(name)] == 1}


def _tool_ladder(request: NameRequest) -> tuple[str, ...]:
    candidates = tool_candidates(request)
    source = f"{request.key} {request.operation_id or ''}"
    names = [_tool_name(words, source, len(candidates[0])) for words in candidates]
    hashed = [f"{_fit(names[-1], TOOL_LIMIT - size - 1)}_{short_hash(source, size)}" for size in _HASHES]
    return (*names, *hashed)


def _tool_name(words: Sequence[str], source: str, size: int) -> str:
    """The name of these words, of which the first `size` are the plain name and the others tell it from its like."""
    if len("_".join(words)) > TOOL_LIMIT:
        words = _shortened(words, size)
    name = cut(words, TOOL_LIMIT, source)
    unfit = name[:1].isdigit() or keyword.iskeyword(name)
    return f"call_{cut(words, TOOL_LIMIT - 5, source)}" if unfit else name


def _shortened(words: Sequence[str], size: int) -> Sequence[str]:
    """The words of a long name without fillers and then without the words that say least.

    These are the last ones after a preposition ("of the station"), else the first ones after the verb, which say where the
    thing is. Versions stay, and what tells the name from its like (all words from `size` on).
    """
    tail = list(words[size:])
    start = next((place for place, word in enumerate(words) if not is_verb(word) and word not in _MANNERS), 1)
    relation = next((place for place in range(start + 1, size) if words[place] in _FILLERS), size)
    kept = ([word for word in words[:size] if word not in _FILLERS] or list(words[:size]))[:_MOST_WORDS]
    main = sum(word not in _FILLERS for word in words[:relation])
    while len("_".join([*kept, *tail])) > TOOL_LIMIT and len(kept) > _MEANING:
        first = next((place for place in range(start, len(kept) - _MEANING) if kept[place].isalpha()), None)
        if len(kept) > max(main, _MEANING):
            kept.pop()
        elif first is not None:
            del kept[first]
        else:
            break
    return [*kept, *tail]


def _fit(name: str, limit: int) -> str:
    return name[:limit].rstrip("_")


@dataclass(frozen=True, slots=True)
class ArgumentRequest:
    """An argument to name: its name on the wire, and its place (`path`, `query`, `body`, ...)."""

    wire_name: str
    place: str


def argument_names(
    items: Sequence[ArgumentRequest], reserved: Sequence[str] = (), pinned: Sequence[str | None] = ()
) -> tuple[str, ...]:
    """Names the arguments of one tool, in the order of the items.

    `pinned` are the names of the last run, one for each item or None: they stay where they are still usable.

    The names are plain ASCII identifiers of at most 64 characters and differ when case and underscores are left
    out. A wire name that is one already is kept. In a clash all parties are renamed by what tells them apart:
    first the place (`path_id`, `body_id`), then the spelling (`user_id_kebab`, `user_id_camel`).
    """
    kept = _usable(pinned, reserved)
    first = [kept.get(index) or _argument_name(item) for index, item in enumerate(items)]
    if len({fold(name) for name in (*first, *reserved)}) == len(first) + len(reserved):
        return tuple(first)
    keys = [key for key in enumerate(items) if key[0] not in kept]
    names = resolve({key: _argument_ladder(*key) for key in keys}, [*reserved, *kept.values()])
    return tuple(kept.get(index) or names[index, item] for index, item in enumerate(items))


def _usable(pinned: Sequence[str | None], reserved: Sequence[str]) -> dict[int, str]:
    """The pinned argument names that can stay, by index: legal, not reserved, each given once."""
    legal = {
        index: name
        for index, name in enumerate(pinned)
        if name is not None and is_identifier(name) and len(name) <= ARGUMENT_LIMIT
    }
    folded = Counter([*map(fold, legal.values()), *map(fold, reserved)])
    return {index: name for index, name in legal.items() if folded[fold(name)] == 1}


def _argument_name(item: ArgumentRequest) -> str:
    """The name that an argument has where it clashes with no other one."""
    if is_identifier(item.wire_name) and item.wire_name.strip("_"):
        words = [item.wire_name]
    else:
        words = list(split_words(item.wire_name)) or ["value"]
    return legal_start(cut(words, ARGUMENT_LIMIT - 2, item.wire_name), "n")


def _argument_ladder(index: int, item: ArgumentRequest) -> tuple[str, ...]:
    base = _argument_name(item)
    plain = "_".join(split_words(item.wire_name)) or "value"
    place = "request" if fold(plain) == item.place else item.place
    spelling = _spelling(item.wire_name)
    mark = f"{item.place} {item.wire_name}"
    steps = (base, f"{place}_{plain}", f"{plain}_{spelling}", f"{place}_{plain}_{spelling}")
    names = [
        legal_start(cut(step.split("_"), ARGUMENT_LIMIT - 2, mark), "n") if step != base else base
        for step in steps
    ]
    start = legal_start(plain, "n")
    marks = [short_hash(mark, size) for size in _HASHES] + [short_hash(f"{mark} {index}", 40)]
    return (*names, *(f"{_fit(start, ARGUMENT_LIMIT - len(text) - 1)}_{text}" for text in marks))


def _spelling(name: str) -> str:
    """A word for how a name is written, to tell `user-id`, `user_id` and `userId` apart."""
    marks = (
        ("[]", "list"),
        ("[", "bracket"),
        (".", "dotted"),
        ("-", "kebab"),
        (" ", "spaced"),
        ("$", "dollar"),
        ("@", "at"),
    )
    found = next((word for mark, word in marks if mark in name), None)
    if found:
        return found
    if ascii_text(name) != name or not is_identifier(name):
        return "text"
    if name.startswith("_"):
        return "underscored"
    if name.isupper():
        return "upper"
    if name != name.lower():
        return "camel" if name[0].islower() else "pascal"
    return "snake" if "_" in name else "lower"
