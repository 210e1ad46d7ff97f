"""What a success leads to, where the API's links say so: the next tool with the values of this answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..bounds.projection import Selection
from ..inputs.repair import Repairer
from ..outcomes.hints import Caller, filled
from ..outcomes.planned_hints import Hint, planned
from ..pointers import found_at
from ..transport.client import Answer

if TYPE_CHECKING:
    from ..call import Call

_LONGEST_VALUE = 200
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def follow_up(call: Call, answer: Answer, value: Any) -> str | None:
    """The first of the planned next calls whose values the answer has (OpenAPI 3.2, Link Object)."""
    status = answer.status
    for hint in planned(call.operation.hints, (str(status), f"{status // 100}XX")):
        arguments = _arguments(hint, call, answer, value) if hint.tool in call.app.registered else None
        if arguments is not None:
            return f"If the task needs it: {call.how(hint.tool, arguments)}"
    return None


def _arguments(hint: Hint, call: Call, answer: Answer, value: Any) -> dict[str, Any] | None:
    """The arguments of the next call; None where one of them is not there, or is not what the tool takes."""
    caller = Caller(call.arguments, call.app.redactor.names)
    arguments = filled(hint, caller)
    if arguments is None:
        return None
    for name, expression in hint.values.items():
        found = _value(expression, answer, value)
        if found is None or caller.secret.hide(name, found) or not _passed_on(call, expression):
            return None
        arguments[name] = found
    check = call.app.catalog.operation(hint.tool).argument_check
    arguments = Repairer(check.schema).arguments(arguments)
    told = {*hint.same, *hint.values}
    wrong = (
        error for error in check.errors(arguments) if error.absolute_path and error.absolute_path[0] in told
    )
    return arguments if next(wrong, None) is None else None


def _passed_on(call: Call, expression: str) -> bool:
    """Whether the operator lets the model have this part of the answer (`fields` in the tool's policy)."""
    if expression.startswith("header.") or not call.policy.fields:
        return True
    steps = (step.replace("~1", "/").replace("~0", "~") for step in expression[5:].split("/"))
    name = ".".join(step for step in steps if step and not step.isdecimal())
    return Selection(tuple(call.policy.fields)).admits(name)


def _value(expression: str, answer: Answer, value: Any) -> str | int | float | None:
    """What a runtime expression gives; None where it is nothing that can be passed on."""
    where, _, place = (
        expression.partition(".") if expression.startswith("header.") else ("body", "", expression[5:])
    )
    found: Any = answer.headers.get(place) if where == "header" else found_at(value, place)
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return None
    if isinstance(found, str) and (len(found) > _LONGEST_VALUE or "://" in found or _UNSEEN.search(found)):
        return None
    return found
