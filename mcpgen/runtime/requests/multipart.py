"""Multipart bodies: named parts (RFC 7578) and parts in order (RFC 2046), as OpenAPI's Encoding Object asks."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any

from ..operation import Body, Encoding
from ..outcomes.failures import invalid
from .encoding import defined, flat, json_document, text_of, utf8
from .files import OCTETS, File, FileAccess, file_of, is_file
from .media import admits, bare, is_json, parameter
from .payload import Chunk, Payload, payload
from .query import members_at

_NO_ENCODING = Encoding()
_BOUNDARY = re.compile(r";\s*boundary\s*=\s*(\"[^\"]*\"|[^;]*)", re.IGNORECASE)
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}


def multipart(body: Body, value: Any, access: FileAccess) -> tuple[bytes | Payload, str]:
    """The body and its content type. An object gives named parts, a list parts in order.

    Raises:
        CallFailed: a file argument can't be read, or a value has no place in a part's head.
    """
    parts = list(_named(body, value, access) if isinstance(value, dict) else _in_order(body, value, access))
    boundary = secrets.token_hex(16)
    chunks: list[Chunk] = []
    for head, content in parts:
        chunks += [utf8(f"--{boundary}\r\n{head}\r\n"), content, b"\r\n"]
    chunks.append(f"--{boundary}--\r\n".encode("ascii"))
    return payload(chunks), _content_type(body.content_type, boundary, parts)


def _content_type(declared: str, boundary: str, parts: list[tuple[str, Chunk]]) -> str:
    """The declared type with our boundary; `multipart/related` names its root's type (RFC 2387, 3.1)."""
    kind = "multipart/form-data" if "*" in declared else _BOUNDARY.sub("", declared).strip().rstrip(";")
    if bare(kind) == "multipart/related" and parameter(kind, "type") is None and parts:
        root = next(
            (line[13:].strip() for line in parts[0][0].split("\r\n") if line[:13] == "Content-Type:"), ""
        )
        kind += f'; type="{bare(root) or "text/plain"}"'
    return f"{kind}; boundary={boundary}"


# ---------------------------------------------------------------- named parts


def _named(body: Body, fields: dict[str, Any], access: FileAccess) -> Iterator[tuple[str, Chunk]]:
    for name, value in fields.items():
        encoding = body.encoding.get(name, _NO_ENCODING)
        if encoding.explicit and name not in body.files:
            for part_name, text in _styled(name, value, encoding):
                yield _head(_disposition(part_name), None, encoding), utf8(text)
            continue
        for item in _items(value, encoding):
            if name in body.files or is_file(item):
                file = file_of(item, name, access)
                yield _file_part(_disposition(name, file.filename or "file"), file, encoding)
            else:
                yield _part(_disposition(name), item, encoding)


def _items(value: Any, encoding: Encoding) -> list[Any]:
    """A list is one part for each item (RFC 7578, 4.3), unless it is declared to be one JSON document."""
    if not isinstance(value, list):
        return [value]
    nested = any(isinstance(item, (dict, list)) and not is_file(item) for item in value)
    return [value] if nested and encoding.content_type and is_json(encoding.content_type) else value


def _styled(name: str, value: Any, encoding: Encoding) -> Iterator[tuple[str, str]]:
    """Style rules in a form: names and values as in a query, but nothing is percent-encoded (Appendix C)."""
    style = encoding.style or "form"
    explode = style == "form" if encoding.explode is None else encoding.explode
    value = defined(value)
    if value is None:
        return
    if style == "deepObject" and isinstance(value, (dict, list)):
        yield from ((path, text_of(leaf)) for path, leaf in members_at(name, value) if leaf is not None)
    elif isinstance(value, list) and explode:
        yield from ((name, text_of(item)) for item in value)
    elif isinstance(value, dict) and explode and style == "form":
        yield from ((key, text_of(item)) for key, item in value.items())
    elif isinstance(value, (dict, list)):
        items = [text_of(item) for item in (flat(value) if isinstance(value, dict) else value)]
        delimiter = _DELIMITERS.get(style, ",")
        if any(delimiter in item for item in items):
            raise invalid(f"The items of `{name}` are separated by {delimiter!r} and can't hold it.")
        yield name, delimiter.join(items)
    else:
        yield name, text_of(value)


def _disposition(name: str, filename: str | None = None) -> str:
    more = "" if filename is None else f'; filename="{_quoted(filename)}"'
    return f'Content-Disposition: form-data; name="{_quoted(name)}"{more}'


def _quoted(text: str) -> str:
    """As browsers write names (HTML standard, multipart/form-data encoding algorithm)."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


# ---------------------------------------------------------------- parts in order


def _in_order(body: Body, value: Any, access: FileAccess) -> Iterator[tuple[str, Chunk]]:
    """OpenAPI 3.2, Encoding By Position: one part for each item, without names."""
    if not isinstance(value, list):
        raise invalid("The body has several parts and needs an object of its fields or a list of its parts.")
    for index, item in enumerate(value):
        encoding = body.positions[index] if index < len(body.positions) else body.rest_encoding
        told = str(index) if index < len(body.positions) or str(index) in body.files else "*"
        if told in body.files or is_file(item):
            file = file_of(item, f"body[{index}]", access)
            named = (
                f'Content-Disposition: attachment; filename="{_quoted(file.filename)}"'
                if file.filename
                else ""
            )
            yield _file_part(named, file, encoding)
        else:
            yield _part("", item, encoding)


# ---------------------------------------------------------------- one part


def _part(first: str, value: Any, encoding: Encoding) -> tuple[str, Chunk]:
    """A value that is no file: JSON where it is one or is declared as such, else text (Encoding Object)."""
    declared = _one_type(encoding.content_type)
    if isinstance(value, (dict, list)) or (value is not None and declared and is_json(declared)):
        kind = declared if declared and is_json(declared) else "application/json"
        return _head(first, kind, encoding), utf8(json_document(value))
    text = "" if value is None else text_of(value)
    # Text needs no type of its own: RFC 7578, 4.4 and RFC 2046, 5.1 have text/plain as the default.
    return _head(first, declared, encoding), utf8(text)


def _file_part(first: str, file: File, encoding: Encoding) -> tuple[str, Chunk]:
    """The type is what the caller says, else the declared one, else what the name says and the API admits."""
    declared = encoding.content_type
    fits = file.guessed if _admitted(declared, file.guessed) else None
    kind = file.content_type or _one_type(declared) or fits or OCTETS
    return _head(first, kind, encoding), file.content


def _admitted(declared: str | None, actual: str | None) -> bool:
    return actual is not None and (not declared or any(admits(one, actual) for one in declared.split(",")))


def _head(first: str, content_type: str | None, encoding: Encoding) -> str:
    """The header lines of a part, each with its end.

    Raises:
        CallFailed: one of them would be more than one line, wherever its text came from.
    """
    lines = [first] if first else []
    lines += [f"Content-Type: {content_type}"] if content_type else []
    lines += [f"{name}: {value}" for name, value in encoding.headers.items()]
    for line in lines:
        if any(
            c in line for c in ("\r\n" if line == first else "\r\n\0")
        ):  # a name may hold any other character
            raise invalid(f"The part header {line.partition(':')[0]!r} can't hold line breaks.")
    return "".join(f"{line}\r\n" for line in lines)


def _one_type(declared: str | None) -> str | None:
    """The type to send, when the document names exactly one and no range (Encoding Object, `contentType`)."""
    return declared if declared and "," not in declared and "*" not in declared else None
