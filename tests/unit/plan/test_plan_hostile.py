"""Small documents that could stop planning, or keep it busy for ever."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.ir.api import Api, MediaType, Operation, RequestBody
from mcpgen.plan.drafts import draft_tools
from mcpgen.plan.effects.split import action_argument
from mcpgen.plan.examples import example_value
from mcpgen.plan.overrides.resolution import Overrides
from mcpgen.plan.texts.text import clean_text

HERE = Location("spec.yaml")


def operation(path: str, schema: dict[str, Any] | None = None, extensions: Any = None) -> Operation:
    body = RequestBody(True, (MediaType("application/json", schema),), HERE) if schema is not None else None
    return Operation("POST", path, HERE, body=body, extensions=extensions or {})


def acting(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": ["action"], "properties": {"action": schema}}


@pytest.mark.parametrize("value", [["read"], {"a": 1}, 5, "unknown", {1: 2}, 10**400])
@pytest.mark.parametrize("extension", ["x-mcp", "x-mcp-effect"])
def test_an_effect_that_is_no_word_is_a_fault(extension: str, value: Any) -> None:
    told = {"effect": value} if extension == "x-mcp" else value
    plain = Api("T", "1", "3.1.0", HERE, operations=(operation("/orders"),))
    said = Api("T", "1", "3.1.0", HERE, operations=(operation("/orders", extensions={extension: told}),))
    collector = Collector()
    overrides = Overrides(said, diagnostics=collector)
    assert [draft.effect for draft in draft_tools(said, overrides=overrides)] == [
        draft.effect for draft in draft_tools(plain)
    ]
    assert [item.code for item in collector] == ["extension-invalid"]
    with pytest.raises(Refused):
        overrides.faults.close()


def test_an_action_that_is_listed_twice_is_one() -> None:
    options = [{"const": "query"}, {"const": "delete"}, {"const": "delete"}]
    found = action_argument(operation("/op", acting({"oneOf": options})), {})
    assert found is not None
    assert [value for value, _ in found.values] == ["query", "delete"]


def test_keys_of_actions_are_never_those_of_operations() -> None:
    schema = acting({"enum": ["query", "delete", "delete] /x"]})
    paths = ["/op", "/op delete", "/x] /op", "[delete] /op"]
    operations = (
        operation(paths[0], schema),
        operation(paths[1]),
        operation(paths[2], schema),
        operation(paths[3]),
    )
    keys = [draft.key for draft in draft_tools(Api("T", "1", "3.1.0", HERE, operations=operations))]
    assert len(set(keys)) == len(keys) == 8
    assert keys[:4] == ["POST[query] /op", "POST[delete] /op", "POST[delete%5D /x] /op", "POST /op delete"]


@pytest.mark.parametrize("bounds", [{"minimum": 10**400}, {"exclusiveMinimum": 1.7e308, "multipleOf": 1e300}])
def test_no_example_is_infinite(bounds: dict[str, Any]) -> None:
    value = example_value({"type": "number", **bounds}, {}, direction="request")
    assert "Infinity" not in json.dumps(value)


def test_required_fields_that_fan_out_come_to_an_end() -> None:
    schemas: dict[str, Any] = {
        f"L{n}": {
            "type": "object",
            "required": ["a", "b"],
            "properties": {key: {"$ref": f"#/components/schemas/L{n + 1}"} for key in "ab"},
        }
        for n in range(25)
    }
    schemas["L25"] = {"type": "string"}
    start = time.process_time()
    value = example_value({"$ref": "#/components/schemas/L0"}, schemas, direction="request")
    assert len(json.dumps(value)) < 500_000
    assert time.process_time() - start < 8


@pytest.mark.parametrize(
    "text",
    [
        "a " + "\n " * 20_000, "- " * 20_000, "| " * 20_000, "|--" * 10_000 + "x", " " * 20_000 + "x",
        "# " + " " * 20_000 + "x", "* " * 9_000 + "x", "**a " * 7_000, "\n" * 20_000 + "x", "[a](" * 7_000,
    ],
)  # fmt: skip
def test_cleaning_takes_little_time(text: str) -> None:
    start = time.process_time()
    clean_text(text)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# Title #\ntext", "Title\ntext"),
        ("# C#", "C"),
        ("| X | Y |\n| --- | :--: |\n| 1 | 2 |", "X | Y\n1 | 2"),
        ("a\n\n* * *\n\nb", "a\nb"),
    ],
)
def test_headings_tables_and_rules(source: str, expected: str) -> None:
    assert clean_text(source) == expected
