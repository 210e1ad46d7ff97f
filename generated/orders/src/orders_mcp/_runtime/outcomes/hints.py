"""What to do after a failure, in terms that the model can act on: a tool and its arguments, or a wait.

Never a command, a variable, a setting or an address: such advice makes agents fail more often; it goes to
the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..operation import Operation
from ..secrecy.secret_names import SecretNames
from ..values import compact_json
from .failures import Category, Failure
from .planned_hints import Hint, planned

_DEFAULT_WAIT = 5
_LONGEST_VALUE = 200
_SAME = "the same value as in this call"
_CONFLICTS = frozenset({409, 412, 428})
_REFUSALS = frozenset({Category.VALIDATION, Category.NOT_FOUND, Category.BUSINESS})


@dataclass(frozen=True, slots=True)
class Caller:
    """What the call was: its arguments, which of them are secret by name, and how its tool is called once more."""

    arguments: Mapping[str, Any] = field(default_factory=dict)
    secret: SecretNames = field(default_factory=SecretNames)
    tool: str | None = None


def hint_for(
    failure: Failure,
    operation: Operation,
    registered: frozenset[str],
    how: Callable[[str, Any], str],
    caller: Caller | None = None,
) -> str | None:
    """The next step after a failure, or None when nobody knows one.

    Args:
        registered: a hint to a tool that the operator has not allowed is no hint.
        how: words a call of a tool, given its name and arguments, in the server's mode.
        caller: what was called; without it, hints that repeat its arguments can't be given.
    """
    if failure.hint is not None:
        return failure.hint
    known = caller or Caller()
    this = known.tool or operation.tool
    told = _planned(failure, operation, this)
    found = first_possible(told, operation, registered, how, known)
    if found is not None or (failure.outcome_unknown and not failure.harmless_again):
        return found  # a write that may have been done is looked at, not simply repeated
    if failure.category is Category.TRANSIENT:
        wait = _DEFAULT_WAIT if failure.wait is None else max(1, failure.wait)
        return f"Wait {wait} seconds, then call {this} again with the same arguments."
    if failure.category is Category.VALIDATION:
        return f"Correct the arguments as the error says, then call {this} again."
    return None


def first_possible(
    hints: Iterable[Hint],
    operation: Operation,
    registered: frozenset[str],
    how: Callable[[str, Any], str],
    caller: Caller,
) -> str | None:
    """The first hint that can be carried out, in words."""
    for hint in hints:
        arguments = filled(hint, caller) if hint.tool in registered else None
        if arguments is not None:
            return f"{how(hint.tool, arguments)} {_after(hint, caller.tool or operation.tool)}".strip()
    return None


def filled(hint: Hint, caller: Caller) -> dict[str, Any] | None:
    """The arguments of a hint; None where this call lacks a value that it needs."""
    arguments = dict(hint.arguments)
    for name, source in hint.same.items():
        if source not in caller.arguments:
            return None
        value = caller.arguments[source]
        arguments[name] = value if _can_be_repeated(source, value, caller.secret) else _SAME
    return arguments


def _can_be_repeated(name: str, value: Any, secret: SecretNames) -> bool:
    if secret.hide(name, value):
        return False
    text = compact_json(value)
    return len(text) <= _LONGEST_VALUE and "://" not in text


def _planned(failure: Failure, operation: Operation, this: str) -> list[Hint]:
    """What the catalogue has for a failure, the closest first."""
    hints = operation.hints
    if failure.outcome_unknown:
        words = f"It shows whether the call took effect. Call {this} again only if it did not."
        return [_worded(hint, words) for hint in planned(hints, ("unknown",))]
    if failure.status is None:
        return planned(hints, (str(failure.category),))
    about = planned(hints, ("reference",)) if failure.category in _REFUSALS else []
    keys = (str(failure.status), f"{failure.status // 100}XX", str(failure.category))
    found = [hint for hint in about if hint.when and _is_about(failure.message, hint.when)]
    found += planned(hints, keys)
    if failure.status in _CONFLICTS:
        found = [
            _worded(hint, "It shows the current state.") for hint in (*found, *planned(hints, ("unknown",)))
        ]
    if failure.status == 404 and len(about) == 1:
        found += about
    return found


def _worded(hint: Hint, words: str) -> Hint:
    """The hint with these words, where it has none of its own."""
    return hint if hint.text or hint.again else replace(hint, text=words)


def _is_about(message: str, argument: str) -> bool:
    """Whether a message names an argument."""
    return re.search(rf"(?<!\w){re.escape(argument)}(?!\w)", message, re.IGNORECASE) is not None


def _after(hint: Hint, tool: str) -> str:
    """What comes after the call of the other tool."""
    if hint.text or not hint.again:
        return hint.text
    parts = [
        f"{name} from data{'' if place.startswith('[') else '.'}{place}" if place else f"the {name} found"
        for name, place in hint.again.items()
    ]
    return f"Then call {tool} again with {', '.join(parts)}."


def direct(tool: str, arguments: Any) -> str:
    """How a listed tool is called."""
    return f"Call {tool} with {compact_json(arguments)}." if arguments else f"Call {tool}."
