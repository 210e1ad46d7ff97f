"""Bases with a discriminator and the schemas that extend them."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.ir.subtypes import base_of, subtypes


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


SCHEMAS: dict[str, Any] = {
    "Old": {"allOf": [ref("Tanker"), {"properties": {"age": {}}}]},
    "Vessel": {
        "type": "object",
        "discriminator": {"propertyName": "kind", "mapping": {"raft": "#/components/schemas/Raft"}},
    },
    "Tanker": {"allOf": [ref("Vessel"), {"properties": {"oil": {}}}]},
    "Raft": {"properties": {"logs": {}}},
    "Yacht": {**ref("Vessel"), "properties": {"crew": {}}},
    "Named": {"oneOf": [ref("Raft")], "discriminator": {"propertyName": "kind"}},
    "Loop": {"allOf": [ref("Loop")], "discriminator": {"propertyName": "kind"}},
}


def test_subtypes_are_found_through_others_and_through_the_mapping() -> None:
    assert subtypes("Vessel", SCHEMAS) == ("Old", "Tanker", "Raft", "Yacht")
    assert subtypes("Loop", SCHEMAS) == ()


@pytest.mark.parametrize(
    ("schema", "base"),
    [
        (ref("Vessel"), "Vessel"),
        ({**ref("Vessel"), "description": "d"}, "Vessel"),
        ({"allOf": [ref("Vessel")], "description": "d"}, "Vessel"),
        ({"allOf": [ref("Vessel")], "required": ["a"]}, None),
        ({**ref("Vessel"), "properties": {}}, None),
        (ref("Named"), None),
        (ref("Raft"), None),
        (ref("Gone"), None),
        ({"type": "object"}, None),
    ],
)
def test_what_means_a_base(schema: dict[str, Any], base: str | None) -> None:
    assert base_of(schema, SCHEMAS) == base
