"""Flags that make a call destroy something: `GET /messages?delete=true`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from mcpgen.ir.api import Operation, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.cutting.bodies import body_media, properties_of
from mcpgen.plan.effects.inference import Effect, EffectDecision
from mcpgen.plan.effects.verbs import text_verbs
from mcpgen.plan.effects.words import CREDENTIALS, VERBS, Act
from mcpgen.plan.naming.identifiers import split_words

_PLAIN = frozenset("delete purge destroy wipe erase discard".split())
"""Names that say all there is to say."""
_LEADING = _PLAIN | frozenset("clear remove revoke rotate reset drop flush expunge consume".split())
"""First words of names that need their description to agree."""
_ENDS = frozenset({Act.DESTROY, Act.ROTATE})
# What is removed from the answer is still there afterwards.
_OF_THE_ANSWER = frozenset(
    "response responses output result results answer empty null nulls none blank whitespace html markup formatting"
    " duplicate duplicates field fields filter filters cache".split()
)
_ON = ("true", "1", "yes", "y", "on")
_OFF = ("false", "0", "no", "n", "off")


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag that ends something when it is set. `on` is how that is sent; None where the values are not known."""

    where: Literal["body", "query"]
    name: str
    required: bool
    on: Any
    default_on: bool
    text: str

    @property
    def can_be_left_out(self) -> bool:
        """Whether there is a call without it, and a known value that sets it."""
        return self.on is not None and not self.required and not self.default_on

    @property
    def words(self) -> str:
        return " ".join(split_words(self.name))


def removing_flags(operation: Operation, effect: Effect, schemas: Mapping[str, Schema]) -> tuple[Flag, ...]:
    """The flags that make an operation of this effect destructive. Nothing for one that is destructive anyway.

    A query parameter is an instruction to the operation. A field of a body can be a setting that is stored, so there
    only names that leave no doubt count.
    """
    if effect is Effect.DESTRUCTIVE:
        return ()
    return tuple(_flags(operation, effect, schemas))


def _flags(operation: Operation, effect: Effect, schemas: Mapping[str, Schema]) -> Iterator[Flag]:
    for item in operation.parameters:
        if item.where is ParameterIn.QUERY and _begins(item.name):
            text = item.description or str(flatten(item.schema, schemas)[0].get("description") or "")
            flag = _flag("query", item.name, item.schema, item.required, text, schemas)
            if flag is not None and (_instructs(flag) or flag.words in _PLAIN):
                yield flag
    media = body_media(operation, schemas)
    if media is None:
        return
    flat, _ = flatten(media.schema or {}, schemas)
    for name, schema in properties_of(flat).items():
        if not _begins(name):
            continue
        text = str(flatten(schema, schemas)[0].get("description") or "")
        flag = _flag("body", name, schema, name in flat.get("required", ()), text, schemas)
        if flag is not None and (flag.words in _PLAIN or (effect is Effect.READ and _instructs(flag))):
            yield flag


def _begins(name: str) -> bool:
    """Whether a name begins with a word of removal."""
    return not _LEADING.isdisjoint(split_words(name)[:1])


def _instructs(flag: Flag) -> bool:
    """Whether the name begins with a word of removal and the description says the same of something that is kept."""
    if _OF_THE_ANSWER.intersection(split_words(flag.name)):
        return False
    plain = flag.text
    for opening in (
        "whether to ",
        "whether ",
        "if true, ",
        "if set, ",
        "when true, ",
        "set to true to ",
        "if `true`, ",
        "pass true to ",
    ):
        if plain.lower().startswith(opening):
            plain = plain[len(opening) :]
            break
    said = text_verbs(plain)
    passive = any(
        word in plain.lower() for word in (" deleted", " removed", " purged", " erased", " cleared", " wiped")
    )
    if not (passive or any(verb.act in _ENDS for verb in said)):
        return False
    return not _OF_THE_ANSWER.intersection(split_words(plain))


def _flag(
    where: Literal["body", "query"],
    name: str,
    schema: Any,
    required: bool,
    text: str,
    schemas: Mapping[str, Schema],
) -> Flag | None:
    words = split_words(name)
    if words[0] == "rotate" and not CREDENTIALS.intersection(words):
        return None  # an image
    flat, _ = flatten(schema, schemas)
    on = _on(flat)
    open_value = flat.get("type") in ("integer", "string", None) and "enum" not in flat
    said = len(words) == 1 and words[0] in _PLAIN and "true" in text.lower()
    if on is None and not (open_value and said):
        return None
    return Flag(where, name, required, on, on is not None and flat.get("default") == on, text)


def _on(flat: Mapping[str, Any]) -> Any:
    """What switches a flag on; None for a value that is no flag."""
    if flat.get("type") in ("boolean", ["boolean"], ["boolean", "null"], ["null", "boolean"]):
        return True
    by = {str(value).lower(): value for value in flat.get("enum", ()) if value is not None}
    on = [value for key, value in by.items() if key in _ON]
    return on[0] if len(on) == 1 and all(key in _ON + _OFF for key in by) else None


def flagged(decision: EffectDecision, flag: Flag) -> EffectDecision:
    """What a call does with the flag set."""
    act = VERBS.get(split_words(flag.name)[0], Act.DESTROY)
    reason = f'The argument "{flag.name}" can be set, and then the call also {act.value}.'
    if decision.effect is Effect.DESTRUCTIVE:
        return decision
    return replace(decision, effect=Effect.DESTRUCTIVE, additive=False, idempotent=False, reason=reason)
