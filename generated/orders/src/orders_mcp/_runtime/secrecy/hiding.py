"""Hides what is secret by its name, in JSON values and in running text: for logs, audit lines and questions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ..values import compact_json, parse_json
from .secret_names import SecretNames

MASK = "[redacted]"
_DEEPEST = 40
_LONGEST_KEY = 200
_LONGEST_HEADER = 4096
_LONGEST_COUNT = 18
_NAME_KEYS = ("name", "key", "header", "field", "param")
_VALUE_KEYS = frozenset({"value", "values", "content", "data"})


Place = tuple["Place", str | int] | None
"""A place in a value: the place around it and the last step; None is the whole. Most are never written out."""


@dataclass(slots=True)
class Hider:
    """Copies JSON values without what is secret.

    Attributes:
        names: what is secret by its name.
        text: masks what is secret by its value.
        longest: characters from which on a text is cut; what is left tells its length and its SHA-256.
        most: items of a list or an object from which on the rest is left out.
        hidden: where something was masked or cut (RFC 6901), as far as `most` goes.
    """

    names: SecretNames
    text: Callable[[str], str]
    longest: int | None = None
    most: int | None = None
    hidden: list[str] = field(default_factory=list)

    def value(self, value: Any, place: Place = None, depth: int = 0) -> Any:
        """The copy of a value."""
        if isinstance(value, str):
            return self._string(value, place)
        if not isinstance(value, list | dict):
            return value
        if depth == _DEEPEST:
            return self._mark(place, MASK)
        if self.most is not None and len(value) > self.most:
            self._mark(place, None)
        if isinstance(value, list):
            return [self.value(item, (place, at), depth + 1) for at, item in enumerate(value[: self.most])]
        return self._object(value, place, depth)

    def _object(self, value: dict[str, Any], place: Place, depth: int) -> dict[str, Any]:
        pair = ""
        if not _VALUE_KEYS.isdisjoint(value):  # {"name": "Authorization", "value": "…"}
            pair = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
        told: dict[str, Any] = {}
        for name, inner in islice(value.items(), self.most):
            shown = self.text(name)[:_LONGEST_KEY]
            named = self.names.hide(name, inner) or (
                pair and name in _VALUE_KEYS and self.names.hide(pair, inner)
            )
            here = (place, shown)
            told[shown] = self._mark(here, MASK) if named else self.value(inner, here, depth + 1)
        return told

    def _string(self, text: str, place: Place) -> Any:
        shown = self.text(self._inner(text))
        if shown != text:
            self._mark(place, None)
        if self.longest is None or len(shown) <= self.longest:
            return shown
        digest = hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
        return self._mark(place, {"cut": shown[:100], "length": len(text), "sha256": digest})

    def _inner(self, text: str) -> str:
        """A text that is JSON itself, or holds names with values, without what these names hide."""
        if ":" in text and text.lstrip()[:1] in ("{", "["):
            try:
                inner = parse_json(text)
                shown = Hider(self.names, self.text).value(inner)
            except (ValueError, RecursionError):
                return named_text(text, self.names)
            return text if shown == inner else compact_json(shown)
        return named_text(text, self.names)

    def _mark(self, place: Place, instead: Any) -> Any:
        if self.most is None or len(self.hidden) < self.most:
            self.hidden.append(_pointer(place))
        return instead


def _pointer(place: Place) -> str:
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(str(step).replace("~", "~0").replace("/", "~1"))
    return "".join(f"/{step}" for step in reversed(steps))


# The name starts where no name goes on: a long run of letters is looked at once, not once for each letter.
_KEY = re.compile(r"""(?<![\w.-])([A-Za-z_][\w.\[\]-]{1,99})(\\{0,4}["'])?\s{0,2}[:=]\s{0,2}""")
_OPENING = re.compile(r"""[bru]{0,2}(\\{0,4}["'])""")
_BARE = re.compile(r"""[^\s&;,"'<>(){}\[\]\\]+""")
_HEADER = re.compile(r"""[^\r\n"'\\]+""")
_HEADER_NAMES = frozenset({"authorization", "cookie"})


def named_text(text: str, names: SecretNames, *, counts: bool = False) -> str:
    """A text without the values that stand after secret names.

    Found are JSON and Python literals (`"password": "…"`), form fields, queries and settings (`password=…`), and
    header lines (`Authorization: …`). A name with a colon in a sentence says something about it, and stays.

    Args:
        counts: numbers stay where they are more likely a count than a secret: `max_tokens=4096`.
    """
    if ":" not in text and "=" not in text:
        return text
    parts: list[str] = []
    done = 0
    for key in _KEY.finditer(text):
        if key.end() > done and key[1] in names:
            end = _value_end(text, key)
            value = text[key.end() : end]
            if value and not (
                counts and value.isdecimal() and not names.hide(key[1], int(value[:_LONGEST_COUNT]))
            ):
                parts += [text[done : key.end()], MASK]
                done = end
    return "".join([*parts, text[done:]]) if parts else text


def _value_end(text: str, key: re.Match[str]) -> int:
    """Where the value after a name ends; where it begins, when it can't be told from a sentence."""
    start = key.end()
    opening = _OPENING.match(text, start)
    if opening is not None:
        closing = text.find(opening[1], opening.end())
        while closing > 0 and text[closing - 1] == "\\" and not opening[1].startswith("\\"):
            closing = text.find(opening[1], closing + 1)  # an escaped quote inside the value
        return len(text) if closing < 0 else closing + len(opening[1])
    header = key[2] is None and ":" in key[0]
    if header and ("-" in key[1] or key[1].lower() in _HEADER_NAMES):
        found = _HEADER.match(text, start, start + _LONGEST_HEADER)
    elif header:
        return start
    else:
        found = _BARE.match(text, start)
    return (
        start
        if found is None or found[0] in ("null", "None", "true", "false", "True", "False")
        else found.end()
    )
