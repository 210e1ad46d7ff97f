"""Names: legal, unique, readable, and the same whatever the order."""

from __future__ import annotations

import keyword
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.plan.naming.names import (
    ArgumentRequest,
    NameRequest,
    argument_names,
    distribution_name,
    env_name,
    env_names,
    env_prefix,
    module_name,
    module_names,
    package_name,
    python_identifier,
    tool_names,
)

LEGAL_TOOL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]*")
LEGAL_ARGUMENT = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


def name_of(key: str, operation_id: str | None = None, action: str = "") -> str:
    method, path = key.split(" ", 1)
    return tool_names([NameRequest(key, method, path, operation_id, action)])[key]


@pytest.mark.parametrize(
    ("key", "operation_id", "expected"),
    [
        ("GET /runners", "actions/list-runners", "actions_list_runners"),
        ("GET /orders", "orders.listOrders", "list_orders"),
        ("GET /users/{n}", "GetUserByName", "get_user_by_name"),
        ("GET /boats", "issues/list-for-repo", "list_issues_for_repo"),
        ("GET /api/v1/users/{id}", "get_api_v1_users__id_", "get_user"),
        ("GET /api/v1/users/{user_id}", "read_user_api_v1_users__user_id__get", "read_user"),
        ("POST /v1/tax_rates", "PostTaxRates", "create_tax_rate"),
        (
            "POST /crm/contacts/batch/archive",
            "post-/crm/contacts/batch/archive_archive",
            "archive_crm_contact_batch",
        ),
        ("DELETE /boats/{id}", "Boats_deleteById", "delete_boats_by_id"),
        ("GET /boats", "boats_list", "list_boats"),
        ("POST /boats/{id}/notify", "notify", "notify_boat"),
        ("POST /boats", "ApiController.AddBoat", "add_boat"),
        ("POST /runners/restart", "pool.restartNode.js v2", "pool_restart_node_js_v2"),
        ("GET /desks/{id}/drawers/{n}", None, "get_desk_drawer"),
        ("GET /desks/{id}/drawers", None, "list_desk_drawers"),
        ("POST /desks/{id}/drawers", None, "create_desk_drawer"),
        ("POST /desks/{id}/cancel", None, "cancel_desk"),
        ("POST /send_group_msg", None, "send_group_msg"),
        ("GET /status", None, "get_status"),
        ("GET /", None, "get_root"),
        ("DELETE /api/v1/post", None, "delete_post"),
        ("GET /oauth2/tokens", "OAuth2Token", "get_oauth2_token"),
        ("GET /x", "获取用户列表", "get_x"),
        ("GET /2fa", "2fa", "get_2fa"),
        ("GET /x", "class", "get_class"),
        ("GET /boats/{id}", "\u200b///", "get_boat"),
    ],
)
def test_tool_name(key: str, operation_id: str | None, expected: str) -> None:
    assert name_of(key, operation_id) == expected


def test_actions_take_the_place_of_the_carrier_verb() -> None:
    assert name_of("POST /orders/{id}/manage", "manageOrder", "cancel") == "cancel_order"
    assert name_of("POST /orders/{id}/actions", "orderAction", "mark_paid") == "mark_paid_order"
    assert name_of("POST /orders/{id}/manage", None, "refund") == "refund_order"


def test_a_long_name_is_cut_at_a_word_and_a_clash_then_settled_by_a_hash() -> None:
    long = "retrieve_every_single_historical_measurement_of_the_underground_water_station_by_identifier"
    assert (
        name_of("GET /stations/{id}/history", long)
        == "retrieve_every_single_historical_measurement_underground"
    )
    same = [NameRequest(key, "GET", "/{id}", long) for key in "ab"]
    found = tool_names(same)
    assert all(len(name) <= 56 and re.search("_[0-9a-f]{6}$", name) for name in found.values())
    assert len(set(found.values())) == 2


