"""Three small APIs of our own, as documents that changes can be made to."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]


def _text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def _answer(schema: dict[str, Any], description: str = "It worked.") -> dict[str, Any]:
    return {"200": {"description": description, "content": {"application/json": {"schema": schema}}}}


def _resource(one: str, many: str, tag: str, extra: dict[str, Any]) -> dict[str, Any]:
    """List, make, read, change and delete one kind of thing."""
    schema = {"$ref": f"#/components/schemas/{one.title()}"}
    identifier = {
        "name": f"{one}_id",
        "in": "path",
        "required": True,
        "schema": _text(f"The number of the {one}."),
    }
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 50}}
    order = {"name": "order", "in": "query", "schema": _text("What comes first.", enum=["new", "old"])}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    listed = {"type": "array", "items": schema}
    return {
        f"/{many}": {
            "get": {
                "operationId": f"list_{many}",
                "tags": [tag],
                "summary": f"List the {many}.",
                "parameters": [limit, order],
                "responses": _answer(listed),
            },
            "post": {
                "operationId": f"create_{one}",
                "tags": [tag],
                "summary": f"Make a new {one}.",
                "requestBody": body,
                "responses": _answer(schema),
            },
        },
        f"/{many}/{{{one}_id}}": {
            "get": {
                "operationId": f"get_{one}",
                "tags": [tag],
                "summary": f"Look up one {one}.",
                "description": f"Gives the whole {one}. A {one} that was archived is not found.",
                "parameters": [identifier, {"name": "fields_of", "in": "query", "schema": _text("A part.")}],
                "responses": _answer(schema),
            },
            "put": {
                "operationId": f"replace_{one}",
                "tags": [tag],
                "summary": f"Replace one {one}.",
                "parameters": [identifier],
                "requestBody": body,
                "responses": _answer(schema),
            },
            "delete": {
                "operationId": f"delete_{one}",
                "tags": [tag],
                "summary": f"Delete one {one} for good.",
                "parameters": [identifier],
                "responses": {"204": {"description": "Deleted."}},
            },
            **extra,
        },
    }


def _schema(one: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["name"],
        "properties": {"name": _text(f"What the {one} is called."), **fields},
    }


def _api(version: str, title: str, *things: tuple[str, str, dict[str, Any], dict[str, Any]]) -> Document:
    return {
        "openapi": version,
        "info": {"title": title, "version": "1.0.0", "description": f"The API of the {title.lower()}."},
        "servers": [{"url": "https://api.example.test/v1"}],
        "tags": [{"name": many} for _, many, _, _ in things],
        "paths": {
            path: item
            for one, many, _, extra in things
            for path, item in _resource(one, many, many, extra).items()
        },
        "components": {"schemas": {one.title(): _schema(one, **fields) for one, _, fields, _ in things}},
    }


_SEND = {
    "post": {
        "operationId": "send_invoice",
        "tags": ["invoices"],
        "summary": "Send an invoice to the customer.",
        "parameters": [{"name": "invoice_id", "in": "path", "required": True, "schema": {"type": "string"}}],
        "requestBody": {
            "content": {
                "application/x-www-form-urlencoded": {
                    "schema": {
                        "type": "object",
                        "properties": {"to": _text("An address."), "copy": _text("One more.")},
                    }
                }
            }
        },
        "responses": _answer({"type": "object", "properties": {"sent": {"type": "boolean"}}}),
    }
}

SPECS: dict[str, tuple[Document, str, str]] = {
    "library": (
        _api(
            "3.1.0",
            "Library",
            ("book", "books", {"pages": {"type": ["integer", "null"]}}, {}),
            ("loan", "loans", {"due": _text("The day.", format="date")}, {}),
        ),
        "book",
        "loan",
    ),
    "billing": (
        _api(
            "3.0.3",
            "Billing",
            ("invoice", "invoices", {"cents": {"type": "integer", "minimum": 0}}, _SEND),
            ("customer", "customers", {"mail": _text("An address.", format="email")}, {}),
        ),
        "invoice",
        "customer",
    ),
    "fleet": (
        _api(
            "3.2.0",
            "Fleet",
            ("ship", "ships", {"crew": {"type": "array", "items": _text("A person.")}}, {}),
            ("port", "ports", {"place": {"type": "object", "properties": {"lat": {"type": "number"}}}}, {}),
        ),
        "ship",
        "port",
    ),
}
"""Name -> the document, and the things that its first and second toolset are about."""
