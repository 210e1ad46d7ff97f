"""The case files of a generated project: `tests/cases/<toolset>/<tool>.json` and `tests/cases/credentials.json`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from mcpgen.cases.model import CallCase, ExpectedRequest, OutcomeCase, PackageCases, RefusalCase, ToolCases
from mcpgen.cases.printing import readable_json

FOLDER = PurePosixPath("tests/cases")
CREDENTIALS = FOLDER / "credentials.json"

# Device names that Windows does not let a file have (Microsoft, "Naming Files, Paths, and Namespaces").
_DEVICE = re.compile(r"(con|prn|aux|nul|conin|conout|(com|lpt)\d)", re.IGNORECASE)


def case_files(cases: PackageCases) -> dict[PurePosixPath, str]:
    """The text of every case file by its path in the project."""
    found = {CREDENTIALS: readable_json(dict(cases.credentials))}
    for module, tools in cases.toolsets.items():
        for name, tool in _named(tools):
            found[FOLDER / module / f"{name}.json"] = readable_json(tool_document(tool))
    return found


def _named(tools: Iterable[ToolCases]) -> Iterator[tuple[str, ToolCases]]:
    """Each tool with the name of its file: the tool's own, where every system can have it beside the others."""
    taken: set[str] = set()
    for tool in tools:
        name = f"{tool.tool}_tool" if _DEVICE.fullmatch(tool.tool) else tool.tool
        while name.casefold() in taken:
            name += "_"
        taken.add(name.casefold())
        yield name, tool


def tool_document(cases: ToolCases) -> dict[str, Any]:
    """What the file of one tool holds. Lists that are empty are there too, so that a team finds where to add."""
    document: dict[str, Any] = {
        "tool": cases.tool,
        "effect": cases.effect,
        "security": [{name: list(scopes) for name, scopes in one.items()} for one in cases.security],
    }
    if cases.why:
        document["why_no_calls"] = cases.why
    return document | {
        "calls": [_call(case) for case in cases.calls],
        "outcomes": [_outcome(case) for case in cases.outcomes],
        "refusals": [_refusal(case) for case in cases.refusals],
    }


def _call(case: CallCase) -> dict[str, Any]:
    return {
        "name": case.name,
        "arguments": dict(case.arguments),
        "request": _request(case.request),
    }


def _request(request: ExpectedRequest) -> dict[str, Any]:
    told: dict[str, Any] = {
        "method": request.method,
        "target": request.target,
        "headers": dict(request.headers),
    }
    if request.generated:
        told["generated"] = list(request.generated)
    if request.body is not None:
        told["body"] = request.body
    return told


def _outcome(case: OutcomeCase) -> dict[str, Any]:
    told: dict[str, Any] = {"status": case.status}
    if case.content_type is not None:
        told["content_type"] = case.content_type
        told["body"] = _answer_body(case.content_type, case.value)
    if case.headers:
        told["headers"] = dict(case.headers)
    told["expect"] = dict(case.expect)
    if case.hint is not None:
        told["hint"] = case.hint
    return told


def _answer_body(content_type: str, value: Any) -> Mapping[str, Any]:
    """The body of an answer in the form that bodies of requests have, so that a test need not know media types."""
    if isinstance(value, Mapping) and value.keys() == {"base64"}:
        return value
    return {"json": value} if is_json(content_type) else {"text": value}


def is_json(content_type: str) -> bool:
    """JSON by itself or by suffix (RFC 6839), or with the suffix in front, as some documents have it."""
    kind = content_type.partition(";")[0].strip().lower()
    return (
        kind in ("application/json", "text/json")
        or kind.endswith("+json")
        or kind.startswith("application/json+")
    )


def _refusal(case: RefusalCase) -> dict[str, Any]:
    return {"breaks": case.breaks, "argument": case.argument, "arguments": dict(case.arguments)}