def test_clashes_are_settled_by_meaning() -> None:
    gates = [NameRequest(m, m, "/gates/{id}", "gate") for m in ("GET", "DELETE")]
    assert tool_names(gates) == {"GET": "get_gate", "DELETE": "delete_gate"}
    users = [
        NameRequest("a", "GET", "/users", "listUsers"),
        NameRequest("b", "GET", "/admin/users", "listUsers"),
        NameRequest("c", "GET", "/users/{name}", "listUsers"),
    ]
    assert tool_names(users) == {"a": "list_users", "b": "list_users_admin", "c": "list_users_by_name"}
    versions = [NameRequest(path, "GET", path) for path in ("/v1/boats", "/v2/boats")]
    assert tool_names(versions) == {"/v1/boats": "get_boats_v1", "/v2/boats": "get_boats_v2"}


def test_a_made_up_name_does_not_displace_a_clear_one() -> None:
    requests = [
        NameRequest("a", "GET", "/gates/{id}", "gate"),
        NameRequest("b", "DELETE", "/gates/{id}", "gate"),
        NameRequest("c", "GET", "/other", "getGate"),
    ]
    names = tool_names(requests)
    assert names["c"] == "get_gate"
    assert len(set(names.values())) == 3


def test_pinned_names_stay() -> None:
    requests = [NameRequest("a", "GET", "/boats", "listBoats"), NameRequest("b", "GET", "/ships", "allBoats")]
    names = tool_names(requests, {"b": "list_boats", "gone": "list_boats"})
    assert names["b"] == "list_boats"
    assert names["a"] != "list_boats"
    with pytest.raises(ValueError, match="clash"):
        tool_names(requests, {"a": "X", "b": "x"})
    with pytest.raises(ValueError, match="equal keys"):
        tool_names([requests[0], requests[0]])


IDS = st.one_of(
    st.none(), st.text(max_size=80), st.sampled_from(["get", "getBoat", "get_boat", "get-boat", "GETBOAT"])
)
PATHS = st.lists(st.sampled_from(["boats", "{id}", "v1", "api", "Über", "a b", "{id}:cancel"]), max_size=4)
REQUESTS = st.lists(
    st.tuples(st.sampled_from(["GET", "POST", "PUT"]), PATHS, IDS, st.sampled_from(["", "cancel"])),
    max_size=12,
)


@given(REQUESTS, st.randoms())
def test_tool_names_are_legal_unique_and_independent_of_order(
    parts: list[tuple[str, list[str], str | None, str]], random_: random.Random
) -> None:
    requests = [
        NameRequest(str(number), method, "/" + "/".join(path), operation_id, action)
        for number, (method, path, operation_id, action) in enumerate(parts)
    ]
    names = tool_names(requests)
    assert all(
        LEGAL_TOOL.fullmatch(name) and len(name) <= 56 and not keyword.iskeyword(name)
        for name in names.values()
    )
    assert len({name.lower().replace("-", "_") for name in names.values()}) == len(requests)
    shuffled = list(requests)
    random_.shuffle(shuffled)
    assert tool_names(shuffled) == names
    assert tool_names(requests, names) == names


def test_an_unrelated_operation_renames_nobody() -> None:
    requests = [NameRequest(str(n), "GET", f"/a{n}", "same") for n in range(3)]
    before = tool_names(requests)
    after = tool_names([*requests, NameRequest("new", "GET", "/other", "somethingElse")])
    assert {key: after[key] for key in before} == before


def test_argument_names_keep_legal_wire_names() -> None:
    wires = ["userId", "from", "None", "user.name", "$top", "2fa-code", "ids[]", "Größe", "order by", ""]
    names = argument_names([ArgumentRequest(wire, "query") for wire in wires])
    assert names == (
        "userId",
        "from",
        "None",
        "user_name",
        "top",
        "n_2fa_code",
        "ids",
        "grosse",
        "order_by",
        "value",
    )


