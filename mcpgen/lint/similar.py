"""Which texts of many are nearly the same: the Jaccard index of their character trigrams, without comparing all pairs.

Two sets with an index of at least t share an element among the first |s| - ceil(t * |s|) + 1 of each, in one order of all elements
(prefix filtering: Bayardo, Ma, Srikant, "Scaling up all pairs similarity search", 2007). With the rarest elements first, few
pairs are left to compare.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

_GRAM = 3
_LONGEST = 2_000
"""Characters of a text that count: what differs after that, no model compares."""
_CANDIDATES = 200
"""Texts that one text is compared with; more share a prefix only where nearly all are the same."""


def similar_pairs(texts: Sequence[str], threshold: float) -> Iterator[tuple[int, int]]:
    """The indices of the pairs whose index is at least `threshold`, in order, the smaller one first."""
    grams = [_trigrams(text) for text in texts]
    frequency = Counter(gram for own in grams for gram in own)
    index: dict[str, list[int]] = {}
    for right, own in enumerate(grams):
        prefix = sorted(own, key=lambda gram: (frequency[gram], gram))
        prefix = prefix[: len(own) - math.ceil(threshold * len(own)) + 1] if own else []
        candidates = sorted({left for gram in prefix for left in index.get(gram, [])[-_CANDIDATES:]})
        for left in candidates[-_CANDIDATES:]:
            if _similar(grams[left], own, threshold):
                yield left, right
        for gram in prefix:
            index.setdefault(gram, []).append(right)


def _similar(first: frozenset[str], second: frozenset[str], threshold: float) -> bool:
    if min(len(first), len(second)) < threshold * max(len(first), len(second)):
        return False
    shared = len(first & second)
    return shared >= threshold * (len(first) + len(second) - shared)


def _trigrams(text: str) -> frozenset[str]:
    short = text[:_LONGEST]
    return frozenset(short[place : place + _GRAM] for place in range(max(1, len(short) - _GRAM + 1)))
