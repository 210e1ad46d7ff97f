"""Small descriptions that hold at least one object of every type that the specification knows, one for each version."""

from __future__ import annotations

import json
from typing import Any

Document = dict[str, Any]

_DOCS: Document = {"url": "https://docs.example.com/", "description": "More."}
_JSON = "application/json"


def _schemas(version: str) -> Document:
    """Components; every schema keyword that holds a text or names is here."""
    note: Document = {
        "type": "object",
        "title": "Note",
        "description": "A short text.",
        "required": ["title"],
        "externalDocs": _DOCS,
        "xml": {"name": "note", "namespace": "https://example.com/ns", "prefix": "n"},
        "example": {"title": "Milk", "kind": "list"},
        "properties": {
            "title": {"type": "string", "description": "One line.", "pattern": "^[A-Z].*$"},
            "kind": {"type": "string", "enum": ["list", "text"], "default": "text"},
            "due": {"type": "string", "format": "date-time"},
            "author": {"$ref": "#/components/schemas/Author"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }
    author: Document = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "role": {"enum": ["a", "b"]}},
    }
    pet: Document = {
        "oneOf": [{"$ref": "#/components/schemas/Note"}, {"$ref": "#/components/schemas/Author"}],
        "discriminator": {"propertyName": "kind", "mapping": {"list": "#/components/schemas/Note"}},
    }
    if version in ("3.1", "3.2"):
        author |= {
            "$comment": "internal",
            "$anchor": "author",
            "$defs": {"Inner": {"type": "string"}},
            "patternProperties": {"^p-": {"type": "string"}},
            "dependentRequired": {"name": ["role"]},
            "dependentSchemas": {"role": {"minProperties": 1}},
            "propertyNames": {"maxLength": 40},
            "examples": [{"name": "Ada"}],
        }
        note["properties"]["picture"] = {
            "type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"
        }  # fmt: skip
        note["properties"]["version"] = {"const": "one"}
        note["properties"]["words"] = {"$vocabulary": {"https://example.com/vocabulary": True}}
    return {"Note": note, "Author": author, "Either": pet}


def _parameters(version: str) -> list[Document]:
    text: Document = {"type": "string"}
    found: list[Document] = [
        {"name": "q", "in": "query", "description": "Words.", "schema": text, "examples": {"one": {"$ref": "#/components/examples/Word"}}},
        {"name": "sort", "in": "query", "style": "form", "schema": {"type": "array", "items": {"type": "string", "enum": ["new", "old"]}}},
        {"name": "filter", "in": "query", "content": {_JSON: {"schema": {"type": "object", "properties": {"kind": text}}}}},
        {"name": "X-Team", "in": "header", "schema": text, "example": "blue"},
        {"name": "sid", "in": "cookie", "schema": text},
        {"$ref": "#/components/parameters/Limit"},
    ]  # fmt: skip
    return found


def _answer(name: str) -> Document:
    return {
        "description": "Found.",
        "headers": {"X-Total": {"$ref": "#/components/headers/Total"}},
        "content": {
            _JSON: {"schema": {"$ref": f"#/components/schemas/{name}"}, "examples": {"first": {"summary": "One.", "value": {"title": "Milk"}}}},
        },
        "links": {"again": {"$ref": "#/components/links/Same"}},
    }  # fmt: skip


def _operations() -> Document:
    path: Document = {
        "name": "id",
        "in": "path",
        "required": True,
        "description": "Number.",
        "schema": {"type": "string"},
    }
    fields: Document = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "format": "binary"},
            "note": {"$ref": "#/components/schemas/Note"},
        },
    }
    encoding = {
        "note": {"contentType": _JSON, "headers": {"X-Part": {"schema": {"type": "string"}}}, "style": "form"}
    }
    called = {"post": {"requestBody": {"content": {_JSON: {}}}, "responses": {"200": {"description": "ok"}}}}
    manage: Document = {
        "type": "object",
        "required": ["action"],
        "properties": {"action": {"type": "string", "enum": ["query", "cancel"]}},
    }
    return {
        "/notes": {
            "summary": "Notes",
            "description": "All notes.",
            "servers": [{"url": "https://notes.example.com/v1", "description": "For notes."}],
            "get": {
                "operationId": "listNotes",
                "tags": ["notes"],
                "summary": "List notes",
                "description": "Lists notes, the newest first.",
                "externalDocs": _DOCS,
                "parameters": _parameters(""),
                "responses": {"200": _answer("Note"), "4XX": {"$ref": "#/components/responses/Failed"}, "default": {"description": "Else."}},
                "security": [{"key": [], "login": ["read"]}],
            },
            "post": {
                "operationId": "createNote",
                "tags": ["notes"],
                "summary": "Create a note",
                "requestBody": {"$ref": "#/components/requestBodies/Note"},
                "responses": {"201": _answer("Note")},
                "callbacks": {"done": {"{$request.body#/url}": called}, "more": {"$ref": "#/components/callbacks/Done"}},
            },
        },
        "/notes/{id}": {
            "parameters": [path],
            "get": {"operationId": "getNote", "tags": ["notes"], "responses": {"200": _answer("Either"), "404": {"description": "Not there."}}},
            "put": {
                "operationId": "replaceNote",
                "requestBody": {"description": "The note.", "required": True, "content": {"multipart/form-data": {"schema": fields, "encoding": encoding}}},
                "responses": {"200": _answer("Author")},
            },
            "delete": {"operationId": "deleteNote", "responses": {"204": {"description": "Gone."}}},
        },
        "/notes/{id}/manage": {
            "post": {"operationId": "manageNote", "tags": ["admin"], "parameters": [path], "requestBody": {"required": True, "content": {_JSON: {"schema": manage}}}, "responses": {"200": {"description": "Done."}}},
        },
    }  # fmt: skip


