"""Identifiers come from what the API itself said."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.pipeline import Planned
from mcpgen.verify.document import operations_of
from mcpgen.verify.known import Known

Plan = Callable[..., Planned]


def operation(*path: str, schema: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schema or {"type": "string"}}
        for name in path
    ]
    return {"get": {"parameters": parameters, "responses": {"200": {"description": "", **more}}}}


class Shop:
    def __init__(self, planned: Planned) -> None:
        self.known = Known()
        operations = operations_of(planned.api)
        self.tools = {tool.path: (tool, operations[tool.operation_key]) for tool in planned.plan.tools}

    def learn(self, path: str, answer: Any, arguments: dict[str, Any] | None = None) -> None:
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.known.learn(*self.tools[path], arguments or {}, body)

    def choose(self, path: str, turn: int = 0, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.known.choose(*self.tools[path], arguments or {}, turn)


@pytest.mark.parametrize(
    ("path", "name", "answer"),
    [
        ("/orders/{order_id}", "order_id", {"orders": [{"order_id": "A-1"}]}),
        ("/orders/{orderId}", "orderId", {"orders": [{"order_id": "A-1"}]}),
        ("/orders/{orderId}", "orderId", [{"id": "A-1"}]),
        ("/orders/{id}", "id", {"data": [{"id": "A-1"}], "total": 1}),
        ("/orders/{order}", "order", {"items": [{"id": "A-1"}]}),
        ("/orders/{uuid}", "uuid", [{"uuid": "A-1", "id": "no"}]),
    ],
)
def test_names_that_mean_the_same(plan: Plan, path: str, name: str, answer: Any) -> None:
    shop = Shop(plan({"/orders": operation(), path: operation(name)}))
    assert shop.choose(path) == {}
    shop.learn("/orders", answer)
    [(_, value)] = shop.choose(path).items()
    assert value == "A-1"


def test_identifiers_that_belong_together_go_together(plan: Plan) -> None:
    path = "/orders/{order_id}/notes/{note_id}"
    shop = Shop(
        plan(
            {
                "/orders": operation(),
                "/orders/{order_id}": operation("order_id"),
                path: operation("order_id", "note_id"),
            }
        )
    )
    shop.learn("/orders", [{"order_id": "A-1"}, {"order_id": "A-2"}])
    shop.learn("/orders/{order_id}", {"notes": [{"note_id": "N-9"}]}, {"order_id": "A-2"})
    for turn in range(4):
        assert shop.choose(path, turn) == {"order_id": "A-2", "note_id": "N-9"}


def test_values_of_other_things_and_of_other_types_are_not_taken(plan: Plan) -> None:
    shop = Shop(
        plan(
            {
                "/orders": operation(),
                "/films/{id}": operation("id"),
                "/orders/{id}": operation("id", schema={"type": "integer"}),
            }
        )
    )
    shop.learn("/orders", [{"id": "A-1"}, {"id": True}, {"id": None}, {"id": 4}])
    assert shop.choose("/films/{id}", arguments={"id": "x"}) == {"id": "x"}
    assert {shop.choose("/orders/{id}", turn)["id"] for turn in range(5)} == {4}


def test_links_of_the_document_are_followed(plan: Plan) -> None:
    links = {"one": {"operationId": "getOne", "parameters": {"number": "$response.body#/first/ref~1no"}}}
    target = {"get": {"operationId": "getOne", **operation("number")["get"]}}
    shop = Shop(plan({"/orders": operation(links=links), "/orders/{number}": target}))
    shop.learn("/orders", {"first": {"ref/no": "L-5"}})
    assert shop.choose("/orders/{number}") == {"number": "L-5"}


def test_several_values_take_turns(plan: Plan) -> None:
    shop = Shop(plan({"/orders": operation(), "/orders/{id}": operation("id")}))
    shop.learn("/orders", [{"id": f"A-{number}"} for number in range(8)])
    assert len({shop.choose("/orders/{id}", turn)["id"] for turn in range(5)}) == 5


def test_choices_of_a_document_are_no_identifiers(plan: Plan) -> None:
    shop = Shop(
        plan(
            {"/orders": operation(), "/orders/{state}": operation("state", schema={"enum": ["open", "shut"]})}
        )
    )
    shop.learn("/orders", [{"state": "open"}])
    assert shop.choose("/orders/{state}", arguments={"state": "shut"}) == {"state": "shut"}


@pytest.mark.parametrize("answer", [b"\xff\xfe", b"", b"[" * 100_000, b'"text"', b"null"])
def test_other_answers_say_nothing(plan: Plan, answer: bytes) -> None:
    shop = Shop(plan({"/orders": operation(), "/orders/{id}": operation("id")}))
    shop.learn("/orders", answer)
    assert shop.choose("/orders/{id}") == {}
