"""Query parameters, and the fields of forms, which have the same styles (OpenAPI 3.2, Style Values, `in: querystring`).

Choices: `deepObject` in deeper levels is `a[b][c]=leaf`, and list items have their numbers as names, as the usual parsers read
it back; OpenAPI defines flat objects only. The brackets are escaped, as in OpenAPI's own examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.cases.wire.expansion import DELIMITERS, OPERATORS, Writer, defined, delimited, expanded
from mcpgen.cases.wire.media import is_form, is_json
from mcpgen.cases.wire.texts import (
    IN_NAMES,
    RESERVED_IN_QUERY,
    UNRESERVED,
    NoSpelling,
    escaped,
    json_text,
    plain,
    reserved_expansion,
)
from mcpgen.plan.model import ParameterWire

_IN_FREE_QUERY = UNRESERVED | frozenset("/?:@!$&'()*+,;=")
"""All that RFC 3986, 3.4 lets stand in a query."""


def query_name(text: str) -> str:
    return escaped(text, UNRESERVED | IN_NAMES)


def query_parts(wire: ParameterWire, value: Any) -> list[str]:
    """The `name=value` parts of one parameter.

    Raises:
        NoSpelling: its style has no form for the value.
    """
    name = query_name(wire.name)
    if wire.content_type:
        text = content(wire.content_type, value)
        return [] if text is None else [f"{name}={escaped(text)}"]
    value = defined(value, wire.inner)
    if value is None:
        return [f"{name}="] if wire.allow_empty else []
    return list(styled(wire.name, value, wire.style, wire.explode, wire.allow_reserved))


def styled(name: str, value: Any, style: str, explode: bool, allow_reserved: bool) -> Iterator[str]:
    """The parts of a value that has something to say, in one of the styles of a query."""

    def write(text: str) -> str:
        return reserved_expansion(text, RESERVED_IN_QUERY) if allow_reserved else escaped(text)

    if isinstance(value, dict | list) and style == "deepObject":
        yield from bracketed(name, value, write)
    elif style in DELIMITERS and isinstance(value, dict | list) and not (isinstance(value, list) and explode):
        items = value if isinstance(value, list) else [part for pair in value.items() for part in pair]
        yield f"{query_name(name)}={delimited(items, DELIMITERS[style], write)}"
    else:
        # An object in a style that has no exploded form for objects is written as if it were not exploded.
        whole = explode and (style == "form" or isinstance(value, list))
        yield str(expanded(OPERATORS["form"], query_name(name), value, whole, write, query_name))


def bracketed(name: str, value: Any, write: Writer = escaped, *, nulls: bool = False) -> Iterator[str]:
    """`deepObject`; a null is left out, or an empty value where `nulls` is true."""
    for path, leaf in leaves(name, value):
        if leaf is not None or nulls:
            yield f"{query_name(path)}={'' if leaf is None else write(plain(leaf))}"


def leaves(name: str, value: Any) -> list[tuple[str, Any]]:
    """The members of a value that hold nothing themselves, each with its path in brackets.

    Raises:
        NoSpelling: a key has brackets itself in a value of more than one level.
    """
    found: list[tuple[str, Any]] = []
    nested = any(isinstance(member, dict | list) for _, member in _members(value))
    open_ones = [(name, value)]
    while open_ones:
        path, current = open_ones.pop(0)
        if path != name and not isinstance(current, dict | list):
            found.append((path, current))
            continue
        keys = [key for key, _ in _members(current)]
        if nested and any("[" in key or "]" in key for key in keys):
            raise NoSpelling("a key with brackets in nested objects")
        open_ones[:0] = [(f"{path}[{key}]", member) for key, member in _members(current)]
    return found


def _members(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, Mapping) else [(str(i), v) for i, v in enumerate(value)]


def content(media_type: str, value: Any) -> str | None:
    """The text of a parameter with `content`; None where its media type can't say the value."""
    if is_json(media_type):
        return json_text(value)
    if is_form(media_type) and isinstance(value, dict):
        parts = [
            part
            for name, member in value.items()
            if defined(member) is not None
            for part in styled(name, defined(member), "form", True, False)
        ]
        return "&".join(parts)
    return None if value is None else plain(value)


def whole_query(media_type: str | None, value: Any) -> str:
    """`in: querystring`: the query is the value in a media type.

    A form is a query already. JSON is escaped as OpenAPI's example is. Other formats keep what is legal in a query.
    """
    kind = media_type or "application/x-www-form-urlencoded"
    text = content(kind, value) or ""
    if is_form(kind):
        return reserved_expansion(text, RESERVED_IN_QUERY | {"&", "+"})
    return escaped(text) if is_json(kind) else escaped(text, _IN_FREE_QUERY)
