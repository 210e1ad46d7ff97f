"""Cutting JSON values to a size: what stays is unchanged, and everything that is left out is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.bounds.measuring import measured, size_of
from mcpgen.runtime.bounds.trimming import DEEPEST, Cut, Kind, flattened, trim

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=300)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(st.text(max_size=20), inner, max_size=20),
    max_leaves=120,
)


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def differences(before: Any, after: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """Where a value lost something: lists their end, objects fields, texts their end. Anything else is an error."""
    if type(before) is not type(after):
        raise AssertionError(f"{path}: {before!r} became {after!r}")
    if isinstance(before, list):
        inner = zip(before, after, strict=False)
        found = {one for n, pair in enumerate(inner) for one in differences(*pair, (*path, n))}
        assert len(after) <= len(before)
        return found | ({path} if len(after) < len(before) else set())
    if isinstance(before, dict):
        assert set(after) <= set(before)
        assert list(after) == [key for key in before if key in after]
        found = {one for key in after for one in differences(before[key], after[key], (*path, key))}
        return found | ({path} if len(after) < len(before) else set())
    if before == after:
        return set()
    assert isinstance(before, str)
    kept, _, mark = after.rpartition("… [")
    assert before.startswith(kept)
    assert mark == f"{len(before) - len(kept):,} characters left out]"
    return {path}


@given(VALUES, st.integers(2, 3000))
def test_what_stays_is_unchanged_and_what_goes_is_told(value: Any, room: int) -> None:
    found = trim(value, room)
    assert size_of(found.value) <= room
    if not found.whole:
        assert json.dumps(value, ensure_ascii=False, separators=(",", ":")).startswith(found.value)
        return
    assert differences(value, found.value) == {cut.path for cut in found.cuts}
    for cut in found.cuts:
        before, after = at(value, cut.path), at(found.value, cut.path)
        assert cut.total == len(before)
        if cut.kind is not Kind.TEXT:
            assert cut.kept == len(after)


@given(VALUES, st.integers(0, 2000))
def test_sizes_are_exact_up_to_the_cap(value: Any, cap: int) -> None:
    size = size_of(value)
    found = measured(value, cap)
    assert found == size if size <= cap else found > cap


@given(VALUES)
def test_a_value_that_fits_is_left_alone(value: Any) -> None:
    assert trim(value, size_of(value)).value is value


ROWS = [{"id": n, "name": "x" * 40} for n in range(200)]


def cuts(value: Any, room: int) -> list[Cut]:
    return list(trim(value, room).cuts)


def test_the_biggest_list_is_cut_first_and_texts_stay() -> None:
    value = {"log": "y" * 3000, "few": ROWS[:5], "many": ROWS}
    found = trim(value, 8000)
    assert (found.value["log"], found.value["few"]) == (value["log"], ROWS[:5])
    [cut] = found.cuts
    assert (cut.path, cut.kind, cut.total) == (("many",), Kind.ITEMS, 200)
    assert cut.kept > 60


def test_lists_of_one_size_share_what_there_is() -> None:
    found = trim({"a": ROWS, "b": ROWS, "c": 1}, 6000)
    assert abs(len(found.value["a"]) - len(found.value["b"])) <= 1
    assert len(found.value["a"]) > 40


def test_a_list_in_the_first_item_is_cut_when_that_alone_is_too_large() -> None:
    found = trim({"data": [{"id": 1, "lines": ROWS}, {"id": 2, "lines": ROWS}]}, 3000)
    assert [(cut.path, cut.kept) for cut in found.cuts] == [
        (("data",), 1),
        (("data", 0, "lines"), len(found.value["data"][0]["lines"])),
    ]
    assert found.value["data"][0]["id"] == 1


def test_texts_end_with_a_mark_when_lists_are_not_enough() -> None:
    found = trim({"id": 1, "body": 'quoted "é"' * 1000, "few": [1, 2, 3]}, 2000)
    assert (found.value["id"], found.value["few"]) == (1, [1, 2, 3])
    assert found.value["body"].startswith('quoted "é"')
    assert found.value["body"].endswith(" characters left out]")
    assert 1800 < size_of(found.value) <= 2000


def test_a_map_loses_its_last_fields_and_other_objects_their_large_ones() -> None:
    rates = {f"k{n:05}": n for n in range(20_000)}
    found = trim({"rates": rates, "base": "EUR"}, 4000)
    assert found.value["base"] == "EUR"
    assert list(found.value["rates"]) == list(rates)[: len(found.value["rates"])]
    assert len(found.value["rates"]) > 200


def test_a_number_without_room_is_the_last_resort() -> None:
    found = trim(10**2000, 1000)
    assert (found.whole, found.value) == (False, "1" + "0" * 997)


def test_half_a_secret_is_not_left() -> None:
    text = "x" * 940 + "hidden-key" + "y" * 5000
    found = trim({"a": text}, 1000, clean=lambda part: part.replace("hidden-key", "***"))
    assert "hid" not in found.value["a"]


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("levels", [0, 1, DEEPEST])
def test_a_value_of_few_levels_is_left_alone(levels: int) -> None:
    assert flattened(nested(levels)) == (nested(levels), ())


def test_deeper_levels_are_left_out() -> None:
    found, told = flattened({"a": nested(2000), "b": 1})
    assert (found["b"], found["a"]) == (1, _deep_empty(DEEPEST - 1))
    assert [cut.kind for cut in told] == [Kind.DEEPER]


def _deep_empty(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value
