"""Whose call it is: nothing that is remembered of one caller is given to another one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers

from mcpgen.runtime.memory.call_keys import call_key, caller_wide_key, toolset_wide_key
from mcpgen.runtime.memory.caller import caller_key


def call(
    request: Any = None,
    *,
    forward: bool = False,
    arguments: Any = None,
    tool: str = "get",
    package: str = "shop",
) -> Any:
    settings = SimpleNamespace(forward_authorization=forward)
    app = SimpleNamespace(
        settings=settings,
        catalog=SimpleNamespace(package=package),
        servers=SimpleNamespace(default="https://api.example.com"),
    )
    return SimpleNamespace(
        app=app,
        context=SimpleNamespace(request=request),
        caller=None,
        operation=SimpleNamespace(tool=tool, toolset="things"),
        arguments=arguments or {},
        own_arguments={},
    )


def request(host: str | None = "127.0.0.1", token: AccessToken | None = None, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return SimpleNamespace(
        headers=Headers(named),
        scope={"user": SimpleNamespace(access_token=token)} if token else {},
        client=None if host is None else SimpleNamespace(host=host),
    )


def token(
    text: str = "t", client: str = "app", subject: str | None = None, issuer: str | None = None
) -> AccessToken:
    claims = {} if issuer is None else {"iss": issuer}
    return AccessToken(token=text, client_id=client, scopes=[], subject=subject, claims=claims)


def test_over_standard_input_there_is_one_caller() -> None:
    assert caller_key(call()) == "local"


def test_a_replay_has_no_caller() -> None:
    replayed = call()
    replayed.context = None
    assert caller_key(replayed) is None


def test_a_program_s_own_calls_have_the_caller_that_they_name() -> None:
    made = call()
    made.context, made.caller = None, "executor"
    assert caller_key(made) == "executor"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (request(token=token("a", subject="ann")), request(token=token("b", subject="ann")), True),
        (request(token=token(subject="ann")), request(token=token(subject="bob")), False),
        (request(token=token(client="a")), request(token=token(client="b")), False),
        (
            request(token=token(subject="ann", issuer="x")),
            request(token=token(subject="ann", issuer="y")),
            False,
        ),
        (request(authorization="Bearer a"), request(authorization="Bearer a"), True),
        (request(authorization="Bearer a"), request(authorization="Bearer b"), False),
        (request(mcp_session_id="1"), request(mcp_session_id="1"), True),
        (request(mcp_session_id="1"), request(mcp_session_id="2"), False),
        (request(authorization="1"), request(mcp_session_id="1"), False),
        (request("127.0.0.1"), request("::1"), True),
    ],
)
def test_callers_over_http(one, other, same) -> None:
    assert (caller_key(call(one)) == caller_key(call(other))) is same
    assert caller_key(call(one)) is not None


@pytest.mark.parametrize(
    "unknown",
    [
        request("10.0.0.7"),
        request(None),
        request("testclient"),
        request("127.0.0.1", x_forwarded_for="10.0.0.7"),
        request("127.0.0.1", via="1.1 proxy"),
    ],
)
def test_callers_who_can_not_be_told_apart_have_no_key(unknown) -> None:
    assert caller_key(call(unknown)) is None
    assert call_key("cached", call(unknown)) is None
    assert caller_wide_key("written", call(unknown)) is None


def test_where_the_api_gets_the_callers_authorization_that_is_what_counts() -> None:
    ann = token("a", subject="ann")
    one, other = (request(token=ann, authorization=f"Bearer {name}") for name in "ab")
    assert caller_key(call(one)) == caller_key(call(other))
    assert caller_key(call(one, forward=True)) != caller_key(call(other, forward=True))


def test_a_key_does_not_show_what_it_is_made_of() -> None:
    found = call_key("cached", call(request(authorization="Bearer hidden-value"), arguments={"q": "private"}))
    assert found is not None
    assert found.startswith("cached ")
    assert "hidden" not in found
    assert "private" not in found
    assert "hidden" not in (caller_key(call(request(authorization="Bearer hidden-value"))) or "")


def test_equal_calls_have_equal_keys() -> None:
    first = call_key("once", call(arguments={"a": 1, "b": {"c": 2, "d": None}}))
    assert first == call_key("once", call(arguments={"b": {"d": None, "c": 2}, "a": 1}))
    others = [
        call_key("once", call(arguments={"a": 1, "b": {"c": 2}})),
        call_key("once", call(arguments={"a": "1", "b": {"c": 2, "d": None}})),
        call_key("once", call(tool="find", arguments={"a": 1, "b": {"c": 2, "d": None}})),
        call_key("once", call(package="other", arguments={"a": 1, "b": {"c": 2, "d": None}})),
        call_key("cached", call(arguments={"a": 1, "b": {"c": 2, "d": None}})),
        call_key("once", call(arguments={"a": 1, "b": {"c": 2, "d": None}}), "more"),
        toolset_wide_key("once", call()),
        caller_wide_key("once", call()),
    ]
    assert len({first, *others}) == len(others) + 1


def test_lone_surrogates_have_keys() -> None:
    assert call_key("once", call(arguments={"a": "\ud800"}))
