"""Header and cookie parameters (OpenAPI 3.2, Parameter Object; RFC 9110, 5.5; RFC 6265, 4.1.1).

Choices: header values are not escaped (OpenAPI 3.2, Header Object). Cookies in style `form` are escaped only in what can't stand
in a cookie, in style `cookie` not at all; an exploded value becomes several cookies of one header.
"""

from __future__ import annotations

import re
from typing import Any

from mcpgen.cases.wire.expansion import defined
from mcpgen.cases.wire.queries import content
from mcpgen.cases.wire.texts import UNRESERVED, NoSpelling, escaped, octets, plain
from mcpgen.plan.model import ParameterWire

NEVER_SENT = frozenset(
    (
        # OpenAPI 3.2, Parameter Object: parameters of these names are ignored.
        "accept content-type authorization "
        # Of the connection, not of the request (RFC 9110, 7.2, 7.6.1, 8.6, 10.1.1, 11.7.2; RFC 9112, 6.1).
        "host content-length transfer-encoding connection upgrade keep-alive te trailer expect proxy-connection "
        "proxy-authorization "
        # Frameworks read the method or the path from them: they would make another request of this one.
        "x-http-method-override x-http-method x-method-override x-original-url x-rewrite-url"
    ).split()
)
_IN_COOKIE = UNRESERVED | frozenset("!#$&'()*+/:<=>?@[]^`{|}")
_IN_COOKIE_NAME = UNRESERVED | frozenset("!#$&'*+^`|")
_AS_IT_IS = re.compile(r"[\x21-\x3a\x3c-\x7e]*")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_QUOTED_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def header(wire: ParameterWire, value: Any) -> str | None:
    """The value of a header; None where it is left out.

    Raises:
        NoSpelling: it would not be one header, or not be read back as it was.
    """
    text = (
        content(wire.content_type, value) if wire.content_type else _simple(wire, defined(value, wire.inner))
    )
    if text is None:
        return None
    octets(text)
    if _CONTROL.search(text) or text.strip(" \t") != text:
        raise NoSpelling(f"{wire.name}: no value of a header")
    return text


def _simple(wire: ParameterWire, value: Any) -> str | None:
    if isinstance(value, dict):
        members = [(_item(key, "=" if wire.explode else ""), _item(plain(v))) for key, v in value.items()]
        return ",".join(f"{key}{'=' if wire.explode else ','}{text}" for key, text in members)
    if isinstance(value, list):
        return ",".join(_item(plain(member)) for member in value)
    return None if value is None else plain(value)


def _item(text: str, more: str = "") -> str:
    """A member of a list, which commas separate outside of quoted strings (RFC 9110, 5.6.1)."""
    if set(_QUOTED_STRING.sub("", text)) & set(f',"{more}') or text.strip(" \t") != text:
        raise NoSpelling("an item of a header that would be read as another one")
    return text


def cookies(wire: ParameterWire, value: Any) -> list[tuple[str, str]]:
    """The cookies of one parameter, name and value.

    Raises:
        NoSpelling: style `cookie` has no form for the value.
    """
    if wire.content_type:
        text = content(wire.content_type, value)
        return [] if text is None else [(wire.name, _cookie(wire, text))]
    value = defined(value, wire.inner)
    if value is None:
        return []
    if wire.explode and isinstance(value, list):
        return [(wire.name, _cookie(wire, plain(member))) for member in value]
    if wire.explode and isinstance(value, dict):
        return [(_cookie_name(wire, key), _cookie(wire, plain(member))) for key, member in value.items()]
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    if isinstance(value, list):
        texts = [plain(member) for member in value]
        if wire.style == "cookie" and any("," in text for text in texts):
            raise NoSpelling("a comma in an item of a cookie")
        return [(wire.name, ",".join(_cookie(wire, text) for text in texts))]
    return [(wire.name, _cookie(wire, plain(value)))]


def _cookie(wire: ParameterWire, text: str) -> str:
    if wire.style != "cookie":
        return cookie_value(text)
    if not _AS_IT_IS.fullmatch(text):
        raise NoSpelling("a character that a cookie can't hold")
    return text


def cookie_value(text: str) -> str:
    return escaped(text, _IN_COOKIE)


def _cookie_name(wire: ParameterWire, text: str) -> str:
    if wire.style != "cookie":
        return escaped(text, _IN_COOKIE_NAME)
    if not text or "=" in text or not _AS_IT_IS.fullmatch(text):
        raise NoSpelling("no name of a cookie")
    return text
