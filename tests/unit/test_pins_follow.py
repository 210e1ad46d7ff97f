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
        ([operation("PUT /market", "managePet")], "PUT[buy] /market", "buy_pet"),
        ([operation("GET /a", "getPet"), operation("GET /b", "getPet")], "GET /pets/{id}", "get_pet"),
        ([operation("GET /other", "other")], "GET /pets/{id}", "get_pet"),
    ],
    ids=["same id", "same path", "an action", "two with the id", "another one"],
)
def test_an_operation_keeps_its_name(come: list[Operation], key: str, name: str) -> None:
    assert follow(PINS, [LIST, *come]).tools[key] == name


def test_an_operation_that_stays_is_not_taken_for_another() -> None:
    found = follow(PINS, [LIST, operation("GET /pets/{id}", "new"), operation("GET /x", "getPet")])
    assert found.tools == PINS.tools


def test_an_argument_follows_the_parameter_of_the_path() -> None:
    found = follow(PINS, [LIST, operation("GET /pets/{pet}")])
    assert found.arguments["get_pet"] == {("path", "pet"): "id", ("query", "id"): "query_id"}
