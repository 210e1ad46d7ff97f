"""The texts of one action of an operation: what the document says of the other actions is left out."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from mcpgen.ir.api import Operation
from mcpgen.plan.cutting.model import Action
from mcpgen.plan.effects.verbs import name_verbs, text_verbs
from mcpgen.plan.effects.words import lemma
from mcpgen.plan.texts.text import clean_text, first_sentence, sentences

_CARRIERS = frozenset(
    "manage handle process execute perform do operate control run invoke apply submit post send use call change make initiate create trigger".split()
)
"""Verbs that say nothing without the action that they carry."""
_CARRIED = re.compile(r"\b(?:actions?|operations?|commands?)\b|操作|动作|命令", re.IGNORECASE)


def narrowed(operation: Operation, action: Action, title: str) -> Operation:
    """The operation as if it had only this action.

    Sentences that name another value (in code or quotes, or at the start of a line of a list) and not this one go;
    what the document says about the value itself is added. The summary, which all actions share, gives way to what the
    document says about this one, else to the title of the tool; it stays in the description unless it is about others.
    """
    if action.left_out or action.inherent:
        return operation
    said = [piece for line in clean_text(operation.description).split("\n") for piece in sentences(line)]
    own = (action.value, action.label)
    kept = [piece for piece in said if _any(piece, own) or not _any(piece, action.others)]
    text = clean_text(action.text).strip()
    if text and text != action.label and not any(text in piece for piece in kept):
        kept.insert(0, _ended(text))
    summary = operation.summary.strip()
    others = any(_mentions(summary, other) for other in action.others)
    if others or action.further or not any(_mentions(summary, one) for one in own):
        told = {piece.rstrip(".").lower() for piece in kept}
        if summary and not others and not _carries(summary) and summary.rstrip(".").lower() not in told:
            kept.insert(0, _ended(summary))
        summary = first_sentence(text) if _acts(text) and not action.further else title
    return replace(operation, summary=summary, description=" ".join(kept))


def _ended(text: str) -> str:
    return text if text[-1] in ".!?。！？" else f"{text}."


def _acts(text: str) -> bool:
    """Whether a text says what is done: it begins with a verb that has an object."""
    verbs = text_verbs(text)
    return bool(verbs) and verbs[0].leading and len(text.split()) > 2 and text.isascii()


def _carries(summary: str) -> bool:
    """Whether a summary is about actions in general: "Manage an order", "Perform an action on a server"."""
    words = summary.lower().split()
    first = lemma(words[0]) if words else ""
    general = _CARRIED.search(summary) is not None
    if first in _CARRIERS:
        return general or first in ("manage", "handle", "control")
    return general and not name_verbs(summary)


def _any(text: str, values: Collection[str]) -> bool:
    return any(_names(text, value) for value in values if value)


def _names(text: str, value: str) -> bool:
    """Whether a sentence names a value as a value: `cancel`, "cancel" or 'cancel', or `cancel:` at its beginning."""
    spelt = re.escape(value)
    listed = rf"^[\s*•·-]*{spelt}\s*(?:[:：=]|\s[-–—]\s)"
    return re.search(rf"([`\"'“”‘’「]){spelt}[`\"'“”‘’」]|{listed}", text) is not None


def _mentions(text: str, value: str) -> bool:
    if value.isdigit():
        return False
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None
