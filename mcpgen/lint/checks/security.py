"""Credentials: schemes that are missing, undefined or unused, and credentials that a model would have to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcpgen.diagnostics import Location, Severity
from mcpgen.ir.api import Api, SecurityScheme
from mcpgen.lint.context import Context, found, listed
from mcpgen.lint.model import Finding, Patch, Question, Subject
from mcpgen.plan.places import place_of

_EVIDENCE = re.compile(
    r"\bauthorization\b.{0,20}\bheader|\bheader\b.{0,30}\bauthorization\b|\bbearer\b|\bapi[ _-]?(?:key|token)s?\b|\baccess[ _-]?tokens?\b"
    r"|\boauth\b|\bauthenticat(?:e|ed|ion)\b|\bpersonal access\b|\bcredentials?\b|访问凭证|鉴权|令牌|токен|авторизац|トークン",
    re.IGNORECASE,
)
_CREDENTIALS = frozenset(
    "authorization xapikey apikey xauthtoken accesstoken authtoken privatetoken xaccesstoken xauthorization xapitoken apitoken bearertoken"
    " xauthkey clientsecret".split()
)
_LOGIN = re.compile(
    r"log-?in|log-?out|auth|token|sign-?(?:up|in|out)|register|oauth|webhook|public|health|ping|password|recover|verif|session|callback",
    re.IGNORECASE,
)
_OBVIOUS = {
    "bearerauth": {"type": "http", "scheme": "bearer"},
    "bearer": {"type": "http", "scheme": "bearer"},
    "bearertoken": {"type": "http", "scheme": "bearer"},
    "basicauth": {"type": "http", "scheme": "basic"},
    "basic": {"type": "http", "scheme": "basic"},
}
"""Names that say the whole scheme; nobody calls anything else so."""
_PREFIX = re.compile(r"bearer|basic|token\b|prefix|scheme|raw|without", re.IGNORECASE)
_LOCAL = re.compile(r"^(?:https?://)?(?:localhost|127\.|\[::1\]|unix:)", re.IGNORECASE)


def check_security(context: Context) -> Iterator[Finding]:
    subject = context.subject
    if subject.api is None:
        return
    undefined = list(_undefined(subject, subject.api))
    yield from undefined
    yield from _parameters(subject)
    for scheme in subject.api.security_schemes.values():
        yield from _scheme(scheme)
    if not subject.api.security_schemes:
        yield from () if undefined else _undeclared(subject, subject.api)
    elif not any(operation.security for operation in subject.api.operations):
        names = listed(sorted(subject.api.security_schemes))
        question = Question(
            subject.root, "security", f"Which of {names} does a call need, and with which scopes?"
        )
        message = f"{names} is defined, but no operation requires it"
        yield found("security-unused", message, subject.root, repair=question)
    else:
        yield from _open_writes(subject)


def _undefined(subject: Subject, api: Api) -> Iterator[Finding]:
    """One finding for each name, however many operations ask for it."""
    root = subject.documents[0][1]
    users: dict[str, list[tuple[str, Location]]] = {}
    for name in _names(root):
        users.setdefault(name, []).append(("the document", subject.root))
    for tool in subject.first_of_each_operation:
        if tool.operation is not None:
            for name in _names(subject.written(tool.location)):
                users.setdefault(name, []).append((tool.operation.key, tool.location))
    for name in sorted(users.keys() - _defined(root)):
        scheme = _OBVIOUS.get(re.sub(r"[^a-z]", "", name.lower()))
        question = Question(subject.root, f"securitySchemes.{name}", f"What is the security scheme `{name}`?")
        repair = Patch(subject.root, _definition(api, name, scheme)) if scheme is not None else question
        who, place = users[name][0]
        many = f" and {len(users[name]) - 1} more ask" if len(users[name]) > 1 else " asks"
        message = f"{who}{many} for the security scheme `{name}`, which is not defined"
        yield found("security-undefined", message, place, repair=repair)


def _names(holder: Any) -> list[str]:
    """The schemes that an object's `security` names."""
    alternatives = holder.get("security") if isinstance(holder, dict) else None
    entries = alternatives if isinstance(alternatives, list) else []
    return list(dict.fromkeys(str(name) for entry in entries if isinstance(entry, dict) for name in entry))


