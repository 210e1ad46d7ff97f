"""What an operator can set for single tools, and what holds for every call: sizes, time, redirects."""

from __future__ import annotations

import json
import socket
import ssl
from typing import Any

import anyio
import httpx2
import pytest
from anyio.from_thread import BlockingPortal
from harness import BASE_URL, CATALOG, Session, Stub, call_tool, environment, served
from mcp import Client
from picking import (
    CALLS,
    FILES,
    OPERATIONS,
    SCHEMAS,
    Policy,
    a_tool_that,
    arguments_of,
    calls,
    reads,
    tools_that,
)

from team_vault.server import build


def limited() -> tuple[str, str, Any, dict[str, Any]]:
    """A tool with an argument that is a number, its value, and the call."""
    for tool in CALLS:
        for name, value, call in arguments_of(tool, int):
            schema = SCHEMAS[tool]["properties"][name]
            if (
                schema.get("type") == "integer"
                and not {"enum", "const", "multipleOf"} & schema.keys()
            ):
                return tool, name, value, call
    pytest.skip("no tool of this server takes a number")


def test_numbers_keep_the_operators_limits(
    policy: Policy, portal: BlockingPortal, stub: Stub
) -> None:
    tool, name, value, call = limited()

    def under(limit: str) -> tuple[int, dict[str, Any], Any]:
        with served(
            portal,
            stub,
            TOOLS=tool,
            POLICY=policy(f'[tools.{tool}.limits]\n"{name}" = {{ {limit} }}\n'),
        ) as session:
            result = calls(session, stub, tool, call)
            [listed] = [one for one in session.tools() if one["name"] == tool]
        return len(stub.requests), result, listed["inputSchema"]["properties"][name]

    for limit, told in (
        (f"maximum = {value - 1}", f"`{name}` must be at most {value - 1}, the operator's limit"),
        (f"minimum = {value + 1}", f"`{name}` must be at least {value + 1}, the operator's limit"),
        (f"deny = [{value}]", f"`{name}` can't be {value}"),
        (
            f"allow = [{value + 1}, {value - 1}]",
            f"`{name}` must be one of {value + 1}, {value - 1}",
        ),
    ):
        sent, result, schema = under(limit)
        assert (sent, result["ok"], result.get("category")) == (0, False, "validation"), limit
        assert told in result["error"] or "must be" in result["error"]
        assert name in result["error"]
        kind = limit.partition(" ")[0]
        if kind in ("maximum", "minimum"):
            assert schema[kind] == (value - 1 if kind == "maximum" else value + 1)
        if kind == "allow":
            assert set(schema["enum"]) == {value + 1, value - 1}
    for limit in (
        f"maximum = {value}",
        f"minimum = {value}",
        f"allow = [{value}]",
        f"deny = [{value + 1}]",
        "max_length = 1",
    ):
        sent, result, _ = under(limit)
        assert sent == 1, result
        assert "note" not in result or "limit" not in result["note"]
    low = SCHEMAS[tool]["properties"][name].get("minimum", value - 1)
    if low <= value - 1:
        sent, result, schema = under(f"maximum = {value - 1}, clamp = true")
        assert (sent, schema) == (1, SCHEMAS[tool]["properties"][name])
        assert (
            f"`{name}` was lowered from {value} to {value - 1}, the operator's limit."
            in result["note"]
        )


