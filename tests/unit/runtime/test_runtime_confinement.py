"""No argument, of any kind and style, leads a request out of the API's address or changes what surrounds it."""

from __future__ import annotations

import posixpath
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
import httpx2
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from mcp import Client

from mcpgen.runtime.app import App
from mcpgen.runtime.call import Call
from mcpgen.runtime.chain.order import call_chain
from mcpgen.runtime.requests.paths import join_url
from mcpgen.runtime.transport.confinement import origin, same_origin, within

BASE = "https://api.example.com/v1"
SECRET = "operators-token"
FRAGMENTS = st.sampled_from(
    ["..", ".", "...", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..;", "..;x=1", "．．", "/", "//", "///", "\\", "%2f",
     "%5c", "@", "me:word@", "evil.example", "https://evil.example/x", "//evil.example", "javascript:", ":", ":443",
     "#", "#@evil.example", "?", "&", "&key=1", "=", ";", ",", "+", " ", "\t", "\r\n", "\n", "\r", "\0", "\x0b", "\x85",
     "\u2028", "%0d%0a", "%00", "X-Evil: 1", "\r\nX-Evil: 1\r\n\r\nGET /", "{id}", "{+id}", "%", "%2", "%zz", "é",
     "\u202e", "[::1]", "127.0.0.1", "a", "v1", "0", "ﬀ", "‥"]
)  # fmt: skip
HOSTILE = st.lists(FRAGMENTS, max_size=6).map("".join) | st.text(max_size=12)
SCALAR = HOSTILE | st.integers() | st.booleans() | st.floats() | st.none()
VALUE = (
    SCALAR
    | st.lists(SCALAR | st.lists(SCALAR, max_size=2), max_size=4)
    | st.dictionaries(HOSTILE, SCALAR | st.dictionaries(HOSTILE, SCALAR, max_size=2), max_size=3)
)
PLACES: list[tuple[str, dict[str, Any]]] = [
    *(
        ("path", {"style": style, "explode": explode, "allow_reserved": reserved})
        for style in ("simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "tabDelimited")
        for explode in (False, True)
        for reserved in (False, True)
    ),
    ("path", {"content_type": "application/json"}),
    ("path", {"content_type": "text/plain", "allow_reserved": True}),
    *(
        ("query", {"style": style, "explode": explode, "allow_reserved": reserved})
        for style in ("form", "deepObject", "spaceDelimited", "pipeDelimited")
        for explode in (False, True)
        for reserved in (False, True)
    ),
    ("query", {"content_type": "application/json"}),
    ("querystring", {"content_type": "application/x-www-form-urlencoded"}),
    ("querystring", {"content_type": "application/json"}),
    ("querystring", {"content_type": "application/jsonpath"}),
    ("header", {"style": "simple", "explode": False}),
    ("header", {"style": "simple", "explode": True}),
    ("header", {"content_type": "application/json"}),
    ("header", {"content_type": "text/plain"}),
    ("cookie", {"style": "form", "explode": False}),
    ("cookie", {"style": "form", "explode": True}),
    ("cookie", {"style": "cookie", "explode": False}),
    ("cookie", {"style": "cookie", "explode": True}),
    ("cookie", {"content_type": "application/json"}),
]
EXAMPLES = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
AUTH = {"key": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_KEY"}}}
ENVIRON = {"SHOP_KEY": SECRET, "SHOP_RETRIES": "0", "SHOP_FAILURE_WINDOW": "0"}


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    """One tool for each place and style; its argument takes any value."""
    operations = {}
    for number, (place, more) in enumerate(PLACES):
        path = "/things/{id}/parts" if place == "path" else "/things"
        name = "X-Id" if place == "header" else "id"
        operations[f"t{number}"] = op(
            path=path, params=[(place, name, {}, more)], more={"security": [{"key": []}]}
        )
    return build(AUTH, **operations)


def argument_of(place: str) -> str:
    return "x_id" if place == "header" else "id"


def check(request: httpx2.Request, place: str) -> None:
    """Looks at a request as it goes out, with other eyes than the library's own."""
    url = urlsplit(str(request.url))
    assert (url.scheme, url.netloc) == ("https", "api.example.com")
    target = request.url.raw_path.decode("ascii")
    assert target.isprintable()
    assert not set(' \\#"<>') & set(target)
    path = target.partition("?")[0]
    assert path.startswith("/v1/things")
    for decoded in (path, unquote(path), unquote(unquote(path))):
        # what a server that decodes before it looks, or takes a backslash for a slash, would make of it
        steps = [step.partition(";")[0] for step in decoded.replace("\\", "/").split("/")]
        assert ".." not in steps
        assert posixpath.normpath("/".join(steps)).startswith(("/v1/", "//v1/"))
    assert request.headers.get_list("host") == ["api.example.com"]
    assert request.headers.get_list("x-key") == [SECRET]
    names = {name.lower() for name, _ in request.headers.raw}
    allowed = {b"host", b"x-key", b"user-agent", b"accept", b"accept-encoding", b"connection", b"traceparent"}
    own = {"header": b"x-id", "cookie": b"cookie"}.get(place, b"accept")
    assert names <= allowed | {own}
    for _, value in request.headers.raw:
        assert not any((byte < 32 and byte != 9) or byte == 127 for byte in value)
    cookies = request.headers.get_list("cookie")
    assert len(cookies) <= 1
    assert all("=" in cookie for one in cookies for cookie in one.split("; "))


@pytest.mark.parametrize("number", range(len(PLACES)), ids=lambda n: f"{PLACES[n][0]}-{n}")
def test_arguments_stay_in_their_place(shop: Any, number: int) -> None:
    place, _ = PLACES[number]
    app = App.start(shop.name, ENVIRON, httpx2.MockTransport(shop._handle))
    chain = call_chain(app)

    async def called(value: Any) -> dict[str, Any]:
        call = Call(app, app.operation(f"t{number}"), {argument_of(place): value}, "trace")
        async with app.session():
            result = await chain(call)
        return result.envelope("trace")

    @EXAMPLES
    @given(value=VALUE)
    @example(value="../../admin")
    @example(value="%2e%2e/%2e%2e/admin")
    @example(value=["..", ".."])
    @example(value={"..": ".."})
    @example(value="x\r\nX-Evil: 1")
    @example(value="https://evil.example/x")
    def run(value: Any) -> None:
        shop.requests.clear()
        told = anyio.run(called, value)
        for request in shop.requests:
            check(request, place)
        assert len(shop.requests) == (1 if told["ok"] else 0)
        assert told["ok"] or told["category"] == "validation"

    run()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "value", ["..", "../..", "a/../../b", "%2e%2e", "%2e%2e%2fadmin", "..%2fadmin", "..\\admin", "..;/admin", "..;", ""],
)  # fmt: skip
async def test_a_client_is_told_why_nothing_was_sent(shop: Any, mode: str, value: str) -> None:
    for number in (0, 2):
        found = await shop.told(f"t{number}", {"id": value}, mode=mode, **ENVIRON)
        assert (found["ok"], found["category"], found["retryable"]) == (False, "validation", True)
    assert shop.requests == []


@pytest.mark.anyio
async def test_values_that_only_look_bad_arrive(shop: Any) -> None:
    async with Client(shop.server(**ENVIRON)) as client:
        for value in (
            "a..b",
            "...",
            "a.",
            ".hidden",
            "me@evil.example",
            "https://evil.example/x",
            "a//b",
            "{id}",
            "é#?",
        ):
            result = await client.call_tool("t0", {"id": value})
            assert result.structured_content["ok"], value
            path = shop.requests[-1].url.raw_path.decode()
            assert unquote(path) == f"/v1/things/{value}/parts"
            check(shop.requests[-1], "path")


SEGMENTS = st.lists(st.text("abc.%2eE/\\;:@?#", max_size=8), max_size=4).map("/".join)


@EXAMPLES
@given(
    path=SEGMENTS,
    base=st.sampled_from([BASE, BASE + "/", "https://api.example.com", "http://127.0.0.1:8080/a/b/"]),
)
@example(path="../v2", base=BASE)
@example(path="", base=BASE)
def test_what_lies_within_an_address(path: str, base: str) -> None:
    url = join_url(base, path)
    if within(base, url):
        there, here = urlsplit(url), urlsplit(base)
        assert (there.scheme, there.netloc) == (here.scheme, here.netloc)
        normal = posixpath.normpath(unquote(httpx2.URL(url).path) or "/")
        assert (normal + "/").startswith(posixpath.normpath(here.path or "/").rstrip("/") + "/")


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://api.example.com/v1", True),
        ("https://api.example.com/v1/", True),
        ("https://api.example.com/v1?x=..", True),
        ("HTTPS://API.EXAMPLE.COM:443/v1/a", True),
        ("https://api.example.com/v1/a//b", True),
        ("https://api.example.com/v1/a?next=https://evil.example/../..#/../x", True),
        ("https://api.example.com/v1/a..b", True),
        ("https://api.example.com/v10/a", False),
        ("https://api.example.com/V1/a", False),
        ("https://api.example.com/", False),
        ("https://api.example.com/v1/../v2", False),
        ("https://api.example.com/v1/%2E%2e/v2", False),
        ("https://api.example.com/v1/..%5cx", False),
        ("https://api.example.com/v1/%252e%252e/x", False),
        ("https://api.example.com/v1/..;a/x", False),
        ("https://api.example.com/v1\\a", False),
        ("https://api.example.com/v1/a\nb", False),
        ("https://api.example.com%2fv1/a", False),
        ("https://api.example.com.evil.example/v1/a", False),
        ("https://api.example.com@evil.example/v1/a", False),
        ("https://me@api.example.com/v1/a", False),
        ("https://api.example.com:8443/v1/a", False),
        ("http://api.example.com/v1/a", False),
        ("//api.example.com/v1/a", False),
        ("/v1/a", False),
        ("https://[bad/v1/a", False),
        ("https://api.example.com:99999/v1/a", False),
    ],
)
def test_addresses(url: str, inside: bool) -> None:
    assert within(BASE, url) is inside


def test_a_base_may_have_dots_of_its_own() -> None:
    assert within("https://api.example.com/old/../v1", "https://api.example.com/old/../v1/a")
    assert not within("https://api.example.com/old/../v1", "https://api.example.com/old/../v1/../a")


def test_origins() -> None:
    assert origin("https://API.example.com/x") == ("https", "api.example.com", 443)
    assert origin("http://[::1]:8080/") == ("http", "::1", 8080)
    assert not same_origin("http://a/", "http://[bad")
