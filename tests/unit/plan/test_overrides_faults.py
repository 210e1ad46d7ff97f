"""What is said wrongly is refused, with the line and a suggestion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .overriding import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


GET = "[operations.getOrder]\n"
ARGUMENT = "[operations.getOrder.arguments.id]\n"


@pytest.mark.parametrize(
    ("toml", "line", "words"),
    [
        ("[operations.getOder]\nname = 'x'", 1, "[operations.getOder]: the document has no such operation. Did you mean getOrder"),
        ('[operations."GET /order/{id}"]', 1, "Did you mean GET /orders/{id}"),
        ('[operations.getOrder]\n[operations."GET /orders/{id}"]', 2, "about the same operation as [operations.getOrder]."),
        (GET + 'titel = "x"', 2, "[operations.getOrder]: titel: unknown key. Did you mean title?"),
        (GET + "title = 1", 2, "title must be a text."),
        (GET + 'effect = "reed"', 2, "effect must be one of read, write or destructive."),
        (GET + "split = true", 2, "split must be false, the name of an argument, or a table with `argument`."),
        (GET + 'paging = "x"', 2, "paging must be false or a table."),
        (GET + 'paging = { kind = "page", argument = "pages" }', 2, "paging names `pages`, which is no argument of the tool."),
        (GET + 'name = "a b"', 2, "name must be letters, digits and _"),
        (GET + 'name = "class"', 2, "no keyword of Python"),
        (GET + 'name = "list_orders"', 2, "name: `list_orders` is the name of GET /orders; choose another one."),
        (GET + 'name = "same"\n[operations.deleteOrder]\nname = "same"', 4, "name: `same` is also said for GET /orders/{id}"),
        (GET + "additive = true", 2, "additive: only a write can be additive; with the effect `read` the tool changes nothing."),
        (GET + "annotations.readOnlyHint = false", 2, "annotations.readOnlyHint must be true, since the effect is `read`; say effect in its place."),
        (GET + "annotations.openWorld = true", 2, "Did you mean openWorldHint?"),
        (GET + 'icons = [{ src = "http://example.com/i.png" }]', 2, "must be an https address or a data: URI of an image."),
        (GET + 'icons = [{ src = "https://example.com/i.png", sizes = ["big"] }]', 2, "must be a size such as 48x48, or any."),
        (GET + '_meta = { "io.modelcontextprotocol/x" = 1 }', 2, "is reserved for the protocol"),
        (GET + '_meta = { "-x" = 1 }', 2, "is no legal key"),
        (GET + 'hints.404 = { tool = "list_order" }', 2, "hints.404: there is no tool `list_order`. Did you mean list_orders"),
        (GET + 'hints.404 = { tool = "list_orders", arguments = { limt = 1 } }', 2, "`list_orders` has no argument `limt`. Did you mean limit?"),
        (GET + 'hints.404 = { tool = "delete_order" }', 2, "`delete_order` needs `id` too"),
        (GET + 'hints.404 = { tool = "delete_order", same = { id = "order" } }', 2, "`get_order` has no argument `order`."),
        (GET + 'hints.later = { tool = "list_orders" }', 2, "is neither a status (404, 4XX) nor one of"),
        (GET + "example = { id = 0 }", 2, "example is no call of `get_order`: 0 is less than the minimum of 1."),
        (GET + "example = { idd = 1 }", 2, "example is no call of `get_order`:"),
        (GET + 'actions.cancel.name = "x"', 2, "actions.cancel: there is no such action. The operation is one tool; `split` cuts it."),
        ('[operations.manageOrder]\nname = "x"', 2, "name is about one tool, but the operation becomes 2: say it in `actions` (query, cancel)"),
        ('[operations.manageOrder.actions.cancle]\nname = "x"', 2, "there is no such action. Did you mean cancel?"),
        (ARGUMENT.replace("id", "idd") + "hidden = true", 1, "arguments.idd: the operation has no such argument. Did you mean id?"),
        (ARGUMENT + "hiden = true", 2, "arguments.id.hiden: unknown key. Did you mean hidden?"),
        (ARGUMENT.replace("id", "name") + "titel = true", 2, "arguments.name.titel: unknown key. Known are:"),
        (ARGUMENT + "hidden = true", 2, "id: hidden: the API requires it; give it a value with `fixed` or `default`."),
        (ARGUMENT + 'fixed = "x"', 2, "id: fixed breaks the argument's schema: 'x' is not of type 'integer'."),
        (ARGUMENT + "default = 0", 2, "id: default breaks the argument's schema: 0 is less than the minimum of 1."),
        (ARGUMENT + "examples = [1, 0]", 2, "id: examples breaks the argument's schema"),
        (ARGUMENT + "fixed = 1\ndefault = 1", 3, "a value that is `fixed` needs no default."),
        ("[operations.replaceOrder.arguments.id]\nhidden = true", 1, "there are several: say path:id or body:id."),
        ('[operations.listOrders.arguments.limit]\nname = "page"', 2, "name: `page` is the name of `page` (query); choose another one."),
        ("[operations.manageOrder.arguments.action]\nhidden = true", 1, "the tool sets it itself."),
        ("[operations]\ngetOrder = 1", 2, "[operations] holds sections: [operations.getOrder]."),
    ],
)  # fmt: skip
def test_what_the_configuration_says_wrongly(shop: Shop, toml: str, line: int, words: str) -> None:
    ((code, found, message),) = shop.wrong(toml)
    assert (code, found) == ("config-invalid", line)
    assert words in message


def test_what_can_not_be_the_same_in_every_call(shop: Shop) -> None:
    operation = shop.paths["/orders"]["post"]
    operation["parameters"] = [{"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}]
    ((_, _, message),) = shop.wrong('[operations.createOrder.arguments.Idempotency-Key]\nfixed = "x"')
    assert "this key tells calls apart, so it can't be the same for all." in message
    shop.paths["/orders/{id}"]["put"]["requestBody"]["content"]["application/json"]["schema"] = {
        "type": "array"
    }
    ((_, _, message),) = shop.wrong("[operations.replaceOrder.arguments.body]\nfixed = [1]")
    assert "only single fields of a body can be fixed." in message


def test_a_name_with_dots_needs_quotes(shop: Shop) -> None:
    shop.paths["/orders/{id}"]["get"]["operationId"] = "orders.get"
    ((_, line, message),) = shop.wrong('\n[operations.orders.get]\nname = "x"')
    assert line == 2
    assert message == '[operations.orders]: a name with dots is written in quotes: [operations."orders.get"].'


def test_all_faults_are_told_at_once(shop: Shop) -> None:
    found = shop.wrong("[operations.getOrder]\ntitle = 1\nnmae = 2\n[operations.x]\n")
    assert [line for _, line, _ in found] == [2, 3, 4]


@pytest.mark.parametrize(
    ("said", "key", "words"),
    [
        (
            {"efect": "destructive"},
            "efect",
            "GET /orders/{id}: x-mcp: efect: unknown key. Did you mean effect?",
        ),
        ({"effect": "rm"}, "effect", "effect must be one of read, write or destructive."),
        ("yes", "x-mcp", "GET /orders/{id}: x-mcp must be a table."),
        ({"paging": {"itms": "/x"}}, "paging", "paging has no `itms`"),
        ({"hints": {"404": {"tool": "x"}}}, "404", "hints.404: there is no tool `x`."),
        ({"arguments": {"id": {"fixed": "x"}}}, "fixed", "fixed breaks the argument's schema"),
    ],
)
def test_what_the_document_says_wrongly(shop: Shop, said: Any, key: str, words: str) -> None:
    shop.paths["/orders/{id}"]["get"]["x-mcp"] = said
    ((code, line, message),) = shop.wrong()
    assert code == "extension-invalid"
    assert words in message
    assert line is not None
    assert f'"{key}"' in shop.lines[line - 1]


def test_an_effect_that_is_no_effect(shop: Shop) -> None:
    shop.paths["/orders/{id}"]["delete"]["x-mcp-effect"] = "reed"
    ((code, line, message),) = shop.wrong()
    assert (code, "x-mcp-effect" in shop.lines[(line or 0) - 1]) == ("extension-invalid", True)
    assert "effect must be one of read, write or destructive." in message


def test_what_the_document_says_wrongly_about_a_parameter(shop: Shop) -> None:
    shop.paths["/orders/{id}"]["parameters"][0]["x-mcp"] = {"nam": "x"}
    found = shop.wrong()
    assert {(code, "nam" in shop.lines[(line or 0) - 1]) for code, line, _ in found} == {
        ("extension-invalid", True)
    }
    assert "id: x-mcp: nam: unknown key. Did you mean name?" in found[0][2]


def test_paging_of_a_section_of_tools_is_a_fault_of_the_configuration(shop: Shop) -> None:
    toml = '[tools.list_orders]\n\npaging = { kind = "magic" }'
    ((code, line, message),) = shop.wrong(toml)
    assert (code, line) == ("config-invalid", 3)
    assert message == "GET /orders: paging is of no known kind; known are cursor, offset, page, link."


def test_false_in_the_document_is_no_tool(shop: Shop) -> None:
    shop.paths["/orders/{id}"]["delete"]["x-mcp"] = False
    assert "delete_order" not in {tool.name for tool in shop.plan().tools}
    assert "delete_order" in {
        tool.name for tool in shop.plan("[operations.deleteOrder]\ninclude = true").tools
    }


def test_true_in_the_document_takes_in_what_would_be_left_out(shop: Shop) -> None:
    shop.paths["/orders/{id}"]["delete"] |= {"x-mcp": True, "deprecated": True}
    assert "delete_order" in {tool.name for tool in shop.plan().tools}
