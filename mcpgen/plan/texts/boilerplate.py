"""What nearly all operations of a document say: it tells nothing about any of them, so none repeats it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from mcpgen.ir.api import Operation
from mcpgen.plan.texts.failures import failure_of
from mcpgen.plan.texts.limits import shared_scopes
from mcpgen.plan.texts.text import clean_text, sentences

_FEWEST = 10
"""Operations from which on repetition is no accident."""
_SHARE = 0.5


def shared_sentences(operations: Sequence[Operation]) -> frozenset[str]:
    """The sentences that more than half of the operations have in their descriptions."""
    return _shared(operations, lambda one: _sentences(one.description))


def shared_failures(operations: Sequence[Operation]) -> frozenset[str]:
    """The failures (`418 text`) and scopes that more than half of the operations have with the same words."""
    return _shared(operations, _conditions)


def _sentences(text: str) -> Iterable[str]:
    return (piece for line in clean_text(text).split("\n") for piece in sentences(line))


def _conditions(operation: Operation) -> Iterable[str]:
    scopes = shared_scopes(operation)
    failures = [f"{r.status} {failure_of(r)}" for r in operation.responses if r.status[:1] == "4"]
    return [*failures, scopes] if scopes else failures


def _shared(operations: Sequence[Operation], said: Callable[[Operation], Iterable[str]]) -> frozenset[str]:
    if len(operations) < _FEWEST:
        return frozenset()
    counts = Counter(piece for one in operations for piece in dict.fromkeys(said(one)))
    return frozenset(piece for piece, count in counts.items() if count > len(operations) * _SHARE)
