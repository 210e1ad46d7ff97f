"""The shape of an answer as far as paging needs it: the list it holds, and what stands around the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten
from mcpgen.ir.references import referenced
from mcpgen.plan.paging.names import ITEMS, MAYBE_ITEMS, NOT_ITEMS, RESPONSE_NAMES, folded, words

_DEPTH = 3
_WIDEST = 400
"""Fields that are looked at on one level."""


@dataclass(frozen=True, slots=True)
class Place:
    """A field of an answer outside of its items: `path` are the names on the way, `types` what it can be."""

    path: tuple[str, ...]
    schema: Schema
    types: frozenset[str]

    @property
    def name(self) -> str:
        return folded(self.path[-1])

    @property
    def parent(self) -> str:
        return folded(self.path[-2]) if len(self.path) > 1 else ""

    @property
    def pointer(self) -> str:
        return pointer(self.path)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation answers with. `items` is the way to its list, None where it has none.

    `envelope` is whether nothing but paging and status stands around the list, so that the answer is the list; `sure` is
    whether no other list of the answer could be meant.
    """

    items: tuple[str, ...] | None
    item: Schema
    fields: tuple[Place, ...] = ()
    envelope: bool = False
    sure: bool = False


NO_LIST = Answer(None, {})


def pointer(path: tuple[str, ...]) -> str:
    """A path as JSON pointer (RFC 6901)."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


def plain(schema: Any, schemas: Mapping[str, Schema], depth: int = 0) -> dict[str, Any]:
    """A schema without references at its own level; of a choice, the fields of all its alternatives together."""
    if not isinstance(schema, Mapping):
        return {}
    flat, _ = flatten(schema, schemas)
    for key in ("anyOf", "oneOf", "allOf"):
        parts = [part for part in flat.get(key) or () if part != {"type": "null"}]
        if not parts or depth > _DEPTH:
            continue
        merged = [plain(part, schemas, depth + 1) for part in parts]
        for part in merged:
            flat = {
                **part,
                **flat,
                "properties": {**part.get("properties", {}), **flat.get("properties", {})},
            }
        if key != "allOf":
            flat["type"] = sorted(frozenset().union(*(types_of(part) for part in merged)))
    return flat


def types_of(flat: Mapping[str, Any]) -> frozenset[str]:
    """The types that a flat schema names, without null; empty where it leaves them open."""
    told = flat.get("type", ())
    found = frozenset([told] if isinstance(told, str) else told) - {"null"}
    if not found and flat.get("properties"):
        return frozenset({"object"})
    return found or (frozenset({"array"}) if "items" in flat else frozenset())


class Answers:
    """Reads the answers of one API; each component once."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._known: dict[tuple[str, str], Answer] = {}

    def read(self, schema: Schema, noun: str) -> Answer:
        """The answer of a success schema; `noun` is what the operation lists, in the singular."""
        name = referenced(schema) if len(schema) == 1 else None
        if name is None:
            return self._read(schema, noun)
        if (name, noun) not in self._known:
            self._known[name, noun] = self._read(schema, noun)
        return self._known[name, noun]

    def _read(self, schema: Schema, noun: str) -> Answer:
        root = plain(schema, self._schemas)
        if types_of(root) == {"array"}:
            return Answer((), self.plain(root.get("items")), envelope=True, sure=True)
        fields: list[Place] = []
        lists: list[tuple[tuple[str, ...], Mapping[str, Any], int]] = []
        self._walk(root, (), fields, lists)
        best = max(lists, key=lambda found: self._rank(found, noun), default=None)
        if best is None or self._rank(best, noun) <= 0:
            return Answer(None, {}, tuple(fields))
        path, around, beside = best
        child = self.plain(around["properties"][path[-1]])
        level = {folded(name) for name in around["properties"]} - {folded(path[-1])}
        named = not level or folded(path[-1]) in ITEMS or _is_noun(path[-1], noun)
        alone = level <= RESPONSE_NAMES | NOT_ITEMS | MAYBE_ITEMS | _STATUS
        item = self.plain(child.get("items"))
        return Answer(path, item, tuple(fields), envelope=alone and named, sure=named or beside == 1)

    def _walk(
        self,
        level: Mapping[str, Any],
        path: tuple[str, ...],
        fields: list[Place],
        lists: list[tuple[tuple[str, ...], Mapping[str, Any], int]],
    ) -> None:
        """Every field that a name makes interesting, and every list, in objects that can be an envelope."""
        properties = dict(list((level.get("properties") or {}).items())[:_WIDEST])
        found = []
        for name, child in properties.items():
            known = folded(name) in RESPONSE_NAMES
            if not known and not _may_be_list(child, self._schemas) and len(properties) > 1:
                continue
            flat = self.plain(child)
            types = types_of(flat)
            if "array" in types:
                found.append((*path, name))
            elif known or len(properties) == 1:
                fields.append(Place((*path, name), flat, types))
                if flat.get("properties") and len(path) < _DEPTH:
                    self._walk(flat, (*path, name), fields, lists)
        lists += [(each, level, len(found)) for each in found]

    def _rank(self, found: tuple[tuple[str, ...], Mapping[str, Any], int], noun: str) -> int:
        """How likely a list is the one that the operation is about."""
        path, around, beside = found
        name = folded(path[-1])
        child = self.plain(around["properties"][path[-1]])
        objects = bool(self.plain(child.get("items")).get("properties"))
        rank = 8 if _is_noun(path[-1], noun) else 6 if name in ITEMS else 0
        doubt = 0 if rank == 8 else 9 if name in NOT_ITEMS else 3 if name in MAYBE_ITEMS else 0
        return rank + 3 * (beside == 1) + 2 * objects - len(path) - doubt

    def plain(self, schema: Any) -> dict[str, Any]:
        return plain(schema, self._schemas)


_STATUS = frozenset(
    "ok success status code message msg error errorcode errormessage kind apiversion object type retcode requestid "
    "timestamp took time version selflink self url schema context etag title description query querytime "
    "statuscode statusmessage errno errmsg traceid expand debug uri".split()
)
"""What stands in envelopes beside the list and is neither the list nor about its pages."""


def _is_noun(name: str, noun: str) -> bool:
    return bool(noun) and "".join(words(name)) == noun


def _may_be_list(child: Any, schemas: Mapping[str, Schema]) -> bool:
    """A cheap look, which spares most fields the whole one."""
    if not isinstance(child, Mapping):
        return False
    name = referenced(child)
    target = schemas.get(name, {}) if name is not None else child
    told = target.get("type", ())
    return "array" in ([told] if isinstance(told, str) else told) or "items" in target or "allOf" in target
