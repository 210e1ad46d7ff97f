"""Everything is resolved; only references to named schemas are left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.ir.merging import flatten

Reader = Callable[..., Any]
PREFIX = "#/components/schemas/"


def body(schema: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {
        "paths": {
            "/x": {"post": {"requestBody": {"content": content}, "responses": {"200": {"description": "ok"}}}}
        }
    }


def body_schema(found: Any) -> Any:
    return found.operation(method="POST")["requestBody"]["content"]["application/json"]["schema"]


def test_every_kind_of_component(read: Reader) -> None:
    text = """
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /x: {$ref: '#/components/pathItems/X'}
components:
  pathItems:
    X:
      parameters: [{$ref: '#/components/parameters/P'}]
      post:
        requestBody: {$ref: '#/components/requestBodies/B'}
        responses: {'200': {$ref: '#/components/responses/R', description: mine}}
  parameters:
    P: {name: p, in: query, schema: {type: integer}, examples: {one: {$ref: '#/components/examples/E'}}}
  requestBodies:
    B: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}
  responses:
    R:
      description: theirs
      headers: {H: {$ref: '#/components/headers/H'}}
      links: {L: {$ref: '#/components/links/L'}}
  headers: {H: {schema: {type: string}, description: h}}
  links: {L: {operationId: other, parameters: {id: $response.body#/id}}}
  examples: {E: {value: 7}}
  schemas: {S: {type: object}}
  securitySchemes:
    one: {$ref: '#/components/securitySchemes/two'}
    two: {type: http, scheme: bearer}
"""
    found = read(text)
    operation = found.operation(method="POST")
    assert operation["parameters"][0]["name"] == "p"
    assert operation["parameters"][0]["examples"] == [7]
    assert operation["requestBody"]["content"]["application/json"]["schema"] == {"$ref": PREFIX + "S"}
    response = operation["responses"]["200"]
    assert response["description"] == "mine"
    assert response["headers"] == {"H": {"type": "string", "description": "h"}}
    assert response["links"]["L"]["operationId"] == "other"
    assert found.document.root["components"]["securitySchemes"]["one"]["scheme"] == "bearer"
    assert found.document.origins["/paths/~1x/POST/parameters/0"].pointer == "/components/parameters/P"
    assert found.diagnostics == []


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("#/components/schemas/S", "S"),
        ("#/components/schemas/S/properties/inner", "inner"),
        ("#/components/schemas/S/properties/list/items", "list_items"),
        ("#/components/schemas/S/$defs/Y", "Y"),
        ("other.yaml", "other"),
        ("other.yaml#/definitions/Z", "Z"),
        ("other.yaml#/definitions/S", "other_S"),
        ("dir/my%20schema.v1.json", "my_schema"),
        ("#/components/schemas/Odd%20%5BName%5D", "Odd_Name"),
    ],
)
def test_names_of_definitions(read: Reader, reference: str, name: str) -> None:
    properties = {"inner": {"type": "integer"}, "list": {"type": "array", "items": {"type": "number"}}}
    schemas = {
        "S": {"properties": properties, "$defs": {"Y": {"type": "null"}}},
        "Odd [Name]": {"type": "boolean"},
    }
    files = {
        "other.yaml": {"type": "object", "definitions": {"Z": {"type": "array"}, "S": {"type": "string"}}},
        "dir/my schema.v1.json": {"type": "string"},
    }
    found = read({**body({"$ref": reference}), "components": {"schemas": schemas}}, "3.1.0", files)
    assert body_schema(found) == {"$ref": PREFIX + name}
    assert name in found.schemas
    assert f"/components/schemas/{name}" in found.document.origins


def test_a_component_that_only_names_a_file_gives_it_its_name(read: Reader) -> None:
    schemas = {"Order": {"$ref": "parts/order.yaml"}, "Again": {"$ref": "#/components/schemas/Order"}}
    files = {"parts/order.yaml": {"type": "object", "properties": {"next": {"$ref": "order.yaml"}}}}
    found = read({**body({"$ref": "parts/order.yaml"}), "components": {"schemas": schemas}}, "3.0.3", files)
    assert body_schema(found) == {"$ref": PREFIX + "Order"}
    assert found.schemas["Order"]["properties"]["next"] == {"$ref": PREFIX + "Order"}
    assert found.schemas["Again"] == {"$ref": PREFIX + "Order"}
    assert set(found.schemas) == {"Order", "Again"}


def test_files_that_only_refer_to_each_other(read: Reader) -> None:
    files = {"a.yaml": {"$ref": "b.yaml"}, "b.yaml": {"$ref": "a.yaml"}}
    found = read(
        {**body({"$ref": "a.yaml"}), "components": {"schemas": {"C": {"$ref": "a.yaml"}}}}, "3.0.3", files
    )
    assert "reference-cycle" in found.codes()
    assert body_schema(read(body({"$ref": "a.yaml"}), "3.0.3", files)) == {}


def test_a_broken_schema_costs_only_itself(read: Reader) -> None:
    found = read(body({"properties": {"a": {"$ref": PREFIX + "Missing"}, "b": {"type": "string"}}}))
    assert body_schema(found) == {"properties": {"a": {}, "b": {"type": "string"}}}
    (problem,) = (item for item in found.diagnostics if item.code == "reference-broken")
    assert "`#/components/schemas/Missing`" in problem.message
    assert problem.location.pointer.endswith("/schema/properties/a")
    assert problem.location.line is not None


def test_a_broken_response_costs_its_content(read: Reader) -> None:
    paths = {
        "/x": {
            "get": {
                "responses": {"200": {"$ref": "#/components/responses/Gone"}, "404": {"description": "no"}}
            }
        }
    }
    found = read({"paths": paths})
    assert found.operation()["responses"]["200"] == {"description": "", "content": {}}
    assert set(found.operation()["responses"]) == {"200", "404"}
    assert "reference-broken" in found.codes()


@pytest.mark.parametrize(
    "part",
    [
        {"parameters": [{"$ref": "#/components/parameters/Missing"}]},
        {"requestBody": {"$ref": "#/components/requestBodies/Missing"}},
        {"requestBody": {"$ref": "missing.yaml"}},
    ],
)
def test_a_broken_parameter_or_body_skips_the_operation_alone(read: Reader, part: dict[str, Any]) -> None:
    answers = {"responses": {"200": {"description": "ok"}}}
    found = read({"paths": {"/x": {"get": answers, "post": {**answers, **part}}}})
    assert list(found.document.root["paths"]["/x"]) == ["GET"]
    (skipped,) = found.document.skipped
    assert (skipped.method, skipped.path, skipped.code) == ("POST", "/x", "operation-skipped")
    assert "issing" in skipped.reason
    (message,) = found.messages("operation-skipped")
    assert message.startswith("POST /x is skipped: the reference")


def test_a_broken_path_item_skips_its_operations(read: Reader) -> None:
    good = {"get": {"responses": {"200": {"description": "ok"}}}}
    found = read(
        {
            "paths": {
                "/x": good,
                "/y": {"$ref": "gone.yaml"},
                "/z": {"$ref": "gone.yaml", "put": {"responses": {}}},
            }
        }
    )
    assert [(item.method, item.path) for item in found.document.skipped] == [("*", "/y"), ("PUT", "/z")]


def test_path_items_with_siblings_and_operations_behind_references(read: Reader) -> None:
    files = {
        "item.yaml": {"get": {"summary": "theirs"}, "post": {"summary": "post"}, "parameters": [{"name": "q", "in": "query", "schema": {}}]},
        "op.yaml": {"summary": "behind", "responses": {}},
    }  # fmt: skip
    paths = {"/x": {"$ref": "item.yaml", "get": {"summary": "mine"}, "put": {"$ref": "op.yaml"}}}
    found = read({"paths": paths}, "3.0.3", files)
    assert found.operation()["summary"] == "mine"
    assert found.operation(method="POST")["summary"] == "post"
    assert found.operation(method="PUT")["summary"] == "behind"
    assert [item["name"] for item in found.operation()["parameters"]] == ["q"]


def test_whole_maps_and_texts_behind_references(read: Reader) -> None:
    text = """
openapi: 3.0.0
info: {title: T, version: 1.0, description: {$ref: 'texts.yaml#/intro'}}
paths:
  /x:
    get:
      responses: {$ref: 'parts.yaml#/responses'}
components:
  schemas:
    S: {type: object, properties: {$ref: 'parts.yaml#/fields'}}
"""
    files = {
        "texts.yaml": {"intro": "Hello"},
        "parts.yaml": {"responses": {"200": {"description": "ok"}}, "fields": {"a": {"type": "string"}}},
    }
    found = read(text, files=files)
    assert found.document.root["info"]["description"] == "Hello"
    assert found.document.root["info"]["version"] == "1.0"
    assert found.operation()["responses"]["200"]["description"] == "ok"
    assert found.schemas["S"]["properties"] == {"a": {"type": "string"}}


def test_a_file_says_its_own_version(read: Reader) -> None:
    other = {
        "openapi": "3.1.0",
        "components": {
            "schemas": {
                "N": {"type": "integer", "exclusiveMinimum": 3, **{"$ref": "#/components/schemas/M"}},
                "M": {},
            }
        },
    }
    found = read(body({"$ref": "other.yaml#/components/schemas/N"}), "3.0.3", {"other.yaml": other})
    assert found.schemas["N"] == {"$ref": PREFIX + "M", "type": "integer", "exclusiveMinimum": 3}


def test_a_dynamic_reference_without_an_outer_anchor_is_a_reference(read: Reader) -> None:
    schemas = {
        "Node": {
            "$dynamicAnchor": "node",
            "type": "object",
            "properties": {"child": {"$dynamicRef": "#node"}},
        }
    }
    found = read({"components": {"schemas": schemas}}, "3.1.0")
    assert found.schemas["Node"]["properties"]["child"] == {"$ref": PREFIX + "Node"}
    assert "schema-simplified" not in found.codes()


def test_a_template_is_filled_by_who_refers_to_it(read: Reader) -> None:
    """Generic types: JSON Schema 2020-12 core, 8.2.3.2."""
    schemas: dict[str, Any] = {
        "Page": {
            "$id": "page",
            "type": "object",
            "properties": {"rows": {"type": "array", "items": {"$dynamicRef": "#row"}}},
            "$defs": {"row": {"$dynamicAnchor": "row", "not": {}}},
        },
        "Ship": {"type": "object"},
        "Crew": {"type": "string"},
    }
    for name in ("Ship", "Crew"):
        row = {"row": {"$dynamicAnchor": "row", "$ref": f"#/components/schemas/{name}"}}
        schemas[f"{name}Page"] = {"$id": f"{name}-page", "$ref": "page", "$defs": row}
        row["row"]["$ref"] = "api.yaml" + row["row"]["$ref"]
    found = read({"components": {"schemas": schemas}}, "3.1.0")
    for name, kind in (("Ship", "object"), ("Crew", "string")):
        flat, _ = flatten(found.schemas[f"{name}Page"], found.schemas)
        item, _ = flatten(flat["properties"]["rows"]["items"], found.schemas)
        assert item == {"type": kind}


def test_a_reference_outside_costs_only_what_needs_it(read: Reader) -> None:
    found = read(
        body({"properties": {"a": {"$ref": "/etc/hostname"}, "b": {"$ref": "https://example.com/x.json"}}})
    )
    assert body_schema(found) == {"properties": {"a": {}, "b": {}}}
    assert found.codes().count("reference-refused") == 2
