"""Where calls go: relative and malformed URLs, placeholders, and addresses without encryption."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from mcpgen.diagnostics import Location, Severity
from mcpgen.ir.api import Server
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Question, Subject
from mcpgen.source.model import join

ADDRESS = "What is the whole URL that calls start from?"
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDER = re.compile(
    r"\bexample\.(?:com|org|net)\b|\byour[-_.]?\w*|\bmy[-_]?(?:domain|company|host|server)\b|<[^<>]*>|\bplaceholder\b|\bchangeme\b"
    r"|\bsubdomain\.|\.example\b|\.invalid\b|\bacme\.com\b|\btodo\b|\bxxx+\b|\bfoo\.bar\b",
    re.IGNORECASE,
)
_LOCAL = re.compile(
    r"^(?:localhost|127\.\d|\[::1\]|0\.0\.0\.0|10\.|192\.168\.|.*\.(?:local|internal|localhost)$|[\w-]+$)",
    re.IGNORECASE,
)


def check_servers(context: Context) -> Iterator[Finding]:
    subject = context.subject
    if subject.api is None:
        return
    for index, server in enumerate(subject.api.servers):
        yield from _server(server, _place(subject, index), subject, first=index == 0)
    seen = {server.url for server in subject.api.servers}
    for operation in subject.api.operations:
        for server in operation.servers:
            if server.url not in seen:
                seen.add(server.url)
                yield from _server(server, operation.origin, subject, first=True)


def _place(subject: Subject, index: int) -> Location:
    root = subject.documents[0][1]
    if isinstance(root, dict) and isinstance(root.get("servers"), list):
        return Location(subject.root.file, join("/servers", index))
    held = isinstance(root, dict) and "host" in root
    return Location(subject.root.file, "/host") if held else subject.root


def _server(server: Server, place: Location, subject: Subject, *, first: bool) -> Iterator[Finding]:
    """Servers after the first are alternatives for the operator, who sees them before anything is called."""
    url = server.url.strip()
    question = Question(subject.root, "servers", ADDRESS)
    filled = _VARIABLE.sub(lambda match: _default(server, match.group(1)), url)
    problem = _malformed(server, url, filled)
    if first and _PLACEHOLDER.search(filled) and not _undescribed(server, url):
        yield found(
            "server-placeholder", f"the server `{url[:120]}` is a placeholder", place, repair=question
        )
    elif problem is not None:
        yield found("server-malformed", f"the server `{url[:120]}` {problem}", place, repair=question)
    elif not first:
        return
    elif filled.startswith(("/", ".")) or not filled:
        message = f"the server `{url or '/'}` is relative"
        yield found("server-relative", message, place, repair=question)
    elif filled.lower().startswith("http:"):
        local = _LOCAL.match(urlsplit(filled).hostname or "") is not None
        if not local:
            asked = Question(place, "url", "Does the server answer https too?")
            yield found("server-insecure", f"`{url[:120]}` is called without encryption", place, repair=asked)
        else:
            message = f"`{url[:120]}` is the address of one machine"
            yield found("server-placeholder", message, place, severity=Severity.INFO, repair=question)


def _default(server: Server, name: str) -> str:
    told = server.variables.get(name)
    return told.default if told is not None else ""


def _undescribed(server: Server, url: str) -> list[str]:
    return [name for name in _VARIABLE.findall(url) if name not in server.variables]


def _malformed(server: Server, url: str, filled: str) -> str | None:
    unknown = _undescribed(server, url)
    if unknown:
        return f"has the variable `{unknown[0][:40]}`, which is not described"
    if re.search(r"\s", filled) or "{" in filled or "}" in filled:
        return "has characters that no URL can have"
    if (
        filled
        and not filled.startswith(("/", "."))
        and not re.match(r"(?:https?|wss?|unix)://[^/]", filled, re.IGNORECASE)
    ):
        return "does not begin with http:// or https:// and a host"
    return None
