"""Query strings: every style of OpenAPI's parameters, and the fields of forms, which are written alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from .encoding import Encoder, encode, encode_name, flat, joined, reserved_in_query, text_of
from .media import bare, is_json
from .operation import Parameter
from .values import compact_json

_DELIMITERS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}


def query_pairs(parameter: Parameter, value: Any) -> Iterator[str]:
    """The `name=value` parts that one parameter becomes: none for null and for empty lists and objects.

    RFC 6570, 2.3 treats null as undefined, so a null that the API admits is left out like an omitted one.
    """
    if value is None or value in ([], {}):
        return
    encoder = reserved_in_query if parameter.allow_reserved else encode
    name = encode_name(parameter.name)
    if parameter.content_type:
        yield f"{name}={encode(content_text(parameter.content_type, value))}"
    elif parameter.style == "deepObject" and isinstance(value, (list, dict)):
        yield from bracket_pairs(parameter.name, value, encoder)
    elif isinstance(value, list):
        yield from _array(parameter, name, value, encoder)
    elif isinstance(value, dict):
        yield from _object(parameter, name, value, encoder)
    else:
        yield f"{name}={encoder(text_of(value))}"


def _array(parameter: Parameter, name: str, value: list[Any], encoder: Encoder) -> Iterator[str]:
    if parameter.explode:
        yield from (f"{name}={encoder(text_of(item))}" for item in value)
    else:
        yield f"{name}={_joined(parameter.style, value, encoder)}"


def _object(parameter: Parameter, name: str, value: dict[str, Any], encoder: Encoder) -> Iterator[str]:
    if parameter.explode and parameter.style == "form":
        yield from (f"{encode_name(key)}={encoder(text_of(item))}" for key, item in value.items())
    else:
        yield f"{name}={_joined(parameter.style, flat(value), encoder)}"


def _joined(style: str, items: list[Any], encoder: Encoder) -> str:
    delimiter = _DELIMITERS.get(style, ",")
    # The comma stays as it is; space, pipe and tab are no characters of a URL (OpenAPI 3.2, Style Examples).
    return joined(items, "," if delimiter == "," else encode(delimiter), encoder, delimiter)


def bracket_pairs(name: str, value: Any, encoder: Encoder = encode) -> Iterator[str]:
    """`name[key]=leaf`, to any depth, with list items by number.

    OpenAPI defines `deepObject` only for flat objects; numbered items are what the usual parsers read back.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            yield from bracket_pairs(f"{name}[{key}]", item, encoder)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from bracket_pairs(f"{name}[{index}]", item, encoder)
    else:
        yield f"{encode_name(name)}={encoder(text_of(value))}"


def content_text(media_type: str, value: Any) -> str:
    """A parameter that is described by `content`: serialised by its media type."""
    if is_json(media_type):
        return compact_json(value)
    if bare(media_type) == "application/x-www-form-urlencoded" and isinstance(value, dict):
        return form_text(value)
    return text_of(value)


def form_text(value: Mapping[str, Any]) -> str:
    """A flat form without any encoding of its own."""
    pairs = (query_pairs(Parameter(name, "query", "form", True), item) for name, item in value.items())
    return "&".join(part for parts in pairs for part in parts)


def querystring(parameter: Parameter, value: Any) -> str:
    """The whole query from one value (OpenAPI 3.2, `in: querystring`)."""
    media_type = parameter.content_type or "application/x-www-form-urlencoded"
    text = content_text(media_type, value)
    if bare(media_type) == "application/x-www-form-urlencoded":
        return quote(
            text, safe="%&=+:/?@!$'()*;,[]-._~", errors="replace"
        )  # already a query: only made legal
    return encode(text)
