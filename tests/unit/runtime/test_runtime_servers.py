"""Which address a call goes to: the document's servers, their variables, and those of single operations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.runtime import SettingsError

pytestmark = pytest.mark.anyio

REGION = {"env": "SHOP_SERVER_REGION", "default": "eu", "enum": ["eu", "us"]}
STAGE = {"env": "SHOP_SERVER_STAGE", "default": "v1"}
DOCUMENT = [
    {
        "url": "https://{region}.shop.test/{stage}",
        "name": "prod",
        "variables": {"region": REGION, "stage": STAGE},
    },
    {"url": "https://sandbox.shop.test", "name": "Sandbox"},
    {
        "url": "https://{tenant}.shop.test",
        "variables": {"tenant": {"env": "SHOP_SERVER_TENANT", "default": None}},
    },
    "/relative",
]


@pytest.fixture
def served(build, op):
    def make(own: list[Any] | None = None, document: list[Any] | None = None):
        package = build(get=op(more={"servers": own} if own else {}))
        file = package.root / "catalog.json"
        catalog = json.loads(file.read_text())
        catalog["server"]["servers"] = DOCUMENT if document is None else document
        catalog["server"]["base_url"] = None
        file.write_text(json.dumps(catalog))
        return package

    return make


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({}, "https://eu.shop.test/v1/things"),
        ({"SHOP_SERVER_REGION": "us"}, "https://us.shop.test/v1/things"),
        ({"SHOP_SERVER_REGION": " "}, "https://eu.shop.test/v1/things"),
        ({"SHOP_SERVER_STAGE": "a/b"}, "https://eu.shop.test/a/b/things"),
        ({"SHOP_SERVER": "1"}, "https://eu.shop.test/v1/things"),
        ({"SHOP_SERVER": "2"}, "https://sandbox.shop.test/things"),
        ({"SHOP_SERVER": "sandbox"}, "https://sandbox.shop.test/things"),
        ({"SHOP_SERVER": "3", "SHOP_SERVER_TENANT": "acme"}, "https://acme.shop.test/things"),
        ({"SHOP_SERVER": "2", "SHOP_SERVER_REGION": "mars"}, "https://sandbox.shop.test/things"),
        ({"SHOP_SERVER": "2", "SHOP_BASE_URL": "http://other.test/x"}, "http://other.test/x/things"),
    ],
)
async def test_the_operator_chooses_a_server_and_its_variables(served, environ, url) -> None:
    package = served()
    assert (await package.told("get", **environ))["ok"]
    assert str(package.sent.url) == url


@pytest.mark.parametrize(
    ("environ", "problem"),
    [
        ({"SHOP_SERVER": "moon"}, "SHOP_SERVER: there is no server 'moon'; known are 1 (prod), 2 (Sandbox)"),
        ({"SHOP_SERVER": "0"}, "no server '0'"),
        ({"SHOP_SERVER": "5"}, "no server '5'"),
        ({"SHOP_SERVER_REGION": "mars"}, "SHOP_SERVER_REGION: 'mars' is not one of eu, us"),
        ({"SHOP_SERVER": "3", "SHOP_SERVER_TENANT": "user@evil.test/?"}, "SHOP_SERVER_TENANT: "),
    ],
)
def test_a_wrong_choice_stops_the_start(served, environ, problem) -> None:
    package = served()
    with pytest.raises(SettingsError) as caught:
        package.server(**environ)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        ({"SHOP_SERVER": "3"}, "SHOP_BASE_URL or SHOP_SERVER_TENANT"),
        ({"SHOP_SERVER": "4"}, "SHOP_BASE_URL"),
    ],
)
async def test_an_address_that_nobody_has_said(served, environ, names, caplog) -> None:
    package = served()
    found = await package.told("get", **environ)
    assert found["category"] == "internal"
    assert "SHOP_" not in found["error"]
    assert f"Set {names}." in caplog.text
    assert package.requests == []


OWN = [
    {"url": "https://up-{region}.shop.test", "variables": {"region": REGION}},
    {"url": "https://up.sandbox.test", "name": "sandbox"},
]


@pytest.mark.parametrize(
    ("environ", "own", "host"),
    [
        ({}, OWN, "up-eu.shop.test"),
        ({"SHOP_SERVER_REGION": "us"}, OWN, "up-us.shop.test"),
        ({"SHOP_SERVER": "2"}, OWN, "up.sandbox.test"),
        ({"SHOP_SERVER": "2"}, ["https://only.test"], "only.test"),
        (
            {"SHOP_SERVER": "4"},
            ["https://a.test", "https://b.test", "https://c.test", "https://d.test"],
            "d.test",
        ),
        ({"SHOP_BASE_URL": "http://other.test"}, OWN, "other.test"),
    ],
)
async def test_an_operation_with_servers_of_its_own(served, environ, own, host) -> None:
    package = served(own)
    await package.told("get", **environ)
    assert package.sent.url.host == host


async def test_a_name_that_only_an_operation_has(served) -> None:
    package = served([{"url": "https://a.test", "name": "a"}, {"url": "https://b.test", "name": "b"}])
    await package.told("get", SHOP_SERVER="b")
    assert package.sent.url.host == "b.test"


def test_the_variables_of_an_operations_server_are_checked_too(served) -> None:
    package = served(OWN, ["https://plain.test"])
    with pytest.raises(SettingsError, match="SHOP_SERVER_REGION: 'mars'"):
        package.server(SHOP_SERVER_REGION="mars")
