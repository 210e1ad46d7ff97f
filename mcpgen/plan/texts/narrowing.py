"""The texts of one action of an operation: what the document says of the other actions is left out."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from mcpgen.ir.api import Operation
from mcpgen.plan.texts.text import clean_text, sentences


def narrowed(operation: Operation, action: str, others: Collection[str], title: str) -> Operation:
    """The operation as if it had only this action.

    Sentences that name another value (in code or quotes) and not this one go; the summary, which speaks of all
    actions, gives way to the title of the tool where it names another one.
    """
    said = [piece for line in clean_text(operation.description).split("\n") for piece in sentences(line)]
    kept = [
        piece for piece in said if _names(piece, action) or not any(_names(piece, other) for other in others)
    ]
    summary = operation.summary
    if any(_mentions(summary, other) for other in others):
        summary = title
    return replace(operation, summary=summary, description=" ".join(kept))


def applies(description: str, action: str, others: Collection[str]) -> bool:
    """Whether an optional argument belongs to an action: not when its text speaks of other actions only."""
    text = clean_text(description)
    return _names(text, action) or not any(_names(text, other) for other in others)


def _names(text: str, value: str) -> bool:
    """Whether a sentence names a value as a value: `cancel`, "cancel" or 'cancel'."""
    return re.search(rf"([`\"'“”‘’「]){re.escape(value)}[`\"'“”‘’」]", text) is not None


def _mentions(text: str, value: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None
