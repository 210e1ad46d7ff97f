"""From the place that an API names to an argument of the tool."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.api_errors.fields import ArgumentMap, steps_of
from mcpgen.runtime.api_errors.model import Place

from .refusals import ITEM, ORDER, operation


def located(*steps: str | int, location: str | None = None, tool: Any = ORDER) -> str | None:
    found = ArgumentMap(tool).locate(Place(steps, location))
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("days", ("days",)),
        ("/items/0/unit~1price", ("items", 0, "unit/price")),
        ("#/items/0", ("items", 0)),
        ("items[0].unitPrice", ("items", 0, "unitPrice")),
        ("$.items[0]['unitPrice']", ("items", 0, "unitPrice")),
        ("items.0.unitPrice", ("items", 0, "unitPrice")),
        ("items[][unitPrice]", ("items", "unitPrice")),
        ("user[address][zip]", ("user", "address", "zip")),
        ("", ()),
        ("$", ()),
        ("/", ()),
    ],
)
def test_spellings_of_a_place(text: str, steps: tuple[str | int, ...]) -> None:
    assert steps_of(text) == steps


@pytest.mark.parametrize(
    ("place", "argument"),
    [
        ("days", "days"),
        ("Days", "days"),
        ("customerName", "customer_name"),
        ("customer_name", "customer_name"),
        ("customer-name", "customer_name"),
        ("filter[page]", "filter_page"),
        ("filter_page", "filter_page"),
        ("dryRun", "dry_run"),
        ("x-request-id", "request_id"),
        ("orderId", "order_id"),
        ("body.days", "days"),
        ("query.dry-run", "dry_run"),
        ("path.orderId", "order_id"),
        ("header.X-Request-Id", "request_id"),
        ("/data/attributes/customer-name", "customer_name"),
        ("requestBody.items[1].unit_price", "items[1].unitPrice"),
        ("CreateOrderRequest.days", "days"),
        ("order.items.0.sku", "items[0].sku"),
        ("createOrder.arg0.address.zipCode", "address.zip_code"),
        ("items[0].colour", "items[0].colour"),
        ("address", "address"),
        ("colour", None),
        ("owner.days", None),
        ("body", None),
        ("...", None),
    ],
)
def test_a_place_is_an_argument(place: str, argument: str | None) -> None:
    assert located(place) == argument


def test_the_part_of_the_request_tells_arguments_apart() -> None:
    twice = operation(
        arguments=[
            {"name": "id", "python": "id", "in": "path", "wire_name": "id"},
            {"name": "body_id", "python": "body_id", "in": "body", "pointer": "/id"},
        ],
        properties={"id": {}, "body_id": {}},
    )
    assert located("id", location="path", tool=twice) == "id"
    assert located("path", "id", tool=twice) == "id"
    assert located("body", "id", tool=twice) == "body_id"
    assert located("id", tool=twice) == "body_id"
    assert located("id", location="header", tool=twice) == "body_id"


WHOLE = operation(
    arguments=[{"name": "body", "python": "body", "in": "body", "pointer": ""}],
    properties={"body": {"type": "object", "properties": {"lines": {"type": "array", "items": ITEM}}}},
)


@pytest.mark.parametrize(
    ("steps", "argument"),
    [
        (("lines[0].sku",), "body.lines[0].sku"),
        (("body", "lines", 0, "unit_price"), "body.lines[0].unitPrice"),
        (("body", "colour"), "body.colour"),
        (("colour",), None),
    ],
)
def test_the_whole_body_can_be_one_argument(steps: tuple[str | int, ...], argument: str | None) -> None:
    assert located(*steps, tool=WHOLE) == argument


def test_a_list_as_the_whole_body() -> None:
    rows = operation(
        arguments=[{"name": "body", "python": "body", "in": "body", "pointer": ""}],
        properties={"body": {"type": "array", "items": ITEM}},
    )
    assert located(3, "sku", tool=rows) == "body[3].sku"
    assert located("body", 3, "sku", tool=rows) == "body[3].sku"


def test_fields_without_an_argument_of_their_own() -> None:
    rest = operation(
        arguments=[
            {"name": "days", "python": "days", "in": "body", "pointer": "/days"},
            {"name": "additional_fields", "python": "more", "in": "body", "pointer": ""},
        ],
        properties={"days": {}, "additional_fields": {"type": "object"}},
    )
    assert located("body", "days", tool=rest) == "days"
    assert located("body", "colour", tool=rest) == "additional_fields.colour"
    assert located("colour", tool=rest) is None


def test_the_branch_of_a_union_is_no_field() -> None:
    card = {"type": "object", "properties": {"number": {"type": "string"}}}
    pay = operation(
        arguments=[{"name": "method", "python": "method", "in": "body", "pointer": "/method"}],
        properties={"method": {"anyOf": [card, {"type": "object", "properties": {"iban": {}}}]}},
    )
    assert located("body", "method", "CardPayment", "number", tool=pay) == "method.number"
