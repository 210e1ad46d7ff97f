"""Hostile answers, arguments and catalogues: none of them hangs, crashes or misleads a server."""

from __future__ import annotations

import base64
import gc
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import mcp_types as mt
import pytest
from mcp import Client

from mcpgen.runtime.answers.answer_headers import resolved, retry_after, whole_number
from mcpgen.runtime.api_errors.markup import page_text
from mcpgen.runtime.api_errors.words import safe
from mcpgen.runtime.inputs.checking import ArgumentCheck
from mcpgen.runtime.operation import Encoding, Parameter
from mcpgen.runtime.outcomes.failures import CallFailed, Category
from mcpgen.runtime.paging.page_links import page_links
from mcpgen.runtime.requests.paths import fill_template
from mcpgen.runtime.serving.listening import listen, port_number, port_of

pytestmark = pytest.mark.anyio
TEXT = {"type": "string"}


def seconds(function: Any, text: str) -> float:
    """Of this thread's work, in which other work on the machine does not count."""
    started = time.thread_time()
    function(text)
    return time.thread_time() - started


# ---------------------------------------------------------------- long answers


@pytest.mark.parametrize("text", ["a." * 100_000, "-a" * 100_000, "\n  \n" * 50_000, "10.1." * 50_000])
def test_cleaning_an_error_takes_no_time(text: str) -> None:
    assert seconds(safe, text) < 0.5


@pytest.mark.parametrize("text", ["<script " * 50_000, "<title>" * 50_000, "<title " * 50_000, "<" * 300_000])
def test_reading_an_error_page_takes_no_time(text: str) -> None:
    assert seconds(page_text, text) < 0.5


@pytest.mark.parametrize("text", ["<" * 20_000, '<a>;rel="' + "next " * 9_000, "<a>" + ";rel= " * 9_000])
def test_reading_a_link_takes_no_time(text: str) -> None:
    assert seconds(page_links, text) < 0.5


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ('<a>; rel="prev", <b>; rel="prev next"', "b"),
        ("<a>; title=x; REL = Next", "a"),
        ('<a>; rel="nextish"', None),
        ("<a>", None),
    ],
)
def test_links_are_still_read(header: str, target: str | None) -> None:
    assert page_links(header).next == target


def test_what_must_not_be_passed_on_is_still_found() -> None:
    assert safe("see db.shop.internal:5432, http://foo.local/x, 10.0.0.7") == "see [host], [host]/x, [host]"
    assert safe("Boom\n   at app.Main(Main.java:3)") == "Boom\n"
    assert page_text("<p>hi<script>x</script> there").split() == ["hi", "there"]


# ---------------------------------------------------------------- odd headers


def test_numbers_and_addresses_of_headers() -> None:
    assert (whole_number(" 41 "), whole_number("9" * 5000), whole_number("-1")) == (41, None, None)
    assert (resolved("http://a/b", "c"), resolved("http://a/b", "http://[>")) == ("http://a/c", None)
    assert resolved("http://a/", "http://b:99999/") is None


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("30", 30, 30),
        ("9" * 5000, 86_400, 366 * 86_400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400, 366 * 86_400),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0, 0),
    ],
)
def test_a_wait_is_bounded(text: str, least: int, most: int) -> None:
    assert least <= (retry_after(httpx2.Headers({"retry-after": text})) or 0) <= most


@pytest.mark.parametrize(
    "header",
    [
        {"X-Total-Count": "9" * 5000},
        {"Link": '<http://[>; rel="next"'},
        {"Link": f'<?page={"9" * 5000}>; rel="next"'},
        {"Retry-After": "Fri, 01 Jan 99999999999999 00:00:00 GMT"},
        {"Location": "http://["},
    ],
)
@pytest.mark.parametrize("status", [200, 429, 302])
async def test_odd_headers_fail_no_call(build, op, header, status) -> None:
    package = build(get=op(params=[("query", "page", {"type": "integer"}, {})]))
    package.answer(httpx2.Response(status, headers=header, json={"id": 1}))
    found = await package.told("get")
    assert found["ok"] is (status == 200)
    if not found["ok"]:
        assert found["status"] == status
        assert "fault in this server" not in found["error"]


