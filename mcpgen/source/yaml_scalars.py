"""What single YAML scalars mean under OpenAPI's JSON rules, and where entries are written."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mcpgen.source.document import Position

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_TAG = "tag:yaml.org,2002:"
PLAIN_TAGS = frozenset(_TAG + name for name in ("int", "float", "bool", "null"))
KNOWN_TAGS = (
    PLAIN_TAGS
    | {"!"}
    | {_TAG + name for name in ("str", "binary", "timestamp", "map", "seq", "omap", "set", "merge", "value")}
)


@dataclass(slots=True)
class YamlPositions:
    """Where things are written: for each container, the line and column of each entry, in order."""

    root: Any = None
    marks: dict[int, array[int]] = field(default_factory=dict)

    def find(self, keys: Sequence[str]) -> Position | None:
        value, place = self.root, (1, 1)
        for key in keys:
            marks = self.marks.get(id(value))
            if marks is None:
                break
            index = entry_index(value, key)
            if index is None:
                break
            place = (marks[2 * index] + 1, marks[2 * index + 1] + 1)
            value = value[key] if isinstance(value, dict) else value[index]
        return place


def entry_index(value: Any, key: str) -> int | None:
    """The position of an entry among the others of its container."""
    if isinstance(value, dict):
        return next((index for index, name in enumerate(value) if name == key), None)
    return int(key) if key.isdecimal() and int(key) < len(value) else None


def plain(text: str) -> Any:
    """What an unquoted scalar means: a word, a JSON number, or itself.

    A number too large for a float and an integer too long for Python stay text, so that nothing becomes infinite.
    """
    first = text[:1]
    if first in "-0123456789" and first:
        if _INTEGER.match(text):
            try:
                return int(text)
            except ValueError:
                return text
        if _NUMBER.match(text):
            number = float(text)
            return number if math.isfinite(number) else text
        return text
    return _WORDS.get(text, text)
