"""From the signature of a function to the schemas of its tool, and from JSON to what the function takes and gives."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, PydanticSchemaGenerationError, TypeAdapter, create_model
from pydantic.errors import PydanticInvalidForJsonSchema

from ..outcomes.failures import Category
from ..outcomes.result import Result

_TEMPLATE = "#/$defs/{model}"


class OwnToolError(ValueError):
    """A function can't be a tool; the message says what to change in it."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes and gives."""

    arguments: type[BaseModel]
    data: TypeAdapter[Any]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]


def signature_of(function: Any) -> Signature:
    """Reads the parameters after the first one, which is the call, and the return type.

    Raises:
        OwnToolError: the function is not of the form `async def name(call: Call, *, argument: Type, ...) -> Type`.
    """
    if not inspect.iscoroutinefunction(function):
        raise OwnToolError("must be a coroutine function: async def")
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].kind not in (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    ):
        raise OwnToolError("must take the call as its first parameter: call: Call")
    types = _types(function, parameters[0].name)
    fields: dict[str, Any] = {}
    for one in parameters[1:]:
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD, one.POSITIONAL_ONLY):
            raise OwnToolError(f"can't have {one}: every argument needs a name")
        if one.name not in types:
            raise OwnToolError(f"needs a type for {one.name}")
        fields[one.name] = (types[one.name], ... if one.default is one.empty else one.default)
    try:
        config = ConfigDict(extra="forbid", arbitrary_types_allowed=False)
        arguments = create_model(function.__name__, __config__=config, **fields)
        data: TypeAdapter[Any] = TypeAdapter(_data_type(types.get("return", Any)))
        taken = arguments.model_json_schema(ref_template=_TEMPLATE)
        given = data.json_schema(mode="serialization", ref_template=_TEMPLATE)
    except (PydanticSchemaGenerationError, PydanticInvalidForJsonSchema, NameError, TypeError) as error:
        raise OwnToolError(f"has a type that JSON can't hold: {str(error).splitlines()[0]}") from error
    return Signature(
        arguments, data, _without_titles(taken) | {"additionalProperties": False}, _result(given)
    )


def _types(function: Any, call: str) -> dict[str, Any]:
    """The types of the parameters and of what is returned; that of the call is only for type checkers."""
    written = {name: kind for name, kind in function.__annotations__.items() if name != call}
    holder: Any = SimpleNamespace(__annotations__=written)
    try:
        return get_type_hints(holder, globalns=function.__globals__, include_extras=True)
    except NameError as error:
        raise OwnToolError(f"has a type that can't be found when the server runs: {error}") from error


def _data_type(returned: Any) -> Any:
    """`Order` of `Order` and of `Result[Order]`."""
    if returned is Result:
        return Any
    return (get_args(returned) or (Any,))[0] if get_origin(returned) is Result else returned


def _result(data: dict[str, Any]) -> dict[str, Any]:
    """The result contract around the data, as generated tools have it."""
    schema = _without_titles(data)
    defs = schema.pop("$defs", None)
    failed = ["error", "category", "retryable", "trace_id"]
    out: dict[str, Any] = {
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"},
            "data": schema,
            "raw": {},
            "total": {"type": "integer"},
            "note": {"type": "string"},
            "next": {"type": "object"},
            "error": {"type": "string"},
            "category": {"enum": [str(category) for category in Category]},
            "retryable": {"type": "boolean"},
            "status": {"type": "integer"},
            "trace_id": {"type": "string"},
            "hint": {"type": "string"},
        },
        "required": ["ok"],
        "oneOf": [
            {"properties": {"ok": {"const": True}}, "anyOf": [{"required": ["data"]}, {"required": ["raw"]}]},
            {"properties": {"ok": {"const": False}}, "required": failed},
        ],
    }
    return {**out, "$defs": defs} if defs else out


_NAMES = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})
"""Keywords whose values are schemas by name: a `title` among them is a name."""


def _without_titles(schema: Any, *, names: bool = False) -> Any:
    """Without the titles that pydantic makes of names: they cost tokens and tell nothing."""
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: (
            value
            if key in ("default", "const", "enum", "examples") and not names
            else _without_titles(value, names=key in _NAMES and not names)
        )
        for key, value in schema.items()
        if names or key != "title"
    }
