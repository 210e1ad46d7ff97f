"""Keeps secrets out of everything that leaves the server: results by value, what operators read by name too."""

from __future__ import annotations

import logging
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

from ..values import compact_json
from ..visible import with_unseen_escaped
from .hiding import MASK, Hider, named_text
from .secret_forms import forms
from .secret_names import SecretNames

_SHORTEST = 4
"""Anything shorter is no secret, and its letters would be masked everywhere."""
_ANYWHERE = 8
"""From this length on a value is masked inside other words too."""
_MOST_TOKENS = 32
_MOST_VALUES = 200


class Redactor:
    """Knows the credentials of this process and masks them in text and JSON values.

    Names that identify rather than prove (a user, a client) are masked in messages only: in an API's data
    they are often ordinary words.

    Args:
        further: names of fields, beyond the usual ones, whose values nobody but the caller and the API may see.
    """

    def __init__(self, further: Iterable[str] = ()) -> None:
        self.names = SecretNames(further)
        self._secrets = _Words()
        self._all = _Words()
        self._caller: ContextVar[_Words | None] = ContextVar("caller's credential", default=None)
        self._arguments: ContextVar[_Arguments | None] = ContextVar("arguments of this call", default=None)

    def add(self, credential: str, *, secret: bool = True) -> None:
        """Learns a credential, in all its forms."""
        for known in (self._all, self._secrets) if secret else (self._all,):
            known.add(credential)

    def add_token(self, token: str) -> None:
        """Learns a token that will be replaced by others; only the last ones are remembered."""
        for known in (self._all, self._secrets):
            known.add(token, passing=True)

    def add_for_this_call(self, credential: str) -> None:
        """Learns a credential of the caller. Only the call that brought it knows it, and it is gone with that call."""
        words, known = _Words(), self._caller.get()
        for one in (*(() if known is None else known.credentials), credential):
            words.add(one)
        self._caller.set(words)

    def watch(self, arguments: Mapping[str, Any], names: SecretNames | None = None) -> None:
        """From here on this call's log lines don't show the arguments whose names are secret."""
        self._arguments.set(_Arguments(arguments, names or self.names))

    def text(self, text: str) -> str:
        """A message or a question to the user with all credentials masked."""
        caller = self._caller.get()
        return self._all.mask(text if caller is None else caller.mask(text))

    def log_text(self, text: str) -> str:
        """A text for the operator: credentials are masked, secret arguments of this call, and what names tell."""
        arguments = self._arguments.get()
        masked = self.text(text if arguments is None else arguments.words.mask(text))
        return named_text(masked, self.names)

    def quotation(self, text: str) -> str:
        """Words of an API about a failure, which the model gets: as `log_text`, but for counts (`max_tokens=4096`)."""
        arguments = self._arguments.get()
        masked = self.text(text if arguments is None else arguments.words.mask(text))
        return named_text(masked, self.names, counts=True)

    def value(self, value: Any) -> Any:
        """An API's JSON value with secrets masked in all its texts and keys."""
        known = [words for words in (self._caller.get(), self._secrets) if words]
        return _masked(value, known) if known and _may_hold(value, known) else value

    def holds_secret(self, content: str | bytes) -> bool:
        """Whether a text, or bytes in UTF-8, hold a secret."""
        known = [words for words in (self._caller.get(), self._secrets) if words]
        return any(words.inside(content) for words in known)

    def shown(
        self,
        value: Any,
        names: SecretNames | None = None,
        *,
        longest: int | None = None,
        most: int | None = None,
    ) -> tuple[Any, list[str]]:
        """A copy of a value for the operator's eyes, without secrets by value and by name.

        Args:
            names: what is secret by its name; by default, what is in the call under way.
            longest, most: see `Hider`.

        Returns:
            The copy, and pointers to what was masked or cut in it.
        """
        arguments = self._arguments.get()
        own = None if arguments is None else arguments.words
        known = [words for words in (own, self._caller.get(), self._all) if words]

        def mask(text: str) -> str:
            return str(_masked(text, known))

        told = self.names if arguments is None else arguments.names
        hider = Hider(names or told, mask if _may_hold(value, known) else str, longest, most)
        return hider.value(value), hider.hidden


