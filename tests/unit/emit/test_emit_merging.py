"""The rules of merging: what both sides did is in the result, or it is reported."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.emit.merging import Choice, merge_file, merge_known_lines
from mcpgen.emit.merging.lines import lines_of, merge_lines
from mcpgen.emit.pristine import line_key

TEXT, PYTHON, JSON = PurePosixPath("a.md"), PurePosixPath("a.py"), PurePosixPath("a.json")
LINES = st.lists(st.sampled_from([*"abcdefg", ""]), max_size=12).map(
    lambda items: [f"{item}\n" for item in items]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "One. Two.", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def merged(path: PurePosixPath, base: str, ours: str, theirs: str, choice: Choice | None = None) -> str:
    result = merge_file(path, base, ours, theirs, choice)
    assert result.conflicts == (), result.conflicts
    return result.text


@given(LINES, LINES)
def test_a_side_that_changed_nothing_gives_the_other(base: list[str], other: list[str]) -> None:
    for ours, theirs in ((base, other), (other, base), (other, other)):
        result = merge_lines(base, ours, theirs, None)
        assert (result.text, result.conflicts) == ("".join(other), ())


@given(LINES, LINES, LINES)
def test_each_choice_settles_everything(base: list[str], ours: list[str], theirs: list[str]) -> None:
    open_ones = merge_lines(base, ours, theirs, None).conflicts
    for choice in Choice:
        result = merge_lines(base, ours, theirs, choice)
        assert result.conflicts == open_ones
        assert ("<<<<<<< yours\n" in lines_of(result.text)) is (choice is Choice.INLINE and bool(open_ones))


@given(st.lists(st.integers(0, 99), min_size=8, max_size=20, unique=True), st.data())
def test_edits_of_different_lines_both_survive(numbers: list[int], data: st.DataObject) -> None:
    base = [f"{number}\n" for number in numbers]
    places = st.integers(0, len(base) - 1)
    mine = data.draw(places)
    new = data.draw(places.filter(lambda place: place != mine))
    ours, theirs = list(base), list(base)
    ours[mine] = data.draw(st.sampled_from(["", "ours\n", "ours\nmore\n"]))
    theirs[new] = data.draw(st.sampled_from(["", "theirs\n", "theirs\nmore\n"]))
    result = merge_lines(base, lines_of("".join(ours)), lines_of("".join(theirs)), None)
    expected = [theirs[i] if i == new else ours[i] for i in range(len(base))]
    assert (result.text, result.conflicts) == ("".join(expected), ())


@given(LINES, LINES, LINES)
def test_keys_of_lines_are_as_good_as_the_lines(base: list[str], ours: list[str], theirs: list[str]) -> None:
    keys = [line_key(line) for line in base]
    by_keys = merge_known_lines(TEXT, keys, "".join(ours), "".join(theirs), None, line_key)
    assert by_keys == merge_file(TEXT, "".join(base), "".join(ours), "".join(theirs), None)


@given(VALUES, VALUES)
def test_documents_with_one_changed_side(base: object, other: object) -> None:
    first, second = json.dumps({"v": base}), json.dumps({"v": other})
    for ours, theirs in ((first, second), (second, first), (second, second)):
        assert json.loads(merged(JSON, first, ours, theirs)) == {"v": other}


def test_two_additions_at_one_place_are_a_conflict_with_both_sides() -> None:
    result = merge_file(TEXT, "a\n", "a\nmine\n", "a\nnew\n", None)
    [conflict] = result.conflicts
    assert (conflict.line, conflict.ours, conflict.theirs) == (2, "mine\n", "new\n")
    assert result.text == "a\nmine\n"


CATALOG = {
    "tools": [
        {"name": "get", "description": "One. Two. Three.", "inputSchema": {"required": ["a"]}},
        {"name": "put", "description": "Puts."},
    ],
    "operations": {"get": {"function": "get"}, "put": {"function": "put"}},
}


def catalog(change: str = "", **more: object) -> str:
    document = json.loads(json.dumps(CATALOG))
    document["tools"][0].update(more)
    if change == "add":
        document["tools"].append({"name": "new"})
    if change == "drop":
        del document["tools"][0], document["operations"]["get"]
    return json.dumps(document, indent=2)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"description": "Mine. Two. Three."}, {"description": "One. Two. New."}),
        ({"description": "Mine."}, {"inputSchema": {"required": ["a", "b"]}}),
        ({"description": "Mine."}, {"change": "add"}),
        ({"inputSchema": {"required": ["a"], "title": "x"}}, {"inputSchema": {"required": ["b"]}}),
    ],
)
def test_parts_of_one_tool_are_merged_by_themselves(
    ours: dict[str, object], theirs: dict[str, object]
) -> None:
    text = merged(JSON, catalog(), catalog(**ours), catalog(**theirs))  # type: ignore[arg-type]
    tool = json.loads(text)["tools"][0]
    expected = json.loads(catalog(**theirs))["tools"][0]  # type: ignore[arg-type]
    if "description" in ours and "description" in theirs:
        assert tool["description"] == "Mine. Two. New."
    elif "description" in ours:
        assert tool == {**expected, "description": ours["description"]}
    else:
        assert tool["inputSchema"] == {"required": ["b"], "title": "x"}
    assert text == json.dumps(json.loads(text), indent=2), "the layout is the team's"


@pytest.mark.parametrize("choice", [Choice.OURS, Choice.THEIRS, Choice.INLINE])
def test_an_edited_tool_that_is_gone_is_reported_and_goes(choice: Choice) -> None:
    edited = catalog(description="Mine.")
    [conflict] = merge_file(JSON, catalog(), edited, catalog("drop"), None).conflicts
    assert (conflict.place, conflict.gone) == ("/tools/get", True)
    assert json.loads(conflict.ours) == {"description": "Mine."}, "of a long entry, what the team has changed"
    result = merge_file(JSON, catalog(), edited, catalog("drop"), choice)
    assert json.loads(result.text) == json.loads(catalog("drop"))


BASE = '''"""Tools."""

from .._runtime import Call, Result


async def get(call: Call) -> Result[None]:
    """Gets."""
    return await call.send()


async def put(call: Call) -> Result[None]:
    """Puts."""
    return await call.send()
'''
HELPER = "\n\ndef helper() -> int:\n    return 1\n"
ADDED = '\n\nasync def zip(call: Call) -> Result[None]:\n    """Zips."""\n    return await call.send()\n'
WITHOUT_PUT = BASE[: BASE.index("\n\nasync def put")]
NEW_SIGNATURE = BASE.replace("get(call: Call)", "get(call: Call, *, id: str)").replace(
    "send()", "send(id)", 1
)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (BASE + HELPER, BASE + ADDED, [HELPER, ADDED]),
        (BASE + HELPER, WITHOUT_PUT, [HELPER]),
        (
            BASE.replace("def get(", "def fetch("),
            NEW_SIGNATURE,
            ["def fetch(call: Call, *, id: str)", "send(id)"],
        ),
        (BASE.replace('"""Gets."""', '"""Mine."""'), NEW_SIGNATURE, ['"""Mine."""', "id: str", "send(id)"]),
        (
            BASE.replace("Call, Result", "Call, Failure, Result"),
            BASE.replace("Call, Result", "UNSET, Call, Result"),
            ["from .._runtime import UNSET, Call, Failure, Result\n"],
        ),
        (BASE.replace("    return await", "    # mine\n    return await", 1), WITHOUT_PUT, ["    # mine\n"]),
    ],
)
def test_definitions_are_merged_by_themselves(ours: str, theirs: str, expected: list[str]) -> None:
    text = merged(PYTHON, BASE, ours, theirs)
    for part in expected:
        assert part in text
    compile(text, "merged", "exec")


def test_an_edited_function_that_is_gone_stays_and_is_named() -> None:
    result = merge_file(PYTHON, BASE, BASE.replace('"""Puts."""', '"""Mine."""'), WITHOUT_PUT, None)
    assert (result.kept, result.conflicts) == (("put",), ())
    assert '"""Mine."""' in result.text


def test_a_removed_function_that_changes_is_a_conflict() -> None:
    theirs = BASE.replace('"""Puts."""', '"""New."""')
    [conflict] = merge_file(PYTHON, BASE, WITHOUT_PUT, theirs, None).conflicts
    assert (conflict.place, conflict.ours) == ("put", "")
    assert "put" not in merge_file(PYTHON, BASE, WITHOUT_PUT, theirs, Choice.OURS).text
    assert merge_file(PYTHON, BASE, WITHOUT_PUT, theirs, Choice.THEIRS).text == theirs


def test_a_result_that_does_not_parse_is_a_conflict() -> None:
    ours = BASE.replace("get(call: Call) -> Result[None]:", "get(call: Call,\n) -> Result[None]:")
    broken = ours.replace("return await call.send()", "return (await call.send(", 1)
    theirs = BASE.replace('"""Puts."""', '"""New."""')
    [conflict] = merge_file(PYTHON, BASE, broken, theirs, None).conflicts
    assert conflict.reason.startswith("the merged text would not parse: ")


def test_unusual_line_ends_stay() -> None:
    base = "a\u2028b\nc\x0cd\n"
    assert merged(TEXT, base, "0\n" + base, base + "e\n") == "0\n" + base + "e\n"
