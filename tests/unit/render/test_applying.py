"""Tests of pages, logins and tokens are only in projects that have any."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

MAYBE = {"test_paging.py", "test_tokens.py", "test_logins.py"}
CODE = {"authorizationUrl": "https://id.test/a", "tokenUrl": "https://id.test/t", "scopes": {}}
CLIENT = {"tokenUrl": "https://id.test/t", "scopes": {}}
PAGE = [
    {"name": "page", "in": "query", "schema": {"type": "integer"}},
    {"name": "per_page", "in": "query", "schema": {"type": "integer"}},
]


def oauth(**flows: Any) -> dict[str, Any]:
    return {"type": "oauth2", "flows": flows}


@pytest.mark.parametrize(
    ("schemes", "security", "parameters", "expected"),
    [
        ({}, [], [], set()),
        ({}, [], PAGE, {"test_paging.py"}),
        ({"o": oauth(clientCredentials=CLIENT)}, [{"o": []}], [], {"test_tokens.py"}),
        ({"o": oauth(authorizationCode=CODE)}, [{"o": []}], [], {"test_logins.py"}),
        ({"o": oauth(authorizationCode=CODE)}, [], [], set()),
        ({"k": {"type": "http", "scheme": "bearer"}}, [{"k": []}], [], set()),
    ],
)
def test_the_files_follow_the_api(
    tmp_path: Path, schemes: Any, security: Any, parameters: Any, expected: set[str]
) -> None:
    items = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    answer = {"description": "Things.", "content": {"application/json": {"schema": items}}}
    operation = {"operationId": "listThings", "parameters": parameters, "responses": {"200": answer}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Things", "version": "1"},
        "servers": [{"url": "https://api.test"}],
        "paths": {"/things": {"get": {**operation, "security": security}}},
        "components": {"securitySchemes": schemes},
    }
    spec = tmp_path / "openapi.json"
    spec.write_text(json.dumps(document))
    assert not generate(GenerateRequest(str(spec), tmp_path / "out"), Collector()).refused
    assert {path.name for path in (tmp_path / "out/tests").glob("test_*.py")} & MAYBE == expected
