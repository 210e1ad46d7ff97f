"""Names follow operations that are elsewhere in the next version of a document."""

from __future__ import annotations

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation
from mcpgen.pins import Pins, follow


def operation(key: str, operation_id: str | None = None) -> Operation:
    method, _, path = key.partition(" ")
    return Operation(method, path, Location("api.json"), operation_id)


PINS = Pins(
    tools={"GET /pets/{id}": "get_pet", "POST[buy] /pets": "buy_pet", "GET /pets": "list_pets"},
    arguments={"get_pet": {("path", "id"): "id", ("query", "id"): "query_id"}},
    operation_ids={"get_pet": "getPet", "buy_pet": "managePet", "list_pets": "listPets"},
)
LIST = operation("GET /pets", "listPets")


@pytest.mark.parametrize(
    ("come", "key", "name"),
    [
        ([operation("GET /v2/animals/{id}", "getPet")], "GET /v2/animals/{id}", "get_pet"),
        ([operation("GET /pets/{pet}")], "GET /pets/{pet}", "get_pet"),
        ([operation("GET /v2/pets/{pet}", "showPet")], "GET /v2/pets/{pet}", "get_pet"),
        ([operation("GET /admin/pets/{id}/", "showPet")], "GET /admin/pets/{id}/", "get_pet"),
        ([operation("GET /a/pets/{id}"), operation("GET /b/pets/{id}")], "GET /pets/{id}", "get_pet"),
        ([operation("GET /owners/{owner}/pets/{id}")], "GET /pets/{id}", "get_pet"),
        ([operation("GET /shops/{id}")], "GET /pets/{id}", "get_pet"),
        ([operation("PATCH /v2/pets")], "PATCH[buy] /v2/pets", "buy_pet"),
        ([operation("DELETE /v2/pets")], "POST[buy] /pets", "buy_pet"),
        ([operation("PUT /market", "managePet")], "PUT[buy] /market", "buy_pet"),
        ([operation("GET /a", "getPet"), operation("GET /b", "getPet")], "GET /pets/{id}", "get_pet"),
        ([operation("GET /other", "other")], "GET /pets/{id}", "get_pet"),
    ],
    ids=[
        "same id",
        "same path",
        "another version",
        "a head before it",
        "two heads",
        "under something else",
        "another noun",
        "another method",
        "another kind of method",
        "an action",
        "two with the id",
        "another one",
    ],
)
def test_an_operation_keeps_its_name(come: list[Operation], key: str, name: str) -> None:
    assert follow(PINS, [LIST, *come]).tools[key] == name


def test_an_operation_that_stays_is_not_taken_for_another() -> None:
    found = follow(PINS, [LIST, operation("GET /pets/{id}", "new"), operation("GET /x", "getPet")])
    assert found.tools == PINS.tools


@pytest.mark.parametrize("key", ["GET /pets/{pet}", "GET /v2/pets/{pet}"])
def test_an_argument_follows_the_parameter_of_the_path(key: str) -> None:
    found = follow(PINS, [LIST, operation(key)])
    assert found.arguments["get_pet"] == {("path", "pet"): "id", ("query", "id"): "query_id"}
