"""What this server makes of answers that no description of an API promises: refusals in every common form, odd successes."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import mcp.types as mt
import pytest
from checks import VALIDATORS, contract_problems
from harness import Session, Stub, call_tool
from mcp import Client
from picking import CALLS, OPERATIONS, a_tool_that, reads

JSON = "application/json"
STATUSES = {
    "validation": (400, 416, 422),
    "permission": (401, 403, 407, 419, 440, 498),
    "not_found": (404, 410),
    "business": (402, 409, 412, 418, 423, 424, 449, 451),
    "transient": (408, 420, 425, 429, 502, 503, 504, 522, 529),
    "internal": (405, 406, 411, 417, 421, 426, 501, 505, 508),
}
"""What a status says when the body says nothing."""

RPC = "type.googleapis.com/google.rpc."
REFUSALS: list[tuple[int, Any, str, str]] = [
    # status, body, what the model reads of it, category
    (403, {"type": "https://shop.example/problems/out-of-credit", "title": "Not today"}, "Not today", "business"),
    (422, {"errors": [{"code": "TOO_SHORT", "title": "Bad", "detail": "Say the whole name."}]}, "Say the whole name. (TOO_SHORT)", "validation"),
    (400, {"error": {"status": "INVALID_ARGUMENT", "message": "The key is no good.", "details": [{"@type": RPC + "ErrorInfo", "reason": "API_KEY_INVALID"}]}}, "The key is no good.; API_KEY_INVALID", "permission"),
    (400, {"error": {"message": "Not now.", "details": [{"@type": RPC + "PreconditionFailure", "violations": [{"subject": "orders/1", "description": "It is too old."}]}]}}, "Not now.; It is too old.", "business"),
    (429, {"error": {"message": "No more today.", "details": [{"@type": RPC + "QuotaFailure", "violations": [{"subject": "project", "description": "Daily quota exceeded"}]}]}}, "Daily quota exceeded", "business"),
    (429, {"error": {"message": "You exceeded your current quota, see your plan.", "details": [{"@type": RPC + "RetryInfo", "retryDelay": "26.2s"}]}}, "your current quota", "transient"),
    (403, {"error": {"code": 403, "message": "Slower, please", "errors": [{"domain": "usageLimits", "reason": "userRateLimitExceeded"}]}}, "userRateLimitExceeded", "transient"),
    (400, {"__type": "com.shop.orders#ConditionalCheckFailedException", "message": "The order has changed"}, "The order has changed", "business"),
    (400, "<ErrorResponse xmlns='https://shop.example/doc'><Error><Type>Sender</Type><Code>InvalidParameterValue</Code><Message>900 days are too many</Message></Error></ErrorResponse>", "900 days are too many (InvalidParameterValue)", "validation"),
    (404, "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>Nothing is there</Message></Error>", "Nothing is there (NoSuchKey)", "not_found"),
    (422, "<errors><error code='MAX'>at most 90</error><error>unknown</error></errors>", "at most 90 (MAX); unknown", "validation"),
    (400, "<s:Envelope xmlns:s='http://schemas.example/'><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>Too many days</faultstring></s:Fault></s:Body></s:Envelope>", "Too many days", "validation"),
    (400, {"errors": [{"message": "Not this many", "path": ["createOrder"], "extensions": {"code": "BAD_USER_INPUT"}}]}, "Not this many (BAD_USER_INPUT)", "validation"),
    (400, {"error": {"code": "BadArgument", "message": "Two mistakes", "innererror": {"stacktrace": "at Shop"}}}, "Two mistakes (BadArgument)", "validation"),
    (402, {"error": {"type": "card_error", "code": "card_declined", "decline_code": "no_funds", "message": "Declined."}}, "Declined. (no_funds)", "business"),
    (400, {"timestamp": "2026-01-02T03:04:05Z", "status": 400, "error": "Bad Request", "message": "Why?", "path": "/days"}, "Why?", "validation"),
    (409, {"detail": {"code": "ORDER_SHIPPED", "message": "It is on its way."}}, "It is on its way. (ORDER_SHIPPED)", "business"),
    (422, {"errors": ["Days are too many", "Name is odd"]}, "Days are too many; Name is odd", "validation"),
    (422, {"errors": {"zz_unknown": ["can't be blank"], "base": ["Something is odd"]}}, "can't be blank; Something is odd", "validation"),
    (403, {"detail": "Not for you."}, "Not for you.", "permission"),
    (400, {"error": "invalid_token", "error_description": "It has ended"}, "It has ended; invalid_token", "permission"),
    (400, {"statusCode": 400, "message": ["no number", "not known"], "error": "Bad Request"}, "no number; not known", "validation"),
    (400, "Just words.", "Just words.", "validation"),
    (400, "<!DOCTYPE html><html><head><title>Bad page</title><style>x{}</style></head><body><h1>Oh no</h1></body></html>", "Bad page", "validation"),
    (422, {"message": "Insufficient funds"}, "Insufficient funds", "business"),
    (400, {"message": "This coupon has expired"}, "This coupon has expired", "business"),
    (422, {"message": "余额不足"}, "余额不足", "business"),
    (400, {"message": "Invalid API key"}, "Invalid API key", "permission"),
    (400, {"message": "Not authorized"}, "Not authorized", "permission"),
    (400, {"message": "Invalid status value"}, "Invalid status value", "validation"),
    (400, {"message": "Too many requests"}, "Too many requests", "transient"),
]  # fmt: skip
"""Refusals in the forms that many APIs have."""

DISGUISED: list[tuple[Any, str]] = [
    ({"ok": False, "error": "not_authed"}, "permission"),
    ({"success": False, "message": "Insufficient funds"}, "business"),
    ({"errors": [{"message": "No such thing", "extensions": {"code": "NOT_FOUND"}}], "data": None}, "not_found"),
    ({"status": "error", "message": "Too many requests"}, "transient"),
    ({"errcode": 40013, "errmsg": "Not authorized"}, "permission"),
    ({"code": "50001", "msg": "Insufficient funds", "requestId": "1"}, "business"),
    ({"error": {"code": "not_found", "message": "Nothing is there"}}, "not_found"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "Not authorized"}}, "permission"),
    ({"ok": True, "error": "none"}, ""),
    ({"ok": False, "error": "x", "data": {"id": 1}}, ""),
    ({"code": 0, "msg": "fine"}, ""),
    ({"code": 201, "msg": "fine"}, ""),
    ({"code": 7, "msg": "fine", "country": "nl"}, ""),
    ({"errors": [{"id": 1}], "errcode": 0, "errmsg": ""}, ""),
]  # fmt: skip
"""Errors that have the status of a success, and what only looks like one."""


def text_answer(text: bytes, kind: str, **headers: str) -> dict[str, Any]:
    return {
        "status": 200,
        "content_type": kind,
        "headers": headers,
        "body": {"base64": base64.b64encode(text).decode()},
    }


SUCCESSES: list[tuple[dict[str, Any], Any]] = [
    (text_answer(b'{"id":1}', "application/json"), {"id": 1}),
    (text_answer(b'{"id":1}', "application/vnd.shop+json; charset=utf-8"), {"id": 1}),
    (text_answer(b'\xef\xbb\xbf{"id":"\xc3\xa9"}', "application/json"), {"id": "é"}),
    (text_answer('{"id":"é"}'.encode("utf-16"), "application/json"), {"id": "é"}),
    (text_answer('{"id":"é"}'.encode("latin-1"), "application/json; charset=iso-8859-1"), {"id": "é"}),
    (text_answer("Grüße".encode("latin-1"), "text/plain; charset=latin1"), "Grüße"),
    (text_answer(b"a,b\n1,2\n", "text/csv"), "a,b\n1,2\n"),
    (text_answer(b'{"id":1', "application/json"), '{"id":1'),
]  # fmt: skip
"""Successes, and the value that is read of each."""


WAITS = {
    7: {"Retry-After": "7"},
    1: {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"},
    366 * 86_400: {"Retry-After": "9" * 20},
    30: {"RateLimit": '"default";r=0;t=30'},
    31: {"RateLimit-Reset": "31"},
    3725: {"X-RateLimit-Reset": "1h2m5s"},
    46: {"X-Rate-Limit-Reset": "45.5"},
    360: {"X-RateLimit-Reset": "6m0s", "X-RateLimit-Remaining": "0"},
}
"""Headers by the seconds that they ask to wait."""


def plain(tool: str) -> bool:
    """Whether nothing is said about the refusals of a tool, and an argument could be what is wrong, but no secret."""
    ends = ("token", "password", "apikey", "credentials", "secret")
    names = [
        "".join(filter(str.isalnum, argument["name"])).lower()
        for argument in OPERATIONS[tool]["arguments"]
    ]
    secret = any(name.endswith(ends) for name in names)
    return bool(CALLS[tool]) and not OPERATIONS[tool].get("categories") and not secret


@pytest.fixture
def reader() -> str:
    return a_tool_that(lambda tool: reads(tool) and plain(tool), "reads, with an argument")


def told(
    session: Session, tool: str, answers: list[tuple[dict[str, Any], Any]], stub: Stub
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The results of a tool for answers, with what is expected of each."""
    found: list[tuple[Any, mt.CallToolResult]] = []

    async def ask(client: Client) -> None:
        for answer, expected in answers:
            stub.give(answer)
            found.append((expected, await call_tool(client, tool, CALLS[tool])))

    session.run(ask)
    for expected, result in found:
        assert contract_problems(tool, result) == [], expected
        yield expected, result.structured_content or {}


