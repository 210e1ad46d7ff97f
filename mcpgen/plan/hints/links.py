"""OpenAPI links as hints (OpenAPI 3.2, Link Object and Runtime Expressions)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.ir.api import Link
from mcpgen.plan.following import HintPlan
from mcpgen.plan.hints.tools import HintTool, HintTools
from mcpgen.plan.naming.identifiers import split_words

_REQUEST = re.compile(r"\$request\.(path|query|header)\.(.+)")
_BODY = re.compile(r"\$request\.body#/([^/]+)")
_RESPONSE = re.compile(r"\$response\.(body#(?:/.*)?|header\.[!#$%&'*+.^_`|~0-9A-Za-z-]+)")
_TOKEN = {"~1": "/", "~0": "~"}
_MOST_WORDS = 3
_LONGEST = 200


class LinkHints:
    """Reads the links of one API. `operations` finds the tools of an operation by its id or reference."""

    def __init__(self, tools: HintTools) -> None:
        self._tools = tools
        self._by_id: dict[str, list[HintTool]] = {}
        self._by_key: dict[tuple[str, str], list[HintTool]] = {}
        for tool in tools.all:
            operation = tool.operation
            self._by_key.setdefault((operation.method.lower(), operation.path), []).append(tool)
            if operation.operation_id:
                self._by_id.setdefault(operation.operation_id, []).append(tool)

    def of(self, tool: HintTool) -> dict[str, tuple[HintPlan, ...]]:
        """The links of each response, by its status: those to tools that read first, none to what destroys."""
        found: dict[str, tuple[HintPlan, ...]] = {}
        for response in tool.operation.responses:
            ranked: list[tuple[bool, bool, int, HintPlan]] = []
            for link in response.links:
                failed = response.status[:1] in "345"
                for target in self._targets(link):
                    plan = None if target.destroys else self._plan(link, target, tool, failed)
                    if plan is not None:
                        ranked.append((bool(plan.arguments), not target.reads, len(ranked), plan))
            if ranked:
                found[response.status] = tuple(plan for *_, plan in sorted(ranked, key=lambda one: one[:3]))[
                    :2
                ]
        return found

    def _targets(self, link: Link) -> list[HintTool]:
        if link.operation_id is not None:
            return self._by_id.get(link.operation_id, [])
        base, _, pointer = (link.operation_ref or "").partition("#/paths/")
        tokens = pointer.split("/")
        if base or len(tokens) != 2:
            return []  # another document: its operations are no tools of this server
        path = re.sub("~[01]", lambda match: _TOKEN[match.group()], tokens[0])
        path = path.replace("%7B", "{").replace("%7D", "}").replace("%7b", "{").replace("%7d", "}")
        return self._by_key.get((tokens[1].lower(), path), [])

    def _plan(self, link: Link, target: HintTool, tool: HintTool, failed: bool) -> HintPlan | None:
        """The call that a link describes; None where a value of it can't be told or a required one is missing."""
        given: dict[str, Any] = {}
        for name, value in self._passed(link, target):
            given[name] = value
        same: dict[str, str] = {}
        values: dict[str, str] = {}
        literal: dict[str, Any] = {}
        for name, value in given.items():
            if not isinstance(value, str) or not value.startswith(("$", "{$")):
                literal[name] = value
            elif (argument := self._argument(value, tool)) is not None:
                same[name] = argument
            elif not failed and (expression := _RESPONSE.fullmatch(value.strip("{}"))) is not None:
                values[name] = expression.group(1)
            else:
                return None
        if target.name == tool.name and (target.reads or not values):
            return None
        if any(
            isinstance(value, str) and ("://" in value or len(value) > _LONGEST) for value in literal.values()
        ):
            return None
        asked = sorted(target.required - given.keys())
        if len(asked) > _MOST_WORDS or (asked and target.reads) or (not given and link.parameters):
            return None
        words = {name: _words(name, target) for name in asked}
        return HintPlan(target.name, {**literal, **words}, same, values)

    def _passed(self, link: Link, target: HintTool) -> Iterator[tuple[str, Any]]:
        """The parameters of a link by the target's argument names; `path.id` says which `id` is meant."""
        for told, value in link.parameters.items():
            place, _, wire = told.partition(".")
            for name, draft in target.arguments.items():
                exact = draft.where != "body" and draft.wire == told
                if exact or (draft.where == place and draft.wire == wire):
                    yield name, value
                    break
        body = link.request_body if isinstance(link.request_body, Mapping) else {}
        for field, value in body.items():
            for name, draft in target.arguments.items():
                if draft.where == "body" and draft.wire == field and draft.pointer:
                    yield name, value
                    break

    def _argument(self, expression: str, tool: HintTool) -> str | None:
        """The argument of this call that an expression about its request means."""
        bare = expression.strip("{}")
        about = _REQUEST.fullmatch(bare)
        if about is not None:
            where, wire = about.groups()
            fold = str.lower if where == "header" else str
            return next(
                (n for n, d in tool.arguments.items() if d.where == where and fold(d.wire) == fold(wire)),
                None,
            )
        body = _BODY.fullmatch(bare)
        if body is None:
            return None
        field = re.sub("~[01]", lambda match: _TOKEN[match.group()], body.group(1))
        return next((n for n, d in tool.arguments.items() if d.pointer and d.wire == field), None)


def _words(name: str, target: HintTool) -> str:
    """What a caller has to put in for itself."""
    whole = target.arguments[name].pointer == ""
    return "the content to send" if whole else f"the {' '.join(split_words(name)) or name} to use"
