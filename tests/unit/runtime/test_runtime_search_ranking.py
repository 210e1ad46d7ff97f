"""Which tool a request in plain words finds."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.search.concepts import lexicon
from mcpgen.runtime.search.documents import read_tool
from mcpgen.runtime.search.index import Index
from mcpgen.runtime.search.request import LONGEST, read_request
from mcpgen.runtime.search.verbs import Sense
from mcpgen.runtime.search.words import STOP, folded, stem, words

EFFECTS = {"GET": "read", "POST": "write", "PUT": "write", "PATCH": "write", "DELETE": "destructive"}


def tool(name: str, title: str = "", description: str = "", **arguments: Any) -> dict[str, Any]:
    described = {key: {"type": "string", "description": text} for key, text in arguments.items()}
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": {"type": "object", "properties": described},
    }


def index(*operations: tuple[str, str, dict[str, Any]], api: str = "") -> Index:
    """An index of tools, each with its method and path."""
    entries = {
        found["name"]: {"method": method, "path": path, "effect": EFFECTS[method]}
        for method, path, found in operations
    }
    return Index([found for _, _, found in operations], entries, api)


SHOP = index(
    ("GET", "/customers", tool("list_customers", "List customers", "Lists the customers of the shop.")),
    ("GET", "/customers/{id}", tool("get_customer", "Get a customer", "Gives one customer.")),
    ("POST", "/customers", tool("create_customer", "Create a customer", "Registers a new customer.")),
    ("PATCH", "/customers/{id}", tool("update_customer", "Update a customer", "Changes a customer.")),
    ("DELETE", "/customers/{id}", tool("delete_customer", "Delete a customer", "Deletes a customer.")),
    ("GET", "/invoices", tool("list_invoices", "List invoices", "Lists invoices.")),
    ("POST", "/invoices", tool("create_invoice", "Create an invoice", "Creates an invoice for an order.")),
    ("POST", "/invoices/{id}/send", tool("send_invoice", "Send an invoice", "Mails an invoice.")),
    ("POST", "/servers/{id}/start", tool("start_server", "Start a server", "Starts a server.")),
    ("POST", "/servers/{id}/stop", tool("stop_server", "Stop a server", "Stops a server.")),
    ("GET", "/servers/{id}/logs", tool("get_server_logs", "Get logs", "What a server wrote.")),
    ("POST", "/files", tool("upload_file", "Upload a file", "Stores a file.")),
)


def first(found: Index, query: str) -> str | None:
    return next(iter(found.search(query, 1)), None)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("get rid of customer 12", "delete_customer"),
        ("Please remove a client", "delete_customer"),
        ("sign up a new buyer", "create_customer"),
        ("change the customer's address", "update_customer"),
        ("show me all customers", "list_customers"),
        ("fire up the machine", "start_server"),
        ("shut the server down", "stop_server"),
        ("what did server 7 log?", "get_server_logs"),
        ("put this document online", "upload_file"),
        ("email bill 42", "send_invoice"),
    ],
)
def test_other_words_for_the_same(query: str, name: str) -> None:
    assert first(SHOP, query) == name


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("删除客户 12", "delete_customer"),
        ("新建一个客户", "create_customer"),
        ("启动服务器", "start_server"),
        ("顧客の一覧を見せて", "list_customers"),
        ("고객 12 삭제해 줘", "delete_customer"),
        ("Kunden 12 löschen", "delete_customer"),
        ("Montre-moi tous les clients", "list_customers"),
        ("Crea una factura nueva", "create_invoice"),
        ("Adicione um novo cliente", "create_customer"),
        ("Ferma il server", "stop_server"),
        ("Удали клиента 12", "delete_customer"),
    ],
)
def test_requests_in_other_languages(query: str, name: str) -> None:
    assert first(SHOP, query) == name


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("remove order 12", "orders_3"),
        ("创建订单", "orders_2"),
        ("show all orders", "orders_1"),
        ("Закажи: создать заказ", "orders_2"),
    ],
)
def test_a_specification_in_another_language(query: str, name: str) -> None:
    found = index(
        ("GET", "/a", tool("orders_1", "订单列表", "获取所有订单")),
        ("POST", "/a", tool("orders_2", "新增订单", "添加一个订单")),
        ("DELETE", "/a/{id}", tool("orders_3", "删除订单", "删除一个订单")),
        ("GET", "/b", tool("users_1", "用户列表", "获取所有用户")),
    )
    assert first(found, query) == name


def test_what_is_quoted_is_a_value() -> None:
    found = index(
        ("PATCH", "/folders/{id}", tool("rename_folder", "Rename a folder")),
        ("DELETE", "/invoices/{id}", tool("delete_invoice", "Delete an invoice")),
    )
    for quoted in ('"delete invoice"', "“delete invoice”", "'delete invoice'", "«delete invoice»"):
        assert first(found, f"call the folder {quoted}") == "rename_folder"


def test_names_of_other_tools_are_not_what_a_tool_is_about() -> None:
    found = index(
        ("GET", "/a", tool("list_notes", description="Lists notes. For a backup, use archive_everything.")),
        ("POST", "/b", tool("archive_everything", description="Keeps a copy.")),
    )
    assert found.search("archive everything", 5) == ["archive_everything"]


def test_arguments_and_their_values_are_searched() -> None:
    held = tool("list_events", mood="Which mood the events have.")
    held["inputSchema"]["properties"]["mood"]["enum"] = ["cheerful", "gloomy"]
    found = index(("GET", "/a", held), ("GET", "/b", tool("list_places")))
    assert found.search("gloomy", 5) == ["list_events"]
    assert found.search("mood", 5) == ["list_events"]


def test_the_name_of_the_api_tells_little() -> None:
    operations = (
        ("GET", "/a", tool("ping", description="Asks whether Acme is there.")),
        ("GET", "/b", tool("list_users", description="Lists users.")),
    )
    assert first(index(*operations, api="Acme"), "users in Acme") == "list_users"


def test_forms_of_a_word() -> None:
    found = index(
        ("DELETE", "/a/{id}", tool("cancel_order", description="Cancels an order that is not shipped.")),
        ("GET", "/b", tool("get_timeline", description="What happened.")),
    )
    assert first(found, "canceling") == "cancel_order"
    assert first(found, "time line") == "get_timeline"
    assert first(found, "cancelOrder") == "cancel_order"


def test_nothing_fits() -> None:
    assert SHOP.search("", 5) == []
    assert SHOP.search("zebra", 5) == []
    assert Index([]).search("orders", 5) == []


def test_the_order_of_tools_does_not_matter() -> None:
    tools = [tool(name, "Same words") for name in ("b", "a", "c")]
    for order in itertools.permutations(tools):
        assert Index(order).search("same", 3) == ["a", "b", "c"]


@given(st.text(max_size=60), st.integers(1, 50))
def test_any_text_is_a_request(query: str, limit: int) -> None:
    found = SHOP.search(query, limit)
    assert len(found) == len(set(found)) <= limit
    assert found == SHOP.search(query, limit)


def test_long_requests_and_tools_are_bounded() -> None:
    words_of_it = " ".join(f"word{n} customer löschen 删除" for n in range(100_000))
    document = read_tool(tool("x", "", words_of_it, a=words_of_it), {}, frozenset())
    assert sum(map(len, document.fields.values())) < 1000
    found = index(("GET", "/a", tool("x", words_of_it, words_of_it, a=words_of_it)))
    assert first(found, words_of_it) == "x"
    request = read_request("'" * 50_000 + "a " * LONGEST, lexicon())
    assert len(request.terms) < 100


@pytest.mark.parametrize(
    ("query", "sense", "named"),
    [
        ("Which orders are open?", Sense.LOOK, False),
        ("哪些订单没有发货", Sense.LOOK, False),
        ("Delete order 7", Sense.END, True),
        ('Rename the board to "Next"', Sense.CHANGE, True),
        ("add a user", Sense.ADD, False),
        ("restart it", Sense.RUN, False),
        ("a@example.com", None, True),
    ],
)
def test_what_a_request_wants(query: str, sense: Sense | None, named: bool) -> None:
    request = read_request(query, lexicon())
    assert (request.sense, request.named) == (sense, named)


def test_words() -> None:
    assert words("getOrderByID") == ["get", "order", "id"]
    assert words("HTTPServer policies boxes Café") == ["http", "server", "policy", "box", "cafe"]
    assert words("注文を検索") == ["注文", "文を", "を検", "検索", *"注文を検索"]
    assert words("票") == ["票"]
    assert words("the of and") == []
    assert "the" in STOP


def test_all_that_the_tables_hold_is_understood() -> None:
    """Each spelling leads to its concept, and each concept can be said in English."""
    known = lexicon()
    concepts = set()
    for table in (known.words, known.beginnings, known.ideograms):
        for text, meanings in table.items():
            concepts.update(meaning.concept for meaning in meanings)
            assert text == folded(text) or table is known.ideograms, text
            if table is known.words:
                assert stem(text) == text or set(meanings) <= set(known.of(text)), text
            elif table is known.beginnings:
                assert set(meanings) <= set(known.of(text)), text
            else:
                assert text in [spelling for _, spelling, _ in known.within(text)], text
    for first_word, phrases in known.phrases.items():
        for rest, meaning in phrases:
            found = known.phrase([first_word, *rest], 0)
            assert found is not None, rest
            concepts.add(meaning.concept)
    assert len(concepts) > 150
    for concept in concepts:
        assert all(spelling.text.isascii() for spelling in concept.languages[0])


# ---------------------------------------------------------------- tools that are called almost the same

ALMOST = {
    "numbers": [tool(f"get_report_{n}", f"Get report {n}") for n in range(120)],
    "more and more words": [tool("get_report" + "_x" * n, "Get report" + " x" * n) for n in range(50)],
    "words that say nothing": [tool(f"show_{word}", f"Show {word}") for word in sorted(STOP)],
    "other scripts": [tool(f"t{n}", f"获取报告 {n:03}") for n in range(120)],
    "titles without words": [tool(f"q{n}", "?" * (n + 1)) for n in range(30)],
    "one title": [tool(f"get_report_{n}", "Get report") for n in range(120)],
}


@pytest.mark.parametrize("tools", ALMOST.values(), ids=ALMOST)
def test_a_tool_is_found_by_its_very_name(tools: list[dict[str, Any]]) -> None:
    found = Index(tools)
    assert [first(found, one["name"]) for one in tools] == [one["name"] for one in tools]
    assert [first(found, one["name"].upper().replace("_", "-")) for one in tools] == [
        one["name"] for one in tools
    ]


@pytest.mark.parametrize(
    "kind", [kind for kind in ALMOST if kind not in ("one title", "titles without words")]
)
def test_a_tool_is_found_by_its_very_title(kind: str) -> None:
    found = Index(ALMOST[kind])
    assert [first(found, one["title"]) for one in ALMOST[kind]] == [one["name"] for one in ALMOST[kind]]


def test_a_name_is_meant_before_a_title_and_others_follow() -> None:
    found = Index(
        [tool("get_order", "List orders"), tool("list_orders", "Get order"), tool("order", "An order")]
    )
    assert found.search("get order", 10) == ["get_order", "list_orders", "order"]
    assert found.search("list orders", 1) == ["list_orders"]


def test_of_names_that_look_alike_the_exact_one_is_first() -> None:
    names = ["get_ab", "get_a_b", "getAb"]
    found = Index([tool(name, "Get it") for name in names])
    assert [first(found, name) for name in names] == names
