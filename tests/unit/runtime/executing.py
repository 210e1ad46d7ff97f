"""What tests of the executor share: calls, an executor against a pretended API, and results out of answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from mcpgen.runtime import Executor, open_package

BODY = {"content_type": "application/json", "kind": "json", "required": True}
FIELDS = {"name": {"type": "string"}, "note": {"type": ["string", "null"]}}
ITEM = {"type": "string", "minLength": 1}


def operations(op: Any) -> dict[str, Any]:
    """Tools that read, write and delete."""
    item = [("path", "id", ITEM, {"required": True})]
    return {
        "get_thing": op(path="/things/{id}", params=item, required=["id"]),
        "list_things": op(params=[("query", "limit", {"type": "integer"}, {})]),
        "make_thing": op(method="POST", fields=FIELDS, body=BODY, effect="write"),
        "drop_thing": op(
            method="DELETE", path="/things/{id}", params=item, required=["id"], effect="destructive"
        ),
    }


@asynccontextmanager
async def executor(package: Any, **options: Any) -> AsyncIterator[Executor]:
    transport = httpx2.MockTransport(options.pop("handler", package._handle))
    environ = {"SHOP_ALLOW_EFFECTS": "read,write,destructive", **options.pop("environ", {})}
    async with open_package(package.name, environ=environ, transport=transport, **options) as found:
        yield found


def chat(called: Any, name: Any, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": called, "type": "function", "function": {"name": name, "arguments": arguments}}


def told(answer: dict[str, Any]) -> dict[str, Any]:
    """The result in an answer of any shape."""
    if "functionResponse" in answer:
        return dict(answer["functionResponse"]["response"])
    return dict(json.loads(answer.get("content") or answer["output"]))
