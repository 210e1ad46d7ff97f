"""What `x-mcp` and `[operations.KEY]` may hold, as pydantic models: types, unknown keys, and nothing that needs the API."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    ValidationError,
)
from pydantic_core import ErrorDetails

Place: TypeAlias = tuple[str, ...]

NAME_LIMIT = 56
ARGUMENT_LIMIT = 64
_STATUS = re.compile(r"[1-5](?:\d\d|XX)")
_CATEGORIES = ("validation", "permission", "not_found", "business", "transient", "internal")
_SIZE = re.compile(r"any|[1-9]\d*x[1-9]\d*")
_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_META = re.compile(
    rf"(?:(?P<prefix>{_LABEL}(?:\.{_LABEL})*)/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?"
)
_DATA_IMAGE = re.compile(r"data:image/[A-Za-z0-9.+-]+[;,]")


def _name(limit: int) -> Any:
    def check(name: str) -> str:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or len(name) > limit or keyword.iskeyword(name):
            raise ValueError(
                f"must be letters, digits and _, at most {limit} of them, and no keyword of Python"
            )
        return name

    return AfterValidator(check)


def _status(key: str) -> str:
    if key not in _CATEGORIES and not _STATUS.fullmatch(key):
        raise ValueError(f"is neither a status (404, 4XX) nor one of {', '.join(_CATEGORIES)}")
    return key


def _source(text: str) -> str:
    """MCP 2026-07-28, Icons: other schemes than these must not be used, and consumers refuse them."""
    if not (re.match(r"https://[^\s/]+", text) or _DATA_IMAGE.match(text)):
        raise ValueError("must be an https address or a data: URI of an image")
    return text


def _size(text: str) -> str:
    if not _SIZE.fullmatch(text):
        raise ValueError("must be a size such as 48x48, or any")
    return text


def _meta_key(key: str) -> str:
    """MCP 2026-07-28, General fields, `_meta`: names of keys, and the prefixes that are reserved."""
    found = _META.fullmatch(key)
    if found is None or not key:
        raise ValueError("is no legal key: a name, or a prefix such as com.example/ and a name")
    labels = (found["prefix"] or "").split(".")
    if labels[1:2] in (["modelcontextprotocol"], ["mcp"]):
        raise ValueError(f"is reserved for the protocol: {found['prefix']}/ cannot be used")
    return key


def _split_kind(value: Any) -> str | None:
    return "<flag>" if value is False else _example_kind(value)


def _example_kind(value: Any) -> str | None:
    return "<text>" if isinstance(value, str) else "<table>" if isinstance(value, dict) else None


def _paging(value: Any) -> Any:
    if value is not False and not isinstance(value, dict):
        raise ValueError("must be false or a table")
    return value


Effect: TypeAlias = Literal["read", "write", "destructive"]


class Shape(BaseModel):
    """A table: unknown keys are faults, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class ArgumentShape(Shape):
    name: Annotated[str, _name(ARGUMENT_LIMIT)] | None = None
    description: str | None = None
    hidden: bool | None = None
    fixed: JsonValue = None
    default: JsonValue = None
    example: JsonValue = None
    examples: list[JsonValue] | None = None


class HintShape(Shape):
    tool: str
    arguments: dict[str, JsonValue] = {}
    same: dict[str, str] = {}
    text: str = ""


class IconShape(Shape):
    src: Annotated[str, AfterValidator(_source)]
    mimeType: str | None = Field(None, pattern=r"^image/[A-Za-z0-9.+-]+$")
    sizes: list[Annotated[str, AfterValidator(_size)]] | None = None
    theme: Literal["light", "dark"] | None = None


class AnnotationsShape(Shape):
    readOnlyHint: bool | None = None
    destructiveHint: bool | None = None
    idempotentHint: bool | None = None
    openWorldHint: bool | None = None


class SplitShape(Shape):
    argument: str
    values: list[str] = []
    effects: dict[str, Effect] = {}


