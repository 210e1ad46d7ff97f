"""Which tools an operation becomes: one, or one for each action where its actions have different effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mcpgen.ir.api import Operation, ParameterIn, Schema
from mcpgen.plan.cutting.bodies import body_media, with_body
from mcpgen.plan.cutting.choices import Choice
from mcpgen.plan.cutting.configured import configured_argument
from mcpgen.plan.cutting.flags import Flag, flagged, removing_flags
from mcpgen.plan.cutting.mixed import mixed_effect
from mcpgen.plan.cutting.model import Action, Cut
from mcpgen.plan.cutting.narrowed import Narrower
from mcpgen.plan.cutting.specialised import without
from mcpgen.plan.effects.inference import DANGER, EffectDecision, infer_effect, worse
from mcpgen.plan.effects.split import ActionArgument, action_argument
from mcpgen.plan.overrides.model import Split

Complain = Callable[[str], None]


def cuts_of(
    operation: Operation,
    schemas: Mapping[str, Schema],
    split: Split | bool | None = None,
    complain: Complain = lambda message: None,
) -> list[Cut]:
    """The tools of an operation, at least one.

    Args:
        operation: any operation.
        schemas: `Api.schemas`, to follow references.
        split: what somebody says about the cut; False keeps the operation whole.
        complain: takes what is wrong with that.
    """
    argument = action_argument(operation, schemas)
    if isinstance(split, Split):
        configured = configured_argument(operation, split, schemas, complain)
        if configured is not None:
            return _by_argument(operation, configured, schemas)
    elif argument is not None and split is not False:
        return _by_argument(operation, argument, schemas)
    decision = infer_effect(operation)
    flags = removing_flags(operation, decision.effect, schemas)
    if len(flags) == 1 and flags[0].can_be_left_out and split is not False:
        return _by_flag(operation, flags[0], decision, schemas)
    return [Cut(None, operation, _worst(operation, decision, argument, flags, schemas))]


def _worst(
    operation: Operation,
    decision: EffectDecision,
    argument: ActionArgument | None,
    flags: Sequence[Flag],
    schemas: Mapping[str, Schema],
) -> EffectDecision:
    """One tool for all that the operation can do: it is as dangerous as the worst of that."""
    if argument is not None:
        choice, worst = max(argument.choices, key=lambda item: DANGER[item[1].effect])
        reason = f'The argument "{argument.name}" of this one tool can be "{choice.label}". {worst.reason}'
        decision = worse(decision, replace(worst, reason=reason))
    for flag in flags:
        decision = flagged(decision, flag)
    return worse(decision, mixed_effect(operation, decision, schemas))


def _by_argument(operation: Operation, argument: ActionArgument, schemas: Mapping[str, Schema]) -> list[Cut]:
    """One tool for each value. What else in its arguments can end something makes it more dangerous."""
    choices = [choice for choice, _ in argument.choices]
    narrower = Narrower(operation, argument.where, argument.name, choices, schemas, argument.within)
    cuts = []
    for choice, decision in argument.choices:
        narrowed, effect = narrower.narrowed(choice), decision
        if choice.key not in argument.said:
            rest = _without_parameter(narrowed, argument.name) if argument.where == "query" else narrowed
            flags = removing_flags(rest, effect.effect, schemas)
            effect = _worst(rest, effect, action_argument(rest, schemas), flags, schemas)
        cuts.append(Cut(_action(argument, choice, choices), narrowed, effect, operation))
    return cuts


def _action(argument: ActionArgument, choice: Choice, choices: Sequence[Choice]) -> Action:
    others = [word for other in choices if other != choice for word in (other.key, other.label)]
    return Action(
        where=argument.where,
        name=argument.name,
        value=choice.key,
        others=tuple(dict.fromkeys(others)),
        sent=choice.value,
        label=choice.label,
        text=choice.text,
        within=argument.within,
    )


def _by_flag(
    operation: Operation, flag: Flag, whole: EffectDecision, schemas: Mapping[str, Schema]
) -> list[Cut]:
    """The operation without the flag, and one that sets it."""
    plain = _without(operation, flag, schemas)
    off = Action(flag.where, flag.name, "false", (), left_out=True)
    on = Action(
        flag.where, flag.name, "true", (), sent=flag.on, label=flag.words, text=flag.text, further=True
    )
    return [
        Cut(off, plain, worse(whole, mixed_effect(plain, whole, schemas)), operation),
        Cut(on, operation, flagged(whole, flag), operation),
    ]


def _without(operation: Operation, flag: Flag, schemas: Mapping[str, Schema]) -> Operation:
    if flag.where == "query":
        return _without_parameter(operation, flag.name)
    media = body_media(operation, schemas)
    if media is None or media.schema is None:
        return operation
    return with_body(operation, media, without(media.schema, flag.name, schemas))


def _without_parameter(operation: Operation, name: str) -> Operation:
    """The operation without a parameter of its query."""
    kept = [item for item in operation.parameters if item.where is not ParameterIn.QUERY or item.name != name]
    return replace(operation, parameters=tuple(kept))
