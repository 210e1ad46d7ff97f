"""Lists inside a list, as Swagger 2.0 writes them: each level with its own delimiter."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.operation import Parameter
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.headers import header_value
from mcpgen.runtime.requests.paths import fill_template
from mcpgen.runtime.requests.query import query_pairs

ROWS: list[Any] = [["a", "b c"], [1, True], "d"]


@pytest.mark.parametrize(
    ("style", "explode", "sent"),
    [
        ("form", True, ["r=a%7Cb%20c", "r=1%7Ctrue", "r=d"]),
        ("form", False, ["r=a%7Cb%20c,1%7Ctrue,d"]),
    ],
)
def test_query(style: str, explode: bool, sent: list[str]) -> None:
    assert list(query_pairs(Parameter("r", "query", style, explode, inner=("|",)), ROWS)) == sent


def test_deeper_levels() -> None:
    parameter = Parameter("r", "query", "form", False, inner=("|", ";"))
    assert list(query_pairs(parameter, [[["a", "b"], ["c"]], [["d"]]])) == ["r=a%3Bb%7Cc,d"]


def test_path_and_header() -> None:
    path = Parameter("r", "path", "simple", False, inner=("|",))
    assert fill_template("/x/{r}", {"r": path}, {"r": [["a", "b"], ["c"]]})[0] == "/x/a%7Cb,c"
    assert (
        header_value(Parameter("r", "header", "simple", False, inner=("|",)), [["a", "b"], ["c"]]) == "a|b,c"
    )


def test_an_inner_item_that_would_arrive_as_two_is_refused() -> None:
    with pytest.raises(CallFailed):
        list(query_pairs(Parameter("r", "query", "form", True, inner=("|",)), [["a|b", "c"]]))


def test_without_delimiters_nothing_changes() -> None:
    assert list(query_pairs(Parameter("r", "query", "form", True), [["a"]])) == ["r=%5B%22a%22%5D"]
