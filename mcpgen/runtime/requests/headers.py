"""Header and cookie parameters: their styles, and what must not stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from ..auth.credentials import COOKIE_SAFE
from ..operation import Parameter
from ..outcomes.failures import invalid
from .encoding import defined, flat, text_of, utf8
from .query import content_text

IGNORED = frozenset(
    {"accept", "content-type", "authorization"}  # OpenAPI 3.2, Parameter Object
    | {"host", "content-length", "transfer-encoding", "connection", "upgrade"}  # the connection's own
    | {
        "keep-alive",
        "te",
        "trailer",
        "expect",
        "proxy-connection",
        "proxy-authorization",
    }  # RFC 9110, 7.6.1, 10.1.1
    # Frameworks take the method from the first three, and the path from the others.
    | {"x-http-method-override", "x-http-method", "x-method-override", "x-original-url", "x-rewrite-url"}
)
"""Header parameters that are never sent: they would change where a request goes or how it is read."""
_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_NOT_IN_COOKIE = re.compile(r"[^\x21-\x3a\x3c-\x7e]")
"""What can't stand in a cookie's value as it is: controls, spaces, `;`, all but ASCII (RFC 6265, 4.1.1). Quotes,
commas and backslashes, which the grammar forbids and every server reads, pass."""
_NAME_SAFE = "!#$&'*+^`|"  # what `quote` would encode of a cookie's name (RFC 9110, 5.6.2)


def header_value(parameter: Parameter, value: Any) -> str | None:
    """The text of a header in `simple` style; None for null and for empty lists and objects.

    Values pass through unchanged, neither percent-encoded nor quoted (OpenAPI 3.2, Header Object); the caller
    quotes where a header asks for it.

    Raises:
        CallFailed: the value has control characters, which would end the header (RFC 9110, 5.5), or could not
            be read back: a bare comma inside a list, spaces at an end.
    """
    if parameter.content_type:
        text = content_text(parameter.content_type, value)
    else:
        text = _simple(parameter, defined(value, parameter.inner))
    if text is None:
        return None
    utf8(text)
    if _CONTROLS.search(text):
        raise invalid(
            f"`{parameter.name}` is sent as a header and can't hold line breaks or control characters."
        )
    if text != text.strip(" \t"):
        raise invalid(f"`{parameter.name}` is sent as a header and can't begin or end with spaces.")
    return text


def _simple(parameter: Parameter, value: Any) -> str | None:
    if isinstance(value, dict) and parameter.explode:
        keys = [_part(parameter, key, also="=") for key in value]
        items = [_part(parameter, text_of(item)) for item in value.values()]
        return ",".join(f"{key}={item}" for key, item in zip(keys, items, strict=True))
    if isinstance(value, (dict, list)):
        items = flat(value) if isinstance(value, dict) else value
        return ",".join(_part(parameter, text_of(item)) for item in items)
    return None if value is None else text_of(value)


def _part(parameter: Parameter, text: str, also: str = "") -> str:
    """One item of a list in a header. Commas separate items, but for those in quoted strings (RFC 9110, 5.6)."""
    bare = _QUOTED.sub("", text)
    if any(c in bare for c in ',"' + also) or text != text.strip(" \t"):
        raise invalid(
            f"`{parameter.name}` is sent as a header: outside of pairs of double quotes its items can't hold "
            "commas or quotes, and can't begin or end with spaces."
        )
    return text


def cookie_pairs(parameter: Parameter, value: Any) -> Iterator[tuple[str, str]]:
    """The cookies that one parameter becomes. Style `cookie` (3.2) sends values as they are; `form` encodes.

    Raises:
        CallFailed: a value can't stand in a cookie as it is.
    """
    name = parameter.name
    if parameter.content_type:
        text = content_text(parameter.content_type, value)
        yield from () if text is None else ((name, _cookie(parameter, text)),)
        return
    value = defined(value, parameter.inner)
    if isinstance(value, list) and parameter.explode:
        yield from ((name, _cookie(parameter, text_of(item))) for item in value)
    elif isinstance(value, dict) and parameter.explode:
        yield from (
            (_cookie_name(parameter, key), _cookie(parameter, text_of(item))) for key, item in value.items()
        )
    elif isinstance(value, (dict, list)):
        items = flat(value) if isinstance(value, dict) else value
        yield name, ",".join(_cookie(parameter, text_of(item), apart=",") for item in items)
    elif value is not None:
        yield name, _cookie(parameter, text_of(value))


def _cookie(parameter: Parameter, text: str, apart: str = "") -> str:
    if parameter.style != "cookie":
        return quote(utf8(text), safe=COOKIE_SAFE)  # a comma is not in it: joined items stay apart
    if _NOT_IN_COOKIE.search(text) or (apart and apart in text):
        raise invalid(
            f"`{parameter.name}` is sent as a cookie and can't hold spaces, semicolons, control characters or "
            f"anything beyond ASCII{', nor commas in its items' if apart else ''}."
        )
    return text


def _cookie_name(parameter: Parameter, text: str) -> str:
    if parameter.style != "cookie":
        return quote(utf8(text), safe=_NAME_SAFE)
    if not text or _NOT_IN_COOKIE.search(text) or "=" in text:
        raise invalid(f"{text!r} can't be the name of a cookie.")
    return text
