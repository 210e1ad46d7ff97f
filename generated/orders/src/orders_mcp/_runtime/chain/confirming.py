"""Link: the user is asked before a call that changes things, in both protocol eras."""

from __future__ import annotations

from typing import Any

import mcp_types as mt
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..app import App
from ..call import Call
from ..operation import Operation
from ..outcomes.failures import refused
from ..outcomes.result import Result
from ..secrecy.redact import Redactor
from ..values import JsonObject, compact_json
from ..visible import with_unseen_escaped as visible
from .model import Asked, Following

_KEY = "confirm"
_STATE = "confirm/v1"
_LONGEST_VALUE = 120
_LONGEST_MESSAGE = 900
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": [_KEY],
    "properties": {_KEY: {"type": "boolean", "title": "Yes, do it", "default": False}},
}


class Confirmed:
    """Asks where the operator wants it: by effect (`CONFIRM`), or for single tools (`confirm` in their policy)."""

    def __init__(self, app: App) -> None:
        self._policy = app.settings.confirm
        self._redactor = app.redactor

    async def __call__(self, call: Call, following: Following) -> Result[Any]:
        if self._wanted(call):
            await _ask(call, question(call.operation, call.arguments, self._redactor))
        return await following(call)

    def _wanted(self, call: Call) -> bool:
        if call.policy.confirm is not None:
            return call.policy.confirm == "always"
        effect = call.operation.effect
        return (effect == "destructive" and self._policy != "never") or (
            effect == "write" and self._policy == "write"
        )


async def _ask(call: Call, message: str) -> None:
    """Returns when the user has agreed.

    A modern client answers by repeating the call. That answer counts only with the state that this server has
    sealed into its question: a client could otherwise agree in the user's name with its first request.

    Raises:
        Asked: a modern client has to ask the user.
        CallFailed: the user said no, or this client can't ask.
        MCPError: an answer without the question's state.
    """
    context = call.context
    if call.consent is not None:
        _check_agreed(await call.consent(message) is True)
        return
    if context is None or not _can_ask(context):
        raise refused(
            "This call needs the user's consent, and this client has no way to ask for it. Nothing was done."
        )
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        _check_accepted(
            await context.session.elicit_form(message, _SCHEMA, related_request_id=context.request_id)
        )
        return
    params = call.params
    given = None if params is None else (params.input_responses or {}).get(_KEY)
    if given is None:
        form = mt.ElicitRequestFormParams(message=message, requested_schema=_SCHEMA)
        question = mt.ElicitRequest(params=form)
        raise Asked(mt.InputRequiredResult(input_requests={_KEY: question}, request_state=_STATE))
    if params is None or params.request_state != _STATE or not isinstance(given, mt.ElicitResult):
        raise MCPError(
            code=mt.INVALID_PARAMS, message="inputResponses without the state that this server issued"
        )
    _check_accepted(given)


def _can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    has_form = elicitation is not None and (elicitation.form is not None or elicitation.url is None)
    modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    return has_form and (modern or context.session.can_send_request)


def _check_accepted(answer: mt.ElicitResult) -> None:
    _check_agreed(answer.action == "accept" and bool((answer.content or {}).get(_KEY)))


def _check_agreed(agreed: bool) -> None:
    if not agreed:
        raise refused("The user did not agree to this call. Nothing was done.")


def question(operation: Operation, arguments: JsonObject, redactor: Redactor) -> str:
    """What the user is asked: the tool's title and the arguments, secrets masked and long values cut.

    Characters that can't be seen are told by their numbers: a value must not reorder or hide what stands beside it.
    """
    shown, _ = redactor.shown({**arguments, **operation.fixed})
    told = [f"{visible(name)}: {_short(visible(compact_json(value)))}" for name, value in shown.items()]
    consequence = "This can't be undone." if operation.effect == "destructive" else "This changes data."
    body = "\n".join(told) or "(no arguments)"
    if len(body) > _LONGEST_MESSAGE:
        body = body[:_LONGEST_MESSAGE] + "…"
    return f"{visible(operation.title)}\n{body}\n{consequence} Go ahead?"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
