"""When another tool of the server is the right one, in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcpgen.plan.effects.words import is_verb, lemma
from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.siblings import Sibling, SiblingKind

_LONGEST = 60
_CLAUSE = re.compile(
    r"\s*(?:[.;:](?=\s|$)|[(。；：（]|, (?:and|or|which|including|with)\b| - | – ).*$", re.DOTALL
)
_INTRO = re.compile(
    r"^(?:use this (?:\w+ )?(?:method|endpoint|operation|api|call) to|this (?:method|endpoint|operation|api|call) (?:allows you to|lets you|is used to|will|can))\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+")


def boundary_text(siblings: Sequence[Sibling], phrases: Phrases) -> list[str]:
    """One sentence for each sibling, in their order."""
    return [_sentence(item, phrases) for item in siblings]


_BY_SUMMARY = frozenset(
    {
        SiblingKind.CREATE,
        SiblingKind.CHANGE,
        SiblingKind.REMOVE,
        SiblingKind.SEVERAL,
        SiblingKind.REVERSE,
        SiblingKind.OTHER,
    }
)
"""Kinds for which the sibling's own summary says more than a phrase."""


def _sentence(item: Sibling, phrases: Phrases) -> str:
    what = _CLAUSE.sub("", _INTRO.sub("", item.summary)).rstrip()
    what = what if len(what) <= _LONGEST else ""
    infinitive = _infinitive(what) if phrases.language.startswith("en") else ""
    if item.kind in _BY_SUMMARY and what and not phrases.language.startswith("en"):
        return phrases.say("siblings.other", what=what, name=item.name)
    if infinitive and item.kind in _BY_SUMMARY:
        return phrases.say("siblings.to", what=infinitive, name=item.name)
    if item.kind is SiblingKind.OTHER:
        named = item.name.replace("_", " ")
        infinitive = "" if what or not phrases.language.startswith("en") else _infinitive(named)
        if infinitive:
            return phrases.say("siblings.to", what=infinitive, name=item.name)
        return phrases.say("siblings.other", what=what or named, name=item.name)
    return phrases.say(f"siblings.{item.kind}", what=item.what or "id", name=item.name)


def _infinitive(what: str) -> str:
    """`Cancels an order` as `cancel an order`; nothing where the text does not begin with a verb."""
    match = _WORD.match(what)
    if match is None or not what.isascii():
        return ""
    first = match.group().lower()
    base = lemma(first)
    rest = what[match.end() :]
    if (
        not is_verb(base)
        or not rest.startswith(" ")
        or first not in (base, f"{base}s", f"{base}es", f"{base[:-1]}ies")
    ):
        return ""
    if re.search(r"[\"`'“”]", rest):
        return ""
    # A second verb of a third-person summary would stay in the third person: "Finds and deletes".
    if first != base and re.search(r"\b(?:and|or) \w+s\b", rest):
        return ""
    return f"{base}{rest}"
