"""Near-duplicates: the same pairs as by comparing everything, and quickly."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from mcpgen.lint.similar import similar_pairs

words = st.sampled_from(
    "lists gets orders invoices of the customer and warehouse shelf newest oldest first".split()
)
texts = st.lists(st.lists(words, min_size=4, max_size=14).map(" ".join), max_size=12)


def trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(max(1, len(text) - 2))}


@given(texts, st.sampled_from([0.5, 0.8, 0.9, 1.0]))
def test_the_pairs_are_those_of_comparing_everything(found: list[str], threshold: float) -> None:
    expected = []
    for right in range(len(found)):
        for left in range(right):
            a, b = trigrams(found[left]), trigrams(found[right])
            if len(a & b) >= threshold * len(a | b) and len(a & b) / len(a | b) >= threshold:
                expected.append((left, right))
    assert sorted(similar_pairs(found, threshold)) == sorted(expected)


def test_empty_texts_and_single_letters() -> None:
    assert list(similar_pairs(["", "", "a"], 0.9)) == [(0, 1)]
    assert list(similar_pairs([], 0.9)) == []


def test_a_thousand_alike_texts_take_no_time() -> None:
    many = [
        f"Gets the {kind} number {i} of the warehouse, with its shelf and the day of the last count."
        for i in range(300)
        for kind in ("box", "crate", "pallet", "bag")
    ]
    started = time.process_time()
    pairs = list(similar_pairs(many, 0.9))
    assert time.process_time() - started < 20
    assert pairs
