"""Which variables a server cannot work without."""

from __future__ import annotations

from typing import Any

from mcpgen.connect.needs import known_variables, needs_of

TOKEN = {"type": "http", "scheme": "bearer", "env": {"token": "P_TOKEN"}}
KEY = {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "P_KEY"}}
BASIC = {"type": "http", "scheme": "basic", "env": {"username": "P_USER", "password": "P_PASSWORD"}}


def catalog(
    *security: list[dict[str, list[str]]],
    auth: dict[str, Any] | None = None,
    base_url: str | None = "https://api.example.com",
    servers: list[Any] | None = None,
    own: list[Any] | None = None,
) -> dict[str, Any]:
    operations = {
        f"tool_{index}": {"security": alternatives, **({"servers": own} if own else {})}
        for index, alternatives in enumerate(security or ([],))
    }
    return {
        "project": {"env_prefix": "P"},
        "server": {"base_url": base_url, "servers": servers if servers is not None else [base_url]},
        "auth": auth or {},
        "operations": operations,
    }


def names(found: dict[str, Any]) -> list[str]:
    return [variable.name for variable in needs_of(found).variables]


def test_an_open_api_with_an_address_needs_nothing() -> None:
    assert names(catalog()) == []
    assert names(catalog([{}, {"token": []}], auth={"token": TOKEN})) == []


def test_the_address_when_the_document_has_none() -> None:
    assert names(catalog(base_url=None, servers=[])) == ["P_BASE_URL"]
    assert names(catalog(base_url=None, servers=["/v1"])) == ["P_BASE_URL"]


def test_a_variable_of_the_address_without_a_default() -> None:
    told = {"host": {"env": "P_HOST", "default": None}, "port": {"env": "P_PORT", "default": "443"}}
    server = {"url": "https://{host}:{port}/v1", "variables": told}
    assert names(catalog(base_url=None, servers=[server])) == ["P_HOST"]
    second = ["https://api.example.com", server]
    assert names(catalog(servers=second)) == []


def test_a_variable_in_the_address_of_one_operation() -> None:
    told = {"url": "https://{shop}.example.com", "variables": {"shop": {"env": "P_SHOP", "default": None}}}
    assert names(catalog([], own=[told])) == ["P_SHOP"]
    assert names(catalog([], base_url=None, servers=[], own=[told])) == ["P_SHOP"]


def test_only_schemes_that_operations_ask_for() -> None:
    found = catalog([{"token": []}], auth={"token": TOKEN, "key": KEY})
    [variable] = needs_of(found).variables
    assert (variable.name, variable.secret, variable.meaning) == ("P_TOKEN", True, "token of token (http)")


def test_the_alternative_that_serves_most_operations() -> None:
    found = catalog(
        [{"basic": []}, {"key": []}],
        [{"token": []}, {"key": []}],
        [{"key": []}],
        auth={"token": TOKEN, "key": KEY, "basic": BASIC},
    )
    needs = needs_of(found)
    assert [variable.name for variable in needs.variables] == ["P_KEY"]
    assert needs.alternatives == ("basic (P_USER, P_PASSWORD)", "token (P_TOKEN)")


def test_of_equal_schemes_the_one_that_is_easiest_to_set_up() -> None:
    cookie = {"type": "apiKey", "in": "cookie", "name": "session", "env": {"key": "P_SESSION"}}
    assert names(catalog([{"cookie": []}, {"key": []}], auth={"cookie": cookie, "key": KEY})) == ["P_KEY"]


def test_schemes_that_are_needed_together() -> None:
    assert names(catalog([{"key": [], "token": []}], auth={"token": TOKEN, "key": KEY})) == [
        "P_KEY",
        "P_TOKEN",
    ]


def oauth(flows: dict[str, Any], **more: Any) -> dict[str, Any]:
    parts = ("token", "client_id", "client_secret", "username", "password")
    env = {part: f"P_{part.upper()}" for part in parts}
    return {"oauth": {"type": "oauth2", "env": env, "flows": flows, **more}}


def test_oauth_needs_what_its_flow_needs() -> None:
    asked = [{"oauth": []}]
    assert names(catalog(asked, auth=oauth({"clientCredentials": {}}))) == ["P_CLIENT_ID", "P_CLIENT_SECRET"]
    assert names(catalog(asked, auth=oauth({"password": {}}))) == ["P_CLIENT_ID", "P_USERNAME", "P_PASSWORD"]
    assert names(catalog(asked, auth=oauth({}))) == ["P_TOKEN"]
    needs = needs_of(catalog(asked, auth=oauth({"authorizationCode": {}})))
    assert ([variable.name for variable in needs.variables], needs.login) == (["P_CLIENT_ID"], ("oauth",))
    assert needs.alternatives == ("oauth (P_TOKEN)",)


def test_mutual_tls_needs_two_files() -> None:
    options = {"client_cert": "P_CERT", "client_key": "P_CERT_KEY", "client_key_password": "P_CERT_PASSWORD"}
    found = catalog([{"tls": []}], auth={"tls": {"type": "mutualTLS", "env": {}, "options": options}})
    assert names(found) == ["P_CERT", "P_CERT_KEY"]
    assert known_variables(found)["P_CERT_PASSWORD"] is True
    assert known_variables(found)["P_CERT"] is False


def test_known_variables_tell_secrets_from_settings() -> None:
    known = known_variables(catalog([{"basic": []}], auth={"basic": BASIC}))
    assert (known["P_MODE"], known["P_USER"], known["P_PASSWORD"]) == (False, False, True)
    assert (known["P_STATE_KEYS"], known["P_HTTP_CLIENT_SECRET"]) == (True, True)
