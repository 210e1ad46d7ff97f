"""A bound on the references that one check of a value against a JSON Schema follows.

Schemas that refer to each other fan out: twelve of them with four references each are 16 million ways through `oneOf`, all of
which a validator goes for a single value. What costs more than the bound is open, like a pattern that costs too
much: it refuses nothing. The steps are counted, not timed, so that a check gives the same answer everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

LEAST_STEPS = 10_000
"""References that any check may follow: about a second."""
STEPS_PER_VALUE = 100
"""What each value inside the checked one adds: long lists are no attack."""


class _Spent(Exception):
    """The check has followed as many references as it may."""


class _Steps:
    """What is left for one check."""

    __slots__ = ("_extended", "_instance", "_left", "schema")

    def __init__(self, schema: Any, instance: Any) -> None:
        self.schema, self._instance = schema, instance
        self._left, self._extended = LEAST_STEPS, False

    def take(self) -> None:
        """One more reference. The size of the value is looked at only when it matters, as most checks end before."""
        self._left -= 1
        if self._left < 0 and not self._extended:
            self._extended = True
            self._left += STEPS_PER_VALUE * _count(self._instance)
        if self._left < 0:
            raise _Spent


_steps: ContextVar[_Steps | None] = ContextVar("_steps", default=None)


def take_step() -> None:
    """Counts a reference that the running check follows."""
    steps = _steps.get()
    if steps is not None:
        steps.take()


def each_for_itself(schema: Any, found: Iterator[ValidationError]) -> Iterator[ValidationError]:
    """The errors of one property. At the root of a check, one that costs too much leaves the others and the rest checked."""
    steps = _steps.get()
    if steps is None or steps.schema is not schema:
        yield from found  # inside `oneOf`, what is open must not count as one that holds
        return
    try:
        yield from found
    except _Spent:
        return


def bound(validator: type[Any]) -> None:
    """Makes a class of validators keep to the bound, and stay itself below a schema that names a `$schema` of its own."""
    find, evolve = validator.iter_errors, validator.evolve

    def iter_errors(self: Any, instance: Any, _schema: Any = None) -> Iterator[ValidationError]:
        found: Iterator[ValidationError] = find(self, instance, _schema)
        return found if _steps.get() is not None else _outermost(found, _Steps(self.schema, instance))

    def evolved(self: Any, **changes: Any) -> Any:
        schema = changes.get("schema", self.schema)
        if (
            isinstance(schema, dict) and "$schema" in schema
        ):  # `jsonschema` would go on with the class of that dialect
            changes["schema"] = {key: value for key, value in schema.items() if key != "$schema"}
        return evolve(self, **changes)

    validator.iter_errors, validator.evolve = iter_errors, evolved


def _outermost(found: Iterator[ValidationError], steps: _Steps) -> Iterator[ValidationError]:
    """The errors of a whole check; the count is only in place while the check runs, not while its errors are looked at."""
    while True:
        token = _steps.set(steps)
        try:
            error = next(found, None)
        except _Spent:
            return
        finally:
            _steps.reset(token)
        if error is None:
            return
        yield error


def _count(instance: Any) -> int:
    """Values inside a value, itself included; without recursion."""
    count, waiting = 0, [instance]
    while waiting:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return count