def test_argument_clashes_name_the_place_or_the_spelling() -> None:
    assert argument_names([ArgumentRequest("id", "path"), ArgumentRequest("id", "body")]) == (
        "path_id",
        "body_id",
    )
    assert argument_names([ArgumentRequest("body", "query"), ArgumentRequest("body", "body")]) == (
        "query_body",
        "request_body",
    )
    twins = ["user-id", "user_id", "userId", "_user_id", "USER_ID"]
    assert argument_names([ArgumentRequest(wire, "query") for wire in twins]) == (
        "user_id_kebab",
        "user_id_snake",
        "user_id_camel",
        "user_id_underscored",
        "user_id_upper",
    )


@given(
    st.lists(st.tuples(st.text(max_size=90), st.sampled_from(["path", "query", "body"])), max_size=12),
    st.randoms(),
)
def test_argument_names_are_legal_and_unique(parts: list[tuple[str, str]], random_: random.Random) -> None:
    items = [ArgumentRequest(wire, place) for wire, place in parts]
    names = argument_names(items)
    assert all(LEGAL_ARGUMENT.fullmatch(name) for name in names)
    assert len({name.lower().replace("_", "") for name in names}) == len(items)
    assert len({python_identifier(name) for name in names}) == len(items)
    if len(set(parts)) == len(parts):
        order = list(range(len(items)))
        random_.shuffle(order)
        again = argument_names([items[place] for place in order])
        assert [names[place] for place in order] == list(again)


@given(st.text())
def test_python_identifiers(text: str) -> None:
    name = python_identifier(text)
    assert name.isidentifier()
    assert name.isascii()
    assert not keyword.iskeyword(name)
    assert not name.startswith("__")
    assert name not in {"call", "self"}
    assert python_identifier(name) == name


def test_python_identifier_spells_keywords_with_an_underscore() -> None:
    assert [python_identifier(text) for text in ("class", "call", "match", "__init__", "ﬁle", "_x")] == [
        "class_",
        "call_",
        "match",
        "init",
        "file",
        "_x",
    ]


@given(st.lists(st.text(max_size=60), unique=True, max_size=12))
def test_module_names(labels: list[str]) -> None:
    names = module_names(labels, reserved=("base",))
    assert names == module_names(reversed(labels), reserved=("base",))
    assert len({name.lower() for name in names.values()}) == len(labels)
    for name in names.values():
        assert name.isidentifier()
        assert len(name) <= 40
        assert not keyword.iskeyword(name)
        assert name not in {"con", "nul", "aux", "base"}
        assert name == name.lower()


def test_modules_avoid_devices_and_keywords() -> None:
    assert [module_name(text) for text in ("con", "COM1", "import", "Pet Store", "")] == [
        "con_tools",
        "com1_tools",
        "import_tools",
        "pet_store",
        "default",
    ]
    assert module_names(["pets", "Pets"])["pets"] == "pets"


def test_project_names() -> None:
    assert distribution_name("Orders API") == "orders-mcp"
    assert package_name("Orders API") == package_name("orders-mcp") == "orders_mcp"
    assert env_prefix("Orders REST API v2") == "ORDERS"
    assert distribution_name("The API") == distribution_name("") == "api-mcp"
    assert package_name("2Checkout") == "api_2_checkout_mcp"


def test_environment_names() -> None:
    assert env_name("ORDERS", "bearerAuth", "token") == "ORDERS_BEARER_AUTH_TOKEN"
    assert env_name("ORDERS", "key", "key") == "ORDERS_KEY"
    assert env_name("ORDERS", "oauth-client", "client_id") == "ORDERS_OAUTH_CLIENT_ID"
    names = env_names("P", [("api", "key"), ("api_key", "key"), ("Api-Key", "key")])
    assert len({name.upper() for name in names.values()}) == 3
    assert all(re.fullmatch(r"P_[A-Z0-9_]+", name) for name in names.values())


@given(st.text())
def test_project_names_are_legal(title: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", distribution_name(title))
    assert package_name(title).isidentifier()
    assert re.fullmatch(r"[A-Z_][A-Z0-9_]*", env_prefix(title))
