"""Arguments that a tool has on this server, but not in the API: which fields are given, and that a repeat is meant."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain, count

from ..operation import Operation
from ..setup.policy import ToolPolicy


@dataclass(frozen=True, slots=True)
class OwnArguments:
    """Their names; None where the operator does not want them. Nothing of them is sent to the API."""

    fields: str | None = None
    repeat: str | None = None


def own_arguments(
    policy: ToolPolicy, effect: str, taken: Collection[str], *, choosable: bool
) -> OwnArguments:
    """The names for one tool.

    Args:
        taken: names of the tool's other arguments.
        choosable: its answer has fields.
    """
    return OwnArguments(
        fields=_free("fields", "result_fields", taken) if policy.choose_fields and choosable else None,
        repeat=(
            _free("repeat", "repeat_call", taken) if policy.repeat_window > 0 and effect != "read" else None
        ),
    )


def _free(name: str, other: str, taken: Collection[str]) -> str:
    numbered = (f"{other}_{number}" for number in count(2))
    return next(candidate for candidate in chain((name, other), numbered) if candidate not in taken)


def of_operation(operation: Operation, policy: ToolPolicy) -> OwnArguments:
    """The same, for an operation whose published schema already has them."""
    taken = {argument.name for argument in operation.arguments}
    found = own_arguments(policy, operation.effect, taken, choosable=True)
    known = operation.input_schema.get("properties", {})
    return OwnArguments(
        fields=found.fields if found.fields in known else None,
        repeat=found.repeat if found.repeat in known else None,
    )
