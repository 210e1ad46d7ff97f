"""The checks of the generated tests. What they find is told as a difference: what is expected, and what is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import mcp.types as mt
from comparing import NOTHING, request_differences, value_differences
from harness import CATALOG, CREDENTIALS, PACKAGE, Session, Stub, call_tool
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from mcp import Client

VALIDATORS = {tool["name"]: Draft202012Validator(tool["outputSchema"]) for tool in CATALOG["tools"]}


def check_request(
    case: Mapping[str, Any], call: Mapping[str, Any], session: Session, stub: Stub
) -> None:
    """The call sends exactly the request of its case, and a success of the API is a success of the tool."""
    __tracebackhide__ = True
    stub.give(
        next((answer for answer in case["outcomes"] if answer["expect"].get("ok")), {"status": 204})
    )

    result = session.run(lambda client: call_tool(client, case["tool"], call["arguments"]))

    title = f"{case['tool']}, {call['name']} call in the era `{session.era}`"
    if len(stub.requests) != 1:
        sent = [f"{request.method} {request.url}" for request in stub.requests]
        told = ", ".join(sent) if sent else "nothing"
        fail(
            f"{title}: one request is expected, sent was {told}.",
            [f"the tool answered: {text_of(result)}"],
            case,
        )
    differences = list(request_differences(call["request"], stub.requests[0]))
    if differences:
        hooked = [
            hint_at(
                "before_request",
                "the request; headers that it adds belong in ADDED_HEADERS of tests/harness.py",
            )
        ]
        fail(
            f"{title}: the request is not the expected one.",
            [*map(str, differences), *hooked],
            case,
        )
    problems = contract_problems(case["tool"], result)
    if problems:
        fail(f"{title}: the request is right, the result is not.", problems, case)


def check_outcomes(case: Mapping[str, Any], session: Session, stub: Stub) -> None:
    """Every documented answer of the API becomes what the result contract says."""
    __tracebackhide__ = True
    arguments = case["calls"][0]["arguments"]
    found: list[str] = []

    async def try_all(client: Client) -> None:
        for answer in case["outcomes"]:
            stub.give(answer)
            found.extend(await outcome_problems(client, case["tool"], arguments, answer, stub))

    session.run(try_all)
    if found:
        found.append(hint_at("after_result", "the result"))
        fail(f"{case['tool']}: answers of the API become other results than expected.", found, case)


async def outcome_problems(
    client: Client, tool: str, arguments: dict[str, Any], answer: Mapping[str, Any], stub: Stub
) -> list[str]:
    """What is wrong with the result of one answer."""
    title = f"answer {answer['status']} {answer.get('content_type', 'without a body')}"
    result = await call_tool(client, tool, arguments)
    if not stub.requests:
        return [f"{title}: nothing was sent; the tool answered: {text_of(result)}"]
    told = result.structured_content or {}
    problems = contract_problems(tool, result)
    for name, expected in answer["expect"].items():
        problems += map(str, value_differences(name, expected, told.get(name, NOTHING)))
    problems += hint_problems(answer.get("hint"), told.get("hint"))
    return [f"{title}: {problem}" for problem in problems]


def hint_problems(expected: str | None, told: str | None) -> Iterator[str]:
    """What is wrong with a hint: a tool that must be named, or "" for a hint that names none."""
    if expected is None:
        return
    if told is None:
        yield f"hint: expected {'one that names ' + expected if expected else 'one'}, got none"
    elif expected and expected not in told:
        yield f"hint: expected one that names {expected}, got {told!r}"


def check_refusals(case: Mapping[str, Any], session: Session, stub: Stub) -> None:
    """Every call that breaks a constraint is refused, names the argument, and sends nothing."""
    __tracebackhide__ = True
    found: list[str] = []

    async def try_all(client: Client) -> None:
        for refusal in case["refusals"]:
            stub.give({"status": 204})
            result = await call_tool(client, case["tool"], refusal["arguments"])
            problems = refusal_problems(case["tool"], refusal["argument"], result, stub)
            found.extend(f"{refusal['breaks']}: {problem}" for problem in problems)

    session.run(try_all)
    if found:
        fail(
            f"{case['tool']}: calls with wrong arguments are not refused as expected.", found, case
        )


def refusal_problems(
    tool: str, argument: str, result: mt.CallToolResult, stub: Stub
) -> Iterator[str]:
    """What is wrong with a refusal."""
    told = result.structured_content or {}
    if stub.requests:
        yield f"expected a refusal, sent was {stub.requests[0].method} {stub.requests[0].url}"
        return
    if told.get("ok") is not False or told.get("category") != "validation":
        yield f"expected a refusal of the category validation, got {text_of(result)}"
    elif argument not in told["error"]:
        yield f"the refusal does not name `{argument}`: {told['error']}"
    yield from contract_problems(tool, result)


def contract_problems(tool: str, result: mt.CallToolResult) -> list[str]:
    """How a result breaks the contract that all results keep."""
    told = result.structured_content
    if not isinstance(told, dict):
        return ["the result has no structured content"]
    problems = []
    if bool(result.is_error) is told.get("ok"):
        problems.append(f"isError is {result.is_error}, and ok is {told.get('ok')}")
    error = best_match(VALIDATORS[tool].iter_errors(told))
    if error is not None:
        problems.append(
            f"the result breaks the tool's output schema at {error.json_path}: {error.message[:300]}"
        )
    text = text_of(result)
    if not text or json.loads(text) != told:
        problems.append("the text of the result is not its structured content")
    problems += [
        f"the result holds the credential of {name}"
        for name, value in CREDENTIALS.items()
        if value in text
    ]
    return problems


def conforms(tool: str, result: Mapping[str, Any]) -> None:
    """A structured result keeps the tool's output schema."""
    VALIDATORS[tool].validate(result)


def text_of(result: mt.CallToolResult) -> str:
    """The first text of a result."""
    return next((block.text for block in result.content if isinstance(block, mt.TextContent)), "")


def hint_at(hook: str, what: str) -> str:
    """A word about the team's own code, where there is such a hook: it may be what made the difference."""
    hooks = sys.modules.get(f"{PACKAGE}.hooks")
    return f"note: `{hook}` in hooks.py can change {what}" if hasattr(hooks, hook) else ""


def fail(title: str, problems: Iterable[str], case: Mapping[str, Any]) -> None:
    """Ends a test with everything that was found."""
    __tracebackhide__ = True
    lines = [title, *(f"  {problem}" for problem in problems if problem)]
    raise AssertionError("\n".join([*lines, f"  expected in: {case['file']}"]))
