"""Schemathesis makes the calls: valid ones, the same for the same seed, and none where nothing is valid."""

import json
from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator

from mcpgen.pipeline import Planned

pytest.importorskip("schemathesis")

from mcpgen.verify.cases import Cases
from mcpgen.verify.document import operations_of

Plan = Callable[..., Planned]
BODY = {
    "type": "object",
    "required": ["n"],
    "properties": {
        "n": {"type": "integer", "minimum": 3},
        "server_side": {"type": "string", "readOnly": True},
        "child": {"$ref": "#/components/schemas/Node"},
    },
}
PARAMETERS = [
    {
        "name": "tags",
        "in": "query",
        "explode": False,
        "schema": {"type": "array", "items": {"enum": ["a", "b"]}},
    },
    {
        "name": "filter",
        "in": "query",
        "style": "deepObject",
        "schema": {"type": "object", "properties": {"since": {"type": "string", "format": "date"}}},
    },
    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}, "example": 41},
]


def cases_of(planned: Planned, seed: int) -> Cases:
    operations = operations_of(planned.api)
    tools = [(tool, operations[tool.operation_key]) for tool in planned.plan.tools]
    return Cases(tools, planned.api.schemas, seed)


@pytest.fixture
def planned(plan: Plan) -> Planned:
    body = {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}},
    }
    operation = {"parameters": PARAMETERS, "requestBody": body, "responses": {"200": {"description": ""}}}
    return plan({"/x/{id}": {"put": operation}}, components={"schemas": {"Node": BODY}})


def test_calls_are_values_that_fit_the_published_schema(planned: Planned) -> None:
    [tool] = planned.plan.tools
    found = cases_of(planned, 1).valid(tool, 12)
    assert len(found) == 12 == len({json.dumps(one, sort_keys=True) for one in found})
    for arguments in found:
        assert list(Draft202012Validator(tool.input_schema).iter_errors(arguments)) == []
    given = {name for arguments in found for name in arguments}
    assert {"n", "tags"} <= given, "optional arguments are tried too"
    assert "server_side" not in given
    assert all(
        isinstance(one.get("tags", []), list) for one in found
    ), "values, not what is written on the wire"


def test_first_call_has_the_examples_of_the_spec(planned: Planned) -> None:
    [tool] = planned.plan.tools
    assert cases_of(planned, 1).valid(tool, 2)[0]["id"] == 41


def test_seed_decides(planned: Planned) -> None:
    [tool] = planned.plan.tools
    assert cases_of(planned, 1).valid(tool, 8) == cases_of(planned, 1).valid(tool, 8)
    assert cases_of(planned, 1).valid(tool, 8) != cases_of(planned, 2).valid(tool, 8)


def test_a_tool_has_no_more_calls_than_there_are(plan: Plan) -> None:
    planned = plan({"/x": {"get": {"responses": {"200": {"description": ""}}}}})
    [tool] = planned.plan.tools
    assert cases_of(planned, 0).valid(tool, 9) == [{}]
