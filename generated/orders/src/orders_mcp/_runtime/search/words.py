"""Comparable words: case, accents and plurals folded, camelCase split; of unspaced scripts, characters and pairs."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

IDEOGRAMS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
"""Runs of Chinese, Japanese and Korean, where words can't be told apart without a dictionary."""

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
STOP = frozenset("""
    a about also am an and any anyone anything are as at be been but by can could d did do does each ever every few for from
    had has have he her here him his how i if in into is it its ive just let like ll may me might mine more much must my
    need no not of off on one ones onto or other our ours over per please re really s shall she should so some someone
    something still t than that the their them then there these they thing things this those through to too under until up
    us using ve very via want was we were what when where whether which while who whom whose why will with within without
    would you your yours
    """.split())


def folded(text: str) -> str:
    """The text in lower case without accents, compatible forms unified (Unicode NFKC, then NFKD without marks)."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text))
    return "".join(c for c in plain if not unicodedata.combining(c)).lower()


def tokens(text: str) -> list[str]:
    """Lower-case words in their order, camelCase split; runs of ideograms are left out."""
    if not text.isascii():
        text = IDEOGRAMS.sub(" ", unicodedata.normalize("NFKC", text))
    return [part for word in _WORD.findall(text) for part in _parts(word)]


def runs(text: str) -> list[str]:
    """The runs of ideograms of a text."""
    return [] if text.isascii() else IDEOGRAMS.findall(unicodedata.normalize("NFKC", text))


def pairs(run: str) -> list[str]:
    """Neighbouring characters; they stand for words where nothing separates words."""
    return [run[i : i + 2] for i in range(max(len(run) - 1, 1))]


def words(text: str) -> list[str]:
    """What a text is found by: stems of its words without those that say nothing, ideograms and pairs of them."""
    found = [stem(token) for token in tokens(text) if token not in STOP]
    for run in runs(text):
        found += pairs(run)
        found += run if len(run) > 1 else ()
    return found


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The singular of an English plural. (A full stemmer ranks no better: other endings are met by beginnings.)"""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


@lru_cache(maxsize=20_000)
def _parts(word: str) -> tuple[str, ...]:
    return tuple(folded(part) for part in _CAMEL.split(word) if part)
