"""What to do after a failure, in terms that the model can act on: a tool and its arguments, or a wait.

Never a command, a variable, a setting or an address: such advice makes agents fail more often; it goes to
the log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .failures import Category, Failure
from .operation import Operation
from .values import compact_json

_DEFAULT_WAIT = 5


def hint_for(
    failure: Failure, operation: Operation, registered: frozenset[str], how: Callable[[str, Any], str]
) -> str | None:
    """The next step after a failure, or None when nobody knows one.

    Args:
        registered: a hint to a tool that the operator has not allowed is no hint.
        how: words a call of a tool, given its name and arguments, in the server's mode.
    """
    if failure.hint is not None:
        return failure.hint
    for key in (str(failure.status), str(failure.category)):
        told = operation.hints.get(key)
        if told is not None and told.tool in registered:
            return f"{how(told.tool, dict(told.arguments))} {told.text}".strip()
    if failure.category is Category.TRANSIENT and (operation.repeatable or failure.wait is not None):
        wait = _DEFAULT_WAIT if failure.wait is None else failure.wait
        return f"Wait {wait} seconds, then call {operation.tool} again with the same arguments."
    if failure.category is Category.VALIDATION:
        return f"Correct the arguments as the error says, then call {operation.tool} again."
    return None


def direct(tool: str, arguments: Any) -> str:
    """How a listed tool is called."""
    return f"Call {tool} with {compact_json(arguments)}." if arguments else f"Call {tool}."
