"""Selectors: how a user names operations, such as `tag:pets`, `path:/admin/**` or `method:DELETE & effect:destructive`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from mcpgen.ir.api import Operation

KINDS: Mapping[str, str] = {
    "tag": "tag:pets",
    "path": "path:/admin/**",
    "method": "method:DELETE",
    "operation": "operation:list* or operation:GET /pets",
    "effect": "effect:destructive",
    "extension": "extension:x-internal",
}
"""What a term can be about, with an example."""

EFFECTS = ("read", "write", "destructive")
_METHODS = frozenset("GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY".split())
_AND = re.compile(rf"\s+&\s+(?=(?:{'|'.join(KINDS)}):)")


class SelectorError(ValueError):
    """A text is no selector; the message says what it must be."""


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: its kind and a pattern, in which `*` and `?` stand for other characters."""

    kind: str
    pattern: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.pattern}"

    def matches(self, operation: Operation, effect: str) -> bool:
        """Whether the condition holds for a tool of `operation` that has `effect`."""
        if self.kind == "effect":
            return self.pattern == effect
        if self.kind == "tag":
            return any(_like(tag, self.pattern) for tag in operation.tags)
        if self.kind == "method":
            return _like(operation.method.upper(), self.pattern.upper())
        if self.kind == "path":
            return _path_like(operation.path, self.pattern)
        if self.kind == "extension":
            return operation.extensions.get(self.pattern, False) not in (False, None)
        method, _, path = self.pattern.partition(" ")
        if path:
            return _like(operation.method.upper(), method.upper()) and _path_like(
                operation.path, path.strip()
            )
        return operation.operation_id is not None and _like(operation.operation_id, self.pattern)

    @property
    def may_match_nothing(self) -> bool:
        """Whether it makes sense where nothing is like it: "nothing destructive" is a policy, `tag:pest` is a slip."""
        return self.kind in ("effect", "extension") or self.pattern.upper() in _METHODS

    def suggestion(self, operations: Iterable[Operation]) -> str | None:
        """What was probably meant, of what the API has."""
        named: Mapping[str, Callable[[Operation], Iterable[str]]] = {
            "tag": lambda one: one.tags,
            "path": lambda one: (one.path,),
            "method": lambda one: (one.method,),
            "operation": lambda one: (one.key, one.operation_id or one.key),
        }
        names = list(dict.fromkeys(name for one in operations for name in named[self.kind](one)))
        folded = {name.casefold(): name for name in names}
        close = difflib.get_close_matches(self.pattern.casefold(), folded, n=1)
        if close:
            return f"Did you mean `{self.kind}:{folded[close[0]]}`?"
        if self.kind == "path":
            return "A path is that of the spec, such as `/pets/{id}`; `*` stands for a part of one segment, `**` for any number."
        if self.kind == "operation":
            return "An operation is named by its operationId or as `GET /pets`."
        shown = ", ".join(f"`{name}`" for name in names[:8]) or "none"
        return f"The spec has: {shown}{', ...' if len(names) > 8 else ''}."


@dataclass(frozen=True, slots=True)
class Selector:
    """Conditions that have to hold together; `text` is what the user wrote."""

    text: str
    terms: tuple[Term, ...]

    def matches(self, operation: Operation, effect: str) -> bool:
        return all(term.matches(operation, effect) for term in self.terms)


def parse_selector(text: str) -> Selector:
    """Reads a selector.

    Raises:
        SelectorError: it is none.
    """
    return Selector(text, tuple(_term(part) for part in _AND.split(text.strip())))


def _term(text: str) -> Term:
    kind, colon, pattern = text.partition(":")
    kind, pattern = kind.strip().lower(), pattern.strip()
    if not colon or kind not in KINDS:
        raise SelectorError(f"`{text}` must begin with what it selects by.{_meant(text, kind)}")
    if not pattern:
        raise SelectorError(f"`{text}` selects nothing; write for example `{KINDS[kind]}`.")
    if kind == "effect":
        pattern = pattern.lower()
        if pattern not in EFFECTS:
            raise SelectorError(f"`{text}`: an effect is {', '.join(EFFECTS[:-1])} or {EFFECTS[-1]}.")
    return Term(kind, pattern)


def _meant(text: str, kind: str) -> str:
    close = difflib.get_close_matches(kind, KINDS, n=1)
    if ":" in text and close:
        return f" Did you mean `{close[0]}:`?"
    if text.startswith("/"):
        return f" Did you mean `path:{text}`?"
    if text.partition(" ")[0] in _METHODS:
        return f" Did you mean `{'operation' if ' ' in text else 'method'}:{text}`?"
    return f" For example: {', '.join(f'`{example}`' for example in KINDS.values())}."


def _like(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def _path_like(path: str, pattern: str) -> bool:
    return path == pattern or _path_pattern(pattern).fullmatch(path) is not None


@lru_cache(maxsize=256)
def _path_pattern(pattern: str) -> re.Pattern[str]:
    """`*` stays within a segment of the path; `**` is any number of segments, none of them among these."""
    text = ""
    for part in re.split(r"(/\*\*(?=/|\Z)|\*+|\?)", pattern):
        if part == "/**":
            text += "(?:/.*)?"
        elif part.startswith("**"):
            text += ".*"
        else:
            text += {"*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part))
    return re.compile(text, re.DOTALL)