def _defined(root: Any) -> set[str]:
    components = root.get("components") if isinstance(root, dict) else None
    holders = [
        components.get("securitySchemes") if isinstance(components, dict) else None,
        root.get("securityDefinitions") if isinstance(root, dict) else None,
    ]
    return {str(name) for holder in holders if isinstance(holder, dict) for name in holder}


def _definition(api: Api, name: str, scheme: dict[str, str]) -> dict[str, object]:
    if not api.spec_version.startswith("2"):
        return {"components": {"securitySchemes": {name: scheme}}}
    old = (
        {"type": "basic"}
        if scheme["scheme"] == "basic"
        else {"type": "apiKey", "in": "header", "name": "Authorization"}
    )
    return {"securityDefinitions": {name: old}}


def _undeclared(subject: Subject, api: Api) -> Iterator[Finding]:
    told = next((text for text in _texts(api) if _EVIDENCE.search(text[1])), None)
    refused = next(
        (op for op in api.operations if any(r.status in ("401", "403") for r in op.responses)), None
    )
    asked = "How does a client authenticate: which scheme, in which header?"
    question = Question(subject.root, "securitySchemes", asked)
    if told is not None:
        match = _EVIDENCE.search(told[1])
        message = (
            f"the text speaks of `{match.group()[:40] if match else ''}`, but no security scheme is defined"
        )
        yield found("security-undeclared", message, told[0], repair=question)
    elif refused is not None:
        message = f"{refused.key} can answer 401 or 403, but no security scheme is defined"
        yield found("security-undeclared", message, refused.origin, repair=question)
    elif any(tool.effect != "read" for tool in subject.tools) and not all(
        _LOCAL.match(s.url) for s in api.servers
    ):
        message = "the API changes things, but no security scheme is defined"
        yield found("security-undeclared", message, subject.root, severity=Severity.INFO, repair=question)


def _texts(api: Api) -> Iterator[tuple[Location, str]]:
    yield api.origin, api.description
    for operation in api.operations:
        yield operation.origin, f"{operation.summary} {operation.description}"
    for tag in api.tags:
        yield api.origin, tag.description


def _open_writes(subject: Subject) -> Iterator[Finding]:
    for tool in subject.first_of_each_operation:
        operation = tool.operation
        if operation is None or tool.effect == "read" or any(operation.security):
            continue
        if _names(subject.written(operation.origin)):
            continue  # what it asks for is not defined, which is said already
        if not _LOGIN.search(
            f"{operation.path} {operation.operation_id} {' '.join(operation.tags)}"
        ) and place_of(operation.path):
            message = f"{operation.key} is a {tool.effect} call that needs no credential"
            question = Question(operation.origin, "security", f"Can anyone call {operation.key}?")
            yield found("security-none-on-write", message, operation.origin, tool=tool.name, repair=question)


def _scheme(scheme: SecurityScheme) -> Iterator[Finding]:
    if scheme.type != "apiKey":
        return
    authorizes = scheme.location == "header" and scheme.parameter_name.lower() == "authorization"
    if authorizes and not _PREFIX.search(scheme.description):
        message = (
            f"the key `{scheme.name}` travels in `Authorization`; nothing says which word stands before it"
        )
        asked = "Is the value the key alone, or `Bearer` or another word before it?"
        question = Question(scheme.origin, "description", asked)
        yield found("security-prefix-unknown", message, scheme.origin, repair=question)
    if scheme.location == "query":
        message = f"the key `{scheme.name}` travels in the query as `{scheme.parameter_name}`"
        yield found("credential-in-query", message, scheme.origin)


def _parameters(subject: Subject) -> Iterator[Finding]:
    """Credentials among the arguments of tools: one finding for each name, at its first place."""
    users: dict[str, list[tuple[str, Location]]] = {}
    for tool in subject.tools:
        for argument in tool.arguments:
            if (
                argument.where in ("header", "query", "cookie")
                and re.sub(r"[^a-z]", "", argument.name.lower()) in _CREDENTIALS
            ):
                users.setdefault(argument.name, []).append((tool.name, argument.location))
    for name, places in sorted(users.items()):
        many = f" of {len(places)} tools" if len(places) > 1 else f" of `{places[0][0]}`"
        asked = f"Is `{name}` the credential of all calls? Then it is a security scheme."
        question = Question(subject.root, "securitySchemes", asked)
        message = f"the argument `{name}`{many} is a credential"
        yield found("credential-as-parameter", message, places[0][1], repair=question)
