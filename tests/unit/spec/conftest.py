"""Helpers for tests of the stage `spec`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Collector, Diagnostic
from mcpgen.source.load import load
from mcpgen.spec import normalize
from mcpgen.spec.model import NormalizedDocument


@dataclass
class Read:
    """A normalized document with what was said about it."""

    document: NormalizedDocument
    diagnostics: list[Diagnostic]

    @property
    def schemas(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document.root["components"]["schemas"]
        return found

    def operation(self, path: str = "/x", method: str = "GET") -> dict[str, Any]:
        found: dict[str, Any] = self.document.root["paths"][path][method]
        return found

    def codes(self) -> list[str]:
        return [item.code for item in self.diagnostics]

    def messages(self, code: str) -> list[str]:
        return [item.message for item in self.diagnostics if item.code == code]


def whole(version: str, rest: dict[str, Any]) -> dict[str, Any]:
    """A document around the parts that a test is about."""
    key = "swagger" if version.startswith("2") else "openapi"
    paths = {"/x": {"get": {"responses": {"200": {"description": "ok"}}}}}
    return {key: version, "info": {"title": "T", "version": "1"}, "paths": paths, **rest}


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Read]:
    """Normalizes a document given as parts (a mapping) or as text, with further files beside it."""

    def make(
        content: dict[str, Any] | str,
        version: str = "3.0.3",
        files: dict[str, Any] | None = None,
        *,
        strict: bool = False,
    ) -> Read:
        for name, item in {"api.yaml": content, **(files or {})}.items():
            value = whole(version, item) if name == "api.yaml" and isinstance(item, dict) else item
            path = tmp_path / "api" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(value if isinstance(value, str) else json.dumps(value))
        diagnostics = Collector()
        tree = load(str(tmp_path / "api" / "api.yaml"), diagnostics=diagnostics)
        document = normalize(tree, diagnostics=diagnostics, strict=strict)
        diagnostics.locate = tree.locate
        return Read(document, diagnostics.located())

    return make


@pytest.fixture
def lifted(read: Callable[..., Read]) -> Callable[..., Any]:
    """One schema in the target dialect."""

    def make(schema: Any, version: str = "3.0.3", **others: Any) -> Any:
        schemas = {"S": schema, **others}
        rest = {"definitions": schemas} if version.startswith("2") else {"components": {"schemas": schemas}}
        return read(rest, version).schemas["S"]

    return make
