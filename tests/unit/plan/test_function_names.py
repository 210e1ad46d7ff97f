"""A tool's function has the tool's name, but for names that its module uses or Python gives a meaning to."""

from __future__ import annotations

import inspect
import re

import pytest

from mcpgen.plan.naming.identifiers import fold, function_name
from mcpgen.render import views


@pytest.mark.parametrize("name", ["list_orders", "n1", "print", "Orders"])
def test_most_tools_give_their_function_their_name(name: str) -> None:
    assert function_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["Call", "Result", "UNSET", "Literal", "TYPE_CHECKING", "annotations", "list", "str", "call", "self"],
)
def test_names_that_the_module_uses_stay_free(name: str) -> None:
    """`x-mcp: {name: list}` would turn `list[str]` in its own annotations into the function."""
    assert function_name(name) == f"{name}_"
    assert fold(function_name(name)) == fold(name)


def test_whatever_the_runtime_gives_a_module_is_kept_free() -> None:
    names = re.findall(r'"(\w+)"', re.search(r"_RUNTIME = \((.*?)\)", inspect.getsource(views))[1])  # type: ignore[index]
    assert len(names) > 5
    assert all(function_name(name) != name for name in names)


@pytest.mark.parametrize("name", ["__getattr__", "__builtins__", "__dir__", "__name__"])
def test_names_that_mean_something_to_modules_lose_their_underscores(name: str) -> None:
    assert not function_name(name).startswith("__")
    assert fold(function_name(name)) == fold(name)
