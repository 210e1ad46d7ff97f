"""The arguments of a tool that can move through a list: cursors, offsets, page numbers, sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from mcpgen.ir.api import Schema
from mcpgen.plan.arguments import ArgumentDraft, PreparedTool
from mcpgen.plan.paging.answer import plain, pointer, types_of
from mcpgen.plan.paging.names import (
    CONTAINERS,
    CURSOR,
    CURSOR_TEXT,
    OFFSET,
    OFFSET_MAYBE,
    PAGE,
    PAGE_MAYBE,
    SIZE,
    folded,
    header_names,
)

_SIZES = frozenset(SIZE)
_KNOWN = CURSOR | CURSOR_TEXT | OFFSET | OFFSET_MAYBE | PAGE | PAGE_MAYBE | _SIZES
_NUMBERS = frozenset({"integer", "number"})
_TIME = re.compile(
    r"\b(timestamps?|dates?|datetime|epoch|iso[ -]?8601|unix|utc|(milli)?seconds|(start|end|point in) time|identifier)\b",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b(timestamps?|date|dates|datetime|iso[ -]?8601)\b", re.IGNORECASE)
_PAGING = re.compile(r"cursor|pagina|\bpages?\b", re.IGNORECASE)
_LOOKED_AT = 600


@dataclass(frozen=True, slots=True)
class Leaf:
    """An argument, or a field of one that is an object. `names` are folded: alone, and with what it is in."""

    path: tuple[str, ...]
    names: tuple[str, ...]
    schema: Schema
    types: frozenset[str]
    where: str

    @property
    def argument(self) -> str:
        """How the catalogue writes it: the argument's name, or a JSON pointer into the arguments."""
        return self.path[0] if len(self.path) == 1 else pointer(self.path)

    @property
    def text(self) -> str:
        return str(self.schema.get("description") or "")[:_LOOKED_AT]

    @property
    def number(self) -> bool:
        """Whether it takes a number: nothing else is said, or a text that shows one."""
        if self.types & _NUMBERS or not self.types:
            return True
        shown = (self.schema.get("default"), *self.schema.get("examples", ())[:1], self.schema.get("example"))
        return any(isinstance(value, str) and value.isascii() and value.isdigit() for value in shown)

    @property
    def takes_text(self) -> bool:
        return not self.types or "string" in self.types

    @property
    def no_number(self) -> bool:
        """Whether the words, or the format, are those of a point in time or of the id of something."""
        return "date" in str(self.schema.get("format")) or bool(_TIME.search(self.text))

    @property
    def no_cursor(self) -> bool:
        """Whether it is a day or a time to filter by."""
        dated = "date" in str(self.schema.get("format")) or bool(_DATE.search(self.text))
        return dated and not _PAGING.search(self.text)

    @property
    def deprecated(self) -> bool:
        return bool(self.schema.get("deprecated")) or self.text.startswith("Deprecated")

    @property
    def counts_items(self) -> bool:
        """Whether the words say that it is an offset, whatever the name is."""
        return re.search(r"\boffset\b|\bskip", self.text, re.IGNORECASE) is not None

    def among(self, names: frozenset[str]) -> bool:
        return any(name in names for name in self.names)


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments that could be about paging, by what they could be."""

    cursors: tuple[Leaf, ...]
    cursor_texts: tuple[Leaf, ...]
    offsets: tuple[Leaf, ...]
    pages: tuple[Leaf, ...]
    size: Leaf | None
    movable: bool
    """Whether any argument is left that the address of a next page could set."""


def read_request(tool: PreparedTool, schemas: Mapping[str, Schema]) -> Request:
    """Sorts the arguments of a tool; deprecated ones count only where there is no other."""
    leaves = list(_leaves(tool, schemas))
    leaves = [leaf for leaf in leaves if not leaf.deprecated] or leaves
    size = next(
        (
            leaf
            for name in SIZE
            for leaf in leaves
            if name in leaf.names and leaf.number and not leaf.no_number
        ),
        None,
    )
    rest = [leaf for leaf in leaves if leaf is not size]
    numbers = [leaf for leaf in rest if leaf.number and not leaf.no_number]
    texts = [leaf for leaf in rest if not leaf.no_cursor]

    def maybe(leaf: Leaf, names: frozenset[str]) -> bool:
        return size is not None and leaf.among(names) and bool(leaf.types & _NUMBERS)

    return Request(
        cursors=tuple(leaf for leaf in texts if leaf.among(CURSOR)),
        cursor_texts=tuple(leaf for leaf in texts if leaf.among(CURSOR_TEXT) and leaf.takes_text),
        offsets=tuple(leaf for leaf in numbers if leaf.among(OFFSET) or maybe(leaf, OFFSET_MAYBE)),
        pages=tuple(leaf for leaf in numbers if leaf.among(PAGE) or maybe(leaf, PAGE_MAYBE)),
        size=size,
        movable=bool(rest),
    )


def _leaves(tool: PreparedTool, schemas: Mapping[str, Schema]) -> Iterator[Leaf]:
    for name, draft in zip(tool.names, tool.arguments, strict=True):
        if draft.where in ("path", "cookie", "querystring"):
            continue
        alone = folded(draft.wire)
        names = _spellings(draft, alone)
        if alone in CONTAINERS or not draft.wire or draft.pointer == "":
            flat = plain(draft.schema, schemas)
            for field, child in list((flat.get("properties") or {}).items())[:100]:
                inner = folded(field)
                if inner in _KNOWN or alone + inner in _KNOWN:
                    own = plain(child, schemas)
                    yield Leaf((name, field), (alone + inner, inner), own, types_of(own), draft.where)
        if any(spelt in _KNOWN for spelt in names):
            flat = plain(draft.schema, schemas)
            if "object" not in types_of(flat) and "array" not in types_of(flat):
                yield Leaf((name,), names, flat, types_of(flat), draft.where)


def _spellings(draft: ArgumentDraft, alone: str) -> tuple[str, ...]:
    """The name of a header, or one like that, begins with the vendor's: `X-Shop-Container-Start`."""
    vendor = draft.where == "header" or draft.wire.lower().startswith("x-")
    return (alone, *sorted(header_names(draft.wire) - {alone})) if vendor else (alone,)


def first_number(schema: Schema) -> int | None:
    """0 or 1, where a schema shows that counting starts there: its default, its words, its least value, its example."""
    default = schema.get("default")
    if _is_base(default):
        return int(default)
    text = str(schema.get("description") or "")[:_LOOKED_AT].lower()
    for number, signs in ((0, _FROM_ZERO), (1, _FROM_ONE)):
        if any(sign in text for sign in signs):
            return number
    shown = (schema.get("minimum"), *schema.get("examples", ())[:1], schema.get("example"))
    return next((int(value) for value in shown if _is_base(value)), None)


_FROM_ZERO = ("zero-based", "zero based", "0-based", "0 based", "0-index", "zero-index", "starts at 0", "starting at 0",
              "starting from 0", "starts from 0", "starts with 0", "first page is 0", "(0..n)", "0 for the first")  # fmt: skip
_FROM_ONE = ("one-based", "1-based", "1 based", "1-index", "one-index", "starts at 1", "starting at 1",
             "starting from 1", "starts from 1", "starts with 1", "first page is 1", "starting with 1")  # fmt: skip


def _is_base(value: Any) -> TypeGuard[str | int | float]:
    if isinstance(value, str):
        return value in ("0", "1")
    return isinstance(value, int | float) and not isinstance(value, bool) and value in (0, 1)
