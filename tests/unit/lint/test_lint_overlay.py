"""`--fix`: an Overlay 1.0 that repairs without guessing, keeps the names of tools, and asks the rest."""

from __future__ import annotations

import copy
import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.lint.overlay import QUESTION, overlay_of, path_of
from mcpgen.source.model import join


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "overlay_reader", Path(__file__).with_name("overlay_reader.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reader = _load()

OVERLAY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["overlay", "info", "actions"],
    "patternProperties": {"^x-": True},
    "additionalProperties": False,
    "properties": {
        "overlay": {"type": "string", "pattern": r"^1\.0\.\d+$"},
        "extends": {"type": "string"},
        "info": {
            "type": "object",
            "required": ["title", "version"],
            "additionalProperties": False,
            "properties": {"title": {"type": "string"}, "version": {"type": "string"}},
        },
        "actions": {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {
                "type": "object",
                "required": ["target"],
                "additionalProperties": False,
                "properties": {
                    "target": {"type": "string", "pattern": r"^\$"},
                    "description": {"type": "string"},
                    "update": {"type": ["object", "array", "string", "boolean", "number", "null"]},
                    "remove": {"type": "boolean"},
                },
            },
        },
    },
}
"""What Overlay 1.0.0 demands of a document, in short."""

POOR: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Parts", "version": "1"},
    "paths": {
        "/parts/{part}": {
            "get": {"responses": {"200": {"description": "ok"}}},
            "delete": {
                "operationId": "deletePart",
                "security": [{"bearerAuth": []}],
                "parameters": [
                    {"name": "part", "in": "path", "schema": {"enum": ["a", "b"]}},
                    {"name": "note's", "in": "query", "schema": {"type": "string"}},
                ],
                "responses": {"204": {"description": "gone"}},
            },
        },
        "/it's/{id}/~odd": {
            "post": {
                "operationId": "startCount",
                "summary": "Start the count\u200b of a shelf",
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"properties": {"days": {"type": "array"}, "at": {"type": "string"}}}
                        }
                    }
                },
                "responses": {"200": {"description": "ok"}},
                "parameters": [
                    {"name": "kind", "in": "query", "schema": {"type": "integer", "enum": [1, 2]}}
                ],
            }
        },
    },
}


@pytest.fixture
def poor() -> dict[str, Any]:
    return copy.deepcopy(POOR)


def fix(document: dict[str, Any], linted: Callable[..., Any]) -> tuple[dict[str, Any], Any]:
    """The overlay as a reader of the file sees it, and the document with the overlay applied."""
    subject, report = linted(document)
    overlay: dict[str, Any] = yaml.safe_load(overlay_of(subject, report.findings).text("parts.json"))
    return overlay, reader.applied(document, overlay)


def test_the_overlay_is_one(poor: dict[str, Any], linted: Callable[..., Any]) -> None:
    overlay, _ = fix(poor, linted)
    Draft202012Validator(OVERLAY_SCHEMA).validate(overlay)
    assert all(action["description"] for action in overlay["actions"])
    assert len({action["target"] for action in overlay["actions"] if QUESTION in action["update"]}) > 3


def test_what_needs_no_decision_is_repaired(poor: dict[str, Any], linted: Callable[..., Any]) -> None:
    _, fixed = fix(poor, linted)
    get, delete = fixed["paths"]["/parts/{part}"]["get"], fixed["paths"]["/parts/{part}"]["delete"]
    post = fixed["paths"]["/it's/{id}/~odd"]["post"]
    schema = post["requestBody"]["content"]["application/json"]["schema"]
    text = {"type": "string"}
    assert get["operationId"] == "get_part"
    assert get["parameters"] == [{"name": "part", "in": "path", "required": True, "schema": text}]
    assert delete["parameters"][0]["required"] is True
    assert delete["parameters"][0]["schema"]["type"] == "string"
    assert delete["summary"] == "Delete part"
    assert post["parameters"][1] == {"name": "id", "in": "path", "required": True, "schema": text}
    assert post["summary"] == "Start the count of a shelf"
    assert schema["type"] == "object"
    assert schema["properties"]["days"]["items"] == {}
    assert fixed["components"]["securitySchemes"] == {"bearerAuth": {"type": "http", "scheme": "bearer"}}


