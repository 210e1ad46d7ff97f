"""Keeps secrets out of everything that leaves the server, by value: results, confirmations, logs."""

from __future__ import annotations

import logging
import re
from typing import Any
from urllib.parse import quote

MASK = "[redacted]"
_SHORTEST = 4
"""Anything shorter is no secret, and its letters would be masked everywhere."""
_ANYWHERE = 8
"""From this length on a value is masked inside other words too."""


class Redactor:
    """Knows the secret values of this process and masks them in text and JSON values."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, secret: str) -> None:
        """Learns a secret, in its plain and its percent-encoded form."""
        forms = {secret, quote(secret, safe="")} - self._secrets
        forms = {form for form in forms if len(form) >= _SHORTEST}
        if forms:
            self._secrets |= forms
            self._pattern = re.compile(
                "|".join(map(_expression, sorted(self._secrets, key=len, reverse=True)))
            )

    def text(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def found_in(self, text: str) -> bool:
        return self._pattern is not None and self._pattern.search(text) is not None

    def value(self, value: Any) -> Any:
        """A JSON value with secrets masked in all its texts and keys."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.value(item) for key, item in value.items()}
        return value


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
