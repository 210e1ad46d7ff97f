"""Changing one place of a JSON text, and nothing else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcpgen.connect import jsonc
from mcpgen.connect.model import FileProblem

COMMENTED = """// Settings
{
    "theme": "dark", // for the night
    /* all servers */
    "servers": {
        "one": {"url": "http://x//y", "note": "no /* comment */"}, // trailing comma
    },
}
"""


def test_comments_trailing_commas_and_indentation_stay() -> None:
    changed = jsonc.with_member(COMMENTED, ("servers", "two"), {"command": "x"})
    added = '        "two": {\n            "command": "x"\n        },\n'
    assert changed == COMMENTED.replace("// trailing comma\n", "// trailing comma\n" + added)


def test_an_object_that_is_missing_is_added() -> None:
    assert jsonc.with_member("", ("servers", "a"), 1) == '{\n  "servers": {\n    "a": 1\n  }\n}\n'
    assert jsonc.with_member("// mine", ("a",), 1) == '// mine\n{\n  "a": 1\n}\n'
    assert jsonc.with_member('{"a": 1}', ("b", "c"), 2) == '{"a": 1,\n  "b": {\n    "c": 2\n  }\n}'


def test_one_value_is_replaced() -> None:
    text = '{\n\t"a": {"x": [1, 2]}, "b": 2\n}'
    assert jsonc.with_member(text, ("a", "x"), 3) == '{\n\t"a": {"x": 3}, "b": 2\n}'


def test_line_ends_stay() -> None:
    changed = jsonc.with_member('{\r\n  "a": 1\r\n}\r\n', ("b",), {"c": 1})
    assert changed == '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n'


def test_a_list_gets_one_more_item() -> None:
    assert json.loads(jsonc.with_item('{"inputs": []}', ("inputs",), {"id": 1})) == {"inputs": [{"id": 1}]}
    assert json.loads(jsonc.with_item("{}", ("inputs",), 1)) == {"inputs": [1]}
    assert jsonc.read(jsonc.with_item('{"inputs": [1, /* a */]}', ("inputs",), 2)) == {"inputs": [1, 2]}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{\n  "a": tru\n}', (2, 8), "It is not JSON: expecting value."),
        ('{"a": 1} // x\n}', (2, 1), "It is not JSON: extra data."),
        ('{"a": "open\n}', (1, 12), "It is not JSON: invalid control character"),
        ("/* open", (1, 1), "It is not JSON: expecting value."),
        ("[ , ]", (1, 3), "It is not JSON: expecting value."),
        ('{"a": 1,,}', (1, 9), "It is not JSON: expecting property name"),
    ],
)
def test_malformed_text_is_told_with_its_place(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(FileProblem) as caught:
        jsonc.read(text)
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.message.startswith(message)


def test_what_is_no_object_is_not_changed() -> None:
    with pytest.raises(FileProblem, match="`servers` is no object") as caught:
        jsonc.with_member('{\n  "servers": []\n}', ("servers", "a"), 1)
    assert (caught.value.line, caught.value.column) == (2, 14)
    with pytest.raises(FileProblem, match="the whole file is no object"):
        jsonc.with_member("[]", ("servers", "a"), 1)
    with pytest.raises(FileProblem, match="`inputs` is no list"):
        jsonc.with_item('{"inputs": {}}', ("inputs",), 1)


def test_comments_are_not_lost_by_replacing() -> None:
    with pytest.raises(FileProblem, match="comments, which would be lost"):
        jsonc.with_member('{"a": {"b": 1 /* mine */}}', ("a",), 2)


def test_deep_nesting_is_told() -> None:
    with pytest.raises(FileProblem, match="nested too deep"):
        jsonc.read("[" * 200_000 + "]" * 200_000)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
_GAPS = st.sampled_from(["", " ", "\n", " // x, ]}\n", '/* y } " */', "\n\n  "])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """An object as JSON text with white space, comments and trailing commas wherever they can be."""

    def write(value: Any) -> str:
        gap = draw(_GAPS)
        if isinstance(value, dict):
            members = [
                f"{draw(_GAPS)}{json.dumps(key)}{gap}:{write(item)}{draw(_GAPS)}"
                for key, item in value.items()
            ]
            return (
                "{" + ",".join(members) + ("," if members and draw(st.booleans()) else "") + draw(_GAPS) + "}"
            )
        if isinstance(value, list):
            items = [f"{write(item)}{draw(_GAPS)}" for item in value]
            return "[" + ",".join(items) + ("," if items and draw(st.booleans()) else "") + draw(_GAPS) + "]"
        return gap + json.dumps(value, ensure_ascii=draw(st.booleans()))

    servers = st.dictionaries(st.text(max_size=4), _VALUES, max_size=3)
    value = draw(st.dictionaries(st.text(max_size=4), _VALUES, max_size=3))
    if draw(st.booleans()):
        value["servers"] = draw(servers)
    return draw(_GAPS) + write(value) + draw(_GAPS)


@given(text=documents(), name=st.text(max_size=6), value=_VALUES)
def test_everything_else_stays(text: str, name: str, value: Any) -> None:
    before = jsonc.read(text)
    expected = {**before, "servers": {**before.get("servers", {}), name: value}}
    try:
        changed = jsonc.with_member(text, ("servers", name), value)
    except FileProblem:  # only an old value with comments can't be replaced
        assume(name not in before.get("servers", {}))
        raise
    assert jsonc.read(changed) == expected
    assert re.findall(r"// x, ]}|/\* y } \" \*/", changed) == re.findall(r"// x, ]}|/\* y } \" \*/", text)
