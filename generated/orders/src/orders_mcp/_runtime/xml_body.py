"""Structured values as XML, by the hints of OpenAPI's XML Object. Text that is XML already is sent as it is.

The catalogue's hints mirror the value, each one an object with any of `name`, `prefix`, `namespace`,
`attribute`, `wrapped`, `properties` (hints by field) and `items`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from .encoding import text_of
from .failures import invalid

_NAME = re.compile(r"[^\W\d][\w.-]*(:[^\W\d][\w.-]*)?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def to_xml(value: Any, hints: Mapping[str, Any]) -> str:
    """An XML document; the root element is called as the hints say, or `root`.

    Raises:
        CallFailed: a field name or a character can't stand in XML 1.0.
    """
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _element(hints.get("name") or "root", value, hints)


def _element(name: str, value: Any, hints: Mapping[str, Any]) -> str:
    tag = _tag(name, hints)
    opening = tag
    if hints.get("namespace"):
        prefix = hints.get("prefix")
        opening += f" xmlns{':' + prefix if prefix else ''}={quoteattr(str(hints['namespace']))}"
    if value is None:
        return f"<{opening}/>"
    if isinstance(value, dict):
        attributes, children = _members(value, hints.get("properties") or {})
        return f"<{opening}{attributes}>{children}</{tag}>"
    if isinstance(value, list):
        items = hints.get("items") or {}
        inner = "".join(_element(items.get("name") or name, item, items) for item in value)
        return f"<{opening}>{inner}</{tag}>"
    return f"<{opening}>{escape(_text(value))}</{tag}>"


def _members(value: Mapping[str, Any], hints: Mapping[str, Any]) -> tuple[str, str]:
    attributes, children = "", ""
    for key, member in value.items():
        own = hints.get(key) or {}
        name = own.get("name") or key
        if own.get("attribute") and not isinstance(member, (dict, list)):
            attributes += f" {_tag(name, own)}={quoteattr(_text(member))}"
        elif isinstance(member, list) and not own.get("wrapped"):
            items = (
                own.get("items") or {}
            )  # not wrapped: the items stand beside each other, named as the field
            children += "".join(
                _element(items.get("name") or name, item, {**own, **items}) for item in member
            )
        else:
            children += _element(name, member, own)
    return attributes, children


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
