"""Arguments on their way from the model to the tool function: moved to their places, repaired, validated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..operation import Operation
from ..outcomes.failures import invalid
from ..values import UNSET, JsonObject, parse_json
from .checking import ArgumentCheck
from .repair import Repairer
from .validation import complaints


@dataclass(frozen=True, slots=True)
class Prepared:
    """Arguments that keep the published schema, and notes on what was repaired to get there."""

    arguments: JsonObject
    notes: tuple[str, ...] = ()


def prepare(operation: Operation, given: dict[str, Any]) -> Prepared:
    """Checks arguments before anything is sent, and puts in the defaults of those that the caller left out.

    Raises:
        CallFailed: they break the schema; the message names every bad field.
    """
    arguments, conflicts = _take_fields(operation, dict(given))
    ready = repaired(operation.tool, operation.argument_check, arguments, conflicts)
    defaults = {a.name: a.default for a in operation.arguments if a.default is not UNSET}
    return replace(ready, arguments={**defaults, **ready.arguments}) if defaults else ready


def repaired(tool: str, check: ArgumentCheck, arguments: JsonObject, wrong: Iterable[str] = ()) -> Prepared:
    """The arguments after repair; `wrong` is what is known to be bad already.

    Raises:
        CallFailed: something is bad, or they break the schema.
    """
    valid = not complaints(check, arguments)
    repairer = Repairer(check.schema, valid=valid)
    arguments = repairer.arguments(arguments)
    told = [*wrong, *(() if valid else complaints(check, arguments))]
    if told:
        raise invalid(f"Wrong arguments for {tool}: {'; '.join(told)}.")
    return Prepared(arguments, tuple(repairer.notes))


def _take_fields(operation: Operation, arguments: JsonObject) -> tuple[JsonObject, list[str]]:
    """Moves body fields from the argument for "the rest" to the arguments that they have of their own.

    A caller may put the whole body into that argument. Values that the tool sets itself may be in it as well,
    as long as they are the same.
    """
    rest = operation.rest
    whole = _object(arguments.get(rest.name)) if rest is not None else None
    if rest is None or whole is None:
        return arguments, []
    fixed = operation.fixed_fields
    own = {a.body_field: a.name for a in operation.arguments if a.body_field is not None}
    left: JsonObject = {}
    conflicts = []
    for field, value in whole.items():
        if field in fixed:
            if value != fixed[field]:
                conflicts.append(f"`{rest.name}.{field}` is set by this tool itself and can't be changed")
        elif field not in own:
            left[field] = value
        elif own[field] not in arguments:
            arguments[own[field]] = value
        elif arguments[own[field]] != value:
            conflicts.append(f"`{own[field]}` is given twice with different values, also in `{rest.name}`")
    arguments[rest.name] = left
    return arguments, conflicts


def _object(value: Any) -> JsonObject | None:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = parse_json(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None
