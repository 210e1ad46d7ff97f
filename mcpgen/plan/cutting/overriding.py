"""Fields that change the method of a request (`_method`): no caller gives them, and a fixed one says what the call is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mcpgen.ir.api import Operation, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.ir.methods import METHOD_OVERRIDES
from mcpgen.plan.cutting.bodies import body_media, properties_of, with_body
from mcpgen.plan.cutting.choices import fixed_value
from mcpgen.plan.cutting.model import Action, Cut
from mcpgen.plan.cutting.specialised import without
from mcpgen.plan.effects.inference import infer_effect

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})


def without_overrides(
    operation: Operation, schemas: Mapping[str, Schema], tell: Callable[[str], None]
) -> Operation | Cut:
    """The operation without fields that change its method, or the one tool that sends the only value of such a field.

    Args:
        operation: any operation.
        schemas: `Api.schemas`.
        tell: takes what is left out.
    """
    for item in operation.parameters:
        if item.where is ParameterIn.QUERY and item.name.lower() in METHOD_OVERRIDES:
            found = _fixed(operation, "query", item.name, item.schema, schemas)
            if item.required and found is not None:
                return found
            kept = tuple(other for other in operation.parameters if other is not item)
            operation = replace(operation, parameters=kept)
    media = body_media(operation, schemas)
    flat = flatten(media.schema, schemas)[0] if media is not None and media.schema is not None else {}
    for name, schema in properties_of(flat).items():
        if media is None or name.lower() not in METHOD_OVERRIDES:
            continue
        found = _fixed(operation, "body", name, schema, schemas)
        if name in flat.get("required", ()) and found is not None:
            return found
        tell(
            f"{operation.key}: the body field `{name}` changes the method of the request, which no caller does"
        )
        return without_overrides(with_body(operation, media, without(flat, name, schemas)), schemas, tell)
    return operation


def _fixed(
    operation: Operation, where: str, name: str, schema: Any, schemas: Mapping[str, Schema]
) -> Cut | None:
    value = fixed_value(schema, schemas)
    if not isinstance(value, str) or value.upper() not in _METHODS:
        return None
    meant = infer_effect(replace(operation, method=value.upper()))
    effect = replace(meant, reason=f"`{name}` makes the request a {value.upper()}. {meant.reason}")
    media = body_media(operation, schemas) if where == "body" else None
    if media is not None and media.schema is not None:
        flat, _ = flatten(media.schema, schemas)
        asked = [key for key in flat.get("required", ()) if key != name]
        rest = {key: item for key, item in flat.items() if key != "required"}
        operation = with_body(operation, media, {**rest, "required": asked} if asked else rest, required=True)
    return Cut(Action(where, name, value, (), sent=value, label=value, inherent=True), operation, effect)
