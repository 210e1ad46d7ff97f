"""Finds the argument by which one operation does several things, so that each can become a tool of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mcpgen.ir.api import Operation, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.cutting.alternatives import alternatives, chosen_by
from mcpgen.plan.cutting.bodies import body_media, properties_of
from mcpgen.plan.cutting.choices import Choice, choices_of
from mcpgen.plan.effects.evidence import claims_of
from mcpgen.plan.effects.inference import EffectDecision, infer_action
from mcpgen.plan.effects.verbs import name_verbs, text_verbs
from mcpgen.plan.effects.words import STATES
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.toolsets import static_segments

_NAMES = frozenset(
    "action actions op operation command cmd type mode verb method task activity event operationtype actiontype act"
    " optype requesttype commandtype actionname operationname opcode actioncode 操作 动作 操作类型 动作类型 命令 指令 类型"
    " accion acción operacion operación acao ação aktion действие операция 操作种类 アクション".split()
)
_WEAK_NAMES = frozenset("type mode method event task activity 类型".split())
"""Names that mostly hold kinds of things: here every value must be a verb."""
_ACTION_WORDS = frozenset("action operation command".split())
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
_HTTP = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
_MAX_VALUES = 24
Where = Literal["body", "query", "nested"]


@dataclass(frozen=True, slots=True)
class ActionArgument:
    """The argument that chooses the action, and what each of its values does.

    `within` is the field of the body that has it, where it is not one of the body itself (`where` is `nested` then).
    `said` are the values whose effect somebody says.
    """

    where: Where
    name: str
    choices: tuple[tuple[Choice, EffectDecision], ...]
    required: bool
    within: str = ""
    said: frozenset[str] = frozenset()

    @property
    def values(self) -> tuple[tuple[str, EffectDecision], ...]:
        return tuple((choice.key, decision) for choice, decision in self.choices)

    @property
    def mixes(self) -> bool:
        """Whether the values have different effects."""
        return len({decision.effect for _, decision in self.choices}) > 1


def action_argument(operation: Operation, schemas: Mapping[str, Schema]) -> ActionArgument | None:
    """The argument of an operation that chooses among actions with different side effects, if there is one.

    The values must read like actions (verbs, or states to look up), and their effects must differ: an ordinary
    enum such as a sort order or a status filter is never split.

    Args:
        operation: any operation.
        schemas: `Api.schemas`, to follow references.
    """
    found = [item for item in _candidates(operation, schemas) if item.mixes]
    if found and operation.method.upper() in _SAFE and any(claim.reads for claim in claims_of(operation)):
        return None  # an argument of a search that is called "action" filters
    order = ("body", "query", "nested")
    return min(found, key=lambda item: (not item.required, order.index(item.where), item.name), default=None)


def judged(operation: Operation, choices: Sequence[Choice]) -> tuple[tuple[Choice, EffectDecision], ...]:
    """What each value does. Words that all values share ("order.query", "order.cancel") say nothing."""
    words = _told_apart([choice.label for choice in choices])
    nouns = ["the meaning of the value" if choice.coded else "the value" for choice in choices]
    return tuple(
        (choice, infer_action(operation, word, choice.text, noun))
        for choice, word, noun in zip(choices, words, nouns, strict=True)
    )


def _candidates(operation: Operation, schemas: Mapping[str, Schema]) -> Iterator[ActionArgument]:
    for item in operation.parameters:
        # What GET is given is a filter, unless nothing works without it (`?action=delete`).
        asked = item.required or operation.method.upper() not in _SAFE
        if item.where is ParameterIn.QUERY and asked and kind_of_name(operation, item.name):
            choices = choices_of(item.schema, schemas, item.description)
            yield from _candidate(operation, "query", item.name, choices, item.required)
    media = body_media(operation, schemas)
    if media is None:
        return
    flat, _ = flatten(media.schema or {}, schemas)
    required = flat.get("required", ())
    for name, schema in properties_of(flat).items():
        if kind_of_name(operation, name):
            yield from _candidate(operation, "body", name, choices_of(schema, schemas), name in required)
        yield from _nested(operation, name, schema, name in required, schemas)
    for name, choices in chosen_by(alternatives(media.schema or {}, flat, schemas)).items():
        yield from _candidate(operation, "body", name, choices, True)


def _nested(
    operation: Operation, field: str, schema: Any, required: bool, schemas: Mapping[str, Schema]
) -> Iterator[ActionArgument]:
    """The action inside of a field that is a union: `command: {oneOf: [...]}`."""
    flat, _ = flatten(schema, schemas)
    if not required or not {"oneOf", "anyOf", "discriminator"} & flat.keys():
        return
    carries = kind_of_name(operation, field) == "strong"
    for name, choices in chosen_by(alternatives(schema, flat, schemas)).items():
        if carries or kind_of_name(operation, name) == "strong":
            yield from _candidate(operation, "nested", name, choices, True, within=field)


def _candidate(
    operation: Operation,
    where: Where,
    name: str,
    choices: tuple[Choice, ...],
    required: bool,
    *,
    within: str = "",
) -> Iterator[ActionArgument]:
    """The argument, if its values are actions: most where its name or the path says that they are, else all."""
    if not 2 <= len(choices) <= _MAX_VALUES or all(choice.key.upper() in _HTTP for choice in choices):
        return
    if any(isinstance(choice.value, bool) for choice in choices):
        return
    strong = kind_of_name(operation, name) == "strong"
    words = _told_apart([choice.label for choice in choices])
    verbs = sum(_is_action(word, choice.text) for word, choice in zip(words, choices, strict=True))
    if verbs < (_enough(len(choices)) if strong or _acts(operation.path) else len(choices)):
        return
    yield ActionArgument(where, name, judged(operation, choices), required, within)


def acts_by(operation: Operation, name: str, choices: Sequence[Choice]) -> bool:
    """Whether an argument names actions, by its own name and by enough of its values."""
    if (
        kind_of_name(operation, name) != "strong"
        or len(choices) < 2
        or all(choice.key.upper() in _HTTP for choice in choices)
    ):
        return False
    return sum(_is_action(choice.label, choice.text) for choice in choices) >= _enough(len(choices))


def kind_of_name(operation: Operation, name: str) -> Literal["strong", "weak", ""]:
    """How surely an argument of this name is an action."""
    folded = name.replace("_", "").replace("-", "").lower()
    if folded in _WEAK_NAMES:
        return "weak"
    return "strong" if folded in _NAMES or _names_action(name, operation.path) else ""


def _names_action(name: str, path: str) -> bool:
    """Whether an argument is the action on what the path is about: `order_action` of `/orders/{id}`."""
    words = split_words(name)
    if words[-1:] not in (("action",), ("operation",), ("command",)) or len(words) < 2:
        return False
    nouns = {singular(word) for part in static_segments(path) for word in split_words(part)}
    return all(singular(word) in nouns for word in words[:-1])


def _acts(path: str) -> bool:
    """Whether a path is about actions: `/servers/{id}/actions`, `/bulk_actions`."""
    last = next((split_words(part) for part in reversed(static_segments(path))), ())
    return bool(last) and singular(last[-1]) in _ACTION_WORDS


def _is_action(value: str, text: str) -> bool:
    verbs = name_verbs(value)
    words = split_words(value)
    told = text_verbs(text)
    return (
        (bool(verbs) and verbs[0].leading)
        or bool(words and words[-1] in STATES)
        or (not verbs and bool(told) and told[0].leading and told[0].clear)
    )


def _told_apart(labels: Sequence[str]) -> list[str]:
    """The labels without the words that all of them begin or end with, where what is left are actions."""
    words = [split_words(label) for label in labels if label.isascii()]
    least = min(map(len, words), default=0)
    if not 2 <= len(words) == len(labels) or least < 2:
        return list(labels)
    head = next((n for n in range(least) if len({one[n] for one in words}) > 1), least - 1)
    tail = next((n for n in range(least - head) if len({one[-1 - n] for one in words}) > 1), 0)
    if not head and not tail:
        return list(labels)
    left = ["_".join(one[head : len(one) - tail]) for one in words]
    return left if sum(_is_action(one, "") for one in left) >= _enough(len(left)) else list(labels)


def _enough(count: int) -> int:
    """How many of the values must be actions where the name of the argument says that they are."""
    return max(2, (2 * count + 2) // 3)