async def test_the_announced_total_wins_over_the_page(build, op) -> None:
    package = build(get=op())
    items = ["x" * 100] * 50
    package.answer(httpx2.Response(200, headers={"X-Total-Count": "5000"}, json=items))
    found = await package.told("get", SHOP_MAX_RESULT_BYTES="1000")
    assert found["total"] == 5000
    assert len(found["data"]) < 50
    package.answer(httpx2.Response(200, json=items))
    assert (await package.told("get", SHOP_MAX_RESULT_BYTES="1000"))["total"] == 50


# ---------------------------------------------------------------- what is sent


def upload(op: Any, **body: Any) -> Any:
    return op(
        method="POST",
        effect="write",
        fields={"photo": {}},
        body={"content_type": "multipart/form-data", "kind": "multipart", "files": {"photo": "one"}} | body,
    )


@pytest.mark.parametrize("kind", ["text/plain\r\n\r\n;injected", "text/plain\n;x", "tëxt/plain", "a/b ;c\r"])
async def test_a_content_type_is_one_line(build, op, kind) -> None:
    whole = op(method="POST", effect="write", whole={}, body={"content_type": "*/*", "kind": "binary"})
    package = build(add=upload(op), put=whole)
    file = {"content_base64": "aGk=", "content_type": kind}
    for tool, name in (("add", "photo"), ("put", "body")):
        assert (await package.told(tool, {name: file}))["category"] == "validation"
    assert package.requests == []


async def test_a_described_content_type_is_one_line_too(build, op) -> None:
    package = build(add=upload(op, encoding={"photo": {"content_type": "image/png\r\nX: y"}}))
    found = await package.told("add", {"photo": {"content_base64": "aGk="}})
    assert (found["ok"], package.requests) == (False, [])
    assert "line breaks" in found["error"]


async def test_files_that_are_no_base64(build, op) -> None:
    package = build(add=upload(op))
    for content in ("日本", "ä", "%"):
        found = await package.told("add", {"photo": {"content_base64": content}})
        assert found["category"] == "validation"


async def test_no_parameter_brings_a_second_key(build, op) -> None:
    auth = {"key": {"type": "apiKey", "in": "query", "name": "api_key", "env": {"key": "SHOP_KEY"}}}
    security = {"more": {"security": [{"key": []}]}}
    package = build(
        auth,
        form=op(params=[("query", "filter", {"type": "object"}, {})], **security),
        whole=op(
            params=[("querystring", "q", {}, {"content_type": "application/x-www-form-urlencoded"})],
            **security,
        ),
        own=op(path="/things?a=1&api%5Fkey=old", **security),
    )
    package.environ = {"SHOP_KEY": "real"}
    evil = {"api_key": "evil", "a": "1"}
    for tool, given in (("form", {"filter": evil}), ("whole", {"q": evil}), ("own", {})):
        await package.told(tool, given)
    assert [request.url.query for request in package.requests] == [b"a=1&api_key=real"] * 3


def test_the_query_of_a_template_is_filled() -> None:
    parameters = {name: Parameter(name, "path", "simple", False) for name in ("x", "y")}
    assert fill_template("/r/{x}?a=1&y={y}", parameters, {"x": "p", "y": "q&r"}) == ("/r/p", "a=1&y=q%26r")
    assert fill_template("/r/{x}?a=1&z={z}", parameters, {"x": "p"}) == ("/r/p", "a=1")


@pytest.mark.parametrize("template", ["/../../etc/{a}", "/x/%2e%2E/{a}", "/x\\..\\{a}", "/.."])
def test_a_path_that_leaves_the_base_is_refused(template: str) -> None:
    parameters = {"a": Parameter("a", "path", "simple", False)}
    with pytest.raises(CallFailed) as caught:
        fill_template(template, parameters, {"a": "1"})
    assert caught.value.failure.category is Category.INTERNAL


