"""The arguments of a model's call: JSON text, often, and sometimes broken or empty."""

from __future__ import annotations

from typing import Any

from ..outcomes.failures import invalid
from ..values import JsonObject, parse_json

_LONGEST = 60
"""Characters of what is shown of a broken text."""


def read_arguments(given: Any) -> JsonObject:
    """The arguments as an object; nothing at all is an empty one.

    Raises:
        CallFailed: they are no JSON object.
    """
    value = given
    for _ in range(2):  # some models write the text of an object as a text
        if not isinstance(value, str):
            break
        value = _parsed(value) if value.strip() else {}
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise invalid("The arguments must be one JSON object. Nothing was sent.")
    return value


def _parsed(text: str) -> Any:
    try:
        return parse_json(text)
    except RecursionError as error:
        raise invalid("The arguments are nested too deeply. Nothing was sent.") from error
    except ValueError as error:
        place = getattr(error, "pos", None)
        ended = place is not None and (place >= len(text.rstrip()) or str(error).startswith("Unterminated"))
        cut = ": they seem to be cut off" if ended else ""
        near = "" if place is None else f" (character {place}: {text[max(0, place - 20) :][:_LONGEST]!r})"
        raise invalid(f"The arguments are no valid JSON{cut}{near}. Nothing was sent.") from error