def test_texts_and_lists_keep_the_operators_limits(
    policy: Policy, portal: BlockingPortal, stub: Stub
) -> None:
    found = [
        (tool, *one)
        for tool in CALLS
        for one in arguments_of(tool, list)
        if len(one[1]) > 1 and isinstance(one[1][0], str)
    ]
    if not found:
        pytest.skip("no tool of this server takes several texts")
    tool, name, value, call = found[0]
    longest = max(map(len, value))
    for limit, told in (
        (f"max_items = {len(value) - 1}", f"must have at most {len(value) - 1} items"),
        (f"max_length = {longest - 1}", f"must have at most {longest - 1} characters"),
        (f"deny = [{json.dumps(value[0])}]", "can't be"),
    ):
        with served(
            portal,
            stub,
            TOOLS=tool,
            POLICY=policy(f'[tools.{tool}.limits]\n"{name}" = {{ {limit} }}\n'),
        ) as session:
            result = calls(session, stub, tool, call)
            assert (len(stub.requests), result.get("category")) == (0, "validation")
            assert told in result["error"] or name in result["error"]
    with served(
        portal,
        stub,
        TOOLS=tool,
        POLICY=policy(
            f'[tools.{tool}.limits]\n"{name}" = {{ max_items = {len(value) - 1}, clamp = true }}\n'
        ),
    ) as session:
        result = calls(session, stub, tool, call)
    assert len(stub.requests) == 1
    assert (
        f"`{name}` was shortened from {len(value)} to {len(value) - 1} items, the operator's limit."
        in result["note"]
    )


def test_equal_reads_come_from_the_cache(
    policy: Policy, portal: BlockingPortal, stub: Stub
) -> None:
    tool = a_tool_that(reads, "reads")
    writing = tools_that(
        lambda other: not reads(other)
        and OPERATIONS[other]["toolset"] == OPERATIONS[tool]["toolset"]
    )[:1]
    with served(
        portal,
        stub,
        TOOLS=",".join([tool, *writing]),
        POLICY=policy(f"[tools.{tool}]\ncache_seconds = 60\n"),
    ) as session:
        first = calls(session, stub, tool, CALLS[tool])
        assert len(stub.requests) == 1
        second = calls(session, stub, tool, CALLS[tool])
        assert stub.requests == []
        assert "old: it comes from a cache." in second.pop("note")
        first.pop("note", None)
        assert second == first
        for other in FILES[tool]["calls"][1:2]:
            if other["arguments"] != CALLS[tool]:
                calls(session, stub, tool, other["arguments"])
                assert len(stub.requests) == 1
        for writer in writing:
            calls(session, stub, writer, CALLS[writer])
            calls(session, stub, tool, CALLS[tool])
            assert len(stub.requests) == 1
    with served(
        portal, stub, TOOLS=tool, POLICY=policy(f"[tools.{tool}]\ncache_seconds = 60\n")
    ) as session:
        for _ in range(2):
            failed = calls(session, stub, tool, CALLS[tool], {"status": 404})
            assert (len(stub.requests), failed["category"]) == (1, "not_found")


def test_equal_writes_are_sent_once(policy: Policy, portal: BlockingPortal, stub: Stub) -> None:
    tool = a_tool_that(lambda tool: not reads(tool), "writes")
    repeat = "repeat" if "repeat" not in SCHEMAS[tool]["properties"] else "repeat_call"
    with served(
        portal, stub, TOOLS=tool, POLICY=policy(f"[tools.{tool}]\nrepeat_window = 60\n")
    ) as session:
        [listed] = [one for one in session.tools() if one["name"] == tool]
        assert listed["inputSchema"]["properties"][repeat]["type"] == "boolean"
        failed = calls(session, stub, tool, CALLS[tool], {"status": 422})
        assert (len(stub.requests), failed["ok"]) == (1, False)
        first = calls(session, stub, tool, CALLS[tool])
        assert (len(stub.requests), first["ok"]) == (1, True)
        again = calls(session, stub, tool, CALLS[tool])
        assert stub.requests == []
        note = again.pop("note")
        assert "this is its result, and nothing was sent" in note
        assert f"`{repeat}`: true" in note
        first.pop("note", None)
        assert again == first
        meant = calls(session, stub, tool, {**CALLS[tool], repeat: True})
        assert (len(stub.requests), meant["ok"]) == (1, True)
        assert repeat not in str(stub.requests[0].url)
        assert repeat.encode() not in stub.requests[0].content


