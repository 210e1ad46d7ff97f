"""The time that a call has left. It is the deadline of the scopes around it, so nobody has to pass it on."""

from __future__ import annotations

from anyio import current_effective_deadline, current_time


def time_left() -> float:
    """Seconds until the call is cut off; infinite where nothing bounds it."""
    return current_effective_deadline() - current_time()


def in_seconds(number: float) -> str:
    """A number of seconds in words."""
    return "1 second" if number == 1 else f"{number:g} seconds"
