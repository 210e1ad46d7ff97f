"""One call as the request that it has to become, by the specifications (see `cases.wire`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mcpgen.cases.credentials import SentCredential, credential_for
from mcpgen.cases.model import ExpectedRequest
from mcpgen.cases.wire.bodies import written_body
from mcpgen.cases.wire.headers import NEVER_SENT, cookies, header
from mcpgen.cases.wire.paths import path_and_query
from mcpgen.cases.wire.queries import query_name, query_parts, whole_query
from mcpgen.cases.wire.texts import NoSpelling, escaped
from mcpgen.plan.model import PackagePlan, ParameterWire, ToolPlan

_LONGEST_TARGET = 50_000
"""Some more than that the HTTP library refuses."""
_OVERRIDING = frozenset({"_method", "x-http-method-override", "x-http-method", "x-method-override"})
"""Frameworks read the method from them: free keys of these names would make another request of this one, and are refused."""
_ABSENT = object()


def expected_request(
    tool: ToolPlan, plan: PackagePlan, arguments: Mapping[str, Any], credentials: Mapping[str, str]
) -> ExpectedRequest:
    """The request of a valid call.

    Args:
        arguments: by their published names.
        credentials: by environment variable.

    Raises:
        NoSpelling: a value has no form on the wire.
        NoCredential: no credential that the operation accepts is known.
    """
    given = dict(arguments)
    for argument in tool.arguments:
        if argument.has_default and argument.name not in given:
            given[argument.name] = argument.default
    credential = credential_for(tool.security, plan, credentials)
    path, own = path_and_query(tool.path, _wires(tool, "path"), _values(tool, given, "path"))
    query = _query(tool, given, credential, own)
    headers = {"accept": tool.accept}
    value = _body_value(tool, given)
    body = written_body(tool.body, value) if tool.body is not None and value is not _ABSENT else None
    if body is not None:
        headers["content-type"] = body.content_type
    sent, generated = _headers(tool, given)
    headers |= sent
    cookie = _cookies(tool, given, credential, headers)
    headers |= {"cookie": cookie} if cookie else {}
    headers |= credential.headers
    target = "?".join([path, "&".join(query)] if query else [path])
    if len(target) > _LONGEST_TARGET:
        raise NoSpelling("an address that no server takes")
    return ExpectedRequest(
        tool.method, target, headers, generated, dict(body.content) if body is not None else None
    )


def _wires(tool: ToolPlan, where: str) -> dict[str, ParameterWire]:
    return {wire.name: wire for wire in tool.parameters if wire.where == where}


def _values(tool: ToolPlan, given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The values for one place by their names on the wire: the call's, then those that the tool sends by itself."""
    own = {
        str(argument.wire_name): given[argument.name]
        for argument in tool.arguments_in(where)
        if argument.name in given
    }
    return own | {name: value for name, value in tool.fixed.items() if tool.fixed_where[name] == where}


def _query(
    tool: ToolPlan, given: Mapping[str, Any], credential: SentCredential, own: Iterable[str]
) -> list[str]:
    """All parts: the template's own, the whole query of one argument, the parameters, the keys of credentials.

    A parameter that has the name of a key is left out: the operator's credential is not a caller's to replace.
    """
    parts = list(own)
    for wire in _wires(tool, "querystring").values():
        for value in _values(tool, given, "querystring").values():
            parts += whole_query(wire.content_type, value).split("&")
    wires = _wires(tool, "query")
    for name, value in _values(tool, given, "query").items():
        parts += query_parts(wires.get(name) or ParameterWire(name, "query", "form", True, False), value)
    names = {query_name(part) for part in _OVERRIDING} - {query_name(name) for name in tool.fixed}
    if any(part.partition("=")[0].lower() in names for part in parts):
        raise NoSpelling("a key that would make another request of this one")
    keys = {query_name(name) for name, _ in credential.query}
    kept = [part for part in parts if part and part.partition("=")[0] not in keys]
    return kept + [f"{query_name(name)}={escaped(key)}" for name, key in credential.query]


def _headers(tool: ToolPlan, given: Mapping[str, Any]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Header parameters, and the names of those that the server makes itself."""
    wires, found = _wires(tool, "header"), {}
    for name, value in _values(tool, given, "header").items():
        wire = wires.get(name) or ParameterWire(name, "header", "simple", False, False)
        text = header(wire, value)
        if text is not None and name.lower() not in NEVER_SENT:
            found[name.lower()] = text
    if tool.idempotency is None:
        return found, ()
    key = str(tool.idempotency["header"]).lower()
    if found.get(key) or not tool.idempotency.get("made", True):
        return found, ()
    return {name: text for name, text in found.items() if name != key}, (key,)


def _cookies(
    tool: ToolPlan, given: Mapping[str, Any], credential: SentCredential, headers: Mapping[str, str]
) -> str:
    """One header for all cookies (RFC 6265, 5.4); those of credentials go over the caller's."""
    wires, pairs = _wires(tool, "cookie"), []
    taken = {name for name, _ in credential.cookies}
    for name, value in _values(tool, given, "cookie").items():
        wire = wires.get(name) or ParameterWire(name, "cookie", "form", True, False)
        pairs += [(own, text) for own, text in cookies(wire, value) if own not in taken]
    texts = [f"{name}={text}" for name, text in (*pairs, *credential.cookies)]
    return "; ".join([*texts, *([headers["cookie"]] if "cookie" in headers else [])])


def _body_value(tool: ToolPlan, given: Mapping[str, Any]) -> Any:
    """The value of the body; `_ABSENT` where there is none.

    Fields that are arguments of their own make an object together with those that the tool sets, and with the further ones of
    the argument for the rest. An optional body of which nothing is given is not sent.
    """
    arguments = tool.arguments_in("body")
    fixed = {name: value for name, value in tool.fixed.items() if tool.fixed_where[name] == "body"}
    whole = [argument for argument in arguments if not argument.pointer]
    rest = given.get(whole[0].name, _ABSENT) if whole else _ABSENT
    fields = fixed | {a.field: given[a.name] for a in arguments if a.pointer and a.name in given}
    in_fields = bool(fixed) or any(argument.pointer for argument in arguments)
    free = rest if isinstance(rest, Mapping) else {}
    if any(name.lower() in _OVERRIDING and name not in tool.fixed for name in free):
        raise NoSpelling("a key that would make another request of this one")
    if not in_fields:
        return rest
    if isinstance(rest, Mapping):
        return {**rest, **fields}
    if fields or (tool.body is not None and tool.body.required):
        return fields
    return _ABSENT
