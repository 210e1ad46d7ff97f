"""Single values as text, percent-encoded for the place where they go. All styles are built from these."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import quote

from .values import compact_json

Encoder: TypeAlias = Callable[[str], str]

_TRIPLET = re.compile(r"(%[0-9A-Fa-f]{2})")
_RESERVED_IN_QUERY = ":/?@!$'()*;,=[]"
"""RFC 3986's reserved characters without those that would end the value or the query: `&` and `#`, and `+`,
which servers read as a space."""
_RESERVED_IN_PATH = ":@!$&'()*+;,="
"""The same for a path segment, which `/`, `?` and `#` would end (OpenAPI 3.2, `allowReserved`)."""


def text_of(value: Any) -> str:
    """A value as text: JSON's own spelling for everything that is no string; composites as JSON."""
    return value if isinstance(value, str) else compact_json(value)


def encode(text: str) -> str:
    """Percent-encodes all but the unreserved characters of RFC 3986."""
    return quote(text, safe="", errors="replace")


def encode_name(text: str) -> str:
    """A parameter name in a query; `$`, `:` and `@` can stand there as they are and are common in names."""
    return quote(text, safe="$:@", errors="replace")


def reserved_in_query(text: str) -> str:
    """`allowReserved`: reserved characters and percent-encoded triplets pass (RFC 6570, 3.2.3)."""
    return _keep(text, _RESERVED_IN_QUERY)


def reserved_in_path(text: str) -> str:
    return _keep(text, _RESERVED_IN_PATH)


def item_encoder(encoder: Encoder, delimiter: str) -> Encoder:
    """The encoder for items of a joined list: an item's own delimiter must not look like the joint."""
    return lambda text: encoder(text).replace(delimiter, encode(delimiter))


def _keep(text: str, safe: str) -> str:
    parts = _TRIPLET.split(text)
    return "".join(
        part if index % 2 else quote(part, safe=safe, errors="replace") for index, part in enumerate(parts)
    )


def joined(items: list[Any], delimiter: str, encoder: Encoder, split: str) -> str:
    """Items encoded one by one and joined; `split` is the decoded delimiter that items must not show."""
    one = item_encoder(encoder, split)
    return delimiter.join(one(text_of(item)) for item in items)


def flat(value: dict[str, Any]) -> list[Any]:
    """An object as name, value, name, value (the form of objects that are not exploded)."""
    return [part for pair in value.items() for part in pair]
