"""A base whose subtypes name it, not the other way round: bodies and answers admit what the subtypes add."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import ToolPlan
from mcpgen.plan.projection import Direction, Projector

PREFIX = "#/components/schemas/"


def ref(name: str) -> dict[str, Any]:
    return {"$ref": PREFIX + name}


def schemas(**vessel: Any) -> dict[str, Any]:
    mapping = {"tank": PREFIX + "Tanker"}
    return {
        "Vessel": {
            "type": "object",
            "properties": {"kind": {"type": "string"}, "tug": ref("Vessel")},
            "required": ["kind"],
            "discriminator": {"propertyName": "kind", "mapping": mapping},
            **vessel,
        },
        "Tanker": {
            "allOf": [ref("Vessel"), {"properties": {"oil": {"type": "integer"}}, "required": ["oil"]}]
        },
        "Raft": {"allOf": [ref("Vessel"), {"type": "object", "properties": {"logs": {"type": "integer"}}}]},
    }


def tool(body: dict[str, Any], known: dict[str, Any]) -> ToolPlan:
    content = {"application/json": {"schema": body}}
    operation = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "ok", "content": content}},
    }
    spec = {
        "openapi": "3.0.3",
        "info": {"title": "Fleet", "version": "1"},
        "servers": [{"url": "https://api.example.test"}],
        "paths": {"/vessels": {"post": operation}},
        "components": {"schemas": known},
    }
    (found,) = plan_spec(GenerateRequest(spec="-", stdin=json.dumps(spec).encode()), Collector()).plan.tools
    return found


def test_a_body_of_the_base_takes_what_subtypes_add() -> None:
    for body in (ref("Vessel"), {"allOf": [ref("Vessel")], "description": "The vessel."}):
        found = tool(body, schemas())
        (argument,) = found.arguments
        assert argument.pointer == ""
        check = Draft202012Validator(found.input_schema)
        assert check.is_valid({"body": {"kind": "tank", "oil": 5, "tug": {"kind": "Raft", "logs": 3}}})
        assert check.is_valid({"body": {"kind": "other", "sails": 2}})
        assert not check.is_valid({"body": {"oil": 5}})
        text = json.dumps(found.input_schema)
        assert "With kind `tank`." in text
        assert "With kind `Raft`." in text
        assert set(found.input_schema["$defs"]) == {"Vessel"}
        answer = Draft202012Validator(found.output_schema["properties"]["data"])
        assert answer.is_valid({"kind": "tank", "oil": 5})
        assert not answer.is_valid({"kind": 5})


def test_a_field_of_the_base_takes_what_subtypes_add() -> None:
    body = {"type": "object", "properties": {"vessel": ref("Vessel"), "note": {"type": "string"}}}
    found = tool(body, schemas(additionalProperties=False))
    assert [argument.name for argument in found.arguments] == ["vessel", "note"]
    assert Draft202012Validator(found.input_schema).is_valid({"vessel": {"kind": "tank", "oil": 5}})


def test_a_subtype_is_itself() -> None:
    found = tool(ref("Tanker"), schemas())
    assert {argument.name for argument in found.arguments} == {"kind", "tug", "oil"}


def test_a_base_with_very_many_subtypes_stays_small_and_open() -> None:
    known = schemas(additionalProperties=False)
    known |= {f"V{n}": {"allOf": [ref("Vessel"), {"properties": {f"p{n}": {}}}]} for n in range(60)}
    found = tool(ref("Vessel"), known)
    assert len(json.dumps(found.input_schema)) < 2_000
    assert Draft202012Validator(found.input_schema).is_valid({"body": {"kind": "V3", "p3": 1}})


def test_alternatives_say_by_which_value_they_are_chosen() -> None:
    known: dict[str, Any] = {
        "Sail": {"type": "object", "properties": {"kind": {"type": "string"}}},
        "Oar": {"type": "object", "properties": {"kind": {"const": "oar"}}, "description": "An oar."},
        "Drive": {"oneOf": [ref("Sail"), ref("Oar")], "discriminator": {"propertyName": "kind"}},
    }
    found = Projector(known, Direction.REQUEST, 9_000).project({"properties": {"drive": ref("Drive")}}).schema
    texts = [part.get("description") for part in found["properties"]["drive"]["anyOf"]]
    assert texts == ["With kind `Sail`.", "An oar."]


def test_conditions_stay_exact_or_go() -> None:
    known: dict[str, Any] = {
        "Small": {"type": "integer", "maximum": 3},
        "Node": {"properties": {"next": ref("Node")}},
        "Text": {"oneOf": [{"minLength": 1}, {"maxLength": 3}]},
    }
    projector = Projector(known, Direction.REQUEST, 9_000)
    exact = projector.project({"not": {"anyOf": [ref("Small"), ref("Text")]}})
    assert exact.schema == {"not": {"anyOf": [known["Small"], known["Text"]]}}
    assert not exact.simplified
    fan = {f"F{n}": {"anyOf": [ref(f"F{n + 1}")] * 10} for n in range(30)} | {"F30": {}}
    assert Projector(fan, Direction.REQUEST, 9_000).project({"not": ref("F0")}).schema == {}
    endless = projector.project({"not": ref("Node"), "contains": ref("Node"), "maxContains": 1})
    assert endless.schema == {}
    assert endless.simplified


def test_loosening_never_closes() -> None:
    """Fields that an alternative names must not count as unknown once that alternative is loosened."""
    many = {f"p{n}": {"type": "string", "description": "d" * 90} for n in range(20)}
    schema = {
        "anyOf": [{"properties": many}, {"properties": {"q": {}}}],
        "unevaluatedProperties": {"not": {}},
    }
    found = Projector({}, Direction.REQUEST, 10).project(schema)
    assert found.simplified
    assert Draft202012Validator(found.schema).is_valid({"p1": "x"})
