"""The exchange with the API: repeats, redirects, limits of time, addresses, and what never leaves."""

from __future__ import annotations

import anyio
import httpx2
import pytest

pytestmark = pytest.mark.anyio


@pytest.fixture
def get(build, op):
    return build(get=op(path="/things"))


@pytest.fixture
def add(build, op):
    body = {"content_type": "application/json", "kind": "json", "required": True}
    return build(add=op(method="POST", effect="write", body=body, fields={"n": {"type": "integer"}}))


OK = httpx2.Response(200, json={"id": 1})
DROPPED = httpx2.RemoteProtocolError("server disconnected")
REFUSED = httpx2.ConnectError("connection refused by 10.0.0.7:80")


async def test_a_read_is_repeated_after_a_dropped_connection(get, no_waiting) -> None:
    get.answer(DROPPED, httpx2.Response(503), OK)
    assert (await get.told("get"))["data"] == {"id": 1}
    assert len(get.requests) == 3
    assert len({(r.method, str(r.url), r.content, tuple(r.headers.items())) for r in get.requests}) == 1
    assert len(no_waiting) == 2


async def test_a_short_retry_after_is_waited_for(get, no_waiting) -> None:
    get.answer(httpx2.Response(429, headers={"retry-after": "2"}), OK)
    assert (await get.told("get"))["ok"]
    assert no_waiting == [2.0]


async def test_a_long_one_is_told(get) -> None:
    get.answer(httpx2.Response(429, headers={"retry-after": "60"}))
    found = await get.told("get")
    assert len(get.requests) == 1
    assert found["hint"] == "Wait 60 seconds, then call get again with the same arguments."


async def test_a_wait_of_nothing_is_told_as_one_of_a_second(get) -> None:
    get.answer(httpx2.Response(429, headers={"retry-after": "0"}))
    assert (await get.told("get"))["hint"].startswith("Wait 1 seconds, then call get")


async def test_a_write_is_not_repeated_once_it_may_have_arrived(add) -> None:
    for answer in (DROPPED, httpx2.Response(503), httpx2.ReadTimeout("slow")):
        add.requests.clear()
        add.answer(answer)
        found = await add.told("add", {"n": 1})
        assert (found["category"], found["retryable"]) == ("transient", True)
        assert len(add.requests) == 1
    assert "not known whether" in found["error"]


async def test_a_connection_that_was_never_made_is_tried_again_for_writes_too(add) -> None:
    add.answer(REFUSED, httpx2.Response(201))
    assert (await add.told("add", {"n": 1}))["ok"]
    assert len(add.requests) == 2


async def test_no_connection_is_transient_and_tells_no_address(get) -> None:
    get.answer(REFUSED)
    found = await get.told("get")
    assert found["error"] == "The API could not be reached."
    assert (found["category"], found["retryable"]) == ("transient", True)
    assert found["hint"] == "Wait 5 seconds, then call get again with the same arguments."
    assert "status" not in found


async def test_the_time_budget_covers_everything(build, op) -> None:
    package = build(get=op())

    async def slow(request: httpx2.Request) -> httpx2.Response:
        await anyio.sleep(30)
        raise AssertionError

    from mcp import Client

    from mcpgen.runtime import build_server

    server = build_server(package.name, environ={"SHOP_TIMEOUT": "0.2"}, transport=httpx2.MockTransport(slow))
    async with Client(server) as client:
        result = await client.call_tool("get", {})
    assert result.structured_content["category"] == "transient"
    assert result.structured_content["error"] == "The API did not answer within 0.2 seconds."


async def test_redirects_within_the_origin_are_followed_for_reads(get) -> None:
    get.answer(httpx2.Response(301, headers={"location": "/v1/things/"}), OK)
    assert (await get.told("get"))["data"] == {"id": 1}
    assert str(get.requests[1].url) == "https://api.example.com/v1/things/"


@pytest.mark.parametrize(
    "location", ["https://evil.example/", "http://api.example.com/v1/things", "//evil.example/x"]
)
async def test_redirects_to_another_origin_are_not(get, location) -> None:
    get.answer(httpx2.Response(302, headers={"location": location}))
    found = await get.told("get")
    assert (found["ok"], found["status"], found["category"]) == (False, 302, "internal")
    assert "evil" not in found["error"]
    assert len(get.requests) == 1


async def test_redirects_of_writes_are_not_but_303_is_a_read(add) -> None:
    add.answer(httpx2.Response(307, headers={"location": "/v1/other"}))
    assert (await add.told("add", {"n": 1}))["status"] == 307
    add.requests.clear()
    add.answer(httpx2.Response(303, headers={"location": "/v1/things/7"}), OK)
    assert (await add.told("add", {"n": 1}))["data"] == {"id": 1}
    assert (add.requests[1].method, add.requests[1].content) == ("GET", b"")
    assert "content-type" not in add.requests[1].headers


async def test_a_redirect_circle_ends(get) -> None:
    get.answer(
        httpx2.Response(302, headers={"location": "/v1/others"}),
        httpx2.Response(302, headers={"location": "/v1/things"}),
    )
    found = await get.told("get")
    assert (found["category"], found["retryable"], found["status"]) == ("internal", False, 302)
    assert found["error"] == "The API answered 302: it redirects in a circle."
    assert len(get.requests) == 2


