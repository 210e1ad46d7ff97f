"""What in a text is meant for a model and not for people: characters that nobody sees, sentences that give orders.

The sentences are of the kinds that published attacks use (MCPTox, MSB, OWASP MCP03): override what was said before, keep something
from the user, fetch secrets first, prefer this tool to all others. Detection runs on the text in compatibility form without invisible
characters, so that neither splits a word. All repetitions are bounded.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from mcpgen.plan.texts.orders import KINDS

_LONGEST = 40_000
_SHOWN = 80
_SHORTEST = 14
"""Plain characters that an order has at least; names and values are mostly shorter."""
_BIDI = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
_ZERO_WIDTH = frozenset("\u200b\u2060\u2061\u2062\u2063\u2064\u180e\u00ad\u034f\u115f\u1160\u3164\uffa0")
_HARMLESS = frozenset("\ufeff\u200c\u200d\u200e\u200f\u202c\u2069\ufe0f\ufe0e\u061c")
"""Marks that scripts and emoji need, and the byte order mark: no finding unless there is a row of them."""
_ROW = 4
_SUSPECT = re.compile(
    r"[^\x09\x0a\x0d\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u0370-\u0600\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9f]"
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Invisible characters in a text: what they are, and whether they can only be there to deceive."""

    what: str
    hostile: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """A sentence that speaks to the model. `certain` where no text about an API says such a thing."""

    shown: str
    what: str
    certain: bool


def plain(text: str) -> str:
    """The text in compatibility form, without marks that nobody sees (for comparing, not for showing)."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")


def hidden_in(text: str) -> Hidden | None:
    """The worst kind of invisible character in a text, if there is one."""
    signs = _SUSPECT.findall(text[:_LONGEST])
    if not signs:
        return None
    if any(0xE0000 <= ord(sign) <= 0xE007F for sign in signs):
        return Hidden("tag characters, which spell a text that only models read", True)
    if any(0xE0100 <= ord(sign) <= 0xE01EF for sign in signs):
        return Hidden("variation selectors, which can carry any bytes", True)
    if any(sign in _BIDI for sign in signs):
        return Hidden("marks that change the order in which people read it", True)
    if any(sign == "\x1b" for sign in signs):
        return Hidden("escape sequences for terminals", True)
    if re.search(rf"[{''.join(_ZERO_WIDTH | _HARMLESS)}]{{{_ROW}}}", text[:_LONGEST]):
        return Hidden("a row of characters without width", True)
    if any(sign in _ZERO_WIDTH for sign in signs):
        return Hidden("characters without width", False)
    if any(unicodedata.category(sign) in ("Cc", "Co") for sign in signs):
        return Hidden("control characters", False)
    return None


def instruction_in(text: str) -> Instruction | None:
    """The first sentence of a text that speaks to the model, the surest kind first."""
    if len(text) < _SHORTEST and text.isascii() and "<" not in text and "[" not in text:
        return None
    shown = plain(text[:_LONGEST])
    folded = shown.lower()
    for kind in KINDS:
        match = kind.pattern.search(shown) if any(word in folded for word in kind.words) else None
        if match is not None:
            return Instruction(" ".join(match.group().split())[:_SHOWN], kind.what, kind.certain)
    return None
