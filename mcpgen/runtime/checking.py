"""Validators for the published schemas, made once per tool and only when first needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_cache: dict[int, tuple[Mapping[str, Any], Draft202012Validator]] = {}


def validator(schema: Mapping[str, Any]) -> Draft202012Validator:
    """The validator of a schema that lives as long as the catalogue. Formats are only annotations."""
    held = _cache.get(id(schema))
    if held is None:
        from jsonschema import Draft202012Validator  # 0.1 s, which no server start should pay

        held = _cache[id(schema)] = (schema, Draft202012Validator(schema))
    return held[1]


_data_schemas: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}


def data_error(output_schema: Mapping[str, Any], data: Any) -> ValidationError | None:
    """How `data` breaks the schema that the tool publishes for it; None when it keeps it.

    The data schema is checked inside its envelope, because its references point into the whole document.
    """
    held = _data_schemas.get(id(output_schema))
    if held is None:
        envelope = {"properties": {"data": output_schema.get("properties", {}).get("data", {})}}
        if "$defs" in output_schema:
            envelope["$defs"] = output_schema["$defs"]
        held = _data_schemas[id(output_schema)] = (output_schema, envelope)
    return next(iter(validator(held[1]).iter_errors({"data": data})), None)
