"""Arguments: harmless repairs, and words for what is wrong with the others."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.catalog import Catalog
from mcpgen.runtime.inputs.arguments import prepare, repaired
from mcpgen.runtime.inputs.checking import ArgumentCheck
from mcpgen.runtime.inputs.validation import complaints
from mcpgen.runtime.operation import Operation
from mcpgen.runtime.outcomes.failures import CallFailed

INT, STR, BOOL = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
NULLABLE = {"anyOf": [STR, {"type": "null"}]}


@pytest.fixture
def operation(op):
    def make(properties: dict[str, Any], required: list[str] | None = None, defs: Any = None) -> Operation:
        tool, entry, _ = op(
            params=[("query", name, schema, {}) for name, schema in properties.items()],
            required=required or [],
            defs=defs,
        ).entries("find")
        server = {"name": "x", "env_prefix": "X"}
        content = {"schema_version": 1, "server": server, "tools": [tool], "operations": {"find": entry}}
        return Catalog("x", content).operation("find")

    return make


@pytest.mark.parametrize(
    ("schema", "given", "read"),
    [
        (INT, "5", 5),
        (INT, "9007199254740993", 9007199254740993),
        (INT, 5.0, 5),
        (INT, "5.0", 5),
        ({"type": "number"}, "0.5", 0.5),
        ({"type": "number"}, 5.0, 5.0),
        (BOOL, "true", True),
        (BOOL, "False", False),
        ({"type": "object"}, '{"a": 9007199254740993}', {"a": 9007199254740993}),
        ({"type": "array", "items": INT}, "[1, 2]", [1, 2]),
        ({"type": "array", "items": INT}, ["1", 2.0], [1, 2]),
        ({"type": "array", "items": STR}, "red", ["red"]),
        ({"type": "array", "items": INT}, 7, [7]),
        (STR, 12345, "12345"),
        ({"type": "object", "properties": {"n": INT}}, {"n": "3", "x": "3"}, {"n": 3, "x": "3"}),
        ({"$ref": "#/$defs/Size"}, "3", 3),
        ({"anyOf": [INT, {"type": "null"}]}, "3", 3),
        ({"allOf": [INT, {"minimum": 1}]}, "3", 3),
        ({"enum": [1, 2]}, "2", 2),
    ],
)
def test_harmless_slips_are_repaired(operation, schema, given, read) -> None:
    prepared = prepare(operation({"a": schema}, defs={"Size": INT}), {"a": given})
    assert prepared.arguments == {"a": read}
    assert type(prepared.arguments["a"]) is type(read)


@pytest.mark.parametrize(
    ("schema", "given"),
    [
        (STR, "5"),
        ({"type": ["string", "integer"]}, "5"),
        ({"anyOf": [STR, INT]}, "true"),
        ({}, "5"),
        (STR, '{"a": 1}'),
        (NULLABLE, None),
        ({"type": "number"}, 5),
        ({"enum": [0.5, 1, "auto", None]}, None),
    ],
)
def test_what_fits_is_not_touched(operation, schema, given) -> None:
    prepared = prepare(operation({"a": schema}), {"a": given})
    assert prepared.arguments == {"a": given}
    assert prepared.notes == ()


def test_repairs_are_noted(operation) -> None:
    prepared = prepare(operation({"limit": INT, "note": STR}), {"limit": "5", "note": None})
    assert prepared.arguments == {"limit": 5}
    assert prepared.notes == (
        "`limit` was text and is read as integer.",
        "`note` was null, which it can't be, and is left out.",
    )


def wrong(operation: Operation, given: dict[str, Any]) -> str:
    with pytest.raises(CallFailed) as caught:
        prepare(operation, given)
    failure = caught.value.failure
    assert (failure.category, failure.retryable) == ("validation", True)
    return failure.message


def test_every_bad_field_is_named_with_what_was_expected(operation) -> None:
    found = operation(
        {
            "order_id": STR,
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "status": {"enum": ["open", "shipped"]},
            "lines": {
                "type": "array",
                "items": {"type": "object", "properties": {"sku": STR}, "required": ["sku"]},
            },
        },
        ["order_id"],
    )
    message = wrong(
        found, {"orderid": "1", "limit": 0, "status": "shiped", "lines": [{"sku": "a"}, {"skw": 1}]}
    )
    assert "`order_id` is missing (expected: string)" in message
    assert "`orderid` is no argument of this tool (did you mean `order_id`?)" in message
    assert "`limit` must be at least 1" in message
    assert '`status` must be one of "open", "shipped" (did you mean "shipped"?)' in message
    assert "`lines[1].sku` is missing (expected: string)" in message


def test_a_wrong_type_is_described(operation) -> None:
    assert "`when` must be string (date), not array" in wrong(
        operation({"when": {**STR, "format": "date"}}), {"when": []}
    )
    assert "`n` must be integer from 1 to 9, not string" in wrong(
        operation({"n": {"type": "integer", "minimum": 1, "maximum": 9}}), {"n": "many"}
    )


def test_a_required_null_is_refused(operation) -> None:
    assert "`a` must be string, not null" in wrong(operation({"a": STR}, ["a"]), {"a": None})


def test_inside_a_union_the_branch_that_is_meant_is_told(operation) -> None:
    card = {
        "type": "object",
        "properties": {"kind": {"const": "card"}, "no": STR},
        "required": ["kind", "no"],
    }
    bank = {
        "type": "object",
        "properties": {"kind": {"const": "bank"}, "iban": STR},
        "required": ["kind", "iban"],
    }
    message = wrong(operation({"pay": {"oneOf": [card, bank]}}), {"pay": {"kind": "bank"}})
    assert "`pay.iban` is missing" in message
    assert "`pay.no`" not in message


def test_what_has_to_go_together_is_named() -> None:
    pair = {"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}}
    schema = {**pair, "properties": {"a": {}, "b": {}, "inner": pair}}
    with pytest.raises(CallFailed) as refused:
        repaired("find", ArgumentCheck(schema), {"a": 1, "inner": {"a": 1}})
    message = refused.value.failure.message
    assert "`b` is missing: it goes with `a`" in message
    assert "`inner.b` is missing: it goes with `inner.a`" in message


def test_names_that_a_pattern_admits_are_not_called_unknown(operation) -> None:
    schema = {"type": "object", "patternProperties": {"^x-": INT}, "additionalProperties": False}
    message = wrong(operation({"a": schema}), {"a": {"x-a": 1, "other": 1}})
    assert "`a.other` is no field" in message
    assert "x-a" not in message


def test_values_are_never_repeated(operation) -> None:
    secret = "hunter2-hunter2"
    found = operation(
        {"a": {**STR, "maxLength": 3}, "b": INT, "c": {"enum": [1]}, "d": {**STR, "pattern": "^x"}}
    )
    assert secret not in wrong(found, {"a": secret, "b": secret, "c": secret, "d": secret})


def test_formats_are_only_annotations(operation) -> None:
    prepare(operation({"when": {**STR, "format": "date-time"}}), {"when": "tomorrow"})


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "number", "multipleOf": 0.01}, [19.99, 0.07, 5], [0.005]),
        ({"type": "string", "pattern": r"^\p{L}+$"}, ["žluť", "1"], []),
        (
            {"type": "object", "patternProperties": {r"^\p{L}$": INT}, "additionalProperties": False},
            [{"é": "x"}],
            [],
        ),
        (
            {"type": "object", "patternProperties": {"^x-": INT}, "additionalProperties": False},
            [{"x-a": 1}],
            [{"a": 1}],
        ),
    ],
)
def test_rules_that_python_reads_differently(operation, schema, good, bad) -> None:
    found = operation({"a": schema})
    for value in good:
        assert prepare(found, {"a": value}).arguments == {"a": value}
    for value in bad:
        wrong(found, {"a": value})


class TestTheRest:
    @pytest.fixture
    def create(self, op) -> Operation:
        tool, entry, _ = op(
            method="POST",
            body={"content_type": "application/json", "kind": "json", "required": True},
            fields={"a/b": STR, "size": INT},
            rest={"type": "object", "additionalProperties": INT},
            required=["size"],
        ).entries("create")
        entry["arguments"][0]["pointer"] = "/a~1b"
        content = {
            "schema_version": 1,
            "server": {"name": "x", "env_prefix": "X"},
            "tools": [tool],
            "operations": {"create": entry},
        }
        return Catalog("x", content).operation("create")

    def test_fields_with_an_argument_of_their_own_are_moved_there(self, create) -> None:
        prepared = prepare(create, {"extra": {"size": "3", "a/b": "x", "other": 1}})
        assert prepared.arguments == {"a/b": "x", "size": 3, "extra": {"other": 1}}

    def test_also_when_the_rest_is_json_text(self, create) -> None:
        assert prepare(create, {"extra": '{"size": 3}'}).arguments == {"size": 3, "extra": {}}

    def test_the_same_value_twice_is_no_conflict(self, create) -> None:
        assert prepare(create, {"size": 3, "extra": {"size": 3}}).arguments == {"size": 3, "extra": {}}

    def test_two_values_for_one_field_are_refused(self, create) -> None:
        assert "`size` is given twice" in wrong(create, {"size": 3, "extra": {"size": 4}})

    def test_the_rest_is_validated(self, create) -> None:
        assert "`extra.other` must be integer" in wrong(create, {"size": 3, "extra": {"other": "x"}})


@pytest.mark.parametrize("field", [{"list": {"a": 1}}, {"list": None}, {"list": [2.0]}])
def test_what_some_alternative_admits_is_not_touched(field: dict[str, Any]) -> None:
    closed = {
        "type": "object",
        "properties": {"list": {"type": "array", "items": {}}},
        "additionalProperties": False,
    }
    schema = {"type": "object", "properties": {"of": {"anyOf": [{"type": "object"}, closed]}}}
    ready = repaired("tool", ArgumentCheck(schema), {"of": field})
    assert (ready.arguments, ready.notes) == ({"of": field}, ())


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), 1e308, 10**400])
def test_numbers_beyond_all_bounds_are_checked(value: float) -> None:
    """`1e999` is JSON, and is read as an infinite number."""
    check = ArgumentCheck({"properties": {"n": {"type": "number", "multipleOf": 0.3}}})
    assert complaints(check, {"n": value}) == ["`n` must be a multiple of 0.3"]