def body_of(content: Any) -> dict[str, Any]:
    """A body as a case file has it."""
    if isinstance(content, str):
        kind = (
            "text/plain"
            if not content.startswith("<")
            else "text/html" if "html" in content else "application/xml"
        )
        return {"content_type": kind, "body": {"text": content}}
    return {"content_type": JSON, "body": {"json": content}}


def test_a_status_has_a_category(reader: str, session: Session, stub: Stub) -> None:
    cases = [
        ({"status": status}, (category, status))
        for category, statuses in STATUSES.items()
        for status in statuses
    ]
    wrong = [
        f"{status}: expected {category}, got {result['category']}"
        for (category, status), result in told(session, reader, cases, stub)
        if (result["category"], result["status"], result["retryable"])
        != (category, status, category in ("validation", "transient"))
    ]
    assert wrong == []


def test_what_a_refusal_says_is_passed_on_and_understood(
    reader: str, session: Session, stub: Stub
) -> None:
    cases = [
        ({"status": status, **body_of(content)}, (status, words, category))
        for status, content, words, category in REFUSALS
    ]
    wrong = [
        f"expected {words!r}, {category}; got {result['error']!r}, {result['category']}"
        for (status, words, category), result in told(session, reader, cases, stub)
        if words not in result["error"]
        or result["category"] != category
        or result["status"] != status
    ]
    assert wrong == []


