"""YAML is read under OpenAPI's JSON rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.source.parse import parse
from mcpgen.source.problem import SourceProblem


def read(text: str) -> Any:
    return parse(text.encode()).value


@pytest.mark.parametrize(
    "word",
    "yes No on OFF y 2024-01-31 2024-01-31T10:00:00Z 0123 0x1F 0o17 1_000 12:30:45 .inf -.INF .nan .5 5. +5 1e tRUE nul <<x = 1.2.3"
    " -- 1e999".split(),
)
def test_everything_that_json_does_not_know_is_text(word: str) -> None:
    assert read(f"a: {word}\nb: [{word}]") == {"a": word, "b": [word]}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-7", -7),
        ("1.50", 1.5),
        ("1e3", 1000.0),
        ("-2.5E-1", -0.25),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_json_scalars_have_their_types(word: str, value: Any) -> None:
    found = read(f"a: {word}")["a"]
    assert found == value
    assert type(found) is type(value)


def test_keys_are_text_as_written() -> None:
    assert list(read("200: a\non: b\n1.0: c\ntrue: d\n~: e\n2024-01-01: f\n0x10: g")) == [
        "200", "on", "1.0", "true", "~", "2024-01-01", "0x10",
    ]  # fmt: skip


def test_quotes_and_tags_decide_about_types() -> None:
    assert read("a: '5'\nb: !!str 5\nc: ! 5\nd: !!int '5'\ne: \"null\"") == {
        "a": "5", "b": "5", "c": "5", "d": 5, "e": "null",
    }  # fmt: skip


def test_an_unknown_tag_is_ignored_and_named() -> None:
    parsed = parse(b"a: !Ref name")
    assert parsed.value == {"a": "name"}
    assert parsed.notes == [((1, 4), "the YAML tag !Ref has no meaning in OpenAPI and is ignored")]


def test_merge_keys_fill_in_and_own_keys_win() -> None:
    text = "base: &b {a: 1, c: 2}\nmore: &m {a: 9, d: 4}\none: {<<: *b, c: 3}\ntwo: {<<: [*b, *m]}\nplain: {'<<': *b}"
    found = read(text)
    assert found["one"] == {"a": 1, "c": 3}
    assert found["two"] == {"a": 1, "c": 2, "d": 4}
    assert found["plain"] == {"<<": {"a": 1, "c": 2}}


def test_anchors_on_keys_and_values() -> None:
    assert read("&k key: &v value\nother: [*k, *v]\n*k : again") == {
        "key": "again",
        "other": ["key", "value"],
    }


def test_duplicate_keys_the_last_one_counts_with_a_note() -> None:
    parsed = parse(b"a: 1\nb: 2\na: 3\n")
    assert parsed.value == {"a": 3, "b": 2}
    assert parsed.notes == [((3, 1), "the key `a` is written twice; the last one counts")]


@pytest.mark.parametrize("start", ["", "---\n", "%YAML 1.1\n---\n", "# a comment\n\n---\n"])
def test_one_document_with_its_markers(start: str) -> None:
    assert read(start + "a: 1\n...\n") == {"a": 1}
    assert read(start + "a: 1\n---\n") == {"a": 1}


def test_several_documents_are_refused() -> None:
    with pytest.raises(SourceProblem, match="more than one YAML document") as caught:
        read("a: 1\n---\nb: 2\n")
    assert caught.value.code == "source-syntax"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_json_reads_back_as_it_was_written(value: Any) -> None:
    wrapped = {"value": value}
    assert read(json.dumps(wrapped)) == wrapped
    assert read(json.dumps(wrapped, ensure_ascii=False)) == wrapped


@given(st.text(alphabet=st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=12))
def test_a_plain_scalar_is_what_json_says_or_itself(text: str) -> None:
    from mcpgen.source.yaml_scalars import plain

    found = plain(text)
    if isinstance(found, str):
        assert found == text
    elif isinstance(found, (int, float)) and not isinstance(found, bool):
        assert json.loads(text) == found
    else:
        assert text.lower() in ("true", "false", "null", "~")
