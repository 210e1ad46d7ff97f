"""What codes and words of an error point to, in the languages that APIs speak.

A pattern is a whole phrase wherever a single word, such as `limit` or `state`, could be the name of an argument.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from .languages import BY_LANGUAGE, UNSPACED
from .phrases import ENGLISH, IN_CODES

_LOOKED_AT = 4096
_WORD_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


class Signal(StrEnum):
    """A meaning that a phrase can have; values are the keys of the tables of phrases."""

    TRANSIENT = "transient"
    """Too fast, or not just now."""
    PER_TIME = "per_time"
    """A rate, or a time to come back: what is used up is soon renewed."""
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    VALIDATION = "validation"
    CHECKED = "checked"
    """A check of the input failed; it may have been one against the API's rules."""
    RULE = "rule"
    """Money, quota, plan, policy: no other arguments help."""
    STATE = "state"
    """How things are: taken, closed, limit reached. Other arguments may help, where a field is named."""
    ALLOWANCE = "allowance"
    USED_UP = "used_up"
    """With `ALLOWANCE` in one text: the quota of a plan or a month is spent."""
    SPENT = "spent"
    """The same, in one phrase that nothing else means."""
    BROKEN = "broken"
    """The API itself is at fault."""


def of_words(text: str) -> frozenset[Signal]:
    """What an API's words point to."""
    plain = " ".join(text[:_LOOKED_AT].casefold().replace("\u2019", "'").split())
    return frozenset(signal for signal in Signal if _in_words(signal).search(plain))


def of_code(code: str) -> frozenset[Signal]:
    """What a machine code points to: `rateLimitExceeded` is read as `rate limit exceeded`."""
    plain = _WORD_BORDER.sub(" ", code[:200]).casefold().strip()
    return frozenset(signal for signal in Signal if _in_code(signal).search(plain))


@cache
def _in_words(signal: Signal) -> re.Pattern[str]:
    spaced = (*ENGLISH.get(signal, ()), *BY_LANGUAGE.get(signal, ()))
    return _any(spaced, UNSPACED.get(signal, ()))


@cache
def _in_code(signal: Signal) -> re.Pattern[str]:
    return _any((*ENGLISH.get(signal, ()), *IN_CODES.get(signal, ())), ())


def _any(spaced: tuple[str, ...], unspaced: tuple[str, ...]) -> re.Pattern[str]:
    parts = ([rf"\b(?:{'|'.join(spaced)})"] if spaced else []) + list(unspaced)
    return re.compile("|".join(parts) or r"(?!)")
