"""Patterns of a description are matched in bounded steps, and as ECMA 262 means them."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.inputs.checking import ArgumentCheck, DataCheck
from mcpgen.runtime.inputs.validation import complaints
from mcpgen.runtime.patterns.cost import Cost, cost_of, parts_of
from mcpgen.runtime.patterns.keywords import bounded_validator
from mcpgen.runtime.patterns.matching import is_light, longest_checked, matches

SECONDS = 20
"""Of processor time. Each takes a second at most; a backtracking engine would take years."""
EVIL = {
    "a repeat in a repeat": ("^(a+)+$", "a" * 50_000 + "!"),
    "two ways to repeat": ("^(a|aa)+$", "a" * 50_000 + "!"),
    "twenty repeats": ("(.*a){20}", "a" * 19 + "b" * 50_000),
    "repeats in a row": ("^.*.*.*.*.*.*.*.*x$", "a" * 50_000),
    "spaces at the end": (r"\s+$", " " * 200_000 + "x"),
    "a mail address": (r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$", "a" * 50_000),
    "many places": ("([a-z]|[a-f])*a([a-z]|[b-z]){20000}c", "ab" * 50_000),
    "repeats before a look ahead": ("^(a+)+(?!b)$", "a" * 50_000 + "!"),
    "twenty repeats before a look ahead": ("(.*a){20}(?!b)$", "a" * 50_000 + "!"),
    "repeats in a row before a look ahead": ("^.*.*.*.*.*.*.*.*x(?=y)$", "a" * 50_000),
    "optional letters": ("(?!b)" + "a?" * 40 + "a" * 40, "a" * 39),
    "references back": (r"(a*)\1*\1*\1*$(?!b)x", "a" * 5_000),
    "a comment that hides a parenthesis": ("(a+(?#())+(?!b)$", "a" * 60 + "!"),
    "spaces that hide a parenthesis": ("(?x)(a+ #(\n)+(?!b)$", "a" * 60 + "!"),
    "a repeat that never gives back": ("(?>a+)+(?:(a+)+)$", "a" * 60 + "!"),
}  # fmt: skip


def _schema(**rules: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"value": {"type": "string", **rules}}}


@pytest.mark.parametrize("name", EVIL)
def test_the_time_of_a_match_is_bounded(name: str) -> None:
    pattern, text = EVIL[name]
    started = time.process_time()
    assert matches(pattern, text) is not True
    assert (
        not complaints(ArgumentCheck(_schema(pattern=pattern)), {"value": text})
        or matches(pattern, text) is False
    )
    DataCheck({"properties": {"data": _schema(pattern=pattern)}}).error({"value": text})
    for told in (
        {"additionalProperties": False},
        {"additionalProperties": {"type": "integer"}},
        {"unevaluatedProperties": False},
    ):
        schema = {"type": "object", "patternProperties": {pattern: {"type": "string"}}, **told}
        if is_light(pattern) or "unevaluatedProperties" not in told:  # the generator leaves out what is not
            complaints(ArgumentCheck(schema), {text: "x"})
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("^[a-z]+$", "abc", True),
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^a$", "a\n", False),  # ECMA 262: the end is the end; in Python it is also before a line feed
        (r"^\/a\-\_$", "/a-_", True),
        (r"^(?!api/).*", "api/x", False),
        (r"^(?!api/).*", "feed", True),
        (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "Secret123", True),
        (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "secret123", False),
        (r"^(a)\1$", "aa", True),
        # What Rust reads as a set of a set, and as the border of a word
        ("^[[]$", "[", True),
        ("^[a&&b]$", "&", True),
        ("^[[:alpha:]]$", "a]", True),
        (r"\<b\>", "<b>", True),
        (r"\b{start}", "a", False),
        ("^\\S+$", "\ud800", True),
        ("(", "a", None),
        ("(a+)+(?!b)$", "a", None),
        ("^(a+)+$", "a" * 9_000_000, None),
    ],
)  # fmt: skip
def test_matches(pattern: str, text: str, expected: bool | None) -> None:
    assert matches(pattern, text) is expected


_ATOM = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", "1", r"\.", "-", "^", "$"])
_QUANTIFIER = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "+?", "*?"])
_PATTERN = st.recursive(
    _ATOM,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, _QUANTIFIER).map(lambda two: f"({two[0]}){two[1]}"),
        st.tuples(inner, st.sampled_from(["(?=a)", "(?!b)", "(?<!a)"])).map("".join),
    ),
    max_leaves=6,
)


@given(_PATTERN, st.text("ab1.-", max_size=8))
def test_it_agrees_with_python(pattern: str, text: str) -> None:
    assert matches(pattern, text) in ((re.search(pattern, text) is not None), None)


@pytest.mark.parametrize(
    ("pattern", "cost"),
    [
        ("abc", Cost(size=3)),
        ("a*b+", Cost(size=3, power=2)),
        ("a{3}b{2,}", Cost(size=6, power=1)),
        ("a?b?", Cost(size=2, choices=4)),
        ("a+?", Cost(size=2, power=1)),
        ("(a|b|c)d", Cost(size=4, choices=3)),
        ("(a|b)+", Cost(size=4, power=1, choices=2, nested=True)),
        ("(a{1,3}){2}", Cost(size=6, choices=3, nested=True)),
        (r"[(*+]\(\*", Cost(size=3)),
        (r"(a)\1", Cost(size=2, power=1)),
        ("(?P<n>a)(?P=n)", Cost(size=2, power=1)),
        ("a{999999999999}b", Cost(size=10**9)),
        ("a{b", Cost(size=3)),
        ("a)b(", Cost(size=3)),
    ],
)
def test_what_a_pattern_costs(pattern: str, cost: Cost) -> None:
    assert cost_of(parts_of(pattern)) == cost


def test_what_stays_open_refuses_nothing() -> None:
    check = ArgumentCheck(_schema(pattern="^(a+)+(?!b)$"))
    assert complaints(check, {"value": "!"}) == []
    schema = {"patternProperties": {"^(a+)+(?!b)$": {}}, "additionalProperties": False}
    assert bounded_validator()(schema).is_valid({"!": 1})


def test_properties_by_pattern() -> None:
    schema = {
        "type": "object",
        "properties": {"name": {}},
        "patternProperties": {"^x-": {"type": "string"}},
        "additionalProperties": {"type": "integer"},
    }
    check = bounded_validator()(schema)
    assert check.is_valid({"name": None, "x-a": "a", "other": 1})
    assert not check.is_valid({"x-a": 1})
    assert not check.is_valid({"other": "a"})
    closed = ArgumentCheck({**schema, "additionalProperties": False})
    assert complaints(closed, {"other": 1}) == ["`other` is no argument of this tool"]


def test_names_that_are_too_long_to_be_evaluated() -> None:
    schema = {"properties": {"n" * 300: {}}, "patternProperties": {"^x-": {}}, "unevaluatedProperties": False}
    check = bounded_validator()(schema)
    assert check.is_valid({"x-a": 1, "n" * 300: 1})
    assert not check.is_valid({"a": 1})
    assert not check.is_valid({"x-" + "a" * 300: 1})


def test_usual_patterns_are_checked_at_usual_lengths() -> None:
    for pattern in ("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", r"^(\d+\.)+\d+$", r"^\w{1,64}$"):
        assert longest_checked(pattern) > 100_000
    assert longest_checked(r"^(?=.*[A-Z])(?=.*\d).{8,}$") > 100
    assert longest_checked("^(a+)+(?!b)$") == -1
