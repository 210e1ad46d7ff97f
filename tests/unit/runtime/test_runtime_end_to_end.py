"""A package served in memory, over stdio and over HTTP."""

from __future__ import annotations

import httpx2
import pytest

pytestmark = pytest.mark.anyio
TEXT = {"type": "string"}


async def test_a_read_in_both_eras(build, op, mode) -> None:
    package = build(
        get_thing=op(
            path="/things/{thing_id}",
            params=[("path", "thing_id", TEXT, {}), ("query", "verbose", {"type": "boolean"}, {})],
            required=["thing_id"],
            data={"type": "object", "properties": {"id": {"type": "integer"}}},
        )
    )
    package.answer(httpx2.Response(200, json={"id": 9007199254740993, "left": None}))
    told = await package.told("get_thing", {"thing_id": "a/b", "verbose": True}, mode=mode)
    assert told == {"ok": True, "data": {"id": 9007199254740993, "left": None}}
    assert str(package.sent.url) == "https://api.example.com/v1/things/a%2Fb?verbose=true"
    assert package.sent.headers["accept"] == "application/json"
    assert "content-type" not in package.sent.headers


async def test_a_write_in_both_eras(build, op, mode) -> None:
    package = build(
        add_thing=op(
            method="POST",
            effect="write",
            body={"content_type": "application/json", "kind": "json", "required": True},
            fields={"name": TEXT, "note": {"anyOf": [TEXT, {"type": "null"}]}, "size": {"type": "integer"}},
            rest={"type": "object"},
            required=["name"],
        )
    )
    package.answer(httpx2.Response(201, json={"id": 1}))
    told = await package.told("add_thing", {"name": "ž", "note": None, "extra": {"x": 1}}, mode=mode)
    assert told["data"] == {"id": 1}
    assert package.sent.method == "POST"
    assert package.sent.content == '{"x":1,"name":"ž","note":null}'.encode()
    assert package.sent.headers["content-type"] == "application/json"
