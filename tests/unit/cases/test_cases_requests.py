"""Whole requests of expectations: places, what a tool sends by itself, credentials, what is never sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mcpgen.cases.calls import calls_of, why_no_call
from mcpgen.cases.credentials import NoCredential, credential_for, made_up_credentials
from mcpgen.cases.requests import expected_request
from mcpgen.cases.wire.texts import NoSpelling
from mcpgen.plan.model import (
    ArgumentPlan,
    AuthPlan,
    BodyWire,
    Code,
    ParameterWire,
    Samples,
    SpecText,
    ToolPlan,
)

from .both_ways import plan_with, tool_with


def argument(name: str, where: str, required: bool = False, **more: Any) -> ArgumentPlan:
    pointer = more.pop("pointer", f"/{name}" if where == "body" else None)
    wire_name = name if where != "body" else None
    return ArgumentPlan(name, name, where, {}, required, Code("str"), wire_name, pointer, **more)


def parameter(name: str, where: str, **more: Any) -> ParameterWire:
    style = {"query": "form", "cookie": "form"}.get(where, "simple")
    return ParameterWire(name, where, style, style == "form", False, **more)


def auth(named: str, env: dict[str, str], **entry: Any) -> AuthPlan:
    return AuthPlan(named, entry, env, SpecText(""))


FULL = tool_with(
    path="/users/{id}/notes",
    arguments=(
        argument("id", "path", True),
        argument("q", "query"),
        argument("limit", "query", default=20),
        argument("X-Trace", "header"),
        argument("Accept", "header"),
        argument("theme", "cookie"),
        argument("text", "body"),
        argument("rest", "body", pointer=""),
    ),
    parameters=(
        parameter("id", "path"),
        parameter("q", "query"),
        parameter("limit", "query"),
        parameter("v", "query"),
        parameter("X-Trace", "header"),
        parameter("Accept", "header"),
        parameter("theme", "cookie"),
    ),
    body=BodyWire("application/json", "json", False),
    fixed={"v": 2, "kind": "note"},
    fixed_where={"v": "query", "kind": "body"},
)


def request(tool: ToolPlan, arguments: dict[str, Any], **plan: Any) -> Any:
    known = plan_with(tool, **plan)
    return expected_request(tool, known, arguments, made_up_credentials(known))


def test_everything_has_its_place() -> None:
    found = request(
        FULL,
        {
            "id": "a/b",
            "q": "x y",
            "X-Trace": "t",
            "Accept": "a/b",
            "theme": "dark",
            "text": "é",
            "rest": {"more": 1},
        },
    )
    assert (found.method, found.target) == ("POST", "/users/a%2Fb/notes?q=x%20y&limit=20&v=2")
    assert found.headers == {
        "accept": "application/json",
        "content-type": "application/json",
        "x-trace": "t",
        "cookie": "theme=dark",
    }
    assert found.body == {"json": {"more": 1, "kind": "note", "text": "é"}}


def test_what_a_call_leaves_out_is_not_there_but_for_what_the_server_sends_itself() -> None:
    found = request(FULL, {"id": "1"})
    assert (found.target, found.body) == ("/users/1/notes?limit=20&v=2", {"json": {"kind": "note"}})
    assert found.headers == {"accept": "application/json", "content-type": "application/json"}


@pytest.mark.parametrize(("required", "body"), [(True, {"json": {}}), (False, None)])
def test_an_optional_body_of_nothing_is_not_sent(required: bool, body: Any) -> None:
    tool = replace(FULL, fixed={}, fixed_where={}, body=BodyWire("application/json", "json", required))
    assert request(tool, {"id": "1"}).body == body


def test_keys_that_would_make_another_request_have_no_form() -> None:
    for arguments in ({"rest": {"_method": "DELETE"}}, {"q": "x"}):
        wires = tuple(replace(w, style="form", explode=True) for w in FULL.parameters)
        tool = replace(FULL, parameters=wires)
        given = {"id": "1", **arguments}
        if "q" in arguments:
            given["q"] = {"_method": "DELETE"}
        with pytest.raises(NoSpelling):
            request(tool, given)


@pytest.mark.parametrize(
    ("idempotency", "given", "generated"),
    [
        ({"header": "Idempotency-Key"}, None, ("idempotency-key",)),
        ({"header": "Idempotency-Key"}, "own", ()),
        ({"header": "Idempotency-Key", "made": False}, None, ()),
        (None, None, ()),
    ],
)
def test_keys_that_the_server_makes(idempotency: Any, given: str | None, generated: tuple[str, ...]) -> None:
    tool = tool_with(
        arguments=(argument("Idempotency-Key", "header"),),
        parameters=(parameter("Idempotency-Key", "header"),),
        idempotency=idempotency,
    )
    found = request(tool, {"Idempotency-Key": given} if given else {})
    assert found.generated == generated
    assert found.headers.get("idempotency-key") == given


KEY = auth("key", {"key": "P_KEY"}, type="apiKey", name="X-Key", **{"in": "header"})
IN_QUERY = auth("query", {"key": "P_QUERY"}, type="apiKey", name="api_key", **{"in": "query"})
IN_COOKIE = auth("cookie", {"key": "P_COOKIE"}, type="apiKey", name="sid", **{"in": "cookie"})
BASIC = auth("basic", {"username": "P_USER", "password": "P_PASS"}, type="http", scheme="Basic")
DIGEST = auth("digest", {"username": "P_DU", "password": "P_DP"}, type="http", scheme="digest")
BEARER = auth("bearer", {"token": "P_TOKEN"}, type="http", scheme="bearer")
CUSTOM = auth("custom", {"token": "P_CUSTOM"}, type="http", scheme="Hawk")
OAUTH = auth("oauth", {"token": "P_OAUTH", "client_id": "P_ID", "client_secret": "P_SECRET"}, type="oauth2")
MUTUAL = auth("mutual", {}, type="mutualTLS")
SCHEMES = (KEY, IN_QUERY, IN_COOKIE, BASIC, DIGEST, BEARER, CUSTOM, OAUTH, MUTUAL)
PLAN = plan_with(FULL, auth=SCHEMES)


def test_made_up_credentials_are_all_there_and_all_different() -> None:
    found = made_up_credentials(PLAN)
    assert found.keys() == {variable for scheme in SCHEMES for variable in scheme.env.values()}
    assert len(set(found.values())) == len(found)
    assert all(value.isprintable() and value.isascii() and value == value.strip() for value in found.values())


VALUES = {
    "P_KEY": "k 1", "P_QUERY": "a/b+c", "P_COOKIE": "a;b%", "P_USER": "u", "P_PASS": "p:ä", "P_DU": "u", "P_DP": "p",
    "P_TOKEN": "t", "P_CUSTOM": "h", "P_OAUTH": "o", "P_ID": "i", "P_SECRET": "s",
}  # fmt: skip


@pytest.mark.parametrize(
    ("alternatives", "headers", "query", "cookies"),
    [
        (["key"], {"x-key": "k 1"}, (), ()),
        (["query"], {}, (("api_key", "a/b+c"),), ()),
        (["cookie"], {}, (), (("sid", "a%3Bb%25"),)),
        (["basic"], {"authorization": "Basic dTpwOsOk"}, (), ()),
        (["digest"], {}, (), ()),
        (["bearer"], {"authorization": "Bearer t"}, (), ()),
        (["custom"], {"authorization": "Hawk h"}, (), ()),
        (["oauth"], {"authorization": "Bearer o"}, (), ()),
        (["mutual", "bearer"], {"authorization": "Bearer t"}, (), ()),
        (["key query cookie"], {"x-key": "k 1"}, (("api_key", "a/b+c"),), (("sid", "a%3Bb%25"),)),
        (["", "key"], {"x-key": "k 1"}, (), ()),
        (["mutual", ""], {}, (), ()),
        ([], {}, (), ()),
    ],
)
def test_a_request_carries_what_the_first_possible_alternative_needs(
    alternatives: list[str], headers: Any, query: Any, cookies: Any
) -> None:
    security = [dict.fromkeys(names.split(), ()) for names in alternatives]
    found = credential_for(security, PLAN, VALUES)
    assert (dict(found.headers), found.query, found.cookies) == (headers, query, cookies)


def test_no_alternative_at_all() -> None:
    with pytest.raises(NoCredential):
        credential_for([{"mutual": ()}], PLAN, VALUES)


def test_a_credential_is_not_the_callers_to_replace() -> None:
    tool = tool_with(
        arguments=(argument("api_key", "query"), argument("sid", "cookie"), argument("X-Key", "header")),
        parameters=(parameter("api_key", "query"), parameter("sid", "cookie"), parameter("X-Key", "header")),
        security=({"key": (), "query": (), "cookie": ()},),
    )
    plan = plan_with(tool, auth=SCHEMES)
    found = expected_request(tool, plan, {"api_key": "mine", "sid": "mine", "X-Key": "mine"}, VALUES)
    assert found.target == "/things?api_key=a%2Fb%2Bc"
    assert (found.headers["cookie"], found.headers["x-key"]) == ("sid=a%3Bb%25", "k 1")


def test_calls_of_a_tool() -> None:
    minimal, full = {"id": "1"}, {"id": "2", "q": "x"}
    tool = replace(FULL, samples=Samples(minimal, 200, None, None, full))
    plan = plan_with(tool)
    assert [(call.name, call.arguments) for call in calls_of(tool, plan, {})] == [
        ("minimal", minimal),
        ("full", full),
    ]
    assert why_no_call(tool, plan, {}) == ""
    same = replace(tool, samples=Samples(minimal, 200, None, None, minimal))
    assert [call.name for call in calls_of(same, plan, {})] == ["minimal"]


def test_a_call_without_a_form_is_left_out_and_why() -> None:
    odd = replace(FULL, samples=Samples({"id": ".."}, 200, None, None, {"id": "1", "q": "x"}))
    plan = plan_with(odd)
    assert [call.name for call in calls_of(odd, plan, {})] == ["full"]
    none = replace(odd, samples=Samples({"id": ".."}, 200, None, None, {"id": ".."}))
    assert calls_of(none, plan, {}) == ()
    assert "dots" in why_no_call(none, plan, {})
    assert "schema" in why_no_call(replace(FULL, samples=Samples(None, 200, None, None)), plan, {})
    locked = replace(FULL, security=({"mutual": ()},), samples=Samples({"id": "1"}, 200, None, None))
    assert "security" in why_no_call(locked, plan_with(locked, auth=SCHEMES), {})
