"""Whatever the text holds, it stays data in every target language."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from mcpgen.plan.model import Code, SpecText
from mcpgen.render.environment import finalizer
from mcpgen.render.filters import (
    code,
    docker,
    docstring,
    json_text,
    line,
    markdown,
    names,
    py,
    sh,
    toml,
    yaml,
)
from mcpgen.render.languages import Language

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


@given(values)
def test_json_and_yaml_read_back(value: Any) -> None:
    for text in (json_text(value), yaml(value)):
        assert "\n" not in text
        assert shape(json.loads(text)) == shape(value)
    assert shape(pyyaml.safe_load(f"a: {yaml(value)}\nb: 1")["a"]) == shape(value)


def shape(value: Any) -> Any:
    """A value without its texts, whose control characters are gone."""
    if isinstance(value, dict):
        return sorted(str(shape(item)) for item in {json_text(k): v for k, v in value.items()}.values())
    return [shape(item) for item in value] if isinstance(value, list) else type(value).__name__


@given(nasty)
def test_a_shell_reads_one_word(text: str) -> None:
    assert shlex.split(f"echo {sh(text)} end") == ["echo", str(line(text)), "end"]


@given(nasty)
def test_dockerfile_values_are_one_quoted_text(text: str) -> None:
    assert re.fullmatch(r'"([^"\\$\n]|\\["\\$])*"', docker(text))


def printed(value: object) -> str:
    environment = Environment(finalize=finalizer(Language.PYTHON))
    return environment.from_string("{{ value }}").render(value=value)


@pytest.mark.parametrize("value", [SpecText("word"), "two words", "x\ny", "a;b"])
def test_bare_text_cannot_be_printed(value: str) -> None:
    with pytest.raises(TypeError, match="without an escaping filter"):
        printed(value)


@pytest.mark.parametrize("value", ["get_order", 7, Code("list[Order]"), py("two words")])
def test_names_numbers_and_our_own_code_can(value: object) -> None:
    assert printed(value) == str(value)


@pytest.mark.parametrize("escape", [markdown, toml, sh, json_text])
def test_text_that_is_escaped_for_another_language_cannot(escape: Callable[[str], str]) -> None:
    with pytest.raises(TypeError, match="does not escape for Python: py, docstring, line, names"):
        printed(escape("two words"))
