"""Query parameters, and the fields of forms, which are written alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from ..operation import Parameter
from ..outcomes.failures import invalid
from .encoding import (
    Encoder,
    defined,
    encode,
    encode_name,
    flat,
    joined,
    joined_by_encoded,
    json_text,
    legal_in_query,
    reserved_in_query,
    text_of,
    utf8,
)
from .media import bare, is_json

_FORM = "application/x-www-form-urlencoded"
_ENCODED_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}
_LEGAL_IN_QUERY = "/?:@!$&'()*+,;="  # RFC 3986, 3.4


def query_pairs(parameter: Parameter, value: Any) -> Iterator[str]:
    """The `name=value` parts that one parameter becomes: none for null and for empty lists and objects.

    RFC 6570, 2.3 treats those as undefined, so they are left out like an omitted parameter, unless the API
    says that it reads the bare name (`allowEmptyValue`). A parameter with `content` can say them by itself.

    Raises:
        CallFailed: the style has no form for the value.
    """
    encoder = reserved_in_query if parameter.allow_reserved else encode
    name = encode_name(parameter.name)
    if parameter.content_type:
        text = content_text(parameter.content_type, value)
        yield from () if text is None else (f"{name}={encode(text)}",)
        return
    value = defined(value, parameter.inner)
    if value is None:
        yield from (f"{name}=",) if parameter.allow_empty else ()
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
    delimiter = _ENCODED_DELIMITERS.get(style)
    return joined(items, ",", encoder) if delimiter is None else joined_by_encoded(items, delimiter, encoder)


def bracket_pairs(name: str, value: Any, encoder: Encoder = encode, *, nulls: bool = False) -> Iterator[str]:
    """`name[key]=leaf`, to any depth, with list items by number.

    OpenAPI defines `deepObject` only for flat objects; numbered items are what the usual parsers read back.

    Args:
        nulls: a null becomes an empty value, as in forms; else it is left out like everywhere in a query.

    Raises:
        CallFailed: a key of a nested object has brackets, so that its place could not be read back.
    """
    for path, leaf in members_at(name, value):
        if leaf is not None or nulls:
            yield f"{encode_name(path)}={'' if leaf is None else encoder(text_of(leaf))}"


def members_at(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The leaves of a nested value, each with its path in brackets.

    Raises:
        CallFailed: see `bracket_pairs`.
    """
    yield from _leaves(name, value, any(isinstance(item, (dict, list)) for item in _members(value).values()))


def _leaves(path: str, value: Any, deep: bool) -> Iterator[tuple[str, Any]]:
    for key, item in _members(value).items():
        if deep and ("[" in key or "]" in key):
            raise invalid(f"The key {key!r} has brackets, which separate the levels of `{path}` here.")
        if isinstance(item, (dict, list)):
            yield from _leaves(f"{path}[{key}]", item, deep)
        else:
            yield f"{path}[{key}]", item


def _members(value: Any) -> dict[str, Any]:
    """The members of an object or a list, by name or number."""
    return value if isinstance(value, dict) else {str(index): item for index, item in enumerate(value)}


def content_text(media_type: str, value: Any) -> str | None:
    """A parameter that is described by `content`: serialised by its media type. None: it can't say this."""
    if is_json(media_type):
        return json_text(value)
    if bare(media_type) == _FORM and isinstance(value, dict):
        return form_text(value)
    return None if value is None else text_of(value)


def form_text(value: Mapping[str, Any]) -> str:
    """A flat form without any encoding of its own."""
    pairs = (query_pairs(Parameter(name, "query", "form", True), item) for name, item in value.items())
    return "&".join(part for parts in pairs for part in parts)


def querystring(parameter: Parameter, value: Any) -> str:
    """The whole query from one value (OpenAPI 3.2, `in: querystring`)."""
    media_type = parameter.content_type or _FORM
    text = content_text(media_type, value) or ""
    if bare(media_type) == _FORM:
        return legal_in_query(text)
    if is_json(media_type):
        return encode(text)
    # A format that OpenAPI does not know (Extending Support for Querystring Formats): decoding gives the text
    # back, and the characters that such a format is made of stay readable.
    return quote(utf8(text), safe=_LEGAL_IN_QUERY)
