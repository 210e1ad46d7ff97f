"""What holds for several arguments together, which no description of a single one says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.words import ended

_MOST = 6
_SENTENCES = 2


def inputs_text(schema: Mapping[str, Any], known: str, phrases: Phrases) -> str:
    """Sentences on which arguments go together, from the conditions of the input schema.

    Args:
        schema: the published input schema.
        known: what the description says already: a condition whose arguments it names is not said again.
    """
    found = [_one_of(schema, phrases), *_dependent(schema, phrases)]
    fresh = [text for text, names in filter(None, found) if not all(name in known for name in names)]
    return phrases["gap"].join(ended(text, phrases["stop"]) for text in fresh[:_SENTENCES])


def _one_of(schema: Mapping[str, Any], phrases: Phrases) -> tuple[str, Sequence[str]] | None:
    """`anyOf` whose alternatives only require: at least one of them has to be there."""
    groups: list[str] = []
    names: list[str] = []
    for part in schema.get("anyOf", ()):
        if not isinstance(part, Mapping) or part.keys() - {"required", "type"} or not part.get("required"):
            return None
        names += part["required"]
        groups.append(" + ".join(f"`{name}`" for name in part["required"]))
    if not 1 < len(groups) <= _MOST:
        return None
    return phrases.say("one_of", text=phrases["comma"].join(groups)), names


def _dependent(schema: Mapping[str, Any], phrases: Phrases) -> list[tuple[str, Sequence[str]]]:
    """Arguments that need others beside them; where all fields of an optional body need the same ones, once."""
    pairs = {name: list(others) for name, others in (schema.get("dependentRequired") or {}).items() if others}
    together = list(dict.fromkeys(other for others in pairs.values() for other in others))
    if len(pairs) > _SENTENCES:
        text = phrases["comma"].join(f"`{name}`" for name in together)
        whole = len(together) <= _MOST and all(set(together) - {name} == set(o) for name, o in pairs.items())
        return [(phrases.say("together", text=text), together)] if whole else []
    return [
        (phrases.say("needs_with", what=f"`{name}`", text=phrases["comma"].join(f"`{o}`" for o in others)), (name, *others))
        for name, others in pairs.items()
        if len(others) <= _MOST
    ]  # fmt: skip
