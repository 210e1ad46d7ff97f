"""Reads requests back as the specifications say that a server reads them; shares nothing with the serialiser.

Sources: OpenAPI 3.2 (Style Values, Style Examples, Encoding Object, XML Object, Appendices C, D, E), RFC 6570,
RFC 3986, WHATWG URL (form-urlencoded), RFC 9110 (5.5, 5.6), RFC 6265 (5.4), RFC 2046, RFC 7578, RFC 7464.

Values come back as their texts (OpenAPI leaves the conversion to the schema, Appendix B): a text for a primitive,
a list of texts for an array, a mapping for an object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

RAW_DELIMITERS = {"spaceDelimited": r"%20|\+", "pipeDelimited": r"%7[Cc]|\|", "tabDelimited": r"%09"}
LEGAL_QUERY = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\[\]]|%[0-9A-Fa-f]{2})*")
"""RFC 3986, 3.4, and the brackets that every client sends (Appendix E)."""
LEGAL_SEGMENT = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*")


def percent_decoded(text: str) -> str:
    return unquote_to_bytes(text).decode("utf-8")


def form_decoded(text: str) -> str:
    return percent_decoded(text.replace("+", " "))


def pairs_of(text: str) -> list[tuple[str, str]]:
    """The raw pairs of a query or a form, names decoded, values not yet: delimiters come before decoding."""
    split = (part.partition("=") for part in text.split("&") if part)
    return [(form_decoded(name), value) for name, _, value in split]


# ---------------------------------------------------------------- styles


def query_value(text: str, name: str, style: str, explode: bool, kind: str) -> Any:
    """One query parameter out of a query that holds nothing else."""
    assert LEGAL_QUERY.fullmatch(text), text
    found = pairs_of(text)
    if style == "deepObject":
        return {path_of(key, name): form_decoded(value) for key, value in found}
    if kind == "object" and explode and style == "form":
        return {key: form_decoded(value) for key, value in found}
    assert {key for key, _ in found} <= {name}
    if kind == "array" and explode:
        return [form_decoded(value) for _, value in found]
    if not found:
        return None
    assert len(found) == 1
    raw = found[0][1]
    if kind == "primitive":
        return form_decoded(raw)
    items = [form_decoded(item) for item in re.split(RAW_DELIMITERS.get(style, ","), raw)]
    return items if kind == "array" else alternating(items)


def path_of(key: str, name: str) -> tuple[str, ...]:
    """`name[a][b]` as its path; for one level the key is everything between the outer brackets."""
    inner = key.removeprefix(name)
    assert (inner[:1], inner[-1:]) == ("[", "]"), key
    return tuple(inner[1:-1].split("]["))


def alternating(items: list[str]) -> dict[str, str]:
    assert len(items) % 2 == 0
    return dict(zip(items[::2], items[1::2], strict=True))


def segment_value(text: str, name: str, style: str, explode: bool, kind: str) -> Any:
    """What stands in a path for a placeholder: `simple`, `label` and `matrix` (RFC 6570, 3.2.2, 3.2.5, 3.2.7)."""
    assert LEGAL_SEGMENT.fullmatch(text), text
    if style == "matrix":
        return _matrix(text, name, explode, kind)
    if style == "label":
        assert text.startswith(".")
        text = text[1:]
    if kind == "primitive":
        return percent_decoded(text)
    delimiter = "." if style == "label" and explode else RAW_DELIMITERS.get(style, ",")
    items = text.split(delimiter) if delimiter in (",", ".") else re.split(delimiter, text)
    if kind == "array":
        return [percent_decoded(item) for item in items]
    return keyed(items) if explode else alternating([percent_decoded(item) for item in items])


def _matrix(text: str, name: str, explode: bool, kind: str) -> Any:
    assert text.startswith(";")
    parts = text[1:].split(";")
    if explode and kind == "object":
        return keyed(parts)
    named = [part.partition("=") for part in parts]
    assert {percent_decoded(key) for key, _, _ in named} == {name}
    values = [value for _, _, value in named]
    if kind == "array" and explode:
        return [percent_decoded(value) for value in values]
    assert len(values) == 1
    if kind == "primitive":
        return percent_decoded(values[0])
    items = [percent_decoded(item) for item in values[0].split(",")]
    return items if kind == "array" else alternating(items)


def keyed(items: Iterable[str]) -> dict[str, str]:
    split = (item.partition("=") for item in items)
    return {percent_decoded(key): percent_decoded(value) for key, _, value in split}


def header_value(raw: bytes, explode: bool, kind: str) -> Any:
    """`simple` in a header: no percent-encoding (OpenAPI 3.2, Header Object); lists by RFC 9110, 5.6.1."""
    assert not re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", raw)
    text = raw.decode("utf-8").strip(" \t")
    if kind == "primitive":
        return text
    items = [item.strip(" \t") for item in re.findall(r'((?:"(?:[^"\\]|\\.)*"|[^,])*)(?:,|$)', text)][:-1]
    if text.endswith(",") or not text:
        items.append("")
    if kind == "array":
        return items
    return dict(item.split("=", 1) for item in items) if explode else alternating(items)


def cookies_of(header: str) -> list[tuple[str, str]]:
    """RFC 6265, 5.4: pairs, separated by a semicolon and a space."""
    assert re.fullmatch(r"[\x21-\x7e]*(?:; [\x21-\x7e]+)*", header), header
    return [(name, value) for name, _, value in (part.partition("=") for part in header.split("; "))]


def cookie_value(header: str, name: str, style: str, explode: bool, kind: str) -> Any:
    decode = percent_decoded if style == "form" else str
    found = cookies_of(header)
    if kind == "object" and explode:
        return {decode(key): decode(value) for key, value in found}
    assert {key for key, _ in found} == {name}
    if kind == "array" and explode:
        return [decode(value) for _, value in found]
    assert len(found) == 1
    if kind == "primitive":
        return decode(found[0][1])
    items = [decode(item) for item in found[0][1].split(",")]
    return items if kind == "array" else alternating(items)


def placeholders(template: str, path: str) -> dict[str, set[str]]:
    """What each placeholder of a path template was filled with; a repeated one has to have one value."""
    pattern, names = "", []
    for literal, name in re.findall(r"([^{]*)(?:\{([^}]*)\})?", template):
        pattern += re.escape(literal)
        if name:
            pattern += f"(?P<p{len(names)}>[^/?#]*?)"
            names.append(name)
    match = re.fullmatch(pattern, path)
    assert match, (template, path)
    found: dict[str, set[str]] = {}
    for number, name in enumerate(names):
        found.setdefault(name, set()).add(match[f"p{number}"])
    return found


# ---------------------------------------------------------------- bodies


@dataclass(frozen=True)
class Part:
    """One part of a multipart body."""

    headers: Mapping[str, str]
    content: bytes

    @property
    def type(self) -> str:
        """RFC 2046, 5.1 and RFC 7578, 4.4: text when nothing is said."""
        return self.headers.get("content-type", "text/plain")

    def disposition(self, name: str) -> str | None:
        """A parameter of Content-Disposition, by the escaping of the HTML standard."""
        found = re.search(rf';\s*{name}="([^"]*)"', self.headers.get("content-disposition", ""))
        if found is None:
            return None
        return found[1].replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")

    @property
    def value(self) -> Any:
        """JSON by its type, else text."""
        return json.loads(self.content) if is_json(self.type) else self.content.decode("utf-8")


def is_json(media_type: str) -> bool:
    kind = media_type.partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def parts_of(content: bytes, content_type: str) -> list[Part]:
    """RFC 2046, 5.1.1: delimiter lines, each part a head, an empty line and a body."""
    found = re.search(r'boundary="?([0-9A-Za-z\'()+_,\-./:=?]{1,70})"?', content_type)
    assert found, content_type
    delimiter = b"--" + found[1].encode()
    assert content.startswith(delimiter)
    pieces = (b"\r\n" + content).split(b"\r\n" + delimiter)
    assert pieces[0] == b""
    assert pieces[-1] in (b"--", b"--\r\n")
    return [_part(piece) for piece in pieces[1:-1]]


def _part(piece: bytes) -> Part:
    """The rest of the delimiter line, header lines, an empty line, the content."""
    head, separator, content = piece.partition(b"\r\n\r\n")
    assert separator
    assert head.startswith(b"\r\n") or not head
    lines = [line.partition(":") for line in head.decode("utf-8").split("\r\n")[1:]]
    return Part({name.lower(): value.strip() for name, _, value in lines}, content)


def records_of(content: bytes, content_type: str) -> list[Any]:
    """Newline-delimited JSON, and RFC 7464."""
    if "json-seq" in content_type:
        assert content[:1] in (b"\x1e", b"")
        return [json.loads(record) for record in content.split(b"\x1e")[1:]]
    assert content.endswith(b"\n") or not content
    return [json.loads(line) for line in content.split(b"\n")[:-1]]


XSI_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"


def xml_value(content: bytes | str, hints: Mapping[str, Any], kind: Any) -> Any:
    """An XML document by its hints (OpenAPI 3.2, XML Object). `kind` is the shape of the value: a mapping of
    fields to shapes, a list with the shape of its items, or None for a primitive."""
    root = ElementTree.fromstring(content)
    assert root.tag == qualified(hints, "root")
    return _element(root, hints, kind, "root")


def qualified(hints: Mapping[str, Any], inferred: str) -> str:
    name = hints.get("name", inferred)
    return f"{{{hints['namespace']}}}{name}" if "namespace" in hints else name


def _element(element: ElementTree.Element, hints: Mapping[str, Any], kind: Any, inferred: str) -> Any:
    if element.get(XSI_NIL) == "true":
        return None
    if isinstance(kind, list):
        return _items(element, hints, kind, hints.get("name", inferred))
    if isinstance(kind, Mapping):
        found = {name: _field(element, name, hints, shape) for name, shape in kind.items()}
        return {name: value[0] for name, value in found.items() if value}
    return element.text or ""


def _items(
    parent: ElementTree.Element, hints: Mapping[str, Any], kind: list[Any], inferred: str
) -> list[Any]:
    items = hints.get("items", {})
    found = parent.findall(qualified(items, inferred))
    return [_element(child, items, kind[0], inferred) for child in found]


def _field(parent: ElementTree.Element, name: str, hints: Mapping[str, Any], kind: Any) -> list[Any]:
    """The field's value in a list, or an empty list when it is not there."""
    own = hints.get("properties", {}).get(name, {})
    node = own.get("nodeType") or ("attribute" if own.get("attribute") else "")
    if node == "attribute":
        text = parent.get(qualified(own, name) if "prefix" in own else own.get("name", name))
        return [] if text is None else [text]
    if node in ("text", "cdata"):
        return [parent.text or ""]
    if isinstance(kind, list) and not (own.get("wrapped") or node == "element"):
        items = _items(parent, own, kind, name)
        return [items] if items else []
    child = parent.find(qualified(own, name))
    return [] if child is None else [_element(child, own, kind, name)]
