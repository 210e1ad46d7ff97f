"""Small specs that are linted in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.inspection import catalog_of
from mcpgen.lint import Prompt, Report, Subject, lint, of_spec
from mcpgen.pipeline import GenerateRequest, plan_spec

Linted = tuple[Subject, Report]


def lint_document(document: Mapping[str, Any], prompt: str | None = None) -> Linted:
    diagnostics = Collector()
    request = GenerateRequest(spec="-", stdin=json.dumps(document).encode(), config=Config(deprecated=True))
    planned = plan_spec(request, diagnostics)
    subject = of_spec("orders.json", planned.tree, planned.api, catalog_of(planned.plan))
    told = None if prompt is None else Prompt("prompt.md", prompt)
    return subject, lint(subject, diagnostics=diagnostics, locate=planned.tree.locate, prompt=told)


@pytest.fixture
def linted() -> Callable[..., Linted]:
    """Lints a whole document, and perhaps a prompt."""
    return lint_document


@pytest.fixture
def good() -> dict[str, Any]:
    """A document of two operations with which nothing is wrong."""
    order = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Number of the order."},
            "total": {"type": "integer", "description": "Sum in cents."},
        },
    }
    refused = {
        "description": "The customer is unknown.",
        "content": {
            "application/problem+json": {
                "schema": {"type": "object", "properties": {"title": {"type": "string"}}}
            }
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Orders",
            "version": "1",
            "description": "Takes and answers for the orders of a shop: create them, look them up, see what they cost.",
        },
        "servers": [{"url": "https://api.shop.test/v1"}],
        "tags": [{"name": "orders", "description": "What customers have ordered."}],
        "security": [{"token": []}],
        "paths": {
            "/customers/{customer}/orders": {
                "parameters": [
                    {
                        "name": "customer",
                        "in": "path",
                        "required": True,
                        "description": "Customer number as printed on invoices, e.g. C-1042.",
                        "schema": {"type": "string", "maxLength": 12},
                    }
                ],
                "get": {
                    "operationId": "listOrders",
                    "tags": ["orders"],
                    "summary": "List what a customer has ordered, newest first",
                    "description": "Returns up to 100 orders with their totals. Use this when you know the customer; to add an order, use create_order instead.",
                    "parameters": [
                        {
                            "name": "limit",
                            "in": "query",
                            "description": "How many orders to return at most.",
                            "schema": {"type": "integer", "maximum": 100, "default": 20},
                        }
                    ],
                    "responses": {
                        "200": {
                            "description": "The orders.",
                            "content": {"application/json": {"schema": {"type": "array", "items": order}}},
                        },
                        "404": refused,
                    },
                },
                "post": {
                    "operationId": "createOrder",
                    "tags": ["orders"],
                    "summary": "Create an order for a customer and reserve the goods",
                    "description": "Returns the order with its number. Use this only for new orders, not for changes. At most 50 lines; fails with 409 when goods are sold out.",
                    "requestBody": {
                        "required": True,
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "required": ["sku", "quantity"],
                                    "properties": {
                                        "sku": {
                                            "type": "string",
                                            "description": "Article number from the label, e.g. AB-12.",
                                        },
                                        "quantity": {
                                            "type": "integer",
                                            "minimum": 1,
                                            "maximum": 99,
                                            "description": "Pieces to reserve, e.g. 3.",
                                        },
                                    },
                                }
                            }
                        },
                    },
                    "responses": {
                        "201": {
                            "description": "The order.",
                            "content": {"application/json": {"schema": order}},
                        },
                        "409": refused,
                    },
                },
            }
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }
