"""Every value of a document can be found again: line and column of its entry."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Location
from mcpgen.source.model import SourceTree, tokens
from mcpgen.source.parse import parse
from mcpgen.source.pointer import escape, join

YAML_TEXT = """\
openapi: 3.0.0
paths:
  /a/{b}:
    get:
      parameters:
        - name: b
          in: path
        - {name: c,
           in: query}
"""


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", (1, 1)),
        ("/openapi", (1, 1)),
        ("/paths/~1a~1{b}", (3, 3)),
        ("/paths/~1a~1{b}/get/parameters/0", (6, 11)),
        ("/paths/~1a~1{b}/get/parameters/1", (8, 11)),
        ("/paths/~1a~1{b}/get/parameters/1/in", (9, 12)),
        ("/paths/~1a~1{b}/get/responses", (4, 5)),  # the deepest part that exists
        ("/paths/~1a~1{b}/get/parameters/7", (5, 7)),
    ],
)
def test_yaml(tree: Callable[..., SourceTree], pointer: str, place: tuple[int, int]) -> None:
    found = tree({"api.yaml": YAML_TEXT})
    location = found.locate(Location(found.root.name, pointer))
    assert (location.line, location.column) == place


def test_a_place_that_is_known_stays(tree: Callable[..., SourceTree]) -> None:
    found = tree({"api.yaml": YAML_TEXT})
    known = Location(found.root.name, "/paths", 77, 1)
    assert found.locate(known) is known
    other = Location("elsewhere.yaml", "/x")
    assert found.locate(other) is other


VALUES = st.recursive(
    st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)


def entries(value: Any, pointer: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield join(pointer, key), key, item
            yield from entries(item, join(pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield join(pointer, index), None, item
            yield from entries(item, join(pointer, index))


@given(VALUES, st.sampled_from([None, 1]))
def test_json_places_point_at_the_entry(value: Any, indent: int | None) -> None:
    text = json.dumps({"root": value}, indent=indent)
    parsed = parse(text.encode())
    lines = text.split("\n")
    for pointer, key, item in entries({"root": value}):
        place = parsed.positions.find(tokens(pointer))
        assert place is not None
        rest = "\n".join([lines[place[0] - 1][place[1] - 1 :], *lines[place[0] :]])
        assert rest.startswith(json.dumps(key if key is not None else item)[: 1 if key is None else None])


@given(VALUES)
def test_yaml_places_point_at_the_entry(value: Any) -> None:
    text = yaml.safe_dump({"root": value}, allow_unicode=True, width=1000)
    parsed = parse(text.encode())
    seen: dict[tuple[int, int], str] = {}
    for pointer, key, _ in entries(parsed.value):
        place = parsed.positions.find(tokens(pointer))
        assert place is not None
        if key is not None:
            assert place not in seen or seen[place] == pointer.rpartition("/")[0]
        seen[place] = pointer


@given(st.lists(st.text()))
def test_pointers_escape_and_split_back(keys: list[str]) -> None:
    assert tokens("".join("/" + escape(key) for key in keys)) == keys