async def test_so_does_an_endless_chain_of_redirects(get) -> None:
    def further(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(302, headers={"location": f"{request.url.path}x"})

    get.answer(further)
    found = await get.told("get")
    assert (found["category"], found["retryable"], found["status"]) == ("internal", False, 302)
    assert found["error"] == "The API answered 302: it redirects more than 5 times."
    assert len(get.requests) == 6


@pytest.mark.parametrize(
    "location", ["/v2/things", "../things", "/v1evil/x", "/", "/v1/%2e%2e/x", "/v1/..%2fx", "/v1/%252e%252e/x",
                 "/v1/..;a=1/x", "https://api.example.com/v1\\..\\x"],
)  # fmt: skip
async def test_redirects_out_of_the_base_path_are_not_followed(get, location, caplog) -> None:
    get.answer(httpx2.Response(302, headers={"location": location}))
    found = await get.told("get")
    assert (found["ok"], found["status"], found["category"]) == (False, 302, "internal")
    assert "out of the API's own address" in found["error"] or "another host" in found["error"]
    assert len(get.requests) == 1
    assert "is not followed" in caplog.text


async def test_a_hooks_own_address_is_confined_to_its_host(build, op) -> None:
    hook = """
async def before_request(call, request):
    request.url = "https://tenant.example.net/x/things"
"""
    package = build(get=op(), _hooks=hook)
    package.answer(httpx2.Response(302, headers={"location": "/y/things"}), OK)
    assert (await package.told("get"))["data"] == {"id": 1}
    package.answer(httpx2.Response(302, headers={"location": "https://api.example.com/v1/things"}))
    assert "another host" in (await package.told("get"))["error"]
    assert {request.url.host for request in package.requests} == {"tenant.example.net"}


async def test_cookies_of_the_api_are_not_kept(get) -> None:
    from mcp import Client

    get.answer(httpx2.Response(200, json={}, headers={"set-cookie": "sid=1; Path=/"}))
    async with Client(get.server()) as client:
        await client.call_tool("get", {})
        await client.call_tool("get", {})
    assert not any("cookie" in request.headers for request in get.requests)


async def test_the_base_url_of_the_operator_wins(build, op) -> None:
    package = build(get=op(path="/things", more={"servers": ["https://other.example.com/api/"]}))
    await package.told("get")
    assert str(package.sent.url) == "https://other.example.com/api/things"
    package.requests.clear()
    await package.told("get", SHOP_BASE_URL="http://127.0.0.1:9/v9/")
    assert str(package.sent.url) == "http://127.0.0.1:9/v9/things"


async def test_without_any_address_nothing_is_sent(build, op, caplog) -> None:
    package = build(get=op())
    catalog = package.root / "catalog.json"
    catalog.write_text(catalog.read_text().replace('"https://api.example.com/v1"', "null"))
    found = await package.told("get")
    assert found["category"] == "internal"
    assert "SHOP_BASE_URL" not in str(found)
    assert "SHOP_BASE_URL" in caplog.text
    assert package.requests == []


async def test_parameters_arrive_where_they_belong(build, op) -> None:
    text, many = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    package = build(
        get=op(
            path="/a/{id}",
            params=[
                ("path", "id", text, {}),
                ("query", "$filter", text, {}),
                ("query", "tags[]", many, {"explode": True}),
                ("query", "deep", {"type": "object"}, {"style": "deepObject", "explode": True}),
                ("header", "X-Zones", many, {}),
                ("header", "X-Word", text, {}),
                ("cookie", "sid", text, {}),
                ("cookie", "lang", text, {}),
            ],
        )
    )
    given = {"id": "1", "_filter": "a eq 'b'", "tags__": ["x", "y"], "deep": {"k": 1}, "x_zones": ["n", "s"]}
    await package.told("get", given | {"x_word": "žluť", "sid": "a b", "lang": "cs"})
    assert package.target == "/v1/a/1?$filter=a%20eq%20%27b%27&tags%5B%5D=x&tags%5B%5D=y&deep%5Bk%5D=1"
    assert package.sent.headers["x-zones"] == "n,s"
    assert dict(package.sent.headers.raw)[b"X-Word"] == "žluť".encode()
    assert package.sent.headers.get_list("cookie") == ["sid=a%20b; lang=cs"]


async def test_headers_of_the_connection_are_not_the_callers(build, op) -> None:
    names = (
        "Host",
        "Content-Length",
        "Accept",
        "Authorization",
        "Cookie",
        "Proxy-Authorization",
        "Expect",
        "TE",
    )
    params = [("header", name, {"type": "string"}, {}) for name in names]
    package = build(get=op(params=[*params, ("cookie", "c", {"type": "string"}, {})]))
    given = {"host": "evil.example", "content_length": "9", "accept": "x/y", "authorization": "me"}
    given |= {"proxy_authorization": "Basic eDp5", "expect": "100-continue", "te": "trailers"}
    await package.told("get", given | {"cookie": "a=1", "c": "2"})
    headers = package.sent.headers
    assert (headers["host"], headers["accept"]) == ("api.example.com", "application/json")
    assert not {"content-length", "authorization", "proxy-authorization", "expect", "te"} & set(headers)
    assert sorted(headers["cookie"].split("; ")) == ["a=1", "c=2"]


async def test_a_body_with_get_is_sent_only_if_given(build, op) -> None:
    body = {"content_type": "application/json", "kind": "json", "required": False}
    package = build(get=op(body=body, fields={"q": {"type": "string"}}))
    await package.told("get")
    assert "content-length" not in package.sent.headers
    package.requests.clear()
    await package.told("get", {"q": "x"})
    assert package.sent.content == b'{"q":"x"}'


async def test_refused_path_values_send_nothing(build, op) -> None:
    package = build(get=op(path="/a/{id}", params=[("path", "id", {"type": "string"}, {})]))
    found = await package.told("get", {"id": ".."})
    assert found["category"] == "validation"
    assert package.requests == []