def test_an_error_that_looks_like_a_success_is_none(session: Session, stub: Stub) -> None:
    def strict(tool: str) -> bool:
        return not any(
            VALIDATORS[tool].is_valid({"ok": True, "data": content}) for content, _ in DISGUISED
        )

    reader = a_tool_that(
        lambda tool: reads(tool) and plain(tool) and strict(tool), "reads what has required fields"
    )
    cases = [
        ({"status": 200, **body_of(content)}, (content, category))
        for content, category in DISGUISED
    ]
    wrong = [
        f"{content}: expected {category}, got {result}"
        for (content, category), result in told(session, reader, cases, stub)
        if result.get("category", "") != category
    ]
    assert wrong == []


def test_successes_in_every_form_are_read(session: Session, stub: Stub) -> None:
    tool = a_tool_that(lambda tool: reads(tool) and plain(tool), "reads, with an argument")
    for answer, expected in SUCCESSES:
        stub.give(answer)
        result = session.run(lambda client: call_tool(client, tool, CALLS[tool]))
        got = result.structured_content or {}
        assert got["ok"] is True, answer
        assert contract_problems(tool, result) == []
        if isinstance(expected, str) and not isinstance(got.get("data", ""), str):
            continue  # the API promises no text here: a JSON text is read as what it promises
        assert got.get("data", got.get("raw")) == expected, answer


def test_what_an_api_asks_to_wait_is_told(session: Session, stub: Stub) -> None:
    def free(tool: str) -> bool:
        return (
            reads(tool)
            and plain(tool)
            and not {"429", "4XX", "transient"} & OPERATIONS[tool]["hints"].keys()
        )

    reader = a_tool_that(free, "reads, without a hint of its own")
    cases = [
        ({"status": 429, "headers": headers}, (seconds, headers))
        for seconds, headers in WAITS.items()
    ]
    wrong = [
        f"{headers}: expected {seconds} seconds, got {result['hint']}"
        for (seconds, headers), result in told(session, reader, cases, stub)
        if f"Wait {seconds} seconds" not in result["hint"]
    ]
    assert wrong == []


def test_a_limit_that_is_spent_is_one_whatever_the_status(
    reader: str, session: Session, stub: Stub
) -> None:
    for headers, category in (
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"}, "transient"),
        ({"RateLimit": '"default";r=0;t=30'}, "transient"),
        ({"X-RateLimit-Remaining": "10"}, "permission"),
        ({"Retry-After": "5"}, "transient"),
    ):
        cases = [({"status": 403, "headers": headers}, headers)]
        [(_, result)] = told(session, reader, cases, stub)
        assert result["category"] == category, headers
