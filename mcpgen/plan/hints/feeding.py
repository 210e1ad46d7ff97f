"""Which field of what one tool answers is the value that an argument of another tool takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.paging.answer import Answer, plain, types_of
from mcpgen.plan.paging.names import folded

_IDS = ("id", "uuid", "guid", "gid", "pk", "uid", "key", "oid")
_KEYS = frozenset(
    "id uuid guid gid pk uid key oid iid sid slug code name number no num sku login username email hash handle symbol "
    "fingerprint tag ref sha urn arn alias iso identifier reference path filename version nr idx".split()
)
_LONGEST = 4
"""Nested objects that are looked into."""
_WIDEST = 60
_DEEPEST = 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """The value that an argument needs.

    Attributes:
        argument: the argument's name in the API.
        takes: the types that it takes.
        nouns: what the items are, in words; () where nothing is known of them.
        own: the argument is known to identify the items, whatever it is called. Else a plain `id` is the id of no other
            thing.
    """

    argument: str
    takes: frozenset[str]
    nouns: tuple[str, ...] = ()
    own: bool = False


def feed(answer: Answer, wanted: Wanted, schemas: Mapping[str, Schema]) -> str | None:
    """The field of the listed items that an argument takes, as `orders[].order_id`; None where none fits."""
    if answer.items is None:
        return None
    where = ".".join(answer.items) + "[]"
    kinds = types_of(answer.item)
    if kinds and kinds <= {"string", "integer"}:
        return where if wanted.own and _fits(kinds, wanted.takes) and not answer.item.get("enum") else None
    field = item_field(answer.item, wanted, schemas)
    return None if field is None else f"{where}.{field}"


def item_field(item: Schema, wanted: Wanted, schemas: Mapping[str, Schema]) -> str | None:
    """The field of one object that an argument takes; a nested one as `metadata.name`."""
    properties: Mapping[str, Any] = item.get("properties") or {}
    known = {folded(name): name for name in reversed(list(properties))}
    spellings = tuple(_spellings(wanted))
    for spelt in spellings:
        name = known.get(spelt)
        if name is not None and _fits(types_of(plain(properties[name], schemas)), wanted.takes):
            return name
    for name in _nested(known, wanted.nouns):
        inner = plain(properties[name], schemas).get("properties") or {}
        inside = {folded(one): one for one in inner}
        named = name == "metadata" and spellings[0] == "".join(
            wanted.nouns
        )  # a namespace's own namespace is empty
        for spelt in ("name", *spellings) if named else spellings:
            one = inside.get(spelt)
            if one is not None and _fits(types_of(plain(inner[one], schemas)), wanted.takes):
                return f"{name}.{one}"
    return None


def anywhere(schema: Any, wanted: Wanted, schemas: Mapping[str, Schema], depth: int = 0) -> str | None:
    """The field with the argument's own name anywhere in an object, also in its lists: `notes[].note_id`."""
    properties: Mapping[str, Any] = plain(schema, schemas).get("properties") or {}
    children = [(name, plain(child, schemas)) for name, child in list(properties.items())[:_WIDEST]]
    for name, child in children:
        if folded(name) == folded(wanted.argument) and _fits(types_of(child), wanted.takes):
            return name
    for name, child in children if depth < _DEEPEST else ():
        listed = types_of(child) == {"array"}
        inner = anywhere(child.get("items") if listed else child, wanted, schemas, depth + 1)
        if inner is not None:
            return f"{name}[].{inner}" if listed else f"{name}.{inner}"
    return None


@lru_cache(maxsize=1 << 13)
def key_of(argument: str) -> tuple[tuple[str, ...], str] | None:
    """An argument such as `order_id` as the noun and the key; None where its last word is no key."""
    words = split_words(argument)
    if "or" in words[1:-1]:  # `issueIdOrKey`, `organization_id_or_slug`: the first will do
        words = words[: words.index("or", 1)]
    if not words or words[-1] not in _KEYS:
        return None
    return (*words[:-2], singular(words[-2])) if len(words) > 1 else (), words[-1]


def _spellings(wanted: Wanted) -> Iterator[str]:
    """What a field is called that holds the argument's value, the most exact first."""
    nouns, last = wanted.nouns, wanted.nouns[-1] if wanted.nouns else ""
    yield folded(wanted.argument)
    found = key_of(wanted.argument)
    if found is None:  # `{order}`, or a name of its own
        itself = wanted.own or singular(folded(wanted.argument)) == last
        yield from (*_IDS, "name", "slug", "code") if itself else ()
        return
    prefix, key = found
    yield "".join((*prefix, key))
    if wanted.own or not prefix or prefix[-1] == last or (last and last.endswith(prefix[-1])):
        yield key
        if key in _IDS:
            yield from ("".join((*nouns, "id")), last + "id") if nouns else ()
            yield from _IDS


def _nested(known: Mapping[str, str], nouns: tuple[str, ...]) -> list[str]:
    """Objects inside an item that are the item itself, or hold what identifies it."""
    names = (
        "metadata",
        "".join(nouns),
        nouns[-1] if nouns else "",
        "node",
        "item",
        "attributes",
        "resource",
        "data",
    )
    return [known[name] for name in dict.fromkeys(names) if name in known][:_LONGEST]


def _fits(given: frozenset[str], takes: frozenset[str]) -> bool:
    """A number can be passed as text, but no text as a number."""
    if not given or not takes:
        return True
    return bool(given & takes) or (given <= {"integer"} and "string" in takes)
