"""Keeps secrets out of everything that leaves the server, by value: results, confirmations, logs."""

from __future__ import annotations

import logging
import re
import sys
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote

MASK = "[redacted]"
_SHORTEST = 4
"""Anything shorter is no secret, and its letters would be masked everywhere."""
_ANYWHERE = 8
"""From this length on a value is masked inside other words too."""


class Redactor:
    """Knows the credentials of this process and masks them in text and JSON values.

    Names that identify rather than prove (a user, a client) are masked in messages only: in an API's data
    they are often ordinary words.
    """

    def __init__(self) -> None:
        self._secrets = _Words()
        self._all = _Words()
        self._caller: ContextVar[_Words | None] = ContextVar("caller's credential", default=None)

    def add(self, credential: str, *, secret: bool = True) -> None:
        """Learns a credential, in its plain and its percent-encoded form."""
        for known in (self._all, self._secrets) if secret else (self._all,):
            known.add(credential, quote(credential, safe=""))

    def add_for_this_call(self, credential: str) -> None:
        """Learns a credential of the caller. Only the call that brought it knows it, and it is gone with that call."""
        words = _Words()
        words.add(credential, quote(credential, safe=""))
        self._caller.set(words)

    def text(self, text: str) -> str:
        """A message, a log line or a question to the user with all credentials masked."""
        caller = self._caller.get()
        return self._all.mask(text if caller is None else caller.mask(text))

    def value(self, value: Any) -> Any:
        """An API's JSON value with secrets masked in all its texts and keys."""
        known = [words for words in (self._caller.get(), self._secrets) if words]
        return _masked(value, known) if known else value


def _masked(value: Any, known: list[_Words]) -> Any:
    if isinstance(value, str):
        for words in known:
            value = words.mask(value)
        return value
    if isinstance(value, list):
        return [_masked(item, known) for item in value]
    if isinstance(value, dict):
        return {_masked(key, known): _masked(item, known) for key, item in value.items()}
    return value


class _Words:
    """A set of words and the pattern that finds any of them."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def add(self, *words: str) -> None:
        new = {word for word in words if len(word) >= _SHORTEST} - self._words
        if new:
            self._words |= new
            longest_first = sorted(self._words, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(_expression, longest_first)))

    def mask(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(MASK, text)


def _expression(secret: str) -> str:
    if len(secret) >= _ANYWHERE:
        return re.escape(secret)
    return rf"(?<!\w){re.escape(secret)}(?!\w)"


class RedactingFormatter(logging.Formatter):
    """A log formatter that masks secrets in the finished line, tracebacks included."""

    def __init__(self, redactor: Redactor, fmt: str) -> None:
        super().__init__(fmt)
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.text(super().format(record))


def log_to_stderr(redactor: Redactor, level: str) -> None:
    """Sends the log of this process to standard error, every line masked."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter(redactor, "%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in ("httpx2", "httpcore2"):  # they log whole addresses, and a key can be in the query
        logging.getLogger(name).setLevel(logging.WARNING)
