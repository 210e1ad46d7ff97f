"""Where operations work: their paths as places that can be compared, and the nouns that the paths hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.toolsets import is_prefix, static_segments

Place = tuple[str, ...]

FINDERS = frozenset({"search", "query", "list", "find", "lookup", "_search"})
"""Last segments of paths that search or list what stands before them."""
_SEARCH_ARGUMENTS = (
    "q", "query", "search", "keyword", "keywords", "searchterm", "term", "text", "searchtext", "filter", "filters",
    "name", "title", "namefilter", "match", "prefix", "email", "jql",
)  # fmt: skip
_READING = frozenset("get list search find query fetch read show all lookup retrieve describe info".split())


def place_of(path: str) -> Place:
    """The path as segments with all placeholders equal; `users.list` and `users/list` are the same place."""
    plain = re.sub(r"\{[^{}]*\}", "{}", path.partition("?")[0].partition("#")[0])
    parts = [part for part in re.split(r"[/:]|(?<=[a-z])\.(?=[a-z])", plain) if part]
    return tuple(
        part.lower() for part in parts if part == "{}" or not is_prefix(part) or part.lower() == "services"
    )


def placeholders(path: str) -> tuple[tuple[int, str], ...]:
    """The placeholders that are whole segments: their index in the place, and their name."""
    names = iter(re.findall(r"\{([^{}]*)\}", path.partition("?")[0].partition("#")[0]))
    found = []
    for index, part in enumerate(place_of(path)):
        inside = [next(names, "") for _ in range(part.count("{}"))]
        if part == "{}":
            found.append((index, inside[0]))
    return tuple(found)


def last_parameter(path: str) -> str:
    """The name of the last placeholder of a path."""
    names = re.findall(r"\{([^{}]*)\}", path)
    return names[-1] if names else ""


def last_noun(path: str) -> str:
    """The last segment without placeholders in words, in the singular."""
    static = static_segments(path)
    words = split_words(static[-1]) if static else ()
    return " ".join((*words[:-1], singular(words[-1]))) if words else "item"


def nouns_of(place: Place) -> tuple[str, ...]:
    """What a place holds, in words, in the singular, without the verbs of reading: `users.list`, `get-users`: `user`."""
    static = [part for part in place if part != "{}"]
    while len(static) > 1 and static[-1] in _READING | FINDERS:
        static.pop()
    words = list(split_words(static[-1])) if static else []
    while len(words) > 1 and words[0] in _READING:
        words.pop(0)
    while len(words) > 1 and words[-1] in _READING:
        words.pop()
    return (*words[:-1], singular(words[-1])) if words else ()


def search_argument(names: Iterable[str]) -> str | None:
    """The argument, by the names of all, that takes words to look for."""
    known = {name.replace("_", "").lower(): name for name in names}
    return next((known[name] for name in _SEARCH_ARGUMENTS if name in known), None)
