"""Small measures of texts: whether one says what another one said already, and how long it is for a model."""

from __future__ import annotations

import re

_IDEOGRAM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_SMALL = frozenset(
    "a an the of to for in on by with and or this that it is are be your you all one thi hi given specified".split()
)
_DIGIT = re.compile(r"[0-9]")
_MARK = re.compile(r"[!-/:-@\[-`{-~]")
_PER_LETTER, _PER_DIGIT, _PER_MARK = 0.2, 0.7, 0.52
_PER_IDEOGRAM, _PER_OTHER = 0.8, 0.38
"""Tokens a character costs, roughly, in the vocabulary `o200k_base`: fitted to descriptions, to keep them short."""


def weight(text: str) -> int:
    """About how many tokens a text costs."""
    digits, marks = len(_DIGIT.findall(text)), len(_MARK.findall(text))
    signs = 0 if text.isascii() else len(_IDEOGRAM.findall(text))
    latin = len(text) if text.isascii() else sum(char < "\u0250" for char in text)
    return round(
        digits * _PER_DIGIT
        + marks * _PER_MARK
        + (latin - digits - marks) * _PER_LETTER
        + signs * _PER_IDEOGRAM
        + max(0, len(text) - latin - signs) * _PER_OTHER
    )


def repeats(piece: str, known: str) -> bool:
    """Whether a sentence has no word that is not known already; inflection does not count."""
    left, right = _stems(piece), _stems(known)
    return bool(left) and left <= right


def _stems(text: str) -> set[str]:
    if _IDEOGRAM.search(text):
        return set(re.findall(r"[\u3040-\u9fff\uac00-\ud7af]|[a-zA-Z0-9_]+", text))
    return {
        word[:-1] if word.endswith("s") else word for word in re.findall(r"[^\W_]+", text.lower())
    } - _SMALL


def ended(text: str, stop: str) -> str:
    """The text as a sentence. Code, brackets and quotes at the end stay as they are."""
    if not text or text[-1] in ".!?…:;。！？；：":
        return text
    stop = "." if text.isascii() and stop == "。" else stop
    return text + stop if text[-1].isalnum() or text[-1] in ")]}%`）" else text
