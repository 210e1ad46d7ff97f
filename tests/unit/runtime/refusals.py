"""What the tests of error bodies share: a tool with arguments of every kind, and refusals of its API."""

from __future__ import annotations

import json
from typing import Any

import httpx2

from mcpgen.runtime.api_errors import failure_of, refusal_in
from mcpgen.runtime.operation import Operation, read_operation
from mcpgen.runtime.outcomes.failures import Failure
from mcpgen.runtime.secrecy.redact import Redactor
from mcpgen.runtime.transport.client import Answer

SECRET = "k3y-of-the-operator"

ITEM = {
    "type": "object",
    "properties": {"unitPrice": {"type": "number"}, "sku": {"type": "string"}, "note": {"type": "string"}},
}
PROPERTIES: dict[str, Any] = {
    "order_id": {"type": "string"},
    "dry_run": {"type": "boolean"},
    "filter_page": {"type": "integer"},
    "request_id": {"type": "string"},
    "customer_name": {"type": "string"},
    "days": {"type": "integer"},
    "items": {"type": "array", "items": ITEM},
    "address": {"type": "object", "properties": {"zip_code": {"type": "string"}}},
}
ARGUMENTS = [
    {"name": "order_id", "python": "order_id", "in": "path", "wire_name": "orderId"},
    {"name": "dry_run", "python": "dry_run", "in": "query", "wire_name": "dry-run"},
    {"name": "filter_page", "python": "filter_page", "in": "query", "wire_name": "filter[page]"},
    {"name": "request_id", "python": "request_id", "in": "header", "wire_name": "X-Request-Id"},
    {"name": "customer_name", "python": "customer_name", "in": "body", "pointer": "/customerName"},
    {"name": "days", "python": "days", "in": "body", "pointer": "/days"},
    {"name": "items", "python": "items", "in": "body", "pointer": "/items"},
    {"name": "address", "python": "address", "in": "body", "pointer": "/address"},
]
DATA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def operation(
    arguments: list[dict[str, Any]] | None = None,
    properties: dict[str, Any] | None = None,
    data: dict[str, Any] | None = None,
    **entry: Any,
) -> Operation:
    """`create_order` of a shop, a write; `entry` changes its catalogue entry."""
    tool = {
        "name": "create_order",
        "inputSchema": {
            "type": "object",
            "properties": PROPERTIES if properties is None else properties,
            "additionalProperties": False,
        },
        "outputSchema": {"type": "object", "properties": {"data": DATA if data is None else data}},
    }
    given = {
        "module": "orders",
        "function": "create_order",
        "toolset": "orders",
        "effect": "write",
        "method": "POST",
        "path": "/orders/{orderId}",
        "arguments": ARGUMENTS if arguments is None else arguments,
    }
    return read_operation("create_order", given | entry, tool)


ORDER = operation()
READ = operation(effect="read", method="GET")


def answer(status: int, body: Any = "", media_type: str = "", **headers: str) -> Answer:
    """An answer of the API: JSON of anything but text and bytes. Header names have `_` for `-`."""
    if isinstance(body, bytes):
        content, usual = body, ""
    elif isinstance(body, str):
        content, usual = body.encode("utf-8", "surrogatepass"), "text/plain" if body else ""
    else:
        content, usual = json.dumps(body).encode(), "application/json"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if media_type or usual:
        named["content-type"] = media_type or usual
    return Answer(status, httpx2.Headers(named), content, "https://api.example.com/orders")


def redactor() -> Redactor:
    found = Redactor()
    found.add(SECRET)
    return found


def failure(
    status: int, body: Any = "", media_type: str = "", operation: Operation = ORDER, **headers: str
) -> Failure:
    """What becomes of a refusal."""
    return failure_of(answer(status, body, media_type, **headers), operation, redactor())


def refusal(body: Any, operation: Operation = ORDER, status: int = 200, **headers: str) -> Failure | None:
    """What becomes of an error that has the status of a success."""
    return refusal_in(answer(status, body, **headers), body, operation, redactor())


def words(found: Failure) -> str:
    """The API's own words in a failure."""
    return found.message.partition(": ")[2]
