"""Small documents that are planned in memory, and what changed between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from mcpgen.comparison import read_spec
from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.diff import Report, compare

Document = dict[str, Any]


def document_of(paths: Mapping[str, Any], **more: Any) -> Document:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1.0.0"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": dict(paths),
        **more,
    }


def report_of(old: Document, new: Document) -> Report:
    before = read_spec("-", Config(), Collector(), stdin=json.dumps(old).encode())
    after = read_spec("-", Config(), Collector(), beside=before, stdin=json.dumps(new).encode())
    return compare(before.catalog, after.catalog)


@pytest.fixture
def document() -> Callable[..., Document]:
    """A document with these paths."""
    return document_of


@pytest.fixture
def changed() -> Callable[[Document, Document], Report]:
    """What changed from one document to another."""
    return report_of


@pytest.fixture
def operation() -> Callable[..., dict[str, Any]]:
    """An operation that returns an order."""

    def make(operation_id: str | None = None, **more: Any) -> dict[str, Any]:
        order = {"type": "object", "properties": {"id": {"type": "string"}, "total": {"type": "integer"}}}
        answer = {"description": "The order.", "content": {"application/json": {"schema": order}}}
        named = {"operationId": operation_id} if operation_id else {}
        return {"summary": "Look up an order.", **named, "responses": {"200": answer}, **more}

    return make