def _security(version: str) -> Document:
    scopes = {"read": "Read notes."}
    token = "https://id.example.com/token"
    sign_in = "https://id.example.com/authorize"
    flows: Document = {
        "implicit": {"authorizationUrl": sign_in, "scopes": scopes},
        "password": {"tokenUrl": token, "scopes": scopes},
        "clientCredentials": {"tokenUrl": token, "scopes": scopes},
        "authorizationCode": {
            "authorizationUrl": sign_in,
            "tokenUrl": token,
            "scopes": scopes,
            "refreshUrl": token,
        },
    }
    if version == "3.2":
        flows["deviceAuthorization"] = {
            "deviceAuthorizationUrl": sign_in,
            "tokenUrl": token,
            "scopes": scopes,
        }
    return {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "A key."},
        "login": {"type": "oauth2", "flows": flows},
        "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "realm": "notes"},
        "open": {
            "type": "openIdConnect",
            "openIdConnectUrl": "https://id.example.com/.well-known/openid-configuration",
        },
    }


def document(version: str) -> Document:
    """The description of one version; no two places share an object."""
    found: Document = json.loads(json.dumps(_swagger() if version == "2.0" else _openapi(version)))
    return found


def _openapi(version: str) -> Document:
    note = {"schema": {"$ref": "#/components/schemas/Note"}, "example": {"title": "Milk"}}
    found: Document = {
        "openapi": {"3.0": "3.0.4", "3.1": "3.1.1", "3.2": "3.2.0"}[version],
        "info": {
            "title": "Notes",
            "version": "1.2.0",
            "description": "Short texts.",
            "termsOfService": "https://example.com/terms",
            "contact": {"name": "Team", "url": "https://example.com/", "email": "team@example.com"},
            "license": {"name": "MIT", "url": "https://example.com/licence"},
        },
        "servers": [
            {"url": "https://{region}.example.com/api", "description": "Everywhere.", "variables": {"region": {"default": "eu", "enum": ["eu", "us"], "description": "Where."}}},
            {"url": "https://test.example.com/api"},
        ],
        "tags": [{"name": "notes", "description": "Short texts.", "externalDocs": _DOCS}, {"name": "admin"}],
        "externalDocs": _DOCS,
        "security": [{"key": []}],
        "paths": _operations(),
        "components": {
            "schemas": _schemas(version),
            "parameters": {"Limit": {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 50, "default": 20}}},
            "responses": {"Failed": {"description": "Refused.", "content": {"application/problem+json": {"schema": {"type": "object"}}}}},
            "examples": {"Word": {"summary": "A word.", "description": "Any.", "value": "milk"}},
            "requestBodies": {"Note": {"required": True, "content": {_JSON: note, "application/xml": note}}},
            "headers": {
                "Total": {"description": "How many.", "schema": {"type": "integer"}, "examples": {"one": {"value": 1}}},
                "Rich": {"content": {_JSON: {"schema": {"type": "object"}, "examples": {"one": {"value": {}}}}}},
            },
            "links": {"Same": {"operationId": "getNote", "parameters": {"id": "$response.body#/title"}, "description": "Read it.", "server": {"url": "https://test.example.com/api"}}},
            "callbacks": {"Done": {"{$request.query.q}": {"post": {"responses": {"200": {"description": "ok"}}}}}},
            "securitySchemes": _security(version),
        },
    }  # fmt: skip
    if version != "3.0":
        found["components"]["pathItems"] = {"Shared": {"get": {"responses": {"200": {"description": "ok"}}}}}
        found["webhooks"] = {"changed": {"post": {"responses": {"200": {"description": "ok"}}}}}
        found["paths"]["/shared"] = {"$ref": "#/components/pathItems/Shared"}
    if version == "3.2":
        found["paths"]["/notes"]["additionalOperations"] = {
            "COPY": {"operationId": "copyNotes", "responses": {"200": {"description": "ok"}}}
        }
        found["components"]["mediaTypes"] = {"Note": note}
        form = found["paths"]["/notes/{id}"]["put"]["requestBody"]["content"]["multipart/form-data"]
        form["encoding"]["file"] = {"encoding": {"inner": {"contentType": "text/plain"}}}
    return found


