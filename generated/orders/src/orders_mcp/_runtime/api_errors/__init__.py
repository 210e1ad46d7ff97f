"""Says what an API's refusal means: its category, whether repeating helps, the API's own words.

`bodies` and `markup` read what was sent, `reading` and `keys` find what it says, `fields` finds the arguments that it
is about, `classify` decides by the phrases of `signals`, and `words` makes what can be quoted. They are imported with
the first error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..operation import Operation
    from ..outcomes.failures import Failure
    from ..secrecy.redact import Redactor
    from ..transport.client import Answer


def failure_of(answer: Answer, operation: Operation, redactor: Redactor) -> Failure:
    """The failure that an answer other than a success is."""
    from .judging import failure_of as judged

    return judged(answer, operation, redactor)


def refusal_in(answer: Answer, value: Any, operation: Operation, redactor: Redactor) -> Failure | None:
    """The failure that an answer with the status of a success is, when it holds an error and no data.

    None where the published schema admits the value: what an API documents as a success stays one.
    """
    from .judging import refusal_in as judged

    return judged(answer, value, operation, redactor)
