"""Whatever the text holds, it stays data in every target language."""

from __future__ import annotations

import ast
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader

from mcpgen.plan.model import Code, SpecText
from mcpgen.render.environment import make_environment
from mcpgen.render.filters import code, docstring, line, markdown, names, py, toml

nasty = st.text() | st.sampled_from(
    [
        '"""',
        "\\",
        '\\"""',
        'a"',
        "a\\",
        "{{ x }}",
        "{% raw %}",
        "\r\nimport os",
        "\x00",
        "\u2028x",
        "\x0c",
        "'''",
        "`",
        "|",
        "-->",
        "a\\\\\\",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | nasty,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(nasty, inner, max_size=3),
    max_leaves=5,
)


@given(values)
def test_python_literals_read_back(value: Any) -> None:
    assert ast.literal_eval(py(value)) == value


@given(nasty)
def test_docstrings_hold_only_text(text: str) -> None:
    module = ast.parse(f'def f():\n    """{docstring(text)}\n    """\n')

    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert len(function.body) == 1
    assert isinstance(ast.get_docstring(function), str)


@given(st.text(alphabet=st.characters(categories=["L", "N", "P"]), min_size=1, max_size=60))
def test_docstrings_keep_the_words(text: str) -> None:
    module = ast.parse(f'"""{docstring(text, 0)}\n"""')

    assert (ast.get_docstring(module) or "").strip() == text.strip()


@given(nasty)
def test_toml_strings_are_one_value(text: str) -> None:
    assert isinstance(tomllib.loads(f"a = {toml(text)}\nb = 1")["a"], str)


@given(nasty)
def test_lines_are_one_line(text: str) -> None:
    assert len(f"#{line(text)}".splitlines()) == 1


@given(nasty)
def test_markdown_cells_stay_in_their_cell(text: str) -> None:
    for cell in (markdown(text), code(text)):
        assert "\n" not in cell
        assert "|" not in cell.replace("\\|", "")


def test_names_refuse_what_is_no_name() -> None:
    assert names(["Any", Code("A as B")]) == "Any, A as B"
    with pytest.raises(TypeError, match="are no names"):
        names(["os; import sys"])


@pytest.mark.parametrize("value", [SpecText("word"), "two words", "x\ny", "a;b"])
def test_bare_text_cannot_be_printed(value: str) -> None:
    environment = make_environment([])
    environment.loader = DictLoader({"t": "{{ value }}"})

    with pytest.raises(TypeError, match="without an escaping filter"):
        environment.get_template("t").render(value=value)


@pytest.mark.parametrize("value", ["get_order", 7, Code("list[Order]")])
def test_names_numbers_and_our_own_code_can(value: object) -> None:
    environment = make_environment([])
    environment.loader = DictLoader({"t": "{{ value }}"})

    assert environment.get_template("t").render(value=value) == str(value)
