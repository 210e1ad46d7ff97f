"""Whatever a model calls: every call has one answer with its id, in order, and nothing is raised."""

from __future__ import annotations

import json
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpgen.runtime import open_package
from mcpgen.runtime.definitions.formats import FORMATS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["get_thing", "make_thing", "get_thin", "", "\ud800", "x" * 5000]) | JSON
ARGUMENTS = st.one_of(
    st.sampled_from(['{"id": "a"}', "", "{", "[]", '"{}"', '{"id": null, "id": 5}', "\ud800", "NaN"]),
    st.text(max_size=12),
    JSON,
    JSON.map(json.dumps),
    st.dictionaries(st.sampled_from(["id", "name", "ID"]), JSON, max_size=3),
)
IDS = st.sampled_from(["a", "b", "c", "", "\ud800"]) | JSON


@st.composite
def calls(draw: st.DrawFn) -> Any:
    """Something like a call, in one of the shapes, or nothing of the kind."""
    called, name, arguments = draw(IDS), draw(NAMES), draw(ARGUMENTS)
    shapes: list[Any] = [
        {"id": called, "type": "function", "function": {"name": name, "arguments": arguments}},
        {"call_id": called, "type": "function_call", "name": name, "arguments": arguments},
        {"id": called, "type": "tool_use", "name": name, "input": arguments},
        {"functionCall": {"id": called, "name": name, "args": arguments}},
        {"name": name, "args": arguments},
        draw(JSON),
        object(),
    ]
    return draw(st.sampled_from(shapes))


def id_of(call: Any) -> Any:
    """The id that the answer must have; None where the call has none that is a text."""
    if not isinstance(call, dict):
        return None
    inner = call.get("functionCall")
    found = inner.get("id") if isinstance(inner, dict) else call.get("call_id", call.get("id"))
    return found if isinstance(found, str) and found else None


def answered(answer: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The id and the result in an answer."""
    if "functionResponse" in answer:
        return answer["functionResponse"].get("id"), answer["functionResponse"]["response"]
    found = answer.get("tool_call_id") or answer.get("call_id") or answer.get("tool_use_id")
    return found or None, json.loads(answer.get("content") or answer["output"])


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    turn=st.lists(calls(), max_size=6),
    format_=st.sampled_from(FORMATS),
    status=st.sampled_from([200, 404, 500]),
)
def test_every_call_is_answered_in_order(package: Any, turn: list[Any], format_: str, status: int) -> None:
    package.answer(httpx2.Response(status, json={"n": 1}))
    transport = httpx2.MockTransport(package._handle)

    async def run() -> list[dict[str, Any]]:
        environ = {"SHOP_RETRIES": "0"}
        async with open_package(package.name, format=format_, environ=environ, transport=transport) as found:
            return await found.run(turn)

    answers = anyio.run(run)
    assert [answered(answer)[0] for answer in answers] == [id_of(call) for call in turn]
    for answer in answers:
        result = answered(answer)[1]
        assert isinstance(result["ok"], bool)
        assert result["ok"] or (result["error"] and result["category"])
        assert len(json.dumps(answer)) < 10_000


@pytest.fixture
def package(build: Any, op: Any) -> Any:
    return build(
        get_thing=op(
            path="/things/{id}",
            params=[("path", "id", {"type": "string"}, {"required": True})],
            required=["id"],
        ),
        make_thing=op(
            method="POST",
            fields={"name": {"type": ["string", "null"]}, "more": {"type": "object"}},
            body={"content_type": "application/json", "kind": "json", "required": True},
            effect="write",
        ),
    )
