"""The parts of bodies: encodings in the catalogue, unnamed parts, patches, records, names for XML."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Encoding, MediaType, RequestBody, Schema
from mcpgen.plan.bodies import BodyShape, shape_body
from mcpgen.plan.media import kind_of, preferred


def shape(media: MediaType, *, required: bool = True, schemas: dict[str, Schema] | None = None) -> BodyShape:
    return shape_body(RequestBody(required, (media,), Location("spec.yaml")), schemas or {})


BINARY: Schema = {"type": "string", "format": "binary"}


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ({"const": "a"}, "a"),
        ({"enum": ["base64"]}, "base64"),
        ({"type": "integer", "default": 5}, "5"),
        ({"type": "boolean", "const": True}, "true"),
        ({"enum": ["a", "b"]}, None),
        ({"type": "string"}, None),
        ({"$ref": "#/components/schemas/Kind"}, "x"),
    ],
)
def test_part_headers_with_one_value_are_in_the_catalogue(header: Schema, value: str | None) -> None:
    encoding = {"f": Encoding(headers={"X-Kind": header})}
    media = MediaType("multipart/form-data", {"properties": {"f": {"type": "string"}}}, encoding=encoding)
    wire = shape(media, schemas={"Kind": {"const": "x"}}).wire
    assert wire.encoding["f"].get("headers") == (None if value is None else {"X-Kind": value})


def test_unnamed_parts_are_a_list_with_files_in_it() -> None:
    schema = {
        "type": "array",
        "prefixItems": [{"type": "object"}, {"description": "The picture."}, {"type": "string"}],
        "items": BINARY,
    }
    encodings = (Encoding(), Encoding(content_type="image/*"))
    media = MediaType("multipart/mixed", schema, prefix_encoding=encodings, item_encoding=Encoding())
    found = shape(media)
    assert found.wire.files == {"1": "one", "*": "one"}
    assert [one["content_type"] for one in found.wire.prefix_encoding] == [None, "image/*"]
    (field,) = found.fields
    assert field.wire is None
    assert [part.get("required") for part in field.schema["prefixItems"]] == [None, ["content_base64"], None]
    assert field.schema["prefixItems"][1]["description"] == "The picture."
    assert field.schema["items"]["required"] == ["content_base64"]


def test_a_stream_of_parts_is_a_list_of_them() -> None:
    media = MediaType(
        "multipart/mixed", None, item_schema={}, item_encoding=Encoding(content_type="image/jpg")
    )
    found = shape(media)
    assert (found.wire.kind, found.wire.files) == ("multipart", {"*": "one"})
    assert found.fields[0].schema["type"] == "array"


def test_named_parts_of_other_multipart_types_are_fields() -> None:
    schema = {"type": "object", "properties": {"meta": {"type": "object"}, "media": BINARY}}
    found = shape(MediaType("multipart/related", schema))
    assert [field.wire for field in found.fields] == ["meta", "media"]
    assert found.wire.files == {"media": "one"}


def test_null_removes_a_field_in_a_merge_patch() -> None:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Its name."},
            "note": {"type": ["string", "null"]},
            "id": {"type": "integer", "readOnly": True},
        },
    }
    patch = {f.wire: f.schema for f in shape(MediaType("application/merge-patch+json", schema)).fields}
    assert patch["name"]["anyOf"] == [schema["properties"]["name"], {"type": "null"}]
    assert patch["name"]["description"] == "Its name."
    assert patch["note"] == schema["properties"]["note"]
    assert "id" not in patch
    plain = {f.wire: f.schema for f in shape(MediaType("application/json", schema)).fields}
    assert plain["name"] == schema["properties"]["name"]


def test_a_json_patch_is_a_list_or_another_patch_is_chosen() -> None:
    schemas: dict[str, Schema] = {"Patch": {"type": "object"}}
    patch: Schema = {"$ref": "#/components/schemas/Patch"}
    names = ("application/json-patch+json", "application/merge-patch+json")
    assert preferred([MediaType(name, patch) for name in names], schemas).name == names[1]
    assert preferred([MediaType(name, {"type": "array"}) for name in names], schemas).name == names[0]


@pytest.mark.parametrize(
    ("schema", "kind"),
    [({"type": "object"}, "array"), ({"type": "array"}, "array"), ({"type": "string"}, "string")],
)
def test_records_are_a_list(schema: dict[str, Any], kind: str) -> None:
    assert shape(MediaType("application/x-ndjson", schema)).fields[0].schema["type"] == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("application/json+merge-patch", "json"),
        ("application/geo+json-seq", "ndjson"),
        ("application/csv", "text"),
        ("multipart/mixed", "multipart"),
    ],
)
def test_kinds_of_unusual_names(name: str, kind: str) -> None:
    assert kind_of(MediaType(name, None, item_schema={"type": "object"}), {}) in (kind, "ndjson")
    assert kind_of(MediaType(name, {}), {}) == kind


def test_xml_hints_of_items_in_order() -> None:
    schema = {"type": "array", "xml": {"name": "r"}, "prefixItems": [{"xml": {"nodeType": "text"}}, {}]}
    assert shape(MediaType("application/xml", schema)).wire.xml == {
        "name": "r",
        "prefixItems": [{"nodeType": "text"}, {}],
    }