def test_what_failed_twice_for_good_is_not_sent_again(portal: BlockingPortal, stub: Stub) -> None:
    tool = next(iter(CALLS))
    with served(portal, stub, TOOLS=tool, FAILURE_WINDOW="60") as session:
        results = []
        for _ in range(3):
            results.append(calls(session, stub, tool, CALLS[tool], {"status": 404}))
            sent = len(stub.requests)
        assert sent == 0
        assert "it was not sent again" in results[2]["error"]
        assert "it was not sent again" not in results[1]["error"]
        assert {result["category"] for result in results} == {"not_found"}
        for _ in range(3):
            failed = calls(session, stub, tool, CALLS[tool], {"status": 503})
            # The other failure is told once the first one is forgotten by its window.
        assert failed["category"] in ("not_found", "transient")
    with served(portal, stub, TOOLS=tool, FAILURE_WINDOW="60") as session:
        for status in (404, 422, 404, 503, 503, 503):
            failed = calls(session, stub, tool, CALLS[tool], {"status": status})
            assert len(stub.requests) == 1, status
        calls(session, stub, tool, CALLS[tool])
        assert len(stub.requests) == 1


def test_arguments_that_were_wrong_twice_are_told_so(portal: BlockingPortal, stub: Stub) -> None:
    tool = a_tool_that(lambda tool: bool(FILES[tool]["refusals"]), "refuses arguments")
    wrong = FILES[tool]["refusals"][0]["arguments"]
    with served(portal, stub, TOOLS=tool, FAILURE_WINDOW="60") as session:
        told = [calls(session, stub, tool, wrong)["error"] for _ in range(3)]
    assert ["it was not sent again" in error for error in told] == [False, False, True]


def test_a_write_may_cure_what_failed(portal: BlockingPortal, stub: Stub) -> None:
    tool, writer = a_tool_that(reads, "reads"), a_tool_that(lambda tool: not reads(tool), "writes")
    with served(portal, stub, FAILURE_WINDOW="60", TOOLS=f"{tool},{writer}") as session:
        for status, again in ((404, 1), (400, 0)):
            for sent in (1, 1, 0):
                calls(session, stub, tool, CALLS[tool], {"status": status})
                assert len(stub.requests) == sent, status
            calls(session, stub, writer, CALLS[writer])
            calls(session, stub, tool, CALLS[tool], {"status": status})
            assert len(stub.requests) == again, status


def test_what_a_status_means_can_be_said(
    policy: Policy, portal: BlockingPortal, stub: Stub
) -> None:
    tool = next(iter(CALLS))
    text = (
        f'[tools.{tool}.categories]\n422 = "business"\n"409:gone" = "not_found"\n5XX = "internal"\n'
    )
    with served(portal, stub, TOOLS=tool, POLICY=policy(text)) as session:
        for status, body, category in (
            (422, {"message": "x"}, "business"),
            (409, {"code": "gone", "message": "x"}, "not_found"),
            (409, {"code": "other", "message": "x"}, "business"),
            (503, {}, "internal"),
        ):
            answer = {"status": status, "content_type": "application/json", "body": {"json": body}}
            assert calls(session, stub, tool, CALLS[tool], answer)["category"] == category, (
                status,
                body,
            )


def test_repeats_can_be_set_for_a_tool(policy: Policy, portal: BlockingPortal, stub: Stub) -> None:
    away = {"status": 503, "headers": {"Retry-After": "0"}}
    tool = a_tool_that(reads, "reads")
    with served(
        portal, stub, TOOLS=tool, RETRY_BUDGET="10", POLICY=policy(f"[tools.{tool}]\nretries = 3\n")
    ) as session:
        calls(session, stub, tool, CALLS[tool], away)
        assert len(stub.requests) == 4
    writer = a_tool_that(
        lambda tool: OPERATIONS[tool]["method"] in ("POST", "PATCH")
        and not reads(tool)
        and not OPERATIONS[tool]["idempotent"]
        and "idempotency" not in OPERATIONS[tool],
        "writes in a way that can't be repeated",
    )
    for idempotent, sent in (("true", 2), ("false", 1)):
        with served(
            portal,
            stub,
            TOOLS=writer,
            RETRIES="1",
            POLICY=policy(f"[tools.{writer}]\nidempotent = {idempotent}\n"),
        ) as session:
            result = calls(session, stub, writer, CALLS[writer], away)
            assert (len(stub.requests), result["category"]) == (sent, "transient")


