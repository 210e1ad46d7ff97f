"""Which group a tool belongs to, as the document says it."""

from __future__ import annotations

import re

from mcpgen.ir.api import Operation

DEFAULT = "default"
_VERSION = re.compile(r"v?\d+([._-]?\d+)*((alpha|beta|rc|preview)\d*)?", re.IGNORECASE)
_PREFIXES = frozenset({"api", "apis", "rest", "openapi", "open-apis", "public", "latest", "services"})


def is_prefix(segment: str) -> bool:
    """Whether a path segment says nothing about the resource: `api`, `v1`, `2.0`."""
    return segment.lower() in _PREFIXES or _VERSION.fullmatch(segment) is not None


def static_segments(path: str) -> tuple[str, ...]:
    """The segments of a path template without placeholders."""
    return tuple(part for part in path.partition("?")[0].split("#")[0].split("/") if part and "{" not in part)


def toolset_of(operation: Operation) -> str:
    """The raw label: the first tag, else the first path segment that means something, else `default`."""
    tag = next((tag.strip() for tag in operation.tags if tag.strip()), None)
    return tag or next((part for part in static_segments(operation.path) if not is_prefix(part)), DEFAULT)
