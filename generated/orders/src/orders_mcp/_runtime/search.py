"""Ranks tools for a request in plain words: Okapi BM25 over names, titles, arguments and descriptions."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WEIGHTS = {"name": 4, "title": 3, "arguments": 1, "description": 1}
_K1, _B = 1.2, 0.75  # the usual values (Robertson and Zaragoza, 2009)
_STOP = frozenset(
    "a an and are by for from in is it my of on or the this that to with want need please how can i".split()
)


def words(text: str) -> list[str]:
    """Comparable words: camelCase split, accents and plurals folded, unspaced scripts as character pairs."""
    found: list[str] = []
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    for run in _CJK.findall(unicodedata.normalize("NFKC", text)):
        found += [run[i : i + 2] for i in range(max(len(run) - 1, 1))]
    for word in _WORD.findall(_CJK.sub(" ", plain)):
        found += [_stem(part.lower()) for part in _CAMEL.split(word) if part]
    return [word for word in found if word not in _STOP]


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


class Index:
    """An index over the wire dicts of tools."""

    def __init__(self, tools: Iterable[Mapping[str, Any]]) -> None:
        self.names: list[str] = []
        self._counts: list[Counter[str]] = []
        holders: Counter[str] = Counter()
        for tool in tools:
            counts = _counted(tool)
            self.names.append(tool["name"])
            self._counts.append(counts)
            holders.update(counts.keys())
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._average = sum(self._lengths) / max(len(self._lengths), 1) or 1.0
        total = len(self.names)
        self._weight = {word: math.log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in holders.items()}

    def search(self, query: str, limit: int) -> list[str]:
        """Names of the tools that fit, best first; equal ones by name."""
        wanted = [self._known(word) for word in dict.fromkeys(words(query))]
        scores = [
            (-sum(self._score(number, spellings) for spellings in wanted), name)
            for number, name in enumerate(self.names)
        ]
        return [name for score, name in sorted(scores)[:limit] if score < 0]

    def _known(self, word: str) -> list[tuple[str, float]]:
        """The word itself, and at half weight words that it begins or that begin it."""
        near = [
            (w, 0.5)
            for w in self._weight
            if w != word and len(word) > 3 and len(w) > 3 and (w.startswith(word) or word.startswith(w))
        ]
        return [(word, 1.0), *near]

    def _score(self, number: int, spellings: list[tuple[str, float]]) -> float:
        counts, norm = self._counts[number], _K1 * (1 - _B + _B * self._lengths[number] / self._average)
        return max(
            share * self._weight.get(word, 0.0) * counts[word] * (_K1 + 1) / (counts[word] + norm)
            for word, share in spellings
        )


def _counted(tool: Mapping[str, Any]) -> Counter[str]:
    texts = {
        "name": tool["name"],
        "title": tool.get("title") or "",
        "arguments": " ".join(tool["inputSchema"].get("properties", {})),
        "description": tool.get("description") or "",
    }
    counts: Counter[str] = Counter()
    for part, text in texts.items():
        for word in words(text):
            counts[word] += _WEIGHTS[part]
    return counts
