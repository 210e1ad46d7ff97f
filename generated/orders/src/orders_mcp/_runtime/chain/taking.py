"""Link: arguments that only this server knows are taken out: which fields are given, and that a repeat is meant."""

from __future__ import annotations

from typing import Any

from ..bounds.projection import Fields, Selection, listed
from ..call import Call
from ..inputs.own_arguments import of_operation
from ..outcomes.failures import invalid
from ..outcomes.result import Result
from .model import Following

_KNOWN = 300
"""Characters."""


async def taken(call: Call, following: Following) -> Result[Any]:
    """Reads them; nothing is sent when a field is named that the answer can't have."""
    own = of_operation(call.operation, call.policy)
    if call.policy.fields:
        call.selection = Selection(tuple(call.policy.fields))
    if own.fields is not None or own.repeat is not None:
        arguments = dict(call.arguments)
        call.meant = own.repeat is not None and arguments.pop(own.repeat, False) is True
        given: Any = None if own.fields is None else arguments.pop(own.fields, None)
        call.arguments = arguments
        if own.fields is not None and given:
            call.selection = _chosen(call, own.fields, given)
            call.own_arguments = {own.fields: given}
    return await following(call)


def _chosen(call: Call, argument: str, given: list[str]) -> Selection | None:
    names = tuple(dict.fromkeys(name.strip() for text in given for name in text.split(",") if name.strip()))
    if not names:
        return call.selection
    fields = Fields(call.operation.output_schema)
    problems = [f"`{argument}`: {problem}" for problem in fields.problems(names, call.selection)]
    if problems:
        known = listed(fields.names(call.selection), _KNOWN)
        told = "; ".join(problems[:5])
        raise invalid(f"Wrong arguments for {call.operation.tool}: {told}. Known fields: {known}.")
    return Selection(names, call.selection, asked=True)