def large(size: int) -> dict[str, Any]:
    """Answers that are too large, each in its own way."""
    item = {"id": 1, "name": "n" * 30, "about": {"text": "é" * 10}}
    deep: Any = 1
    for _ in range(80):
        deep = {"in": [deep]}
    return {
        "a list": [{**item, "id": number} for number in range(size)],
        "a page": {
            "items": [{**item, "id": number} for number in range(size)],
            "total": size,
            "log": "y" * 300,
        },
        "two lists": {"first": [item] * size, "second": {"inner": [item] * size}},
        "a text": "x" * 60 * size,
        "long texts": {"id": 7, "one": 'quoted "é"' * 8 * size, "two": "z" * 900, "few": [1, 2, 3]},
        "a map": {f"k{number:05}": number for number in range(6 * size)},
        "many fields": {f"f{number}": {"v": "x" * 100} for number in range(size)},
        "a large first item": [{"id": 1, "lines": [item] * size}, {"id": 2}],
        "a deep one": {"id": 1, "deep": deep},
        "a number": 10**3000,
    }


@pytest.mark.parametrize("kind", large(1))
def test_no_answer_is_larger_than_allowed(kind: str, portal: BlockingPortal, stub: Stub) -> None:
    """It stays JSON, what is there is unchanged, and a note says what is not."""
    tool = a_tool_that(reads, "reads")
    value = large(100)[kind]
    answer = {"status": 200, "content_type": "application/json", "body": {"json": value}}
    with served(portal, stub, TOOLS=tool, MAX_RESULT_BYTES="3000") as session:
        stub.give(answer)
        result = session.run(lambda client: call_tool(client, tool, CALLS[tool]))
    told = result.structured_content or {}
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    assert told["ok"] is True
    assert len(text.encode()) <= 3000
    assert kind == "a deep one" or len(text.encode()) > 1000
    assert "left out" in told["note"] or "too large" in told["note"]
    differences(value, told.get("data", told.get("raw")))


def differences(before: Any, after: Any) -> None:
    """Lists lost their end, objects fields, texts their end; all else is as it was."""
    if isinstance(before, list) and isinstance(after, list):
        assert len(after) <= len(before)
        for one, other in zip(before, after, strict=False):
            differences(one, other)
    elif isinstance(before, dict) and isinstance(after, dict):
        assert list(after) == [name for name in before if name in after]
        for name in after:
            differences(before[name], after[name])
    elif isinstance(before, str) and before != after:
        kept, _, mark = after.rpartition("… [")
        assert before.startswith(kept)
        assert mark == f"{len(before) - len(kept):,} characters left out]"
    elif before != after:
        assert isinstance(after, str)
        assert json.dumps(before).startswith(after)


def test_answers_can_be_cut_to_fields(policy: Policy, portal: BlockingPortal, stub: Stub) -> None:
    tool = a_tool_that(reads, "reads")
    value = {"id": 1, "name": "x", "lines": [{"id": 2, "secret": 3}, {"id": 4}]}
    answer = {"status": 200, "content_type": "application/json", "body": {"json": value}}
    with served(
        portal, stub, TOOLS=tool, POLICY=policy(f"[tools.{tool}]\nfields = ['id', 'lines.id']\n")
    ) as session:
        result = calls(session, stub, tool, CALLS[tool], answer)
        assert result.get("data", result.get("raw")) == {"id": 1, "lines": [{"id": 2}, {"id": 4}]}
        assert "Only these fields of the answer are given: `id`, `lines.id`." in result["note"]
        nothing = calls(
            session, stub, tool, CALLS[tool], {**answer, "body": {"json": {"other": 1}}}
        )
        assert "The answer has nothing under `id`, `lines.id`." in nothing["note"]


