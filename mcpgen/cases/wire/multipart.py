"""Multipart bodies: named parts (RFC 7578) and parts by position (RFC 2046), each with its head.

Sources: OpenAPI 3.2, Encoding Object, Encoding By Position, and Appendix C (style rules without escaping).

Choices: a list is one part for each item (RFC 7578, 4.3), unless it holds lists or objects and is declared to be JSON; a null
is an empty part; a file without a name is called `file`; names are written as browsers do (HTML, multipart/form-data).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.cases.wire.expansion import DELIMITERS, defined
from mcpgen.cases.wire.files import SentFile, file_of, looks_like_file
from mcpgen.cases.wire.media import OCTETS, bare, is_json, is_range, parameter
from mcpgen.cases.wire.model import WrittenBody
from mcpgen.cases.wire.queries import leaves
from mcpgen.cases.wire.texts import NoSpelling, octets, plain
from mcpgen.plan.model import BodyWire

Part = dict[str, Any]


def multipart(body: BodyWire, value: Any) -> WrittenBody:
    """The parts, in order.

    Raises:
        NoSpelling: a value has no place in a part, or a file can't be read.
    """
    if isinstance(value, Mapping):
        parts = [part for name, member in value.items() for part in _named(body, name, member)]
    elif isinstance(value, list):
        parts = [_unnamed(body, place, member) for place, member in enumerate(value)]
    else:
        raise NoSpelling("no object and no list")
    kind = "multipart/form-data" if is_range(body.content_type) else _without_boundary(body.content_type)
    if bare(kind) == "multipart/related" and parameter(kind, "type") is None and parts:
        root = bare(parts[0]["headers"].get("content-type", "")) or "text/plain"
        kind = f'{kind}; type="{root}"'  # RFC 2387, 3.1
    return WrittenBody(kind, {"parts": parts})


def _without_boundary(content_type: str) -> str:
    pieces = [piece.strip() for piece in content_type.split(";")]
    kept = [piece for piece in pieces if piece and piece.partition("=")[0].strip().lower() != "boundary"]
    return "; ".join(kept)


def _named(body: BodyWire, name: str, value: Any) -> Iterator[Part]:
    encoding, is_file = body.encoding.get(name, {}), name in body.files
    if not is_file and _has_style(encoding):
        for own, text in _styled(name, value, encoding):
            yield _part(_disposition(own), None, encoding, {"text": _checked(text)})
        return
    declared = _single(encoding)
    nested = isinstance(value, list) and any(
        isinstance(member, dict | list) and not looks_like_file(member) for member in value
    )
    whole = not isinstance(value, list) or (nested and is_json(encoding.get("content_type") or ""))
    for member in [value] if whole else value:
        if is_file or looks_like_file(member):
            file = file_of(member)
            yield _file(_disposition(name, file.filename or "file"), file, encoding)
        else:
            yield _value(_disposition(name), member, declared, encoding)


def _unnamed(body: BodyWire, place: int, value: Any) -> Part:
    own = place < len(body.prefix_encoding)
    encoding = body.prefix_encoding[place] if own else body.item_encoding or {}
    listed = str(place) if own or str(place) in body.files else "*"
    if listed in body.files or looks_like_file(value):
        file = file_of(value)
        first = f'attachment; filename="{_quoted(file.filename)}"' if file.filename else None
        return _file(first, file, encoding)
    return _value(None, value, _single(encoding), encoding)


def _value(first: str | None, value: Any, declared: str | None, encoding: Mapping[str, Any]) -> Part:
    """OpenAPI 3.2, Encoding Object, `contentType`: objects are JSON by default, all else is text."""
    as_json = declared is not None and is_json(declared)
    if isinstance(value, dict | list) or (as_json and value is not None):
        return _part(first, declared if as_json else "application/json", encoding, {"json": value})
    return _part(first, declared, encoding, {"text": _checked("" if value is None else plain(value))})


def _file(first: str | None, file: SentFile, encoding: Mapping[str, Any]) -> Part:
    kind = file.content_type or _single(encoding)
    if kind is None and file.filename is not None and "." in file.filename:
        raise NoSpelling("a file of which only the name says the type")
    return _part(first, kind or OCTETS, encoding, {"base64": file.base64})


def _part(
    disposition: str | None, kind: str | None, encoding: Mapping[str, Any], content: Mapping[str, Any]
) -> Part:
    own = {name.lower(): text for name, text in (encoding.get("headers") or {}).items()}
    headers = {"content-disposition": disposition, "content-type": kind}
    known = {name: text for name, text in headers.items() if text is not None} | own
    if any(set(text) & set("\r\n") for text in known.values()):
        raise NoSpelling("a line break in the head of a part")
    return {"headers": known, **content}


def _has_style(encoding: Mapping[str, Any]) -> bool:
    """OpenAPI 3.2, Encoding Object: any of the three keys asks for the rules of styles."""
    return (
        encoding.get("style") is not None
        or encoding.get("explode") is not None
        or bool(encoding.get("allow_reserved"))
    )


def _single(encoding: Mapping[str, Any]) -> str | None:
    """The type of a part, where the document names one and only one."""
    told = encoding.get("content_type")
    return told if told and not set(told) & set(",*") else None


def _styled(name: str, value: Any, encoding: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    style = encoding.get("style") or "form"
    explode = encoding["explode"] if encoding.get("explode") is not None else style == "form"
    value = defined(value)
    if value is None:
        return
    if style == "deepObject" and isinstance(value, dict | list):
        yield from ((path, plain(leaf)) for path, leaf in leaves(name, value) if leaf is not None)
    elif explode and isinstance(value, list):
        yield from ((name, plain(member)) for member in value)
    elif explode and style == "form" and isinstance(value, dict):
        yield from ((key, plain(member)) for key, member in value.items())
    elif isinstance(value, dict | list):
        members = value if isinstance(value, list) else [part for pair in value.items() for part in pair]
        texts, delimiter = [plain(member) for member in members], DELIMITERS.get(style, ",")
        if any(delimiter in text for text in texts):
            raise NoSpelling("an item holds the delimiter of its list")
        yield name, delimiter.join(texts)
    else:
        yield name, plain(value)


def _disposition(name: str, filename: str | None = None) -> str:
    more = f'; filename="{_quoted(filename)}"' if filename is not None else ""
    return f'form-data; name="{_quoted(name)}"{more}'


def _quoted(text: str) -> str:
    return _checked(text).replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _checked(text: str) -> str:
    octets(text)
    return text