async def test_the_users_question_hides_nothing(build, op) -> None:
    package = build(drop=op(method="DELETE", effect="destructive", params=[("query", "why", TEXT, {})]))
    asked = []

    async def answer(_: Any, params: Any) -> mt.ElicitResult:
        asked.append(params.message)
        return mt.ElicitResult(action="decline")

    why = "a\u202eb\u2028c\u200bd\U000e0041 é 日本"
    await package.told("drop", {"why": why}, SHOP_ALLOW_EFFECTS="destructive", elicitation_callback=answer)
    assert 'why: "a\\u202eb\\u2028c\\u200bd\\udb40\\udc41 é 日本"' in asked[0]
    assert all(c.isprintable() or c == "\n" for c in asked[0])


# ---------------------------------------------------------------- token endpoints


@pytest.mark.parametrize(
    ("token_url", "answer", "category"),
    [
        ("/rel/token", httpx2.Response(200, json={"access_token": None}), "permission"),
        ("/rel/token", httpx2.Response(500), "transient"),
        ("/rel/token", httpx2.LocalProtocolError("no"), "transient"),
        ("http://[", httpx2.Response(500), "permission"),
    ],
)
async def test_token_endpoints_that_fail(build, op, token_url, answer, category) -> None:
    auth = {
        "oauth": {
            "type": "oauth2",
            "token_url": token_url,
            "env": {"token": "SHOP_TOKEN", "client_id": "SHOP_ID", "client_secret": "SHOP_SECRET"},
        }
    }
    package = build(auth, get=op(more={"security": [{"oauth": []}]}))
    package.answer(answer)
    found = await package.told("get", SHOP_ID="me", SHOP_SECRET="secret")
    assert found["category"] == category
    asked = {str(request.url) for request in package.requests}
    assert asked == (set() if "[" in token_url else {"https://api.example.com/rel/token"})


async def test_a_relative_token_url_gives_a_token(build, op) -> None:
    auth = {
        "oauth": {
            "type": "oauth2",
            "token_url": "/rel/token",
            "env": {"token": "SHOP_TOKEN", "client_id": "SHOP_ID", "client_secret": "SHOP_SECRET"},
        }
    }
    package = build(auth, get=op(more={"security": [{"oauth": []}]}))
    package.answer(httpx2.Response(200, json={"access_token": "abcdefgh"}), httpx2.Response(200, json=1))
    assert (await package.told("get", SHOP_ID="me", SHOP_SECRET="secret"))["ok"]
    assert package.requests[1].headers["Authorization"] == "Bearer abcdefgh"


# ---------------------------------------------------------------- answers


async def test_large_files_keep_the_limit(build, op) -> None:
    package = build(get=op())
    package.answer(httpx2.Response(200, headers={"Content-Type": "image/png"}, content=b"\x89" * 3000))
    whole = await package.call("get")
    assert base64.b64decode(whole.content[1].data) == b"\x89" * 3000
    cut = await package.call("get", SHOP_MAX_RESULT_BYTES="3999")
    assert len(cut.content) == 1
    assert cut.structured_content["data"]["size"] == 3000
    assert "too large" in cut.structured_content["note"]


