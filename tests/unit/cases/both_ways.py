"""One value written by both serialisers: that of the expectations and that of the run-time library."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.cases.requests import expected_request
from mcpgen.cases.wire.texts import NoSpelling
from mcpgen.diagnostics import Location
from mcpgen.models.model import Models
from mcpgen.plan.model import (
    ArgumentPlan,
    BodyWire,
    Code,
    PackagePlan,
    ParameterWire,
    Samples,
    SpecText,
    ToolPlan,
    ToolsetPlan,
)
from mcpgen.render.catalog import catalogue
from mcpgen.runtime.auth.credentials import Credential
from mcpgen.runtime.operation import read_operation
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.request import Values, build_request

BASE = "http://api.test/base"
ARGUMENT = "value"


@dataclass(frozen=True, slots=True)
class Sent:
    """What both serialisers are compared by; the body as bytes, or as parts with heads where it has parts."""

    target: str
    headers: Mapping[str, str]
    body: Any


def tool_with(
    parameter: ParameterWire | None = None,
    body: BodyWire | None = None,
    path: str = "/things",
    **more: Any,
) -> ToolPlan:
    """A tool with one argument, `value`: a parameter, or the whole body."""
    where = parameter.where if parameter is not None else "body"
    argument = ArgumentPlan(
        ARGUMENT,
        ARGUMENT,
        where,
        {},
        True,
        Code("JsonValue"),
        wire_name=parameter.name if parameter is not None else None,
        pointer="" if parameter is None else None,
    )
    known: dict[str, Any] = {
        "key": "tool", "name": "tool", "function": "tool", "module": "things", "toolset": "things",
        "title": SpecText("Tool"), "description": SpecText("A tool."), "method": "POST", "path": path,
        "operation_id": None, "effect": "write", "additive": False, "idempotent": False, "reason": "",
        "arguments": (argument,), "fixed": {}, "fixed_where": {}, "input_schema": {}, "output_schema": {},
        "parameters": (parameter,) if parameter is not None else (), "body": body, "security": (), "servers": (),
        "accept": "application/json", "hints": {}, "result": None, "samples": Samples(None, 200, None, None),
        "origin": Location("spec.yaml"),
    }  # fmt: skip
    return ToolPlan(**{**known, **more})


def plan_with(*tools: ToolPlan, **more: Any) -> PackagePlan:
    """A package of these tools."""
    known: dict[str, Any] = {
        "distribution": "things", "package": "things", "env_prefix": "THINGS", "title": SpecText("Things"),
        "version": SpecText("1"), "description": SpecText(""), "base_url": None, "auth": (),
        "toolsets": (ToolsetPlan(SpecText("things"), "things", SpecText(""), tools),), "skipped": (),
        "spec_name": SpecText("spec"), "spec_version": "3.2",
    }  # fmt: skip
    return PackagePlan(**{**known, **more})


def expected(tool: ToolPlan, value: Any) -> Sent | None:
    """What the tests of a generated project would expect; None where the value has no form."""
    try:
        found = expected_request(tool, plan_with(tool), {ARGUMENT: value}, {})
    except NoSpelling:
        return None
    return Sent(found.target, dict(found.headers), _told(found.body))


def sent(tool: ToolPlan, value: Any) -> Sent | None:
    """What the run-time library makes of it; None where it refuses the value."""
    document = catalogue(plan_with(tool), Models(), "test")
    told = {"inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}
    operation = read_operation("tool", document["operations"]["tool"], told)
    argument = tool.arguments[0]
    given: Any = {argument.wire_name: value} if argument.where not in ("body", "querystring") else value
    try:
        request = build_request(operation, BASE, Values(**{argument.where: given}), Credential())
    except CallFailed:
        return None
    headers = {name.lower(): text for name, text in request.headers.items()}
    content = request.content
    assert content is None or isinstance(content, bytes)
    body: Any = content
    if content is not None and tool.body is not None and tool.body.kind == "multipart":
        boundary = re.search(r"; boundary=([0-9a-f]+)$", headers["content-type"])
        assert boundary is not None
        headers["content-type"] = headers["content-type"][: boundary.start()]
        body = parts_of(content, boundary.group(1))
    elif content is not None and tool.body is not None and tool.body.kind == "json":
        body = ("json", canonical(json.loads(content)))
    return Sent(request.url.removeprefix(BASE), headers, body)


def canonical(value: Any) -> str:
    """A JSON value as one text, so that true is not 1."""
    return json.dumps(value, sort_keys=True)


def _told(body: Mapping[str, Any] | None) -> Any:
    if body is None:
        return None
    if "parts" in body:
        return [(dict(part["headers"]), _bytes(part)) for part in body["parts"]]
    return ("json", canonical(body["json"])) if "json" in body else _bytes(body)


def _bytes(content: Mapping[str, Any]) -> bytes:
    if "base64" in content:
        return base64.b64decode(content["base64"])
    if "json" in content:
        return json.dumps(content["json"], ensure_ascii=False, separators=(",", ":")).encode()
    return str(content["text"]).encode()


def parts_of(content: bytes, boundary: str) -> list[tuple[dict[str, str], bytes]]:
    """The parts of a multipart body, read as RFC 2046, 5.1.1 says."""
    first, *parts, last = (b"\r\n" + content).split(f"\r\n--{boundary}".encode())
    assert (first, last) == (b"", b"--\r\n")
    found = []
    for part in parts:
        assert part.startswith(b"\r\n")
        head, _, data = part.partition(b"\r\n\r\n")
        lines = [line.partition(b":") for line in head.split(b"\r\n") if line]
        found.append(({name.decode().lower(): text.strip().decode() for name, _, text in lines}, data))
    return found