def test_the_repaired_document_is_better_and_has_the_same_tools(
    poor: dict[str, Any], linted: Callable[..., Any]
) -> None:
    subject, report = linted(poor)
    _, fixed = fix(poor, linted)
    subject_after, after = linted(fixed)
    repaired = {
        "operation-id-missing", "path-parameter-undeclared", "path-parameter-optional", "type-missing", "items-missing",
        "text-hidden", "security-undefined",
    }  # fmt: skip
    assert repaired <= {finding.code for finding in report.findings}
    assert {finding.code for finding in after.findings} & repaired == set()
    assert after.score.overall > report.score.overall
    assert [tool.name for tool in subject.tools] == [tool.name for tool in subject_after.tools]


def test_questions_are_marked_and_change_nothing(poor: dict[str, Any], linted: Callable[..., Any]) -> None:
    _, fixed = fix(poor, linted)
    assert fixed[QUESTION]["servers"] == {
        "value": "",
        "explanation": "What is the whole URL that calls start from?",
    }
    asked = fixed["paths"]["/it's/{id}/~odd"]["post"]["parameters"][0][QUESTION]["description"]
    assert asked["value"] == ""
    assert "`kind`" in asked["explanation"]
    assert asked["explanation"].endswith("?")


def test_applying_it_again_changes_nothing_where_no_list_grew(
    poor: dict[str, Any], linted: Callable[..., Any]
) -> None:
    del poor["paths"]["/parts/{part}"]["get"]
    poor["paths"]["/it's/{id}/~odd"]["post"]["parameters"].append(
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    )
    overlay, fixed = fix(poor, linted)
    assert reader.applied(fixed, overlay) == fixed


def test_a_good_document_needs_none(good: dict[str, Any], linted: Callable[..., Any]) -> None:
    overlay, fixed = fix(good, linted)
    Draft202012Validator(OVERLAY_SCHEMA).validate(overlay)
    assert fixed == good


def test_an_operation_id_that_would_rename_the_tool_is_asked_for(linted: Callable[..., Any]) -> None:
    document = {
        "openapi": "3.0.0",
        "info": {"title": "T", "version": "1"},
        "paths": {
            path: {"get": {"responses": {"200": {"description": "ok"}}}}
            for path in ("/api/v1/sys-api", "/parts")
        },
    }
    subject, _ = linted(document)
    _, fixed = fix(document, linted)
    after, _ = linted(fixed)
    assert [tool.name for tool in subject.tools] == [tool.name for tool in after.tools]
    assert fixed["paths"]["/parts"]["get"]["operationId"] == "list_parts"
    assert "operationId" in fixed["paths"]["/api/v1/sys-api"]["get"][QUESTION]


def test_a_project_has_nothing_to_repair(good: dict[str, Any], linted: Callable[..., Any]) -> None:
    subject, report = linted(good)
    with pytest.raises(ValueError, match="only a spec"):
        overlay_of(replace(subject, api=None), report.findings)


keys = st.text(max_size=6)
values = st.recursive(
    st.integers(), lambda inner: st.dictionaries(keys, inner, max_size=3) | st.lists(inner, max_size=3)
)


@given(values, st.data())
def test_a_path_finds_the_place_of_its_pointer(document: Any, data: st.DataObject) -> None:
    pointer, value = "", document
    while isinstance(value, dict | list) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        pointer, value = join(pointer, key), value[key]
    assert reader.find(document, path_of(document, pointer)) is value


def test_parameters_are_named_not_counted() -> None:
    twice = {"name": "x", "in": "path"}
    document = {"parameters": [{"name": "a'b", "in": "query"}, twice, twice]}
    path = path_of(document, "/parameters/0")
    assert path == "$['parameters'][?@.name == 'a\\'b' && @.in == 'query']"
    assert reader.find(document, path) == document["parameters"][0]
    assert path_of(document, "/parameters/1") == "$['parameters'][1]"