def _swagger() -> Document:
    text: Document = {"type": "string"}
    note: Document = {
        "type": "object", "title": "Note", "description": "A short text.", "discriminator": "kind", "required": ["kind"],
        "externalDocs": _DOCS, "xml": {"name": "note"}, "example": {"kind": "list"},
        "properties": {"kind": {**text, "enum": ["list", "text"], "default": "text"}, "title": {**text, "pattern": "^[A-Z]", "format": "password"}},
    }  # fmt: skip
    answer: Document = {
        "description": "Found.",
        "schema": {"$ref": "#/definitions/Note"},
        "headers": {
            "X-Total": {"type": "array", "items": {**text, "enum": ["a"]}, "description": "How many."}
        },
        "examples": {_JSON: {"kind": "list"}},
    }
    path: Document = {"name": "id", "in": "path", "required": True, **text}
    sort: Document = {
        "name": "sort",
        "in": "query",
        "type": "array",
        "items": {**text, "enum": ["new"]},
        "collectionFormat": "multi",
    }
    form: Document = {"name": "file", "in": "formData", "type": "file", "description": "A file."}
    read: Document = {
        "operationId": "listNotes", "tags": ["notes"], "summary": "List notes", "description": "The newest first.",
        "externalDocs": _DOCS, "produces": [_JSON], "schemes": ["https"], "security": [{"key": []}],
        "parameters": [{"name": "q", "in": "query", "description": "Words.", "default": "a", "enum": ["a", "b"], "pattern": "^.", "format": "x", **text},
                       sort, {"name": "X-Team", "in": "header", **text}, {"$ref": "#/parameters/Limit"}],
        "responses": {"200": answer, "404": {"$ref": "#/responses/Failed"}, "default": {"description": "Else."}},
    }  # fmt: skip
    write: Document = {
        "operationId": "createNote", "consumes": [_JSON], "responses": {"201": answer},
        "parameters": [{"name": "note", "in": "body", "required": True, "description": "It.", "schema": {"$ref": "#/definitions/Note"}}],
    }  # fmt: skip
    done: Document = {
        "responses": {
            "200": {"description": "Done.", "schema": {"type": "object", "properties": {"state": text}}}
        }
    }
    oauth = {"type": "oauth2", "scopes": {"read": "Read notes."}}
    token, sign_in = "https://id.example.com/token", "https://id.example.com/authorize"
    return {
        "swagger": "2.0",
        "info": {"title": "Notes", "version": "1.2.0", "description": "Short texts.", "termsOfService": "https://example.com/terms",
                 "contact": {"name": "Team"}, "license": {"name": "MIT"}},
        "host": "notes.example.com", "basePath": "/api", "schemes": ["https"], "consumes": [_JSON], "produces": [_JSON],
        "tags": [{"name": "notes", "description": "Short texts.", "externalDocs": _DOCS}], "externalDocs": _DOCS,
        "security": [{"key": []}],
        "paths": {
            "/notes": {"get": read, "post": write},
            "/notes/{id}": {"parameters": [path], "delete": {"operationId": "deleteNote", **done}, "put": {"operationId": "replaceNote", "consumes": ["multipart/form-data"], "parameters": [form], **done}},
        },
        "definitions": {"Note": note},
        "parameters": {"Limit": {"name": "limit", "in": "query", "type": "integer"}},
        "responses": {"Failed": {"description": "Refused.", "schema": {"type": "object"}}},
        "securityDefinitions": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "basic": {"type": "basic"},
            "code": {**oauth, "flow": "accessCode", "authorizationUrl": sign_in, "tokenUrl": token},
            "own": {**oauth, "flow": "application", "tokenUrl": token},
            "implicit": {**oauth, "flow": "implicit", "authorizationUrl": sign_in}, "password": {**oauth, "flow": "password", "tokenUrl": token},
        },
    }  # fmt: skip
