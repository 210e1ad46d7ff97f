"""Which version of OpenAPI a document is written in, and what it is when it is none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any

from mcpgen.diagnostics import Collector, Refused
from mcpgen.source.model import Node


class Version(Enum):
    """The dialects that differ for us. The value is the full version to assume when a document says less."""

    V2 = "2.0"
    V30 = "3.0.4"
    V31 = "3.1.1"
    V32 = "3.2.0"

    @property
    def modern(self) -> bool:
        """Whether schemas are JSON Schema 2020-12 (OpenAPI 3.1 and later)."""
        return self in (Version.V31, Version.V32)


_EXACT = re.compile(r"(?:2\.0|3\.\d+\.\d+(?:-.+)?)\Z")
_LOOSE = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.\d+)*(?:-.*)?\Z", re.IGNORECASE)
_KNOWN = {("2", "0"): Version.V2, ("3", "0"): Version.V30, ("3", "1"): Version.V31, ("3", "2"): Version.V32}

_OTHERS = (
    ("asyncapi", "an AsyncAPI document"),
    ("arazzo", "an Arazzo document (workflows, not an API)"),
    ("overlay", "an OpenAPI Overlay (a change to a document, not a document)"),
    ("swaggerVersion", "a Swagger 1.x document"),
    ("$schema", "a JSON Schema"),
    ("__schema", "a GraphQL schema"),
    ("apiVersion", "a Kubernetes manifest"),
)


def written_version(value: Any) -> str | None:
    """The text of `openapi` or `swagger` in a document, None where it has neither."""
    if not isinstance(value, Mapping):
        return None
    for key in ("openapi", "swagger"):
        found = value.get(key)
        if isinstance(found, (str, int, float)) and not isinstance(found, bool):
            return str(found).strip()
    return None


def dialect_of(text: str) -> Version | None:
    """The version that a written one means; None where there is none of that number."""
    match = _LOOSE.match(text)
    return _KNOWN.get((match.group(1), match.group(2) or "0")) if match else None


def detect(root: Node, diagnostics: Collector) -> tuple[Version, str]:
    """The version of the root document, as a dialect and as text.

    Raises:
        Refused: it is no OpenAPI document, or of an unknown version.
    """
    text = written_version(root.value)
    if text is None:
        raise _not_openapi(root, diagnostics)
    key = "openapi" if "openapi" in root.value else "swagger"
    location = (root.get(key) or root).location
    version = dialect_of(text)
    if version is None:
        raise diagnostics.refuse(
            "spec-version",
            f"OpenAPI version {text!r} is not supported",
            location,
            hint="Supported are Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.",
        )
    if not _EXACT.match(text) or not isinstance(root.value[key], str):
        diagnostics.add("spec-repaired", f"`{key}: {text}` is read as version {version.value}", location)
        text = version.value
    return version, text


def _not_openapi(root: Node, diagnostics: Collector) -> Refused:
    hint = 'An OpenAPI document is an object with the key `openapi` (or `swagger: "2.0"`).'
    value = root.value
    if isinstance(value, list):
        what = "holds a list, not an OpenAPI document"
    elif not isinstance(value, Mapping):
        what = "holds plain text, not an OpenAPI document"
    else:
        kind = next((name for key, name in _OTHERS if key in value), None)
        if kind is None and isinstance(value.get("info"), Mapping) and "_postman_id" in value["info"]:
            kind = "a Postman collection"
        if kind is not None:
            what = f"is {kind}, not an OpenAPI document"
        elif any(key in value for key in ("paths", "components", "definitions")):
            what = "does not say which version of OpenAPI it is written in"
        else:
            what = "is not an OpenAPI document: it has no key `openapi` or `swagger`"
    return diagnostics.refuse("spec-not-openapi", f"{root.file} {what}", root.location, hint=hint)
