"""Request bodies by kind (OpenAPI 3.2, Media Type and Encoding Objects).

Choices: in forms, an explicit null is an empty value. What is nested in a form without an encoding is written in brackets, as the
parsers of forms read it: OpenAPI 3.0 has it in style `form`, 3.1 and later as JSON, and hardly any API reads either. Records of
sequences are JSON without spaces, each with a line feed after it.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

from mcpgen.cases.wire.expansion import defined
from mcpgen.cases.wire.files import file_of
from mcpgen.cases.wire.media import OCTETS, in_range, is_json, is_range, parameter
from mcpgen.cases.wire.model import WrittenBody
from mcpgen.cases.wire.multipart import multipart
from mcpgen.cases.wire.queries import bracketed, query_name, styled
from mcpgen.cases.wire.texts import NoSpelling, escaped, json_text, octets, plain
from mcpgen.cases.wire.xml import xml_text
from mcpgen.plan.model import BodyWire


def written_body(body: BodyWire, value: Any) -> WrittenBody:
    """The body for a value.

    Raises:
        NoSpelling: this kind of body can't hold it.
    """
    declared = body.content_type
    match body.kind:
        case "json":
            json_text(value)
            return WrittenBody("application/json" if is_range(declared) else declared, {"json": value})
        case "form":
            return WrittenBody(declared, {"text": _form(body, value)})
        case "multipart":
            return multipart(body, value)
        case "xml":
            text = value if isinstance(value, str) else xml_text(value, body.xml or {})
            octets(text)
            return WrittenBody("application/xml" if is_range(declared) else declared, {"text": text})
        case "ndjson":
            return WrittenBody(declared, {"text": _records(declared, value)})
        case "text":
            return _text(declared, plain(value))
    return _binary(declared, value)


def _form(body: BodyWire, value: Any) -> str:
    if not isinstance(value, dict):
        return plain(value)
    return "&".join(part for name, member in value.items() for part in _field(body, name, member))


def _field(body: BodyWire, name: str, value: Any) -> Iterator[str]:
    encoding = body.encoding.get(name, {})
    style, explode = encoding.get("style"), encoding.get("explode")
    reserved = bool(encoding.get("allow_reserved"))
    members = value if isinstance(value, list) else []
    nested = isinstance(value, dict) or any(isinstance(member, dict | list) for member in members)
    if value is None:
        yield f"{query_name(name)}="
    elif style is not None or explode is not None or reserved:
        known = style or "form"
        told = defined(value)
        if told is not None:
            yield from styled(name, told, known, known == "form" if explode is None else explode, reserved)
    elif is_json(encoding.get("content_type") or ""):
        documents = members if isinstance(value, list) and not nested else [value]
        yield from (f"{query_name(name)}={escaped(json_text(one))}" for one in documents)
    elif nested:
        yield from bracketed(name, value, nulls=True)
    elif defined(value) is not None:
        yield from styled(name, defined(value), "form", True, False)


def _records(declared: str, value: Any) -> str:
    """RFC 7464 (`json-seq`) has a record separator before each record; the others have lines."""
    if isinstance(value, str):
        return value
    start = "\x1e" if "json-seq" in declared else ""
    return "".join(f"{start}{json_text(one)}\n" for one in (value if isinstance(value, list) else [value]))


def _text(declared: str, text: str) -> WrittenBody:
    """Text in the declared charset; UTF-8 is said where nothing is declared and ASCII is not enough (RFC 6657, 4)."""
    octets(text)
    kind = "text/plain" if is_range(declared) else declared
    charset = parameter(kind, "charset")
    if charset is None:
        return WrittenBody(kind if text.isascii() else f"{kind}; charset=utf-8", {"text": text})
    try:
        codec = codecs.lookup(charset).name
        text.encode(codec)
    except LookupError:
        return WrittenBody(kind, {"text": text})
    except UnicodeEncodeError:
        raise NoSpelling(f"a character that {charset} does not have") from None
    return WrittenBody(kind, {"text": text})


def _binary(declared: str, value: Any) -> WrittenBody:
    file = file_of(value)
    if is_range(declared):
        fits = file.content_type is not None and in_range(file.content_type, declared)
        if file.content_type is None and file.filename is not None and "." in file.filename:
            raise NoSpelling("a file of which only the name says the type")
        declared = str(file.content_type) if fits else OCTETS
    return WrittenBody(declared, {"base64": file.base64})