class _Broken(httpx2.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"this is not gzip"


@pytest.mark.parametrize(("method", "effect", "uncertain"), [("POST", "write", True), ("GET", "read", False)])
async def test_a_damaged_answer_says_what_may_have_happened(build, op, method, effect, uncertain) -> None:
    package = build(add=op(method=method, effect=effect))
    package.answer(lambda _: httpx2.Response(200, headers={"Content-Encoding": "gzip"}, stream=_Broken()))
    found = await package.told("add")
    assert (found["ok"], found["category"]) == (False, "internal")
    assert "damaged" in found["error"]
    assert ("took effect" in found["error"]) is uncertain


# ---------------------------------------------------------------- the server itself


def test_validators_go_with_their_server(build, op) -> None:
    package = build(get=op())
    app: Any = package.server()
    gone = weakref.ref(app)
    check = ArgumentCheck({"type": "object", "required": ["a"]})
    assert len(list(check.errors({}))) == 1
    seen = weakref.ref(check)
    del app, check
    gc.collect()
    assert (gone(), seen()) == (None, None)


SEARCH = {"SHOP_MODE": "search"}


@pytest.fixture
def searched(build, op):
    return build(
        get_order=op(
            path="/orders/{order_id}", params=[("path", "order_id", TEXT, {})], required=["order_id"]
        ),
    )


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("find_tools", {"query": "order", "bogus": 1}, "`bogus` is no argument"),
        ("find_tools", {"query": "order", "limit": 500}, "must be at most 50"),
        ("find_tools", {}, "`query` is missing"),
        ("find_tools", {"query": " "}, "`query` is empty"),
        ("describe_tool", {"name": "get_order", "x": 1}, "`x` is no argument"),
        ("call_read_tool", {"name": "get_order", "order_id": "1"}, "`order_id` is no argument"),
        ("call_read_tool", {"name": "get_order", "arguments": [1]}, "`arguments` must be"),
        ("call_read_tool", {"name": "get_order", "arguments": "x"}, "`arguments` must be"),
    ],
)
async def test_search_tools_check_their_own_arguments(searched, tool, given, words) -> None:
    found = await searched.told(tool, given, **SEARCH)
    assert (found["category"], found["retryable"]) == ("validation", True)
    assert words in found["error"]
    assert found["hint"].startswith("Call ")
    assert searched.requests == []


async def test_search_tools_repair_like_all_others(searched) -> None:
    given = {"name": "get_order", "arguments": '{"order_id": "7"}'}
    found = await searched.told("call_read_tool", given, **SEARCH)
    assert found["ok"]
    assert "`arguments` was text" in found["note"]
    assert searched.target == "/v1/orders/7"
    found = await searched.told("find_tools", {"query": "order", "limit": "1"}, **SEARCH)
    assert [one["name"] for one in found["data"]] == ["get_order"]
    assert "`limit`" in found["note"]


@pytest.mark.parametrize("text", ["-1", "65536", "99999", "1e3", "", "٣"])
def test_ports_that_are_none(text: str) -> None:
    with pytest.raises(Exception, match="is no port"):
        port_number(text)


def test_a_free_port_and_a_taken_one() -> None:
    opened = listen("127.0.0.1", 0)
    try:
        assert port_of(opened) > 0
        with pytest.raises(OSError, match=r"in use|one usage"):
            listen("127.0.0.1", port_of(opened))
    finally:
        for one in opened:
            one.close()


def _main(package: Any, *options: str) -> list[str]:
    source = f"import sys; sys.path[:0] = {[str(package.root.parent), *sys.path]!r}; from mcpgen.runtime import main; "
    return [sys.executable, "-c", source + f"sys.exit(main({package.name!r}, {list(options)!r}))"]


def test_wrong_and_taken_ports_end_without_a_traceback(searched) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port, status in (("99999", 2), (str(taken.getsockname()[1]), 1)):
            command = _main(searched, "--transport", "http", "--port", port)
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
            assert done.returncode == status
            assert "Traceback" not in done.stderr
            assert port in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have 127.0.0.1 alone")
async def test_a_free_port_of_any_loopback_address_is_served(searched) -> None:
    command = _main(searched, "--transport", "http", "--port", "0", "--host", "127.0.0.2")
    process = subprocess.Popen(command, env={"SHOP_LOG_LEVEL": "INFO"}, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "serving MCP at" in line)
        async with Client(line.split()[-1]) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["get_order"]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    assert process.returncode == 0


def test_part_headers_of_the_description_are_single_lines() -> None:
    from mcpgen.runtime.requests.multipart import _head

    assert (
        _head("A: b", "text/plain", Encoding(headers={"X": "y"}))
        == "A: b\r\nContent-Type: text/plain\r\nX: y\r\n"
    )
    for first, kind, value in (("A\r\nb", None, "y"), ("", "a/b\nX: z", "y"), ("", None, "y\0")):
        with pytest.raises(CallFailed):
            _head(first, kind, Encoding(headers={"X": value}))
