"""Structured values as XML, by the hints of OpenAPI's XML Object. Text that is XML already is sent as it is.

The catalogue's hints mirror the value, each one an object with any of `name`, `prefix`, `namespace`,
`nodeType` (3.2) or `attribute` and `wrapped` (before), `properties` (hints by field), `items` and `prefixItems`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr  # it reads no XML  # nosec B406

from ..outcomes.failures import invalid
from .encoding import text_of

_NAME = re.compile(r"[^\W\d][\w.-]*(:[^\W\d][\w.-]*)?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_KEPT = {"\r": "&#13;"}
"""A parser reads a plain carriage return as a line feed (XML 1.0, 2.11)."""
_NIL = {"xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:nil": "true"}


def to_xml(value: Any, hints: Mapping[str, Any]) -> str:
    """An XML document; the root element is called as the hints say, or `root`.

    Raises:
        CallFailed: a field name or a character can't stand in XML 1.0.
    """
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _element(hints.get("name") or "root", value, hints)


def _kind(value: Any, hints: Mapping[str, Any]) -> str:
    """The `nodeType` (OpenAPI 3.2, XML Node Types), also said in the older words."""
    told = hints.get("nodeType")
    if told in ("attribute", "text", "cdata") and isinstance(value, (dict, list)):
        told = None  # only a text has a place there
    if told:
        return str(told)
    if isinstance(value, list):
        return "element" if hints.get("wrapped") else "none"
    return "attribute" if hints.get("attribute") and not isinstance(value, dict) else "element"


def _element(name: str, value: Any, hints: Mapping[str, Any]) -> str:
    tag = _tag(name, hints)
    attributes = _namespace(hints)
    if value is None:  # OpenAPI 3.2, Handling null Values
        return f"<{tag}{_written({**attributes, **_NIL})}/>"
    more, content = _inside(name, value, hints)
    return f"<{tag}{_written({**attributes, **more})}>{content}</{tag}>"


def _inside(name: str, value: Any, hints: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """The attributes and the content that a value gives to the element around it."""
    if isinstance(value, dict):
        known = hints.get("properties") or {}
        nodes = [_node(key, member, known.get(key) or {}) for key, member in value.items()]
    elif isinstance(value, list):
        first, rest = hints.get("prefixItems") or [], hints.get("items") or {}
        nodes = [
            _node(name, item, first[index] if index < len(first) else rest)
            for index, item in enumerate(value)
        ]
    else:
        return {}, escape(_text(value), _KEPT)
    attributes = {key: text for given, _ in nodes for key, text in given.items()}
    return attributes, "".join(content for _, content in nodes)


def _node(inferred: str, value: Any, hints: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    """What one field or item gives to the element that it is in."""
    name, kind = hints.get("name") or inferred, _kind(value, hints)
    if kind == "attribute":
        if value is None:
            return {}, ""
        return {**_namespace(hints), _tag(name, hints): _text(value)}, ""
    if kind == "text":
        return {}, escape(_text(value), _KEPT)
    if kind == "cdata":
        return {}, _cdata(_text(value))
    if kind == "none":  # a name of its own has no effect: the items are called as the field is
        return _inside(inferred, value, hints)
    return {}, _element(name, value, hints)


def _cdata(text: str) -> str:
    """A CDATA section, interrupted for what can't stand in one."""
    inner = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{inner}]]>"


def _namespace(hints: Mapping[str, Any]) -> dict[str, str]:
    if not hints.get("namespace"):
        return {}
    prefix = hints.get("prefix")
    return {f"xmlns:{prefix}" if prefix else "xmlns": str(hints["namespace"])}


def _written(attributes: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(text)}" for name, text in attributes.items())


def _tag(name: str, hints: Mapping[str, Any]) -> str:
    prefix = hints.get("prefix")
    tag = f"{prefix}:{name}" if prefix and ":" not in name else name
    if not _NAME.fullmatch(tag):
        raise invalid(f"{name!r} can't be the name of an XML element.")
    return tag


def _text(value: Any) -> str:
    text = "" if value is None else text_of(value)
    if _CONTROLS.search(text):
        raise invalid("A text has control characters, which XML can't carry.")
    return text
