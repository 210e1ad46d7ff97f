"""The ways a call can fail, sorted by what the caller can do about it (the result contract's `category`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Category(StrEnum):
    """What kind of failure it is; the values are part of the result contract."""

    VALIDATION = "validation"
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    BUSINESS = "business"
    TRANSIENT = "transient"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure as the model sees it.

    Attributes:
        message: the cause; no secret, no host-internal detail, no advice for operators.
        retryable: whether any repeat can succeed: after a correction (validation) or a wait (transient).
        status: the HTTP status, when the API answered.
        wait: seconds to wait before the same call is worth repeating.
        hint: what to do next, when the failure itself knows; otherwise the catalogue is asked.
        outcome_unknown: a write whose effect or result is not known: a look can tell.
        harmless_again: of such a write: the same call again changes nothing further.
    """

    category: Category
    message: str
    retryable: bool = False
    status: int | None = None
    wait: int | None = None
    hint: str | None = None
    outcome_unknown: bool = False
    harmless_again: bool = False


class CallFailed(Exception):
    """Ends a call with a failure that is already worded for the model. Anything else raised is a bug."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.message)


def with_words(message: str, words: str) -> str:
    """A message and more words after it; what an API says seldom ends as a sentence does."""
    return f"{message}{'' if message.endswith(('.', '!', '?', '…')) else '.'} {words}"


def invalid(message: str, hint: str | None = None) -> CallFailed:
    """The arguments are wrong: nothing was sent, and a corrected call can succeed."""
    return CallFailed(Failure(Category.VALIDATION, message, retryable=True, hint=hint))


def refused(message: str) -> CallFailed:
    """Not allowed as things are: nothing was sent, and repeating does not help."""
    return CallFailed(Failure(Category.PERMISSION, message))


def broken(message: str) -> CallFailed:
    """The server itself or its set-up is at fault. Details belong in the log."""
    return CallFailed(Failure(Category.INTERNAL, message))
