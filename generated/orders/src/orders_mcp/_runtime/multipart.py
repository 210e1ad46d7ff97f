"""`multipart/form-data` (RFC 7578), with the part headers that OpenAPI's Encoding Object asks for."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from .encoding import text_of
from .failures import invalid
from .files import OCTETS, File, file_of, is_file
from .media import is_json
from .operation import Body, Encoding
from .values import compact_json

_NO_ENCODING = Encoding()


def multipart(body: Body, fields: Mapping[str, Any]) -> tuple[bytes, str]:
    """The encoded body and its boundary. A list is one part for each item, an object is a JSON part.

    Raises:
        CallFailed: a file argument can't be read.
    """
    boundary = secrets.token_hex(16)
    chunks: list[bytes] = []
    for name, value in fields.items():
        for head, content in _parts(body, name, value):
            chunks += [f"--{boundary}\r\n{head}\r\n\r\n".encode("utf-8", "replace"), content, b"\r\n"]
    chunks.append(f"--{boundary}--\r\n".encode("ascii"))
    return b"".join(chunks), boundary


def _parts(body: Body, name: str, value: Any) -> Iterator[tuple[str, bytes]]:
    encoding = body.encoding.get(name, _NO_ENCODING)
    if isinstance(value, list) and not (
        encoding.content_type and is_json(encoding.content_type) and _nested(value)
    ):
        for item in value:
            yield _part(body, name, item, encoding)
    else:
        yield _part(body, name, value, encoding)


def _part(body: Body, name: str, value: Any, encoding: Encoding) -> tuple[str, bytes]:
    if name in body.files or is_file(value):
        return _file_part(name, file_of(value, name), encoding)
    disposition = f'Content-Disposition: form-data; name="{_quoted(name)}"'
    declared = _one_type(encoding.content_type)
    if isinstance(value, (dict, list)):
        kind = declared if declared and is_json(declared) else "application/json"
        return _head(disposition, kind, encoding), compact_json(value).encode("utf-8", "replace")
    text = "" if value is None else text_of(value)
    # Text needs no type of its own: RFC 7578, 4.4 has text/plain as the default.
    return _head(disposition, declared, encoding), text.encode("utf-8", "replace")


def _file_part(name: str, file: File, encoding: Encoding) -> tuple[str, bytes]:
    filename = _quoted(file.filename or "file")
    kind = file.content_type or _one_type(encoding.content_type) or OCTETS
    return (
        _head(
            f'Content-Disposition: form-data; name="{_quoted(name)}"; filename="{filename}"', kind, encoding
        ),
        file.content,
    )


def _head(disposition: str, content_type: str | None, encoding: Encoding) -> str:
    lines = [disposition] + ([f"Content-Type: {content_type}"] if content_type else [])
    for name, value in encoding.headers.items():
        if any(c in name + value for c in "\r\n\0"):
            raise invalid(f"the part header {name!r} can't hold line breaks")
        lines.append(f"{name}: {value}")
    return "\r\n".join(lines)


def _one_type(declared: str | None) -> str | None:
    """The type to send, when the document names exactly one and no range (Encoding Object, `contentType`)."""
    return declared if declared and "," not in declared and "*" not in declared else None


def _nested(value: list[Any]) -> bool:
    return any(isinstance(item, (dict, list)) for item in value)


def _quoted(text: str) -> str:
    """As browsers write names (HTML standard, multipart/form-data encoding algorithm)."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
