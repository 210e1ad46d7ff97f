"""The cut that somebody asks for: `split` in the configuration or in `x-mcp`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from mcpgen.ir.api import Operation, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.cutting.alternatives import alternatives, chosen_by
from mcpgen.plan.cutting.bodies import body_media, properties_of
from mcpgen.plan.cutting.choices import Choice, choices_of
from mcpgen.plan.effects.inference import Effect, EffectDecision
from mcpgen.plan.effects.split import ActionArgument, Where, judged
from mcpgen.plan.overrides.model import Split


def configured_argument(
    operation: Operation,
    split: Split,
    schemas: Mapping[str, Schema],
    complain: Callable[[str], None],
) -> ActionArgument | None:
    """The argument that `split` names, with its values and their effects; None (and a complaint) where that is wrong.

    The values are those of the schema, else those that `split` lists.
    """
    known = _arguments(operation, schemas)
    place = f"{operation.key}: split"
    if split.argument not in known:
        close = _close(split.argument, known)
        complain(f"{place}: there is no query parameter or body field `{split.argument}`.{close}")
        return None
    where, required, schema, choices = known[split.argument]
    if not choices and not split.values:
        complain(
            f"{place}: the document lists no values for `{split.argument}`; say them: "
            f'`split = {{ argument = "{split.argument}", values = ["VALUE", "OTHER"] }}`.'
        )
        return None
    unknown = [value for value in split.values if choices and value not in {one.key for one in choices}]
    if unknown:
        for value in unknown:
            close = _close(value, [one.key for one in choices])
            complain(f"{place}: `{split.argument}` has no value `{value}`.{close}")
        return None
    choices = choices or tuple(Choice(_typed(value, schema), value) for value in split.values)
    if len(choices) < 2:
        complain(f"{place}: `{split.argument}` has one value only, so there is nothing to cut.")
        return None
    labelled = [_labelled(choice, split.argument) for choice in choices]
    decided = [
        (choice, _said(split.values.get(choice.key), decision))
        for choice, (_, decision) in zip(choices, judged(operation, labelled), strict=True)
    ]
    named = [
        (replace(one, label=label.label), effect)
        for (one, effect), label in zip(decided, labelled, strict=True)
    ]
    said = frozenset(value for value, effect in split.values.items() if effect is not None)
    return ActionArgument(where, split.argument, tuple(named), required, said=said)


def _arguments(
    operation: Operation, schemas: Mapping[str, Schema]
) -> dict[str, tuple[Where, bool, Any, tuple[Choice, ...]]]:
    """The arguments that can be fixed: where they are, whether they are required, their schema and values."""
    found: dict[str, tuple[Where, bool, Any, tuple[Choice, ...]]] = {}
    for item in operation.parameters:
        if item.where is ParameterIn.QUERY:
            choices = choices_of(item.schema, schemas, item.description)
            found[item.name] = ("query", item.required, item.schema, choices)
    media = body_media(operation, schemas)
    if media is None:
        return found
    flat, _ = flatten(media.schema or {}, schemas)
    for name, choices in chosen_by(alternatives(media.schema or {}, flat, schemas)).items():
        found[name] = ("body", True, {}, choices)
    for name, schema in properties_of(flat).items():
        if not found.get(name, ("", False, {}, ()))[3]:
            found[name] = ("body", name in flat.get("required", ()), schema, choices_of(schema, schemas))
    return found


def _labelled(choice: Choice, argument: str) -> Choice:
    """A boolean is called after its argument: `dry_run`, `no_dry_run`."""
    if not isinstance(choice.value, bool):
        return choice
    return replace(choice, label=argument if choice.value else f"no_{argument}")


def _said(effect: str | None, inferred: EffectDecision) -> EffectDecision:
    if effect is None:
        return inferred
    said = Effect(effect)
    if said is inferred.effect:
        return replace(inferred, reason="The configuration says so (split).")
    reads = said is Effect.READ
    return EffectDecision(
        said, None if reads else False, reads or inferred.idempotent, "The configuration says so (split)."
    )


def _typed(value: str, schema: Any) -> Any:
    """The value in the type that its schema asks for."""
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    if kind == "integer" and value.lstrip("-").isdigit():
        return int(value)
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    return value


def _close(name: str, known: Iterable[str]) -> str:
    names = list(known)
    hits = difflib.get_close_matches(name, names, n=2, cutoff=0.5)
    if hits:
        return f" Did you mean {' or '.join(f'`{hit}`' for hit in hits)}?"
    shown = ", ".join(f"`{one}`" for one in names[:8])
    return f" There are: {shown}{', …' if len(names) > 8 else ''}." if names else ""
