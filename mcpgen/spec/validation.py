"""Checking a document against the OpenAPI specification with openapi-spec-validator."""

from __future__ import annotations

from mcpgen.diagnostics import Collector
from mcpgen.source.model import SourceTree
from mcpgen.spec.versions import Version


def validate(tree: SourceTree, version: Version, *, diagnostics: Collector, strict: bool) -> None:
    """Reports what breaks the specification; refuses it when `strict`."""
