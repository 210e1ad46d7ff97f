"""Request bodies of every kind, as bytes with their content type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from ..operation import Body, Encoding, Parameter
from ..outcomes.failures import invalid
from ..values import compact_json
from .encoding import encode, encode_name, json_document, text_of, utf8
from .files import NO_FOLDER, OCTETS, FileAccess, file_of
from .media import admits, charset_codec, is_json, parameter
from .multipart import multipart
from .payload import Payload, payload
from .query import bracket_pairs, query_pairs
from .xml_body import to_xml

_NO_ENCODING = Encoding()
_Encoded: TypeAlias = tuple[bytes | Payload, str]


def encode_body(body: Body, value: Any, access: FileAccess = NO_FOLDER) -> _Encoded:
    """The bytes of a body and the content type to send; a large one, or one with files, as a `Payload`.

    Args:
        access: which files a file argument may name.

    Raises:
        CallFailed: the value can't be written as this kind of body.
    """
    if body.kind == "multipart":
        return multipart(body, value, access)
    if body.kind == "binary":
        return _binary(body, value, access)
    return _KINDS[body.kind](body, value)


def _json(body: Body, value: Any) -> tuple[bytes, str]:
    declared = body.content_type
    return json_bytes(value), declared if "*" not in declared else "application/json"


def json_bytes(value: Any) -> bytes:
    """Compact JSON in UTF-8; text that UTF-8 can't carry (lone surrogates) is escaped as JSON allows."""
    try:
        return compact_json(value).encode("utf-8")
    except UnicodeEncodeError:
        import json

        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")
    except ValueError:
        raise invalid("A number is not finite, which JSON can't carry.") from None


def _form(body: Body, value: Any) -> tuple[bytes, str]:
    if not isinstance(value, dict):
        return utf8(text_of(value)), body.content_type
    parts = [part for name, item in value.items() for part in _form_field(body, name, item)]
    return "&".join(parts).encode("ascii"), body.content_type


def _form_field(body: Body, name: str, value: Any) -> Iterator[str]:
    """OpenAPI 3.2, Encoding Object: style rules or a JSON type where given; else the usual forms of values."""
    encoding = body.encoding.get(name, _NO_ENCODING)
    nested = isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)
    )
    if value is None:
        yield f"{encode_name(name)}="  # an explicit null: the nearest thing that a form can say
    elif encoding.explicit:
        style = encoding.style or "form"
        explode = style == "form" if encoding.explode is None else encoding.explode
        yield from query_pairs(
            Parameter(name, "query", style, explode, allow_reserved=encoding.allow_reserved), value
        )
    elif encoding.content_type and is_json(encoding.content_type):
        items = value if isinstance(value, list) and not nested else [value]
        yield from (f"{encode_name(name)}={encode(json_document(item))}" for item in items)
    elif nested:
        yield from bracket_pairs(name, value, nulls=True)
    else:
        yield from query_pairs(Parameter(name, "query", "form", True), value)


def _binary(body: Body, value: Any, access: FileAccess) -> _Encoded:
    file, declared = file_of(value, "body", access), body.content_type
    if "*" in declared:
        actual = file.content_type or file.guessed
        declared = actual if actual is not None and admits(declared, actual) else OCTETS
    return payload([file.content]), declared


def _text(body: Body, value: Any) -> tuple[bytes, str]:
    text, declared = text_of(value), body.content_type
    if "*" in declared:
        declared = "text/plain"
    if parameter(declared, "charset") is None:
        # text/plain alone is US-ASCII (RFC 2046, 4.1.2), so anything more has to be said
        return utf8(text), declared if text.isascii() else f"{declared}; charset=utf-8"
    try:
        return text.encode(charset_codec(declared) or "utf-8"), declared
    except UnicodeEncodeError:
        raise invalid(f"The text has characters that {declared} can't carry.") from None


def _xml(body: Body, value: Any) -> tuple[bytes, str]:
    declared = body.content_type if "*" not in body.content_type else "application/xml"
    text = value if isinstance(value, str) else to_xml(value, body.xml)
    return utf8(text), declared


def _ndjson(body: Body, value: Any) -> tuple[bytes, str]:
    if isinstance(value, str):
        return utf8(value), body.content_type
    items = value if isinstance(value, list) else [value]
    start = b"\x1e" if "json-seq" in body.content_type else b""  # RFC 7464
    return b"".join(start + json_bytes(item) + b"\n" for item in items), body.content_type


_KINDS: dict[str, Callable[[Body, Any], tuple[bytes, str]]] = {
    "json": _json,
    "form": _form,
    "text": _text,
    "xml": _xml,
    "ndjson": _ndjson,
}
