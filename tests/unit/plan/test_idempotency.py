"""The header that makes a repeat safe: which one it is, what its keys can look like, what becomes of its argument."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Location
from mcpgen.ir.api import Parameter, ParameterIn, Style
from mcpgen.models.model import Models
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.idempotency import IdempotencyHeader, idempotency_header
from mcpgen.plan.model import ToolPlan
from mcpgen.render.catalog import catalogue

HERE = Location("spec.yaml")


def header(
    name: str = "Idempotency-Key",
    schema: dict[str, Any] | None = None,
    *,
    required: bool = False,
    description: str = "",
    where: ParameterIn = ParameterIn.HEADER,
) -> Parameter:
    schema = {"type": "string"} if schema is None else schema
    return Parameter(name, where, required, schema, Style.SIMPLE, False, HERE, description=description)


def found(parameter: Parameter) -> IdempotencyHeader | None:
    return idempotency_header([header("X-Trace"), parameter], {})


@pytest.mark.parametrize(
    "name",
    ["Idempotency-Key", "idempotency-key", "X-Idempotency-Key", "Idempotence-Key", "Idempotency-Token", "Idempotency",
     "X-Idempotency-Id", "Square-Idempotency-Key", "idempotency_key", "PayPal-Request-Id", "X-Acme-Idempotent-ID"],
)  # fmt: skip
def test_names_of_keys(name: str) -> None:
    assert found(header(name)) == IdempotencyHeader(name)


@pytest.mark.parametrize(
    "name", ["X-Request-Id", "Client-Token", "X-Transaction-ID", "Repeatability-Request-ID", "Operation-Id"]
)
def test_other_ids_are_keys_where_they_say_so(name: str) -> None:
    assert found(header(name)) is None
    assert found(header(name, description="Makes the call idempotent for a day.")) == IdempotencyHeader(name)
    assert found(header(name, {"type": "string", "description": "For idempotency."})) is not None


@pytest.mark.parametrize(
    "parameter",
    [
        header("X-Trace", description="Has nothing to do with idempotency."),
        header("Idempotency-Replayed"),
        header("Idempotency-Expiry"),
        header("Idempotent", {"type": "boolean"}),
        header("Idempotency-Key", {"type": "integer"}),
        header("Idempotency-Key", where=ParameterIn.QUERY),
        header("Idempotency-Key", where=ParameterIn.COOKIE),
    ],
)
def test_what_is_no_key(parameter: Parameter) -> None:
    assert found(parameter) is None


HEX, LOWER = "0123456789abcdef", string.digits + string.ascii_lowercase


@pytest.mark.parametrize(
    ("schema", "alphabet", "length"),
    [
        ({}, "", 0),
        ({"type": "string", "format": "uuid"}, "", 0),
        ({"type": "string", "minLength": 8, "maxLength": 64}, "", 0),
        ({"type": ["string", "null"], "maxLength": 36}, "", 0),
        ({"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"}, "", 0),
        ({"type": "string", "maxLength": 32}, HEX, 32),
        ({"type": "string", "maxLength": 20}, HEX, 20),
        ({"type": "string", "minLength": 64, "maxLength": 64}, HEX, 64),
        ({"type": "string", "minLength": 50}, HEX, 64),
        ({"type": "string", "pattern": "^[A-Za-z0-9]{1,64}$"}, HEX, 32),
        ({"type": "string", "pattern": "^[A-Z0-9]{26}$"}, "0123456789ABCDEF", 26),
        ({"type": "string", "pattern": "^\\d{20}$"}, string.digits, 20),
        ({"type": "string", "maxLength": 13}, LOWER, 13),
        ({"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 24}]}, HEX, 24),
    ],
)  # fmt: skip
def test_keys_fit_the_schema(schema: dict[str, Any], alphabet: str, length: int) -> None:
    made = found(header(schema=schema))
    assert made == IdempotencyHeader("Idempotency-Key", alphabet, length)
    pattern = schema.get("pattern")
    if alphabet and pattern:
        assert all(re.search(pattern, character * length) for character in alphabet)


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["a", "b"]},
        {"const": "a"},
        {"type": "string", "maxLength": 10},  # two calls could get the same key by chance
        {"type": "string", "pattern": "^ord_[a-z0-9]{20}$"},
        {"type": "string", "format": "uuid", "maxLength": 20},
        {"type": "string", "minLength": 40, "maxLength": 36},
        {"type": "string", "pattern": "^([0-9a-f]+)+$"},
        {"type": "string", "pattern": "^" + "[0-9a-z]*" * 12 + "!$"},
        {"type": "string", "not": {"pattern": "-"}},
    ],
)
def test_a_key_that_nobody_could_make_up_is_left_to_the_caller(schema: dict[str, Any]) -> None:
    """A pattern that can take for ever is not tried."""
    assert found(header(schema=schema)) == IdempotencyHeader("Idempotency-Key", made=False)


# ---------------------------------------------------------------- through the pipeline


def plan(parameter: dict[str, Any], method: str = "post", **document: Any) -> tuple[ToolPlan, dict[str, Any]]:
    import json

    operation = {
        "operationId": "placeOrder",
        "parameters": [parameter],
        "responses": {"200": {"description": "ok"}},
    }
    spec = {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "paths": {"/orders": {method: operation}},
    }
    spec["servers"] = [{"url": "https://api.example.test"}]
    request = GenerateRequest(spec="-", stdin=json.dumps(spec | document).encode(), config=Config())
    planned = plan_spec(request, Collector()).plan
    (tool,) = planned.tools
    return tool, catalogue(planned, Models({}, {}), "test")["operations"][tool.name]


KEY = {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}


def test_an_argument_that_is_set_by_itself_says_so() -> None:
    tool, entry = plan({**KEY, "description": "A value of your choice."})
    assert entry["idempotency"] == {"header": "Idempotency-Key"}
    assert [argument.required for argument in tool.arguments] == [False]
    text = tool.input_schema["properties"]["idempotency_key"]["description"]
    assert text == "Set by itself when left out. A value of your choice."


def test_one_that_the_api_requires_stays_required() -> None:
    tool, entry = plan({**KEY, "required": True, "description": "A value of your choice."})
    assert entry["idempotency"] == {"header": "Idempotency-Key"}
    assert tool.input_schema["required"] == ["idempotency_key"]
    assert tool.input_schema["properties"]["idempotency_key"]["description"] == "A value of your choice."


def test_keys_of_another_make_are_told() -> None:
    _, entry = plan({**KEY, "schema": {"type": "string", "maxLength": 24}})
    assert entry["idempotency"] == {"header": "Idempotency-Key", "alphabet": HEX, "length": 24}


def test_one_that_can_not_be_made_up_is_the_callers() -> None:
    tool, entry = plan({**KEY, "schema": {"type": "string", "pattern": "^ord_", "description": "Yours."}})
    assert entry["idempotency"] == {"header": "Idempotency-Key", "made": False}
    assert tool.input_schema["properties"]["idempotency_key"]["description"] == "Yours."


def test_an_operation_without_one_has_no_entry() -> None:
    _, entry = plan({"name": "X-Trace", "in": "header", "schema": {"type": "string"}})
    assert "idempotency" not in entry
    _, entry = plan(KEY, "get")
    assert "idempotency" not in entry