class ToolShape(Shape):
    """What can be said about one tool."""

    name: Annotated[str, _name(NAME_LIMIT)] | None = None
    title: str | None = None
    description: str | None = None
    purpose: str | None = None
    inputs: str | None = None
    example: (
        Annotated[
            Annotated[str, Tag("<text>")] | Annotated[dict[str, JsonValue], Tag("<table>")],
            Discriminator(
                _example_kind,
                custom_error_type="example",
                custom_error_message="must be a text, or a table with the arguments of a call",
            ),
        ]
        | None
    ) = None
    limits: str | None = None
    when_to_use: str | None = None
    effect: Effect | None = None
    additive: bool | None = None
    idempotent: bool | None = None
    annotations: AnnotationsShape = AnnotationsShape()
    hints: dict[Annotated[str, AfterValidator(_status)], HintShape] = {}
    arguments: dict[str, ArgumentShape] = {}
    icons: list[IconShape] | None = None
    meta: dict[Annotated[str, AfterValidator(_meta_key)], JsonValue] | None = Field(None, alias="_meta")


class OperationShape(ToolShape):
    """What can be said about one operation."""

    include: bool | None = None
    split: (
        Annotated[
            Annotated[Literal[False], Tag("<flag>")]
            | Annotated[str, Tag("<text>")]
            | Annotated[SplitShape, Tag("<table>")],
            Discriminator(
                _split_kind,
                custom_error_type="split",
                custom_error_message="must be false, the name of an argument, or a table with `argument`",
            ),
        ]
        | None
    ) = None
    paging: Annotated[Any, BeforeValidator(_paging)] = None
    actions: dict[str, ToolShape] = {}


def problems(error: ValidationError, shape: type[Shape]) -> Iterator[tuple[Place, str]]:
    """Where (key, ...) a table is wrong, and what is wrong there."""
    for fault in error.errors(include_url=False, include_context=True):
        steps = tuple(str(step) for step in fault["loc"])
        kept = len(steps) - 1 if fault["type"] == "extra_forbidden" else len(steps)
        # Pydantic's own steps: alternatives of a union, and that a key itself is wrong.
        own = ("<flag>", "<text>", "<table>", "[key]")
        place = (*(step for step in steps[:kept] if step not in own), *steps[kept:])
        yield place, _told(fault, shape, place)


_TOLD: Mapping[str, str] = {
    "bool_type": "must be true or false",
    "string_type": "must be a text",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "list_type": "must be a list",
    "missing": "is missing",
    "string_pattern_mismatch": "must be an image type, such as image/png",
}


def _told(fault: ErrorDetails, shape: type[Shape], place: Place) -> str:
    kind = fault["type"]
    if kind == "extra_forbidden":
        known = sorted(_keys(shape, place[:-1]))
        close = difflib.get_close_matches(place[-1], known, n=1)
        return (
            f"unknown key. Did you mean {close[0]}?"
            if close
            else f"unknown key. Known are: {', '.join(known)}."
        )
    if kind == "literal_error":
        return f"must be one of {fault['ctx']['expected'].replace(chr(39), '')}."
    if kind.startswith("invalid-json-value"):
        return "must be a value of JSON."
    return f"{_TOLD.get(kind, fault['msg'].removeprefix('Value error, '))}."


def _keys(shape: type[Shape], place: Place) -> list[str]:
    """The keys of the table at a place."""
    steps = list(place)
    while steps:
        field = _fields(shape).get(steps.pop(0))
        if field is None:  # a key that is written like a step of pydantic's own
            break
        shape, keyed = _inner(field.annotation)
        del steps[: 1 if keyed else 0]  # the name of an argument, the number of an icon
    return list(_fields(shape))


def _fields(shape: type[Shape]) -> dict[str, Any]:
    return {field.alias or name: field for name, field in shape.model_fields.items()}


def _inner(annotation: Any) -> tuple[type[Shape], bool]:
    """The table that a type holds, and whether it holds several, by key or number."""
    waiting = [(annotation, False)]
    while waiting:
        one, keyed = waiting.pop()
        if isinstance(one, type) and issubclass(one, Shape):
            return one, keyed
        keyed = keyed or get_origin(one) in (dict, list)
        waiting += [(part, keyed) for part in get_args(one)]
    raise AssertionError("a key below something that is no table")
