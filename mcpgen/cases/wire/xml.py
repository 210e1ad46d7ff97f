"""XML bodies (OpenAPI 3.2, XML Object; XML 1.0).

Choices: a declaration in front and a line feed after it; an element without content has an end tag, one that is null has none
and says `xsi:nil` (OpenAPI 3.2, XML Modeling, null). A root without a name is `root`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import quoteattr

from mcpgen.cases.wire.texts import NoSpelling, plain

_NAME = re.compile(r"[^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}


@dataclass(slots=True)
class _Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[str] = field(default_factory=list)
    nil: bool = False

    def written(self) -> str:
        attributes = "".join(f" {name}={quoteattr(value)}" for name, value in self.attributes.items())
        if self.nil:
            return f"<{self.tag}{attributes}/>"
        return f"<{self.tag}{attributes}>{''.join(self.content)}</{self.tag}>"


def xml_text(value: Any, hints: Mapping[str, Any]) -> str:
    """A document.

    Args:
        hints: what `xml` says at each place, in the shape of the value (`plan.xml_hints`).

    Raises:
        NoSpelling: a name or a character that XML does not have.
    """
    root = _element(str(hints.get("name") or "root"), value, hints)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root.written()}'


def _element(name: str, value: Any, hints: Mapping[str, Any]) -> _Element:
    element = _Element(_qualified(name, hints), _declared(hints))
    if value is None:
        element.nil = True
        element.attributes |= {"xmlns:xsi": _XSI, "xsi:nil": "true"}
    else:
        _fill(element, name, value, hints)
    return element


def _fill(parent: _Element, name: str, value: Any, hints: Mapping[str, Any]) -> None:
    """Puts what a value is made of into the element that it is."""
    if isinstance(value, Mapping):
        known = hints.get("properties") or {}
        for key, member in value.items():
            _add(parent, key, member, known.get(key) or {})
    elif isinstance(value, list):
        first, others = list(hints.get("prefixItems") or ()), hints.get("items") or {}
        for place, member in enumerate(value):
            _add(parent, name, member, first[place] if place < len(first) else others)
    else:
        parent.content.append(_characters(value))


def _add(parent: _Element, inferred: str, value: Any, hints: Mapping[str, Any]) -> None:
    """Adds one field or item as the node that its hints make of it."""
    name = str(hints.get("name") or inferred)
    match _node_type(value, hints):
        case "attribute":
            if value is not None:
                parent.attributes |= {**_declared(hints), _qualified(name, hints): _legal(value)}
        case "text":
            parent.content.append(_characters(value))
        case "cdata":
            inside = _legal(value).replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
            parent.content.append(f"<![CDATA[{inside}]]>")
        case "none":
            _fill_none(parent, inferred, value, hints)
        case _:
            parent.content.append(_element(name, value, hints).written())


def _fill_none(parent: _Element, inferred: str, value: Any, hints: Mapping[str, Any]) -> None:
    """`nodeType: none`: the value's own nodes are nodes of the parent."""
    if value is not None or not isinstance(value, list | Mapping):
        _fill(parent, inferred, "" if value is None else value, hints)


def _node_type(value: Any, hints: Mapping[str, Any]) -> str:
    compound = isinstance(value, list | Mapping)
    told = hints.get("nodeType")
    if told and not (compound and told in ("attribute", "text", "cdata")):
        return str(told)
    if isinstance(value, list):
        return "element" if hints.get("wrapped") else "none"
    return "attribute" if hints.get("attribute") and not compound else "element"


def _declared(hints: Mapping[str, Any]) -> dict[str, str]:
    prefix, namespace = hints.get("prefix"), hints.get("namespace")
    return {f"xmlns:{prefix}" if prefix else "xmlns": str(namespace)} if namespace else {}


def _qualified(name: str, hints: Mapping[str, Any]) -> str:
    prefix = hints.get("prefix")
    tag = name if not prefix or ":" in name else f"{prefix}:{name}"
    if not _NAME.fullmatch(tag):
        raise NoSpelling(f"{tag!r} is no name of an element")
    return tag


def _characters(value: Any) -> str:
    return "".join(_MARKUP.get(character, character) for character in _legal(value))


def _legal(value: Any) -> str:
    text = "" if value is None else plain(value)
    if _FORBIDDEN.search(text):
        raise NoSpelling("a character that XML does not have")
    return text
