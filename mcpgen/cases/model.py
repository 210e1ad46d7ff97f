"""The expectations of one tool, as `tests/cases/<toolset>/<tool>.json` holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ExpectedRequest:
    """A request as it must leave, complete.

    Attributes:
        method: as on the wire.
        target: the path and the query after the base URL, spelt as on the wire.
        headers: every header by its name in lower case, except those of the HTTP library itself; credentials are among them.
        generated: headers of which the server makes the value itself, such as idempotency keys; they must be there.
        body: None for no body, `{"json": value}`, `{"text": text}`, `{"base64": bytes}`, or `{"parts": [part, …]}` for
            multipart, where a part is `{"headers": {…}, "text" | "base64" | "json": …}`.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    generated: tuple[str, ...] = ()
    body: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class CallCase:
    """A call and its request. `name` is `minimal` (only what is required) or `full` (every argument that can go together)."""

    name: str
    arguments: Mapping[str, Any]
    request: ExpectedRequest


@dataclass(frozen=True, slots=True)
class OutcomeCase:
    """A documented answer of the API to the minimal call, and the cell of the result contract that it belongs in.

    Attributes:
        status: of the answer.
        content_type: of the answer; None for no body.
        value: the body: a JSON value for JSON media types, text, or `{"base64": bytes}`.
        expect: fields of the result by name that must be exactly so (`ok`, `category`, `status`, `retryable`, `data`, …).
        hint: the tool that the hint names; "" where a hint must be there and names none; None where nothing is promised.
        headers: of the answer, beside its content type.
    """

    status: int
    content_type: str | None
    value: Any
    expect: Mapping[str, Any]
    hint: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RefusalCase:
    """A call that breaks one constraint, once. `breaks` is for people (`limit: maximum`), `argument` must be in the refusal."""

    breaks: str
    argument: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCases:
    """Everything about one tool. Without `calls`, no valid call could be made from the spec, and `why` says so.

    `security` has the alternatives of credentials: the scopes that each needs by the name of the scheme.
    """

    tool: str
    effect: str = "read"
    security: tuple[Mapping[str, Sequence[str]], ...] = ()
    calls: tuple[CallCase, ...] = ()
    outcomes: tuple[OutcomeCase, ...] = ()
    refusals: tuple[RefusalCase, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class PackageCases:
    """All tools by toolset module, and the made-up credentials by environment variable."""

    toolsets: Mapping[str, tuple[ToolCases, ...]]
    credentials: Mapping[str, str] = field(default_factory=dict)
