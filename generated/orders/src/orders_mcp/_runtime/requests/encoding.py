"""Single values as text, percent-encoded for the place where they go. All styles are built from these."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote

from ..outcomes.failures import invalid
from ..values import compact_json, parse_json

Encoder: TypeAlias = Callable[[str], str]

_TRIPLET = re.compile(r"(%[0-9A-Fa-f]{2})")
_RESERVED_IN_QUERY = ":/?@!$'()*;,=[]"
"""RFC 3986's reserved characters without those that would end the value or the query: `&` and `#`, and `+`,
which servers read as a space."""
_RESERVED_IN_PATH = ":@!$&'()*+;,="
"""The same for a path segment, which `/`, `?` and `#` would end (OpenAPI 3.2, `allowReserved`)."""


def text_of(value: Any) -> str:
    """A value as text: JSON's own spelling for everything that is no string; composites as JSON."""
    return value if isinstance(value, str) else json_text(value)


def json_text(value: Any) -> str:
    """A value as compact JSON.

    Raises:
        CallFailed: a number is not finite.
    """
    try:
        return compact_json(value)
    except ValueError:
        raise invalid("A number is not finite, which JSON can't carry.") from None


def json_document(value: Any) -> str:
    """A value as JSON; text that is a JSON object or list already is the document itself."""
    if isinstance(value, str) and value.strip()[:1] in ("{", "["):
        try:
            parse_json(value)
        except (ValueError, RecursionError):
            return json_text(value)
        return value
    return json_text(value)


def utf8(text: str) -> bytes:
    """Text as bytes.

    Raises:
        CallFailed: it has half of a surrogate pair, which no encoding but JSON's escapes can carry.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise invalid(
            "A text has a broken character (half of a surrogate pair), which can't be sent."
        ) from None


def encode(text: str) -> str:
    """Percent-encodes all but the unreserved characters of RFC 3986."""
    return quote(utf8(text), safe="")


def encode_name(text: str) -> str:
    """A parameter name in a query; `$`, `:` and `@` can stand there as they are and are common in names."""
    return quote(utf8(text), safe="$:@")


def reserved_in_query(text: str) -> str:
    """`allowReserved`: reserved characters and percent-encoded triplets pass (RFC 6570, 3.2.3)."""
    return _keep(text, _RESERVED_IN_QUERY)


def reserved_in_path(text: str) -> str:
    return _keep(text, _RESERVED_IN_PATH)


def legal_in_query(text: str) -> str:
    """Text that is a query already: what has a place in one stays, triplets included, the rest is encoded."""
    return _keep(text, _RESERVED_IN_QUERY + "&+")


def item_encoder(encoder: Encoder, delimiter: str) -> Encoder:
    """The encoder for items of a joined list: an item's own delimiter must not look like the joint."""
    return lambda text: encoder(text).replace(delimiter, encode(delimiter))


def _keep(text: str, safe: str) -> str:
    parts = _TRIPLET.split(text)
    return "".join(part if index % 2 else quote(utf8(part), safe=safe) for index, part in enumerate(parts))


def joined(items: list[Any], delimiter: str, encoder: Encoder) -> str:
    """Items encoded one by one and joined by a delimiter that stands in a URL as it is."""
    one = item_encoder(encoder, delimiter)
    return delimiter.join(one(text_of(item)) for item in items)


def joined_by_encoded(items: list[Any], delimiter: str, encoder: Encoder) -> str:
    """Items joined by a delimiter that has to be encoded itself: space, pipe, tab.

    Raises:
        CallFailed: an item has the delimiter in it. Both would look the same (OpenAPI 3.2, Appendix E,
            Percent-Encoding and Illegal or Reserved Delimiters), and one item would arrive as two.
    """
    joint = encode(delimiter)
    texts = [encoder(text_of(item)) for item in items]
    if any(joint in text.upper() for text in texts):
        name = {" ": "a space", "|": "a pipe", "\t": "a tab"}.get(delimiter, repr(delimiter))
        raise invalid(f"The items of this list are separated by {name} and can't hold one.")
    return joint.join(texts)


def inner_lists(value: Any, delimiters: Sequence[str]) -> Any:
    """A list whose inner lists are texts already, each level joined by its own delimiter (Swagger 2.0, Items Object).

    Raises:
        CallFailed: an item has the delimiter in it, and would arrive as two.
    """
    if not delimiters or not isinstance(value, list):
        return value
    return [_inner_text(item, delimiters) if isinstance(item, list) else item for item in value]


def _inner_text(items: list[Any], delimiters: Sequence[str]) -> str:
    delimiter, *deeper = delimiters
    texts = [text_of(item) for item in inner_lists(items, deeper)]
    if any(delimiter in text for text in texts):
        raise invalid(f"The items of an inner list are separated by {delimiter!r} and can't hold one.")
    return delimiter.join(texts)


def flat(value: dict[str, Any]) -> list[Any]:
    """An object as name, value, name, value (the form of objects that are not exploded)."""
    return [part for pair in value.items() for part in pair]


def defined(value: Any, inner: Sequence[str] = ()) -> Any:
    """A value without the nulls of its first level; None where nothing is left.

    RFC 6570, 2.3 and 3.2.1: null is undefined, undefined members are ignored, and a list or object without
    members is undefined itself. Deeper levels have no place in it and keep what they hold; lists inside a list are
    joined by the delimiters `inner`, where the document gives them.
    """
    if isinstance(value, list):
        return inner_lists([item for item in value if item is not None], inner) or None
    if isinstance(value, dict):
        return {name: item for name, item in value.items() if item is not None} or None
    return value
