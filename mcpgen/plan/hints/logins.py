"""The tool that gives a token which other tools take as an argument."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.ir.api import Api, Schema
from mcpgen.plan.following import HintPlan
from mcpgen.plan.hints.tools import HintTool, HintTools
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.paging.answer import plain, types_of
from mcpgen.plan.paging.names import folded
from mcpgen.plan.responses import success_of

_LOGIN = frozenset(
    {"login", "signin", "session", "sessions", "token", "tokens", "authenticate", "auth", "logon"}
)
_TOKENS = frozenset(
    "accesstoken sessiontoken authtoken apitoken xsessiontoken xauthtoken xaccesstoken".split()
)
_SECRETS = frozenset("password passcode secret clientsecret apikey apisecret pin otp passwd".split())
_MOST_WORDS = 3


class Logins:
    """Knows the tools of one API that anybody can call to get a token."""

    def __init__(self, api: Api, tools: HintTools) -> None:
        self._tools = tools
        self._givers = [
            (tool, field)
            for tool in tools.all
            if _is_login(tool, api, tools) and (field := _token(tool, api.schemas)) is not None
        ]

    def hint(self, tool: HintTool) -> HintPlan | None:
        """Where a tool takes a token as an argument: how to get one."""
        taking = next(
            (name for name, draft in tool.arguments.items() if _takes(draft.wire, draft.where)), None
        )
        for giver, field in self._givers if taking is not None else ():
            if giver.name != tool.name and taking is not None:
                words = {name: f"the {' '.join(split_words(name))}" for name in sorted(giver.required)}
                return HintPlan(giver.name, words, again={taking: field})
        return None


def _takes(wire: str, where: str) -> bool:
    return where in ("query", "header", "body") and folded(wire) in _TOKENS


def _is_login(tool: HintTool, api: Api, tools: HintTools) -> bool:
    """A POST that needs no credential, in an API or beside tools that do, and is called like a login."""
    operation = tool.operation
    open_to_all = not operation.security or {} in operation.security
    words = {
        *(word for part in tool.place[-2:] for word in split_words(part)),
        *split_words(operation.operation_id or ""),
    }
    texts = all(tools.types(tool.arguments[name]) == {"string"} for name in tool.required)
    return (
        operation.method == "POST"
        and open_to_all
        and not tool.slots
        and not tool.destroys
        and bool(words & _LOGIN)
        and any(folded(tool.arguments[name].wire) in _SECRETS for name in tool.required)
        and len(tool.required) <= _MOST_WORDS
        and texts
    )


def _token(tool: HintTool, schemas: Mapping[str, Schema]) -> str | None:
    """The field of a tool's answer that holds the token."""
    answer = plain(success_of(tool.operation, schemas).schema, schemas)
    for name, child in (answer.get("properties") or {}).items():
        flat = plain(child, schemas)
        if folded(name) in _TOKENS | {"token"} and "string" in types_of(flat):
            return str(name)
    return None
