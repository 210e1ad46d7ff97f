"""Header and cookie parameters: their styles, and what must not stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from .credentials import COOKIE_SAFE
from .encoding import flat, text_of
from .failures import invalid
from .operation import Parameter
from .paths import simple
from .query import content_text

IGNORED = frozenset(
    {"accept", "content-type", "authorization"}  # OpenAPI 3.2, Parameter Object
    | {"host", "content-length", "transfer-encoding", "connection", "upgrade"}  # the connection's own
)
"""Header parameters that are never sent: they would change where a request goes or how it is read."""
_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_NOT_IN_COOKIE = re.compile(r"[\x00-\x20\x7f;]")


def header_value(parameter: Parameter, value: Any) -> str | None:
    """The text of a header in `simple` style; None for null. Values are not percent-encoded, only checked.

    Raises:
        CallFailed: the value has control characters, which would end the header (RFC 9110, 5.5).
    """
    if value is None:
        return None
    if parameter.content_type:
        text = content_text(parameter.content_type, value)
    else:
        text = simple(value, parameter.explode, _as_it_is)
    if _CONTROLS.search(text):
        raise invalid(
            f"`{parameter.name}` is sent as a header and can't hold line breaks or control characters."
        )
    return text.strip(" \t")


def cookie_pairs(parameter: Parameter, value: Any) -> Iterator[tuple[str, str]]:
    """The cookies that one parameter becomes. Style `cookie` (3.2) sends values as they are; `form` encodes.

    Raises:
        CallFailed: a value can't stand in a cookie as it is.
    """
    if value is None or value in ([], {}):
        return
    name = parameter.name
    if parameter.content_type:
        yield name, _cookie(parameter, content_text(parameter.content_type, value))
    elif isinstance(value, list):
        items = [_cookie(parameter, text_of(item)) for item in value]
        yield from ((name, item) for item in items) if parameter.explode else [(name, ",".join(items))]
    elif isinstance(value, dict) and parameter.explode:
        yield from (
            (_cookie(parameter, key), _cookie(parameter, text_of(item))) for key, item in value.items()
        )
    elif isinstance(value, dict):
        yield name, ",".join(_cookie(parameter, text_of(item)) for item in flat(value))
    else:
        yield name, _cookie(parameter, text_of(value))


def _cookie(parameter: Parameter, text: str) -> str:
    if parameter.style != "cookie":
        return quote(text, safe=COOKIE_SAFE, errors="replace")
    if _NOT_IN_COOKIE.search(text):
        raise invalid(
            f"`{parameter.name}` is sent as a cookie and can't hold spaces, semicolons or control characters."
        )
    return text


def _as_it_is(text: str) -> str:
    return text
