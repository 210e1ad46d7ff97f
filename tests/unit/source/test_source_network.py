"""Documents over HTTP: limits of size, time and place, against a server on loopback."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mcpgen.diagnostics import Collector, Refused, Unsupported
from mcpgen.source import addresses
from mcpgen.source import fetch as fetching
from mcpgen.source.addresses import is_private
from mcpgen.source.load import load
from mcpgen.source.model import SourceOptions, SourceTree
from mcpgen.source.problem import SourceProblem

PAGES = {
    "/api.yaml": b"a: {$ref: 'parts/x.yaml#/x'}\n",
    "/parts/x.yaml": b"x: 1\n",
    "/big.yaml": b"x: " + b"y" * 5000,
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/to-private":
            self.send_response(302)
            self.send_header("Location", "http://inside.example.test/api.yaml")
            self.end_headers()
            return
        if self.path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", "/api.yaml" if self.path == "/moved" else "/moved-again")
            self.end_headers()
            return
        if self.path == "/slow":
            self.send_response(200)
            self.end_headers()
            for _ in range(600):
                time.sleep(0.05)
                try:
                    self.wfile.write(b"x")
                    self.wfile.flush()
                except OSError:
                    return
            return
        body = PAGES.get(self.path)
        self.send_response(200 if body is not None else 404)
        self.end_headers()
        self.wfile.write(body or b"<html>no</html>")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{found.server_address[1]}"
    found.shutdown()
    found.server_close()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def refusal(url: str, **options: object) -> tuple[str, str]:
    diagnostics = Collector()
    with pytest.raises(Refused):
        load(url, options=SourceOptions(**options), diagnostics=diagnostics)  # type: ignore[arg-type]
    (found,) = diagnostics
    return found.code, found.message


def test_the_root_may_be_a_url_and_redirects_are_followed(server: str) -> None:
    for path in ("/api.yaml", "/moved"):
        tree = load(server + path, diagnostics=Collector())
        assert tree.root.value == {"a": {"$ref": "parts/x.yaml#/x"}}
        assert tree.root.url == server + "/api.yaml"


def test_an_answer_that_is_no_success(server: str) -> None:
    assert refusal(server + "/none.yaml") == (
        "source-unreadable",
        f"{server}/none.yaml cannot be fetched: the server answered 404 Not Found",
    )


def test_redirects_in_a_circle(server: str) -> None:
    assert "more than 5 redirects" in refusal(server + "/moved-again")[1]


def test_a_server_that_is_not_there() -> None:
    code, message = refusal("http://127.0.0.1:9/api.yaml")
    assert code == "source-unreadable"
    assert message.startswith("http://127.0.0.1:9/api.yaml cannot be fetched: ")


def test_size_and_time_are_bounded(server: str) -> None:
    assert refusal(server + "/big.yaml", max_bytes=1000)[0] == "source-limit"
    started = time.monotonic()
    assert "within 0.2 seconds" in refusal(server + "/slow", timeout_seconds=0.2)[1]
    assert time.monotonic() - started < 15, "the answer takes 30 seconds"


def reference(tree: SourceTree, text: str) -> object:
    return tree.resolve(text, tree.node).value


def test_remote_references_need_permission(server: str) -> None:
    tree = load(server + "/api.yaml", diagnostics=Collector())
    with pytest.raises(Unsupported) as caught:
        reference(tree, "parts/x.yaml#/x")
    assert caught.value.code == "reference-refused"
    assert "--allow-remote" in (caught.value.hint or "")


def test_remote_references_from_a_private_root_may_be_private(server: str) -> None:
    tree = load(server + "/api.yaml", options=SourceOptions(allow_remote=True), diagnostics=Collector())
    assert reference(tree, "parts/x.yaml#/x") == 1


def test_remote_references_from_elsewhere_may_not(server: str) -> None:
    tree = load("-", options=SourceOptions(allow_remote=True), diagnostics=Collector(), stdin=b"a: 1")
    with pytest.raises(Unsupported) as caught:
        reference(tree, server + "/parts/x.yaml")
    assert caught.value.code == "reference-broken"
    assert "private address" in caught.value.message


def test_a_remote_document_cannot_refer_to_local_files(server: str) -> None:
    tree = load(server + "/api.yaml", options=SourceOptions(allow_remote=True), diagnostics=Collector())
    with pytest.raises(Unsupported) as caught:
        reference(tree, "file:///etc/hostname")
    assert caught.value.code == "reference-refused"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "[::1]",
        "0.0.0.0",
        "[fe80::1]",
        "[::ffff:127.0.0.1]",
    ],
)
def test_private_addresses(host: str) -> None:
    assert is_private(f"http://{host}/x")


def test_public_addresses() -> None:
    assert not is_private("http://1.1.1.1/x")
    assert not is_private("https://[2606:4700::1111]/x")


@pytest.mark.parametrize(
    "host", ["[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[2002:a00:1::]", "224.0.0.1", "100.64.0.1"]
)
def test_addresses_that_carry_or_resemble_private_ones(host: str) -> None:
    assert is_private(f"http://{host}/x")


def test_private_references_can_be_allowed(server: str) -> None:
    options = SourceOptions(allow_remote=True, allow_private=True)
    tree = load("-", options=options, diagnostics=Collector(), stdin=b"a: 1")
    assert reference(tree, server + "/parts/x.yaml#/x") == 1
    name = server + "/parts/x.yaml"
    assert tree.further() == [(name, hashlib.sha256(PAGES["/parts/x.yaml"]).hexdigest())]


def test_the_connection_goes_to_the_address_that_was_looked_at(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that changes its address after the check (DNS rebinding) changes nothing."""
    asked: list[str] = []

    def resolve(url: str) -> list[str]:
        asked.append(url)
        return ["127.0.0.1"]

    monkeypatch.setattr(fetching, "resolve", resolve)
    monkeypatch.setattr(fetching, "is_global", lambda address: address == "127.0.0.1")
    monkeypatch.setenv("NO_PROXY", "*")
    port = server.rpartition(":")[2]
    data, final = fetching.fetch(
        f"http://api.example.test:{port}/api.yaml", max_bytes=1000, timeout=5, public_only=True
    )
    assert b"parts/x.yaml" in data
    assert final == f"http://api.example.test:{port}/api.yaml"
    assert len(asked) == 1


def test_a_redirect_to_a_private_address_is_refused(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        fetching, "resolve", lambda url: ["127.0.0.1" if "api.example" in url else "10.0.0.1"]
    )
    monkeypatch.setattr(fetching, "is_global", lambda address: address == "127.0.0.1")
    monkeypatch.setenv("NO_PROXY", "*")
    with pytest.raises(SourceProblem, match="private address"):
        fetching.fetch(
            f"http://api.example.test:{server.rpartition(':')[2]}/to-private",
            max_bytes=1000,
            timeout=5,
            public_only=True,
        )


def test_a_public_root_is_not_redirected_to_a_private_address(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever names a public address has not allowed what it leads to."""

    def resolve(url: str) -> list[str]:
        return ["127.0.0.1" if "api.example" in url else "10.0.0.1"]

    monkeypatch.setattr(fetching, "resolve", resolve)
    monkeypatch.setattr(addresses, "resolve", resolve)
    for module in (fetching, addresses):
        monkeypatch.setattr(module, "is_global", lambda address: address == "127.0.0.1")
    monkeypatch.setenv("NO_PROXY", "*")
    code, message = refusal(
        f"http://api.example.test:{server.rpartition(':')[2]}/to-private", timeout_seconds=5
    )
    assert code == "source-unreadable"
    assert "private address" in message
