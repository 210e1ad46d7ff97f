"""The small vocabulary that generated code and the run-time library share: JSON values, files, "left out"."""

from __future__ import annotations

import json
import math
from enum import Enum
from typing import Any, Final, NotRequired, TypeAlias, TypedDict

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, JsonValue]


class Unset(Enum):
    """The type of `UNSET`. An enum, because type checkers narrow `x is UNSET` only for enums."""

    UNSET = "unset"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""An argument that the caller left out. It is not null: null is sent, UNSET is not."""


class FileArgument(TypedDict, total=False):
    """A file as a tool argument: its bytes in base64, with the name and media type it is sent under.

    Where the operator has opened a folder, `path` can name a file of it instead.
    """

    content_base64: NotRequired[str]
    path: NotRequired[str]
    filename: NotRequired[str]
    content_type: NotRequired[str]


def compact_json(value: Any) -> str:
    """JSON text without spaces, characters unescaped, every digit of an integer kept.

    Raises:
        ValueError: a float that JSON has no form for (NaN, Infinity).
    """
    return _COMPACT.encode(value)


_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def parse_json(text: str | bytes) -> Any:
    """Strict JSON (RFC 8259): unlike `json.loads`, NaN and Infinity are no values and a float stays finite.

    Raises:
        ValueError: the text is not JSON.
    """
    return json.loads(text, parse_constant=_no_constant, parse_float=_finite_float)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite_float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("a number that no float can hold")
    return value


def kind_of(value: object) -> str:
    """The JSON Schema type of a JSON value; a float with no fraction is still `number` here."""
    if value is None:
        return "null"
    for python, name in _KINDS:
        if isinstance(value, python):
            return name
    raise TypeError(f"{type(value).__name__} is not a JSON value")


_KINDS: Final[tuple[tuple[type, str], ...]] = (
    (bool, "boolean"),  # before int: bool is a subclass of it
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)
