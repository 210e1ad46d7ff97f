"""Servers and security schemes: what the catalogue says of them, and which variables the operator gets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.inspection import catalog_of, inspection
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import PackagePlan
from mcpgen.plan.planner import PlanOptions
from mcpgen.plan.servers import plan_servers

OK: dict[str, Any] = {"200": {"description": "ok"}}


def plan(
    operation: dict[str, Any] | None = None, *, server_url: str | None = None, **document: Any
) -> PackagePlan:
    spec = {
        "openapi": "3.2.0",
        "info": {"title": "Shop API", "version": "2"},
        "paths": {"/a": {"get": {"responses": OK, **(operation or {})}}},
        **document,
    }
    config = Config(server_url=server_url)
    request = GenerateRequest(spec="-", stdin=json.dumps(spec).encode(), config=config)
    return plan_spec(request, Collector()).plan


def servers(*entries: Any, **more: Any) -> list[Any]:
    return list(catalog_of(plan(servers=list(entries), **more))["server"]["servers"])


def test_variables_keep_their_place_and_get_environment_variables() -> None:
    region = {"default": "eu", "enum": ["eu", "us"], "description": "Where"}
    found = plan(servers=[{"url": "https://{region}.test/{api-stage}", "variables": {"region": region}}])
    (server,) = catalog_of(found)["server"]["servers"]
    assert server == {
        "url": "https://{region}.test/{api-stage}",
        "variables": {
            "region": {"env": "SHOP_SERVER_REGION", "default": "eu", "enum": ["eu", "us"]},
            "api-stage": {"env": "SHOP_SERVER_API_STAGE", "default": None},
        },
    }
    assert found.base_url is None  # one variable has no value
    assert [name for name, _ in found.server_variables] == ["api-stage", "region"]


def test_servers_are_named_by_name_else_by_description() -> None:
    entries = [
        {"url": "https://a.test", "name": "Prod", "description": "ignored"},
        {"url": "https://b.test", "description": "The sandbox environment (for tests, free of charge)"},
        {"url": "https://c.test", "name": "prod"},
        {"url": "https://d.test"},
    ]
    found = servers(*entries)
    assert [one if isinstance(one, str) else one["name"] for one in found] == [
        "Prod",
        "sandbox-for-tests-free",
        "https://c.test",
        "https://d.test",
    ]


@pytest.mark.parametrize(
    ("url", "server_url", "expected"),
    [
        ("/v1", "https://x.test/docs/", "https://x.test/v1"),
        ("v1", "https://x.test/docs/", "https://x.test/docs/v1"),
        (".", "https://x.test", "https://x.test/"),
        ("//y.test/v1", "https://x.test", "https://y.test/v1"),
        ("/{stage}/v1", "https://x.test", "https://x.test/{stage}/v1"),
        ("/{stage}/v1", None, "/{stage}/v1"),
        ("https://y.test/v1?key=1#top", None, "https://y.test/v1"),
        ("{root}/v1", "https://x.test", "{root}/v1"),
    ],
)
def test_relative_servers(url, server_url, expected) -> None:
    variables = {"stage": {"default": "s"}, "root": {"default": "https://r.test"}}
    (found,) = servers({"url": url, "variables": variables}, server_url=server_url)
    assert (found if isinstance(found, str) else found["url"]) == expected


def test_a_document_without_servers_is_served_from_where_it_came(monkeypatch) -> None:
    api = plan_spec(
        GenerateRequest(
            spec="-",
            stdin=json.dumps(
                {
                    "openapi": "3.1.0",
                    "info": {"title": "t", "version": "1"},
                    "paths": {"/a": {"get": {"responses": OK}}},
                }
            ).encode(),
        ),
        Collector(),
    ).api
    collector = Collector()
    found = plan_servers(api, None, "https://x.test/docs/openapi.json", "SHOP", (), collector)
    assert found.base_url == "https://x.test/"
    assert list(collector) == []
    assert plan_servers(api, None, None, "SHOP", (), collector).base_url is None
    assert [item.code for item in collector] == ["server-missing"]
    assert PlanOptions().server_url is None


def test_operations_and_paths_have_servers_of_their_own() -> None:
    own = {"url": "https://{region}.up.test", "variables": {"region": {"default": "eu"}}}
    found = plan({"servers": [own, {"url": "/up"}]}, servers=[{"url": "https://a.test/v1"}])
    (operation,) = catalog_of(found)["operations"].values()
    variable = {"env": "SHOP_SERVER_REGION", "default": "eu"}
    assert operation["servers"] == [
        {"url": "https://{region}.up.test", "variables": {"region": variable}},
        "https://a.test/up",
    ]
    assert [name for name, _ in found.server_variables] == ["region"]


def auth(**schemes: Any) -> dict[str, Any]:
    document = {"components": {"securitySchemes": schemes}, "servers": [{"url": "https://a.test"}]}
    return dict(catalog_of(plan({"security": [{name: []} for name in schemes]}, **document))["auth"])


CODE = {"authorizationUrl": "/auth", "tokenUrl": "/token", "refreshUrl": "/again", "scopes": {"a": "A"}}


def test_the_flows_of_oauth2() -> None:
    flows = {
        "authorizationCode": CODE,
        "deviceAuthorization": {"deviceAuthorizationUrl": "/device", "tokenUrl": "/token", "scopes": {}},
        "implicit": {"authorizationUrl": "/auth", "scopes": {}},
    }
    found = auth(oauth={"type": "oauth2", "flows": flows})["oauth"]
    assert found["token_url"] is None
    assert found["flows"] == {
        "authorizationCode": {"token_url": "/token", "authorization_url": "/auth", "refresh_url": "/again"},
        "deviceAuthorization": {"token_url": "/token", "device_url": "/device"},
    }
    assert list(found["env"]) == ["token", "client_id", "client_secret"]
    assert found["options"]["device_url"] == "SHOP_OAUTH_DEVICE_URL"


@pytest.mark.parametrize(
    ("scheme", "parts", "options"),
    [
        (
            {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "/a", "scopes": {}}}},
            ["token"],
            False,
        ),
        (
            {"type": "oauth2", "flows": {"password": {"tokenUrl": "/t", "scopes": {}}}},
            ["token", "client_id", "client_secret", "username", "password"],
            True,
        ),
        (
            {"type": "oauth2", "flows": {}, "oauth2MetadataUrl": "https://id.test/.well-known/x"},
            ["token", "client_id", "client_secret"],
            True,
        ),
        (
            {"type": "openIdConnect", "openIdConnectUrl": "https://id.test/o"},
            ["token", "client_id", "client_secret"],
            True,
        ),
        ({"type": "http", "scheme": "Digest"}, ["username", "password"], False),
        ({"type": "http", "scheme": "DSN"}, ["token"], False),
        ({"type": "apiKey", "in": "cookie", "name": "sid"}, ["key"], False),
        ({"type": "mutualTLS"}, [], True),
    ],
)
def test_what_a_scheme_needs(scheme, parts, options) -> None:
    found = auth(s=scheme)["s"]
    assert list(found["env"]) == parts
    assert bool(found.get("options")) is options


def test_inspect_shows_the_parts_of_the_contract_only() -> None:
    document = {
        "components": {
            "securitySchemes": {
                "tls": {"type": "mutualTLS"},
                "c": {"type": "oauth2", "flows": {"authorizationCode": CODE}},
            }
        }
    }
    security = {"security": [{"tls": [], "c": ["a"]}]}
    found = inspection(catalog_of(plan(security, servers=[{"url": "https://a.test"}], **document)))["auth"]
    allowed = {"token", "key", "username", "password", "client_id", "client_secret"}
    assert all(set(entry["env"]) <= allowed for entry in found)
    assert [(entry["scheme"], len(entry["env"])) for entry in found] == [("c", 3), ("tls", 0)]


KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}


def test_a_credential_never_takes_the_name_of_a_setting() -> None:
    found = auth(client=KEY, state=KEY)
    assert found["client"]["env"]["key"] != "SHOP_CLIENT_KEY"
    assert found["state"]["env"]["key"] == "SHOP_STATE_KEY"


@given(
    st.lists(st.sampled_from(["server", "region", "Region", "url", "TOKEN", "base"]), unique=True, min_size=1)
)
def test_no_variable_has_two_meanings(names: list[str]) -> None:
    url = "https://a.test/" + "/".join(f"{{{name}}}" for name in names)
    schemes = {"server": {"type": "http", "scheme": "bearer"}, "serverRegion": KEY, "base": KEY}
    found = plan(
        {"security": [{"server": []}, {"serverRegion": []}, {"base": []}]},
        servers=[{"url": url, "variables": {name: {"default": "x"} for name in names}}],
        components={"securitySchemes": schemes},
    )
    variables = [variable.env for _, variable in found.server_variables]
    variables += [name for one in found.auth for name in (*one.env.values(), *one.options.values())]
    assert len(set(variables)) == len(names) + 3
    assert not {"SHOP_SERVER", "SHOP_BASE_URL"} & set(variables)
