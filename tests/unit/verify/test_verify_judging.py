"""Answers are judged by Schemathesis; here is what becomes of its failures, and where they are said to be."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.pipeline import Planned

pytest.importorskip("schemathesis")

from mcpgen.verify.document import operations_of
from mcpgen.verify.judging import Fault, Judge, instance_place
from mcpgen.verify.model import Answered, Kind
from mcpgen.verify.places import Places

Plan = Callable[..., Planned]
JSON = (("content-type", "application/json"),)
SCHEMAS = {
    "Pet": {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "born": {"type": "string", "format": "date"},
            "secret": {"type": "string", "writeOnly": True},
            "friends": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
        },
    }
}
RESPONSES = {
    "200": {
        "description": "",
        "headers": {
            "X-Left": {"required": True, "schema": {"type": "integer"}},
            "X-Note": {"schema": {"type": "string"}},
        },
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}},
    },
    "202": {
        "description": "",
        "content": {"application/json": {"schema": {"type": "object", "required": ["job"]}}},
    },
    "204": {"description": ""},
    "4XX": {"$ref": "#/components/responses/Wrong"},
}
COMPONENTS = {
    "schemas": SCHEMAS,
    "responses": {"Wrong": {"description": "", "headers": {"X-Code": {"$ref": "#/components/headers/Code"}}}},
    "headers": {"Code": {"required": True, "schema": {"type": "string"}}},
}


class Asked:
    """One operation, its answers, and what is wrong with them."""

    def __init__(self, planned: Planned) -> None:
        self.places = Places(planned.tree)
        [self.operation] = operations_of(planned.api).values()
        self.judge = Judge([self.operation], planned.api.schemas, self.places.required_headers)
        self.tree = planned.tree

    def faults(
        self, status: int, body: Any = None, headers: tuple[tuple[str, str], ...] = JSON, **more: Any
    ) -> list[Fault]:
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        answered = Answered(more.pop("method", "GET"), "/pet", b"", status, headers, content, **more)
        return self.judge.faults(self.operation, answered)

    def place(self, fault: Fault, status: int) -> Location:
        return self.places.of_fault(fault, self.operation, status)


@pytest.fixture
def pet(plan: Plan) -> Asked:
    return Asked(plan({"/pet": {"get": {"responses": RESPONSES}}}, components=COMPONENTS))


LEFT = (*JSON, ("x-left", "3"))


def kinds(faults: list[Fault]) -> list[Kind]:
    return [fault.kind for fault in faults]


def test_right_answers_have_no_faults(pet: Asked) -> None:
    assert pet.faults(200, {"name": "Rex", "friends": [{"name": "Tom"}]}, LEFT) == []
    assert pet.faults(204, None, ()) == []
    assert pet.faults(202, {"job": 1}) == []


def test_what_is_in_a_body(pet: Asked) -> None:
    [fault] = pet.faults(200, {"name": "Rex", "friends": [{"name": "Tom"}, {"name": 5}, {"name": 6}]}, LEFT)
    assert fault.kind is Kind.BODY
    assert fault.detail.startswith("200, friends[].name:")
    assert pet.place(fault, 200).pointer == "/components/schemas/Pet/properties/name"
    assert pet.place(fault, 200).line is not None
    assert len(pet.faults(200, {"name": 1, "friends": [{}]}, LEFT)) == 2, "two places of the answer"


def test_a_schema_of_the_response_itself_is_placed_there(pet: Asked) -> None:
    [fault] = pet.faults(202, {})
    assert fault.kind is Kind.BODY
    assert pet.place(fault, 202).pointer.startswith("/paths/~1pet/get/responses/202")


def test_headers(pet: Asked) -> None:
    [missing] = pet.faults(200, {"name": "Rex"})
    assert (missing.kind, missing.same) == (Kind.HEADER_MISSING, "X-Left")
    [broken] = pet.faults(200, {"name": "Rex"}, (*JSON, ("x-left", "many")))
    assert broken.kind is Kind.HEADER
    # Required by a header that is referred to, in a response that is referred to, for a class of statuses.
    [referred] = pet.faults(404, None, ())
    assert (referred.kind, referred.same) == (Kind.HEADER_MISSING, "X-Code")
    assert pet.place(referred, 404).pointer == "/components/responses/Wrong"


@pytest.mark.parametrize(
    ("status", "body", "headers", "expected"),
    [
        (418, None, (("x-code", "t"),), []),
        (201, {"name": "Rex"}, JSON, [Kind.STATUS]),
        (500, {"name": "Rex"}, JSON, [Kind.SERVER_ERROR]),
        (200, b"<html>", (("content-type", "text/html"), ("x-left", "1")), [Kind.CONTENT_TYPE]),
        (200, b'{"name":', LEFT, [Kind.UNREADABLE]),
        (200, b"{}", (("x-left", "1"),), [Kind.NO_CONTENT_TYPE]),
    ],
)
def test_kinds(
    pet: Asked, status: int, body: Any, headers: tuple[tuple[str, str], ...], expected: list[Kind]
) -> None:
    found = kinds(pet.faults(status, body, headers))
    assert [kind for kind in found if kind is not Kind.BODY] == expected


@pytest.mark.parametrize("status", [401, 403, 429])
def test_who_asks_and_how_often_is_no_drift(plan: Plan, status: int) -> None:
    asked = Asked(plan({"/pet": {"get": {"responses": {"200": {"description": ""}}}}}))
    assert asked.faults(status, b"no", (("content-type", "text/plain"),)) == []
    assert kinds(asked.faults(404, b"no", (("content-type", "text/plain"),))) == [Kind.STATUS]


def test_default_documents_every_status(plan: Plan) -> None:
    asked = Asked(plan({"/pet": {"get": {"responses": {"default": {"description": ""}}}}}))
    assert asked.faults(404, None, ()) == []
    assert kinds(asked.faults(503, None, ())) == [Kind.SERVER_ERROR]


def test_a_part_of_a_body_is_not_judged(pet: Asked) -> None:
    assert pet.faults(200, b'{"nam', LEFT, cut=True) == []


def test_head_may_leave_out_what_is_about_the_body(plan: Plan) -> None:
    content = {"text/plain": {"schema": {"type": "string"}}}
    asked = Asked(plan({"/pet": {"head": {"responses": {"200": {"description": "", "content": content}}}}}))
    assert asked.faults(200, None, (), method="HEAD") == []
    assert kinds(asked.faults(500, None, (), method="HEAD")) == [Kind.SERVER_ERROR]


def test_places_in_swagger(plan: Plan) -> None:
    pet = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
    response = {"description": "", "schema": {"$ref": "#/definitions/Pet"}}
    paths = {"/pet": {"get": {"produces": ["application/json"], "responses": {"200": response}}}}
    asked = Asked(plan(paths, swagger="2.0", definitions={"Pet": pet}))
    [fault] = asked.faults(200, {"name": 1})
    assert asked.place(fault, 200).pointer == "/definitions/Pet/properties/name"


def test_bodies_that_are_no_json_have_only_a_type(plan: Plan) -> None:
    content = {"application/xml": {"schema": {"type": "object", "required": ["a"]}}}
    asked = Asked(plan({"/pet": {"get": {"responses": {"200": {"description": "", "content": content}}}}}))
    assert asked.faults(200, b"<b/>", (("content-type", "application/xml"),)) == []


def test_place_in_a_body() -> None:
    assert instance_place(["orders", 3, "total"]) == "orders[].total"
    assert instance_place([0, "id"]) == "[].id"
    assert instance_place([]) == "the body"
