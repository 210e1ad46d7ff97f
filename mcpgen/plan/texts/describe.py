"""Writes what a model reads about a tool: only what the document says, essentials first.

The five elements of a good description, each in its own module: what it does and returns (`purpose`, `returns`), inputs
(`inputs`), an example (`calls`), limits and failures (`limits`), when a sibling is the right one (`boundary`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mcpgen.ir.api import Operation, Schema
from mcpgen.plan.following import PagingPlan
from mcpgen.plan.overrides.model import TextOverrides
from mcpgen.plan.texts.boundary import boundary_text
from mcpgen.plan.texts.inputs import inputs_text
from mcpgen.plan.texts.limits import limits_text
from mcpgen.plan.texts.phrases import Phrases, phrases_in
from mcpgen.plan.texts.purpose import Purpose
from mcpgen.plan.texts.returns import Answered, returns_text
from mcpgen.plan.texts.siblings import Sibling
from mcpgen.plan.texts.text import shorten
from mcpgen.plan.texts.words import ended, weight

TOKENS = 120
"""What a description of the level `standard` should cost at most."""
FULL = 1200
"""Characters of a description of the level `full`: more would cost more than it tells."""
HARD_LIMIT = 4096
_LEAD = 480
_SENTENCES = 6
"""An element has no more."""


class Level(StrEnum):
    """How long descriptions are.

    `BRIEF`: what it does, a warning, and the closest sibling. `STANDARD`: all five elements within about 120 tokens.
    `FULL`: all that the document says, within 1,200 characters.
    """

    BRIEF = "brief"
    STANDARD = "standard"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a tool.

    Attributes:
        operation: the source of every word but the fixed phrases.
        destructive: whether it destroys something.
        repeated: what a second call does (`adds`, `nothing`, `again`), "" where nobody needs to know.
        reads: whether it changes nothing.
        siblings: the tools to point at.
        answer: what comes back, None where nothing is known.
        inputs: the published input schema.
        paging: how its list is paged.
        action: the fixed value of a tool that is one action of its operation.
        example: an example of a call, as a sentence.
        name: the tool's name.
    """

    operation: Operation
    destructive: bool = False
    siblings: Sequence[Sibling] = ()
    answer: Answered | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    paging: PagingPlan | None = None
    action: str = ""
    example: str = ""
    name: str = ""
    repeated: str = ""
    reads: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """How all tools of an API are described.

    `sentences` and `failures` are those that nearly all operations share: no description repeats them.
    """

    phrases: Phrases = field(default_factory=lambda: phrases_in("en"))
    level: Level = Level.STANDARD
    sentences: frozenset[str] = frozenset()
    failures: frozenset[str] = frozenset()
    schemas: Mapping[str, Schema] = field(default_factory=dict)


def describe_tool(facts: Facts, manner: Manner, own: TextOverrides | None = None) -> str:
    """Describes a tool for the model that chooses and calls it.

    What it does comes first, then what else the document says of it, what it returns, which arguments go together, how
    it fails, when a sibling is better, and an example. Where that is too long, the document's text gives way first.

    Args:
        own: texts that replace elements, or the whole; an empty one drops its element.
    """
    own = own or TextOverrides()
    if own.description is not None:
        return own.description
    purpose = Purpose(facts.operation, facts.name, manner.phrases["stop"], manner.sentences)
    lead = own.purpose if own.purpose is not None else shorten(purpose.lead, _LEAD)
    elements = _elements(facts, manner, own, f"{lead} {purpose.detail}")
    notes = _within(elements, _said(own), TOKENS - weight(lead), manner)
    body = "" if own.purpose is not None else _body(purpose, lead, notes, manner)
    text = _joined(lead, body, manner.phrases["gap"])
    return "\n".join(part for part in (text, manner.phrases["gap"].join(notes)) if part)[:HARD_LIMIT]


@dataclass(frozen=True, slots=True)
class _Elements:
    """The sentences of each element; `first` are a few words that always stay."""

    first: list[str]
    returns: list[str]
    inputs: list[str]
    limits: list[str]
    boundary: list[str]
    example: list[str]


def _elements(facts: Facts, manner: Manner, own: TextOverrides, known: str) -> _Elements:
    words, operation = manner.phrases, facts.operation
    limits = [own.limits] if own.limits is not None else limits_text(
        operation,
        paging=facts.paging,
        properties=facts.inputs.get("properties") or {},
        status=facts.answer.status if facts.answer is not None else 200,
        destructive=facts.destructive,
        repeated=facts.repeated,
        reads=facts.reads,
        schemas=manner.schemas,
        shared=manner.failures,
        known=known,
        phrases=words,
    )  # fmt: skip
    first = [words["deprecated"]] if operation.deprecated else []
    first += [ended(words.say("fixed", what=f'"{facts.action}"'), words["stop"])] if facts.action else []
    return _Elements(
        first,
        [returns_text(operation, facts.answer, known, manner.schemas, words)] if own.purpose is None else [],
        [own.inputs if own.inputs is not None else inputs_text(facts.inputs, known, words)],
        limits,
        [own.when_to_use] if own.when_to_use is not None else boundary_text(facts.siblings, words),
        [own.example if own.example is not None else facts.example],
    )


def _said(own: TextOverrides) -> frozenset[int]:
    """The elements that somebody wrote, by their position among the notes: they stay, however long they are."""
    written = (None, None, own.inputs, own.limits, own.when_to_use, own.example)
    return frozenset(index for index, text in enumerate(written) if text)


def _within(elements: _Elements, said: frozenset[int], room: int, manner: Manner) -> list[str]:
    """The sentences that fit, each element before any has a second sentence, in the order in which they are read."""
    if manner.level is Level.BRIEF:
        warning = [text for text in elements.limits if text == manner.phrases["destructive"] or 3 in said]
        return [text for text in (*elements.first, *warning, *elements.boundary[:1]) if text]
    order = [
        elements.first, elements.returns, elements.inputs, elements.limits, elements.boundary, elements.example,
    ]  # fmt: skip
    if manner.level is Level.FULL:
        return [text for part in order for text in part if text]
    ranked = [
        (part, index)
        for index in range(_SENTENCES)
        for part in (0, 4, 3, 1, 5, 2)
        if index < len(order[part])
    ]
    kept: set[tuple[int, int]] = set()
    for part, index in ranked:
        cost = weight(order[part][index])
        if part == 0 or part in said or cost <= room:
            kept.add((part, index))
            room -= cost
    return [order[part][index] for part, index in sorted(kept) if order[part][index]]


def _body(purpose: Purpose, lead: str, notes: Sequence[str], manner: Manner) -> str:
    if manner.level is Level.BRIEF:
        return ""
    if manner.level is Level.FULL:
        return purpose.whole(FULL - len(lead) - sum(len(note) + 1 for note in notes) - 2)
    return purpose.body(TOKENS - weight(lead) - sum(map(weight, notes)))


def _joined(lead: str, body: str, gap: str) -> str:
    if not body or not lead:
        return lead or body
    return f"{lead}\n{body}" if "\n" in body or body.startswith("- ") else f"{lead}{gap}{body}"
