"""Which media type a body uses, and which arguments it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Encoding, MediaType, RequestBody, Schema
from mcpgen.plan.bodies import BodyShape, shape_body
from mcpgen.plan.media import accept_header, kind_of, preferred


def body(
    schema: Schema | None,
    media: str = "application/json",
    *,
    required: bool = True,
    encoding: Mapping[str, Encoding] | None = None,
    schemas: Mapping[str, Schema] | None = None,
) -> BodyShape:
    one = MediaType(media, schema, encoding=encoding or {})
    return shape_body(RequestBody(required, (one,), Location("spec.yaml")), schemas or {})


def wires(shape: BodyShape) -> list[str | None]:
    return [field.wire for field in shape.fields]


PERSON: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}


def test_the_fields_of_an_object_become_arguments() -> None:
    shape = body(PERSON)

    assert [(f.wire, f.required) for f in shape.fields] == [("name", True), ("age", False)]
    assert shape.wire.kind == "json"


@pytest.mark.parametrize("media", ["application/json", "multipart/form-data", "application/xml"])
def test_fields_that_an_optional_body_must_have_are_needed_together(media: str) -> None:
    shape = body(PERSON, media, required=False)

    assert [(f.wire, f.required, f.required_in_body) for f in shape.fields] == [
        ("name", False, True),
        ("age", False, False),
    ]


def test_an_optional_body_without_required_fields_is_taken_apart() -> None:
    assert wires(body({**PERSON, "required": []}, required=False)) == ["name", "age"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}},
        {"type": "string"},
        {"oneOf": [PERSON, {"type": "object", "properties": {"url": {}}}]},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
        {},
    ],
)
def test_what_is_no_plain_object_stays_whole(schema: Schema) -> None:
    assert wires(body(schema)) == [None]


def test_alternatives_that_only_ask_for_fields_do_not_keep_a_body_whole() -> None:
    shape = body({**PERSON, "anyOf": [{"required": ["name"]}, {"required": ["age"]}]})

    assert wires(shape) == ["name", "age"]
    assert shape.dropped == ("anyOf",)


def test_read_only_fields_are_never_asked_for() -> None:
    schema = {
        "type": "object",
        "properties": {"id": {"readOnly": True}, "name": {}},
        "required": ["id", "name"],
    }

    assert wires(body(schema)) == ["name"]


def test_a_required_field_that_is_declared_nowhere_is_asked_for() -> None:
    assert wires(body({"type": "object", "properties": {"a": {}}, "required": ["b"]})) == ["a", "b"]


def test_further_keys_have_an_argument_where_the_body_admits_them() -> None:
    schema = {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "integer"}}

    rest = body(schema).fields[-1]

    assert rest.wire is None
    assert rest.schema["additionalProperties"] == {"type": "integer"}


def test_required_fields_beside_free_keys_keep_a_body_whole() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {}},
        "required": ["a"],
        "additionalProperties": {"type": "integer"},
    }

    assert wires(body(schema)) == [None]


def test_files_of_a_multipart_body() -> None:
    schema = {
        "type": "object",
        "properties": {
            "photo": {"type": "string", "format": "binary"},
            "pages": {"type": "array", "items": {"type": "string", "contentMediaType": "image/png"}},
            "scan": {},
            "cover": {"anyOf": [{"type": "string", "format": "binary"}, {"type": "null"}]},
            "title": {"type": "string"},
        },
    }

    shape = body(schema, "multipart/form-data", encoding={"scan": Encoding(content_type="application/pdf")})

    assert shape.wire.files == {"photo": "one", "pages": "list", "scan": "one", "cover": "one"}
    assert shape.fields[0].schema["required"] == ["content_base64"]


def test_a_multipart_body_that_stays_whole_has_files_in_every_alternative() -> None:
    file: Schema = {"type": "string", "format": "binary"}
    schema = {
        "oneOf": [
            {"properties": {"photo": file}},
            {"properties": {"pages": {"type": "array", "items": file}}},
        ]
    }

    shape = body(schema, "multipart/form-data", required=False)

    assert shape.wire.files == {"photo": "one", "pages": "list"}
    assert shape.fields[0].schema["oneOf"][0]["properties"]["photo"]["required"] == ["content_base64"]


def test_raw_bytes_are_a_file() -> None:
    shape = body({"type": "string", "format": "binary"}, "application/octet-stream")

    assert shape.wire.kind == "binary"
    assert shape.fields[0].file


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("application/vnd.api+json; charset=utf-8", {}, "json"),
        ("*/*", {"type": "object"}, "json"),
        ("*/*", {"type": "string", "format": "binary"}, "binary"),
        ("application/soap+xml", {}, "xml"),
        ("text/csv", {}, "text"),
        ("application/x-yaml", {}, "text"),
        ("application/x-ndjson", {}, "ndjson"),
        ("image/png", {}, "binary"),
        ("multipart/mixed", {}, "multipart"),
    ],
)
def test_kinds(name: str, schema: dict[str, Any], kind: str) -> None:
    assert kind_of(MediaType(name, schema), {}) == kind


def test_json_is_preferred_whatever_the_order() -> None:
    names = [
        "application/x-www-form-urlencoded",
        "application/merge-patch+json",
        "application/vnd.x+json",
        "application/json",
    ]

    assert preferred([MediaType(name, {}) for name in names]).name == "application/json"
    assert preferred([MediaType(name, {}) for name in names[:3]]).name == "application/vnd.x+json"


def test_accept_names_every_documented_type() -> None:
    assert (
        accept_header([MediaType("text/csv", {}), MediaType("application/json", {})])
        == "application/json, text/csv;q=0.8, */*;q=0.1"
    )


def test_xml_hints_follow_the_schema() -> None:
    schema = {
        "type": "object",
        "xml": {"name": "pet"},
        "properties": {
            "id": {"type": "integer", "xml": {"attribute": True}},
            "tags": {"type": "array", "xml": {"wrapped": True}, "items": {"xml": {"name": "tag"}}},
        },
    }

    shape = body(schema, "application/xml")

    assert shape.wire.xml == {
        "name": "pet",
        "properties": {"id": {"attribute": True}, "tags": {"wrapped": True, "items": {"name": "tag"}}},
    }