class Silent(Stub):
    """An API that never answers."""

    async def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        await anyio.sleep_forever()
        raise AssertionError


def test_a_call_has_a_limit_of_time(policy: Policy, portal: BlockingPortal) -> None:
    silent = Silent()
    tool = a_tool_that(reads, "reads")
    for settings in ({"TIMEOUT": "0.1"}, {"POLICY": policy(f"[tools.{tool}]\ntimeout = 0.1\n")}):
        server = build(
            environ=environment(TOOLS=tool, **settings),
            transport=httpx2.MockTransport(silent.answer),
        )
        with portal.wrap_async_context_manager(Client(server)) as client:
            is_error, result = Session(portal, client).call(tool, CALLS[tool])
        assert (is_error, result["category"], result["retryable"]) == (True, "transient", True)
        assert "0.1 seconds" in result["error"]


def test_redirects_stay_at_the_api(portal: BlockingPortal, stub: Stub) -> None:
    tool = a_tool_that(
        lambda tool: OPERATIONS[tool]["method"] == "GET" and not OPERATIONS[tool].get("servers"),
        "is a GET",
    )
    seen: list[httpx2.Request] = []
    places: list[str] = []

    def api(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        if len(seen) <= len(places):
            return httpx2.Response(307, headers={"Location": places[len(seen) - 1]})
        return httpx2.Response(404)

    server = build(environ=environment(TOOLS=tool), transport=httpx2.MockTransport(api))
    with portal.wrap_async_context_manager(Client(server)) as client:
        session = Session(portal, client)
        for given, sent, words in (
            (["/base/elsewhere", f"{BASE_URL}/there"], 3, ""),
            (["/outside"], 1, "it points out of the API's own address"),
            (["http://other.test/base/x"], 1, "it points to another host"),
            (["https://api.test/base/x"], 1, "it points to another host"),
            (["http://api.test:81/base/x"], 1, "it points to another host"),
            (["/base/one", "/base/two", "/base/one"], 3, "it redirects in a circle"),
            ([f"/base/{number}" for number in range(9)], 6, "it redirects more than 5 times"),
        ):
            seen.clear()
            places[:] = given
            _, result = session.call(tool, CALLS[tool])
            assert len(seen) == sent, given
            assert words in result["error"]
            assert (result["category"], result["status"]) == (
                ("internal", 307) if words else ("not_found", 404)
            )
            assert {request.url.host for request in seen} == {"api.test"}
            assert len({request.headers.get("authorization") for request in seen}) == 1


class Broken(Stub):
    """An API that breaks off every request in one way."""

    def __init__(
        self,
        error: type[httpx2.TransportError],
        cause: BaseException | None = None,
        words: str = "",
    ) -> None:
        super().__init__()
        self._error, self._cause, self._words = error, cause, words

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        raise self._error(self._words, request=request) from self._cause


BROKEN: list[tuple[str, Broken, str, bool]] = [
    ("refused", Broken(httpx2.ConnectError, ConnectionRefusedError()), "refused the connection", False),
    ("unknown host", Broken(httpx2.ConnectError, socket.gaierror()), "the name of its host is not known", False),
    ("no route", Broken(httpx2.ConnectError, OSError()), "could not be reached", False),
    ("too slow to connect", Broken(httpx2.ConnectTimeout), "could not be reached within 10 seconds", False),
    ("a certificate", Broken(httpx2.ConnectError, ssl.SSLCertVerificationError()), "has no certificate that this server trusts", False),
    ("no TLS", Broken(httpx2.ConnectError, ssl.SSLError()), "could not agree on an encrypted connection", False),
    ("nothing is taken", Broken(httpx2.WriteTimeout), "took nothing of the request for", True),
    ("nothing comes", Broken(httpx2.ReadTimeout), "sent nothing for", True),
    ("no HTTP", Broken(httpx2.RemoteProtocolError, None, "illegal status line"), "gave an answer that is no HTTP", True),
    ("it ends", Broken(httpx2.RemoteProtocolError, None, "Server disconnected"), "closed the connection without an answer", True),
    ("it breaks", Broken(httpx2.ReadError), "closed the connection without an answer", True),
]  # fmt: skip
"""What can happen to a request, what is said of it, and whether the API may have seen it."""


@pytest.mark.parametrize(
    ("api", "words", "seen"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_requests_without_an_answer_are_told_apart(
    api: Broken, words: str, seen: bool, portal: BlockingPortal
) -> None:
    writers = tools_that(lambda tool: not reads(tool) and "idempotency" not in OPERATIONS[tool])
    lasting = "certificate" in words or "encrypted" in words
    for tool in (*tools_that(reads)[:1], *writers[:1]):
        with served(portal, api, TOOLS=tool) as session:
            is_error, result = session.call(tool, CALLS[tool])
        assert is_error
        assert words in result["error"]
        assert (result["category"], result["retryable"]) == (
            ("internal", False) if lasting else ("transient", result["retryable"])
        )
        unsure = "It is not known whether the call took effect" in result["error"]
        assert unsure is (seen and not reads(tool))
        assert ("Nothing was sent." in result["error"]) is (not seen and not reads(tool))


def test_writes_of_which_nobody_knows_are_not_sent_again(
    policy: Policy, portal: BlockingPortal
) -> None:
    tool = a_tool_that(lambda tool: OPERATIONS[tool]["method"] in ("POST", "PATCH") and not reads(tool) and not OPERATIONS[tool]["idempotent"] and "idempotency" not in OPERATIONS[tool], "writes in a way that can't be repeated")  # fmt: skip
    api = Broken(httpx2.ReadTimeout)
    with served(
        portal, api, TOOLS=tool, POLICY=policy(f"[tools.{tool}]\nrepeat_window = 60\n")
    ) as session:
        _, first = session.call(tool, CALLS[tool])
        _, second = session.call(tool, CALLS[tool])
    assert len(api.requests) == 1
    assert "look before you repeat it" in first["error"]
    assert "it is not known whether it took effect; it was not sent again" in second["error"]


def test_answers_can_be_chosen_field_by_field(
    policy: Policy, portal: BlockingPortal, stub: Stub
) -> None:
    tool = a_tool_that(
        lambda tool: reads(tool) and bool(fields_of(tool)), "reads something with fields"
    )
    name = fields_of(tool)[0]
    argument = "fields" if "fields" not in SCHEMAS[tool]["properties"] else "result_fields"
    value = {field: number for number, field in enumerate(fields_of(tool))} | {"zz": 1}
    answer = {"status": 200, "content_type": "application/json", "body": {"json": value}}
    with served(
        portal, stub, TOOLS=tool, POLICY=policy(f"[tools.{tool}]\nchoose_fields = true\n")
    ) as session:
        [listed] = [one for one in session.tools() if one["name"] == tool]
        assert listed["inputSchema"]["properties"][argument]["type"] == "array"
        result = calls(session, stub, tool, {**CALLS[tool], argument: [name]}, answer)
        assert (result.get("data") or result.get("raw")) == {name: value[name]} or value[name] == 0
        assert f"Only these fields of the answer are given: `{name}`." in result["note"]
        assert argument not in stub.requests[0].url.params
        wrong = calls(session, stub, tool, {**CALLS[tool], argument: [name + "x"]}, answer)
        assert (wrong["category"], stub.requests) == ("validation", [])
        assert f"`{argument}`" in wrong["error"]
        everything = calls(session, stub, tool, CALLS[tool], answer)
        assert (everything.get("data") or everything.get("raw")) == value


def fields_of(tool: str) -> list[str]:
    """The fields that the answer of a tool is described to have, where no others are."""
    data = next(one["outputSchema"] for one in CATALOG["tools"] if one["name"] == tool)[
        "properties"
    ].get("data", {})
    closed = (
        data.get("type") == "object"
        and data.get("properties")
        and "additionalProperties" not in data
        and "sha256" not in data["properties"]
    )
    return list(data["properties"]) if closed else []
