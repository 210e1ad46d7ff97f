"""An example of a call: its arguments as JSON, values from the document where it has any."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mcpgen.plan.examples import example_value
from mcpgen.plan.texts.hostile import instruction_in
from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.values import MADE_UP, Values
from mcpgen.plan.texts.words import weight
from mcpgen.runtime.patterns.keywords import bounded_validator

_LONGEST = 48
"""Tokens of an example: a longer one costs more than it shows."""


def example_text(
    schema: Mapping[str, Any],
    minimal: Mapping[str, Any] | None,
    values: Values,
    phrases: Phrases,
) -> str:
    """`Example: {"order_id": "ord_1"}`, or nothing where there is no short one that tells something.

    What the document gives no value for is a mark with its name: `{"order_id": "<order_id>"}` shows what goes where, and
    invents nothing.

    Args:
        schema: the published input schema; the example is valid against it.
        minimal: a valid call with the required arguments only, None where none is known.
        values: the values for its arguments.
    """
    properties = schema.get("properties") or {}
    if minimal is None or not properties:
        return ""
    needed = {name: values.realistic(name, one, properties.get(name) or {}) for name, one in minimal.items()}
    others = {name: properties[name] for name in properties if name not in needed}
    more = {} if len(needed) > 1 and _concrete(needed) else values.optional(others, alone=not needed)
    check = bounded_validator()(schema)
    marked = {} if needed else values.marks(others)
    for found in ({**needed, **more}, needed, marked):
        call = _completed(found, schema, values)
        shown = json.dumps(call, ensure_ascii=False)
        if not _tells(call, properties) or weight(shown) > _LONGEST or instruction_in(shown) is not None:
            continue
        if call == minimal or check.is_valid(call):
            return phrases.say("example", text=shown)
    return ""


def _completed(call: Mapping[str, Any], schema: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """The call with the arguments that its arguments need beside them."""
    together = schema.get("dependentRequired") or {}
    missing = [other for name in call for other in together.get(name, ()) if other not in call]
    inner = {name: schema["properties"].get(name) or {} for name in dict.fromkeys(missing)}
    added = {
        name: example_value(dict(one), {}, direction="request", minimal=True) for name, one in inner.items()
    }
    return {**call, **{name: values.realistic(name, value, inner[name]) for name, value in added.items()}}


def _concrete(value: Any) -> bool:
    """Whether a value, or one in it, is not only a mark."""
    if isinstance(value, dict):
        return any(map(_concrete, value.values()))
    if isinstance(value, list):
        return any(map(_concrete, value))
    return not (isinstance(value, str) and value.startswith("<"))


def _tells(call: Mapping[str, Any], properties: Mapping[str, Any]) -> bool:
    """Whether a call shows a value, or what goes where, and not only what its one argument itself shows."""
    if not call or MADE_UP in call.values():
        return False
    if len(call) > 1:
        return True
    name, value = next(iter(call.items()))
    said = str((properties.get(name) or {}).get("description") or "")
    return re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", said) is None
