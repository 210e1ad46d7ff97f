"""Finds the argument by which one operation does several things, so that each can become a tool of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mcpgen.ir.api import SCHEMA_PREFIX, Operation, ParameterIn, Schema
from mcpgen.plan.effects.evidence import claims_of
from mcpgen.plan.effects.inference import EffectDecision, infer_action
from mcpgen.plan.effects.verbs import name_verbs
from mcpgen.plan.effects.words import STATES
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.toolsets import static_segments

_NAMES = frozenset(
    "action actions op operation command cmd type mode verb method task activity event operationtype actiontype act"
    " optype requesttype commandtype actionname operationname 操作 动作 操作类型 动作类型 命令 指令 类型 accion acción operacion"
    " operación acao ação aktion действие операция 操作种类 アクション".split()
)
_WEAK_NAMES = frozenset("type mode method event task 类型".split())
"""Names that mostly hold kinds of things: here every value must be a verb."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
_HTTP = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
_BODIES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
_MAX_VALUES = 24


@dataclass(frozen=True, slots=True)
class ActionArgument:
    """The argument that chooses the action, and what each of its values does."""

    where: Literal["body", "query"]
    name: str
    values: tuple[tuple[str, EffectDecision], ...]
    required: bool


def action_argument(operation: Operation, schemas: Mapping[str, Schema]) -> ActionArgument | None:
    """The argument of an operation that chooses among actions with different side effects, if there is one.

    The values must read like actions (verbs, or states to look up), and their effects must differ: an ordinary
    enum such as a sort order or a status filter is never split.

    Args:
        operation: any operation.
        schemas: `Api.schemas`, to follow references.
    """
    if operation.method.upper() in _SAFE and any(claim.reads for claim in claims_of(operation)):
        return None  # an argument of a search that is called "action" filters
    found = [
        item
        for item in _candidates(operation, schemas)
        if len({decision.effect for _, decision in item.values}) > 1
    ]
    return min(found, key=lambda item: (not item.required, item.where != "body", item.name), default=None)


def _candidates(operation: Operation, schemas: Mapping[str, Schema]) -> Iterator[ActionArgument]:
    for item in operation.parameters:
        # What GET is given is a filter, unless nothing works without it (`?action=delete`).
        if item.where is ParameterIn.QUERY and (item.required or operation.method.upper() not in _SAFE):
            yield from _candidate(operation, "query", item.name, item.schema, item.required, schemas)
    for media in operation.body.media if operation.body else ():
        if media.bare not in _BODIES and not media.bare.endswith("+json"):
            continue
        body = _followed(media.schema or {}, schemas)
        required = body.get("required", ())
        for name, schema in _properties(body, schemas):
            needed = isinstance(required, (list, tuple)) and name in required
            yield from _candidate(operation, "body", name, schema, needed, schemas)
        return


def _candidate(
    operation: Operation,
    where: Literal["body", "query"],
    name: str,
    schema: Any,
    required: bool,
    schemas: Mapping[str, Schema],
) -> Iterator[ActionArgument]:
    folded = name.replace("_", "").replace("-", "").lower()
    if folded not in _NAMES and not _names_action(name, operation.path):
        return
    values = tuple(dict.fromkeys(_values(_followed(schema, schemas), schemas)))
    if not 2 <= len(values) <= _MAX_VALUES or all(value.upper() in _HTTP for value in values):
        return
    verbs = sum(_is_action(value) for value in values)
    if verbs < (len(values) if folded in _WEAK_NAMES else max(2, (2 * len(values) + 2) // 3)):
        return
    yield ActionArgument(
        where, name, tuple((value, infer_action(operation, value)) for value in values), required
    )


def _names_action(name: str, path: str) -> bool:
    """Whether an argument is the action on what the path is about: `order_action` of `/orders/{id}`."""
    words = split_words(name)
    if words[-1:] not in (("action",), ("operation",), ("command",)) or len(words) < 2:
        return False
    nouns = {singular(word) for part in static_segments(path) for word in split_words(part)}
    return all(singular(word) in nouns for word in words[:-1])


def _is_action(value: str) -> bool:
    verbs = name_verbs(value)
    words = split_words(value)
    return (bool(verbs) and verbs[0].leading) or bool(words and words[-1] in STATES)


def _values(schema: Schema, schemas: Mapping[str, Schema]) -> tuple[str, ...]:
    """The texts that a schema admits, from `enum`, `const`, or a union of constants; none if it admits others."""
    if isinstance(schema.get("const"), str):
        return (schema["const"],)
    if isinstance(listed := schema.get("enum"), (list, tuple)):
        texts = tuple(item for item in listed if isinstance(item, str))
        return texts if len(texts) == len([item for item in listed if item is not None]) else ()
    for key in ("oneOf", "anyOf"):
        if isinstance(parts := schema.get(key), (list, tuple)):
            each = [_values(_followed(part, schemas), schemas) for part in parts if not _is_null(part)]
            return tuple(value for values in each for value in values) if all(each) else ()
    return ()


def _is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "null"


def _properties(schema: Schema, schemas: Mapping[str, Schema]) -> Iterator[tuple[str, Any]]:
    """The top-level properties of an object, those of `allOf` parts included."""
    own = schema.get("properties")
    if isinstance(own, Mapping):
        yield from own.items()
    for part in schema.get("allOf", ()):
        inner = _followed(part, schemas)
        if isinstance(inner.get("properties"), Mapping):
            yield from inner["properties"].items()


def _followed(schema: Any, schemas: Mapping[str, Schema]) -> Schema:
    """The schema that a chain of references leads to; an empty one when it leads nowhere."""
    seen: set[str] = set()
    while isinstance(schema, Mapping):
        target = schema.get("$ref")
        if not isinstance(target, str) or not target.startswith(SCHEMA_PREFIX) or target in seen:
            return schema
        seen.add(target)
        schema = schemas.get(target.removeprefix(SCHEMA_PREFIX), {})
    return {}
