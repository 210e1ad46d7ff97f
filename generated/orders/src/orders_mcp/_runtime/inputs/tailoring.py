"""What an operator's policy changes in the published schemas of a tool: bounds, chosen fields, own arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..bounds.projection import LONGEST_NAME, MOST_NAMES, Fields, Selection, listed, loosened
from ..setup.policy import ArgumentLimit, ToolPolicy
from .limits import equal
from .own_arguments import OwnArguments, own_arguments

Schema = dict[str, Any]

_TOLD_FIELDS = 400
"""Characters."""


def tailored(tool: Mapping[str, Any], effect: str, policy: ToolPolicy) -> Schema:
    """The wire dict of a tool with its policy in it; what does not change is shared with the old one."""
    given, output = tool["inputSchema"], tool["outputSchema"]
    fields = Fields(output)
    own = own_arguments(policy, effect, given.get("properties", {}), choosable=fields.possible)
    changed = {**tool, "inputSchema": _with_own(_bounded(given, policy.limits), own, fields, policy)}
    if policy.fields or own.fields is not None:
        changed["outputSchema"] = _projected(output)
    return changed


def _with_own(schema: Schema, own: OwnArguments, fields: Fields, policy: ToolPolicy) -> Schema:
    properties = dict(schema.get("properties", {}))
    if own.fields is not None:
        properties[own.fields] = _choice(fields, policy)
    if own.repeat is not None:
        properties[own.repeat] = {
            "type": "boolean",
            "description": "true: send it although an equal call was made a short time ago. Only where the same "
            "effect is wanted twice.",
        }
    return (
        schema
        if len(properties) == len(schema.get("properties", {}))
        else {**schema, "properties": properties}
    )


def _choice(fields: Fields, policy: ToolPolicy) -> Schema:
    names = fields.names(Selection(tuple(policy.fields)) if policy.fields else None)
    known = f" Known: {listed(names, _TOLD_FIELDS)}." if names else ""
    return {
        "type": "array",
        "items": {"type": "string", "maxLength": LONGEST_NAME},
        "maxItems": MOST_NAMES,
        "description": "The fields of the answer that are wanted; all of them when left out. Inner fields follow a dot, "
        f"through lists too (`items.id`).{known}",
    }


def _projected(output: Mapping[str, Any]) -> Schema:
    """The envelope with data that can lack any field."""
    properties = {**output["properties"], "data": loosened(output["properties"].get("data", {}))}
    changed = {**output, "properties": properties}
    if "$defs" in output:
        changed["$defs"] = {name: loosened(schema) for name, schema in output["$defs"].items()}
    return changed


def _bounded(schema: Schema, limits: Mapping[str, ArgumentLimit]) -> Schema:
    """The schema of the arguments with the bounds that models should know: all but those that values are moved to."""
    for name, limit in limits.items():
        schema = _at(schema, name, partial(_tightened, limit))
    return schema


def _at(schema: Any, name: str, change: Callable[[Schema], Schema]) -> Any:
    """Changes the schema of an argument, or of a field in it. What lies behind a reference is shared, so it stays."""
    if not isinstance(schema, dict):
        return schema
    if not name:
        return change(schema)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        step, rest = (name, "") if name in properties else name.partition(".")[::2]
        if step in properties:
            return {**schema, "properties": {**properties, step: _at(properties[step], rest, change)}}
    if isinstance(schema.get("items"), dict):
        return {**schema, "items": _at(schema["items"], name, change)}
    return schema


def _tightened(limit: ArgumentLimit, schema: Schema) -> Schema:
    told = dict(schema)
    if not limit.clamp and limit.max_items is not None:
        told["maxItems"] = _least(schema.get("maxItems"), limit.max_items)
    if isinstance(schema.get("items"), dict):
        return {**told, "items": _tightened(limit.model_copy(update={"max_items": None}), schema["items"])}
    if not limit.clamp:
        if limit.maximum is not None:
            told["maximum"] = _least(schema.get("maximum"), limit.maximum)
        if limit.minimum is not None:
            told["minimum"] = max(limit.minimum, schema.get("minimum", limit.minimum))
        if limit.max_length is not None:
            told["maxLength"] = _least(schema.get("maxLength"), limit.max_length)
    values = schema.get("enum")
    if limit.allow is not None:
        values = [
            v
            for v in (limit.allow if values is None else values)
            if any(equal(v, one) for one in limit.allow)
        ]
    if values is not None:
        told["enum"] = [v for v in values if not any(equal(v, one) for one in limit.deny)]
    return told


def _least(known: Any, bound: float) -> Any:
    return bound if known is None else min(known, bound)
