"""Values as text, and text as it may stand in an address (RFC 3986; RFC 6570, 3.2.1).

Choices: what is no text is spelt as JSON spells it (OpenAPI 3.2, Appendix B leaves it open), without spaces. Triplets have
upper case digits (RFC 3986, 2.1). A space is `%20`, also in forms: `+` would mean the same there and only there.
"""

from __future__ import annotations

import json
import re
import string
from functools import cache, lru_cache
from typing import Any

UNRESERVED = frozenset(f"{string.ascii_letters}{string.digits}-._~")
RESERVED_IN_QUERY = frozenset(":/?@!$'()*;,=[]")
"""Of RFC 3986's reserved characters, those that `allowReserved` leaves in a query: not `&` and `#`, which would end the
value, and not `+`, which is read as a space (OpenAPI 3.2, Appendix E)."""
RESERVED_IN_PATH = frozenset(":@!$&'()*+,;=")
"""The same for a segment of a path, which `/`, `?` and `#` would end; `[` and `]` have no place in a path."""
IN_NAMES = frozenset("$:@")
"""Left in the names of query parameters: legal there, and common (`$filter`)."""
_TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")


class NoSpelling(Exception):
    """A value can't be written where it belongs: the specifications have no form for it, or it would be read as another."""


def json_text(value: Any) -> str:
    """JSON without insignificant white space.

    Raises:
        NoSpelling: a number is not finite (RFC 8259, 6).
    """
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise NoSpelling("a number is not finite") from None


def plain(value: Any) -> str:
    """A value as text; lists and objects that have no other form are JSON."""
    return value if isinstance(value, str) else json_text(value)


def octets(text: str) -> bytes:
    """UTF-8.

    Raises:
        NoSpelling: the text has half of a surrogate pair (RFC 3629, 3).
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise NoSpelling("a character that UTF-8 does not have") from None


@lru_cache(maxsize=4096)  # an API has few names of parameters, and says each in many tools
def escaped(text: str, keep: frozenset[str] = UNRESERVED) -> str:
    """The text with all but the kept characters as triplets of their UTF-8 bytes (RFC 3986, 2.1)."""
    spelled = _spelled(keep)
    return "".join([spelled[byte] for byte in octets(text)])


@cache
def _spelled(keep: frozenset[str]) -> tuple[str, ...]:
    """How each byte is written."""
    return tuple(chr(byte) if chr(byte) in keep else f"%{byte:02X}" for byte in range(256))


def reserved_expansion(text: str, reserved: frozenset[str]) -> str:
    """RFC 6570, 3.2.3: reserved characters and triplets that are there already pass."""
    pieces, position = [], 0
    for triplet in _TRIPLET.finditer(text):
        pieces += [escaped(text[position : triplet.start()], UNRESERVED | reserved), triplet.group()]
        position = triplet.end()
    return "".join([*pieces, escaped(text[position:], UNRESERVED | reserved)])
