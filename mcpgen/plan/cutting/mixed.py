"""Operations that mix effects in a way that no cut can take apart: lists of actions, open lists of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from mcpgen.ir.api import Operation, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.cutting.alternatives import alternatives, chosen_by
from mcpgen.plan.cutting.bodies import body_media, properties_of
from mcpgen.plan.cutting.choices import Choice, partly_listed
from mcpgen.plan.effects.inference import Effect, EffectDecision, worse
from mcpgen.plan.effects.split import acts_by, judged, kind_of_name

_PATCH = frozenset({"add", "remove", "replace"})
"""Operations of JSON Patch (RFC 6902) and SCIM (RFC 7644, 3.5.2): they change fields, and are no actions of the API."""


def mixed_effect(
    operation: Operation, decision: EffectDecision, schemas: Mapping[str, Schema]
) -> EffectDecision:
    """The effect of an operation that is one tool: that of the worst action that its arguments can name."""
    worst = decision
    if decision.effect is Effect.DESTRUCTIVE:
        return decision
    for name, choices in _named(operation, schemas):
        if {choice.key.lower() for choice in choices} >= _PATCH:
            continue
        for choice, effect in judged(operation, choices):
            reason = f'An item of the call can have "{name}": "{choice.label}". {effect.reason}'
            worst = worse(worst, replace(effect, reason=reason))
    return worst


def _named(operation: Operation, schemas: Mapping[str, Schema]) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """The arguments that name actions, inside of lists or beside values that the document does not list."""
    if operation.method.upper() in ("GET", "HEAD", "OPTIONS", "TRACE", "QUERY"):
        return
    for item in operation.parameters:
        if item.where is ParameterIn.QUERY:
            yield from _open(operation, item.name, item.schema, schemas)
    media = body_media(operation, schemas)
    if media is None:
        return
    flat, _ = flatten(media.schema or {}, schemas)
    yield from _items(operation, flat, schemas)
    for name, child in properties_of(flat).items():
        yield from _open(operation, name, child, schemas)
        inner, _ = flatten(child, schemas)
        yield from _items(operation, inner, schemas)


def _open(
    operation: Operation, name: str, schema: Any, schemas: Mapping[str, Schema]
) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """An argument whose values are many, listed in part, or given as a list."""
    if kind_of_name(operation, name) != "strong":
        return
    flat, _ = flatten(schema, schemas)
    holder = flat.get("items", flat) if flat.get("type") == "array" else flat
    choices = partly_listed(holder, schemas)
    if acts_by(operation, name, choices):
        yield name, choices


def _items(
    operation: Operation, flat: Mapping[str, Any], schemas: Mapping[str, Schema]
) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """The action of each item of a list."""
    items = flat.get("items")
    if flat.get("type") != "array" or not isinstance(items, Mapping):
        return
    inner, _ = flatten(items, schemas)
    told = {name: partly_listed(child, schemas) for name, child in properties_of(inner).items()}
    told |= chosen_by(alternatives(items, inner, schemas))
    for name, choices in told.items():
        if acts_by(operation, name, choices):
            yield name, choices
