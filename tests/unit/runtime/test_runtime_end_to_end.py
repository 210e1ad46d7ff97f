"""A package served in memory: plain calls, and any call at all."""

from __future__ import annotations

import json
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

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


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
@settings(suppress_health_check=list(HealthCheck))
def test_any_arguments_and_any_answer_give_a_result(build, op, data: st.DataObject) -> None:
    """Whatever comes in from either side, the call ends in a success or in a failure that says whose it is."""
    places = {name: "header" if name[0] == "h" else "cookie" if name[0] == "c" else "query" for name in "qhc"}
    package = build(
        call=op(
            method="POST",
            path="/a/{p}/{r}",
            params=[
                ("path", "p", {}, {"style": "label", "explode": True}),
                ("path", "r", {}, {}),
                *((place, name, {}, {"explode": True}) for name, place in places.items()),
                ("query", "d", {}, {"style": "deepObject", "explode": True}),
            ],
            body={"content_type": "application/x-www-form-urlencoded", "kind": "form", "required": False},
            fields={"f": {}},
            rest={"type": "object"},
            data={"type": "object"},
        )
    )
    arguments: dict[str, Any] = data.draw(
        st.fixed_dictionaries({n: VALUES for n in ["p", "r", *places, "d", "f"]})
    )
    status = data.draw(st.sampled_from([200, 204, 302, 400, 404, 500, 503]))
    media = data.draw(
        st.sampled_from(["application/json", "text/plain; charset=x", "text/event-stream", "image/png", ""])
    )
    content = data.draw(st.binary(max_size=20) | VALUES.map(lambda v: json.dumps(v).encode()))
    package.answer(httpx2.Response(status, headers={"content-type": media}, content=content))
    told = anyio.run(package.told, "call", arguments)
    if not told["ok"]:
        assert told["category"] in ({"validation"} if not package.requests else set(CATEGORIES[status]))
    for request in package.requests:
        assert request.url.host == "api.example.com"
        assert request.url.raw_path.startswith(b"/v1/a/")
        assert request.url.raw_path.partition(b"?")[0].count(b"/") == 4


CATEGORIES = {
    302: ["internal"],
    400: ["validation"],
    404: ["not_found"],
    500: ["transient"],
    503: ["transient"],
}


async def test_calls_run_side_by_side(build, op) -> None:
    package, running = build(get=op()), []

    async def slow(request: httpx2.Request) -> httpx2.Response:
        running.append(1)
        while len(running) < 5:
            await anyio.sleep(0.001)
        return httpx2.Response(200, json={})

    package.answer(slow)
    from mcpgen.runtime import build_server

    server = build_server(package.name, environ={}, transport=httpx2.MockTransport(slow))
    async with Client(server) as client, anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(client.call_tool, "get", {})
    assert len(running) == 5
