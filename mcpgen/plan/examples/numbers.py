"""Example numbers: the most ordinary number that a schema accepts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from mcpgen.ir.api import Schema


def example_number(schema: Schema, *, integer: bool) -> int | float | None:
    """A number within the bounds, a multiple where that is asked; None when there is none.

    Computed in decimals, so that a step such as 0.1 divides what it should.
    """
    step = next(_bounds(schema, "multipleOf"), None)
    grid = _common_step(step, integer=integer)
    fitting = [value for value in _on_grid(_candidates(schema, grid), grid) if _within(schema, value)]
    if not fitting:
        return None
    # Validators divide binary fractions, and some find 2.01 no multiple of 0.01: better one that all agree on.
    value = next((value for value in fitting if grid is None or _divides(grid, value)), fitting[0])
    whole = value == value.to_integral_value()
    if whole and grid is not None:
        return int(value)
    return float(value) if math.isfinite(float(value)) else None


def _common_step(step: Decimal | None, *, integer: bool) -> Decimal | None:
    """The distance of the numbers to choose from: the step, made whole when only whole numbers count."""
    if step is None or step <= 0:
        return Decimal(1) if integer else None
    return Decimal(step.as_integer_ratio()[0]) if integer else step


def _on_grid(values: list[Decimal], grid: Decimal | None) -> list[Decimal]:
    if grid is None:
        return values
    modes = (ROUND_FLOOR, ROUND_CEILING)
    return [(value / grid).to_integral_value(rounding=mode) * grid for value in values for mode in modes]


def _divides(grid: Decimal, value: Decimal) -> bool:
    return (float(value) / float(grid)).is_integer()


def _candidates(schema: Schema, grid: Decimal | None) -> list[Decimal]:
    """What to try, the most ordinary first: a small number, then the bounds, then what is near."""
    ordinary = [Decimal("1.5"), Decimal(1)] if grid is None else [Decimal(1)]
    low = list(_bounds(schema, "minimum", "exclusiveMinimum"))
    high = list(_bounds(schema, "maximum", "exclusiveMaximum"))
    step = grid or Decimal(1)
    near = [bound + step for bound in low] + [bound - step for bound in high]
    whole = [bound.to_integral_value(rounding=ROUND_FLOOR) + 1 for bound in low]
    between = [(one + other) / 2 for one in low for other in high]
    return [*ordinary, *low, *high, *near, *whole, *between, Decimal(0)]


def _bounds(schema: Schema, *keys: str) -> Iterator[Decimal]:
    for key in keys:
        value = schema.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield Decimal(str(value))


def _within(schema: Schema, value: Decimal) -> bool:
    return (
        all(value >= bound for bound in _bounds(schema, "minimum"))
        and all(value <= bound for bound in _bounds(schema, "maximum"))
        and all(value > bound for bound in _bounds(schema, "exclusiveMinimum"))
        and all(value < bound for bound in _bounds(schema, "exclusiveMaximum"))
    )
