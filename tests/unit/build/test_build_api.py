"""The `Api` says what the document says, typed."""

from __future__ import annotations

import json
from typing import Any

from mcpgen.build import build_api
from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Api, ParameterIn, Style
from mcpgen.source.load import load
from mcpgen.spec import normalize


def api(document: dict[str, Any]) -> tuple[Api, Collector]:
    diagnostics = Collector()
    tree = load("-", diagnostics=diagnostics, stdin=json.dumps(document).encode())
    return build_api(normalize(tree, diagnostics=diagnostics, strict=False), diagnostics=diagnostics), diagnostics


DOCUMENT: dict[str, Any] = {
    "openapi": "3.2.0",
    "info": {"title": "Orders", "version": "7", "summary": "s"},
    "servers": [{"url": "https://{env}.test", "name": "main", "variables": {"env": {"default": "a", "enum": ["a"]}}}],
    "tags": [{"name": "orders", "summary": "Orders", "parent": "shop"}],
    "security": [{"key": [], "oauth": ["read"]}, {}],
    "paths": {
        "/orders/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "post": {
                "operationId": "change",
                "summary": "Change",
                "tags": ["orders"],
                "x-mcp-name": "n",
                "parameters": [
                    {"name": "q", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
                    {"name": "f", "in": "query", "style": "deepObject", "schema": {"$ref": "#/components/schemas/F"}},
                ],
                "requestBody": {"content": {"multipart/form-data": {
                    "schema": {"type": "object"}, "encoding": {"a": {"style": "form", "explode": False, "allowReserved": True}},
                }}},
                "responses": {
                    "2xx": {"description": "ok", "content": {"application/jsonl": {"itemSchema": {"type": "integer"}}},
                            "links": {"next": {"operationId": "other", "parameters": {"id": "$response.body#/id"}}}},
                    "default": {"description": "bad"},
                },
            },
            "put": None,
        }
    },
    "components": {
        "schemas": {"F": {"type": "object"}},
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "cookie", "name": "k"},
            "oauth": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://id.test/t", "scopes": {"read": "r"}}}},
        },
    },
}  # fmt: skip


def test_everything_arrives() -> None:
    found, _ = api(DOCUMENT)
    assert (found.title, found.version, found.spec_version, found.description) == ("Orders", "7", "3.2.0", "s")
    assert found.origin.file == "<stdin>"
    assert found.servers[0].variables["env"].enum == ("a",)
    assert (found.tags[0].summary, found.tags[0].parent) == ("Orders", "shop")
    assert found.schemas == {"F": {"type": "object"}}
    (operation,) = found.operations
    assert operation.key == "POST /orders/{id}"
    assert operation.origin.pointer == "/paths/~1orders~1{id}/post"
    assert operation.extensions == {"x-mcp-name": "n"}
    assert operation.security == ({"key": (), "oauth": ("read",)}, {})
    identifier, query, filters = operation.parameters
    assert (identifier.where, identifier.style, identifier.required) == (ParameterIn.PATH, Style.SIMPLE, True)
    assert identifier.origin.pointer == "/paths/~1orders~1{id}/parameters/0"
    assert (query.content_type, query.schema) == ("application/json", {"type": "object"})
    assert (filters.style, filters.schema) == (Style.DEEP_OBJECT, {"$ref": "#/components/schemas/F"})
    assert operation.body is not None
    encoding = operation.body.media[0].encoding["a"]
    assert (encoding.style, encoding.explode, encoding.allow_reserved) == (Style.FORM, False, True)
    success, failure = operation.responses
    assert (success.status, failure.status) == ("2XX", "DEFAULT")
    assert success.media[0].item_schema == {"type": "integer"}
    assert success.links[0].operation_id == "other"
    assert found.security_schemes["key"].location == "cookie"
    assert found.security_schemes["oauth"].flows[0].token_url == "https://id.test/t"
    assert [(item.method, item.path) for item in found.skipped] == [("PUT", "/orders/{id}")]


def test_a_document_without_a_title_gets_a_neutral_one() -> None:
    found, diagnostics = api({**DOCUMENT, "info": {}})
    assert (found.title, found.version) == ("API", "0")
    assert any("no title" in item.message for item in diagnostics)


def test_the_same_document_gives_the_same_api() -> None:
    assert api(DOCUMENT)[0] == api(DOCUMENT)[0]