def _may_hold(value: Any, known: list[_Words]) -> bool:
    """Whether a look at all texts of a value is worth it: its JSON is searched much faster."""
    try:
        text = compact_json(value)
    except (TypeError, ValueError, RecursionError):
        return True
    return any(words.inside(text) for words in known)


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
    """Credentials in all their forms, and the pattern that finds any of them."""

    def __init__(self) -> None:
        self._lasting: dict[str, frozenset[str]] = {}
        self._passing: dict[str, frozenset[str]] = {}
        self._texts: tuple[str, ...] = ()
        self._bytes: tuple[bytes, ...] = ()
        self._pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        return bool(self._texts)

    @property
    def credentials(self) -> tuple[str, ...]:
        return (*self._lasting, *self._passing)

    def add(self, credential: str, *, passing: bool = False) -> None:
        if credential in self._passing:  # the one used last goes last
            self._passing[credential] = self._passing.pop(credential)
        if len(credential) < _SHORTEST or credential in self._lasting or credential in self._passing:
            return
        kept = self._passing if passing else self._lasting
        kept[credential] = frozenset(form for form in forms(credential) if len(form) >= _SHORTEST)
        if len(self._passing) > _MOST_TOKENS:
            del self._passing[next(iter(self._passing))]
        every = frozenset().union(*self._lasting.values(), *self._passing.values())
        self._texts = tuple(sorted(every, key=lambda form: (-len(form), form)))
        self._bytes = tuple(text.encode("utf-8", "surrogatepass") for text in self._texts)
        self._pattern = None

    def inside(self, content: str | bytes) -> bool:
        """Whether any of them may be there; short ones inside other words don't count in the end."""
        if isinstance(content, bytes):
            return any(form in content for form in self._bytes if len(form) >= _ANYWHERE)
        return any(form in content for form in self._texts)

    def mask(self, text: str) -> str:
        if not self.inside(text):
            return text
        if self._pattern is None:  # it is seldom needed, and made anew for every new token
            self._pattern = re.compile("|".join(map(_expression, self._texts)))
        return self._pattern.sub(MASK, text)


def _expression(secret: str) -> str:
    if len(secret) >= _ANYWHERE:
        return re.escape(secret)
    return rf"(?<!\w){re.escape(secret)}(?!\w)"


class _Arguments:
    """The secret arguments of a call; they are looked for when the first line is logged, if one is."""

    def __init__(self, arguments: Mapping[str, Any], names: SecretNames) -> None:
        self._arguments = arguments
        self.names = names
        self._words: _Words | None = None

    @property
    def words(self) -> _Words:
        if self._words is None:
            self._words = _Words()
            for count, value in enumerate(_secret_texts(self._arguments, self.names)):
                if count == _MOST_VALUES:
                    break
                self._words.add(value)
        return self._words


def _secret_texts(value: Any, names: SecretNames, named: bool = False) -> Iterator[str]:
    """Texts and numbers under secret names."""
    waiting = [(value, named)]
    while waiting:
        found, secret = waiting.pop()
        if isinstance(found, Mapping):
            waiting += [(inner, secret or names.hide(name, inner)) for name, inner in found.items()]
        elif isinstance(found, list):
            waiting += [(inner, secret) for inner in found]
        elif secret and isinstance(found, str | int | float) and not isinstance(found, bool):
            yield str(found)


class RedactingFormatter(logging.Formatter):
    """A log formatter that masks secrets in the finished line, tracebacks included.

    Texts of others are in these lines. What a terminal would obey is escaped, and the lines after the first of a message
    are set in, so that none of them can pass for a message of its own.
    """

    def __init__(self, redactor: Redactor, fmt: str) -> None:
        super().__init__(fmt)
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        text = self._redactor.log_text(super().format(record))
        return "\n  ".join(with_unseen_escaped(line) for line in text.split("\n"))


def log_to_stderr(redactor: Redactor, level: str, package: str | None = None) -> None:
    """Sends the log of this process to standard error, every line masked.

    The level is that of this server's own lines: this library's, and those of the generated package, which need not be the
    one that the library lies in. Other libraries write whole messages at DEBUG, and whole addresses at INFO.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter(redactor, "%(asctime)s %(levelname)s %(name)s: %(message)s"))
    chosen = logging.getLevelNamesMapping()[level]
    logging.basicConfig(handlers=[handler], level=max(chosen, logging.INFO), force=True)
    for own in filter(None, (__name__.partition(".")[0], package)):
        logging.getLogger(own).setLevel(chosen)
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)


def log_crashes() -> None:
    """What would end the process with a traceback on standard error goes through the log, where it is masked."""
    told = logging.getLogger(__name__)
    sys.excepthook = lambda kind, error, trace: told.critical("crashed", exc_info=(kind, error, trace))
    threading.excepthook = lambda crash: told.critical(
        "a thread crashed",
        exc_info=(crash.exc_type, crash.exc_value or crash.exc_type(), crash.exc_traceback),
    )
