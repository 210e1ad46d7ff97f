"""Servers that never end, or whose few bytes become many: the reader stops in time and before its memory is full."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector, Refused
from mcpgen.source.load import load
from mcpgen.source.options import SourceOptions

ZEROS = gzip.compress(b"0" * 50_000_000)
DOCUMENT = gzip.compress(b'{"a": 1}')
ANSWERS = {
    "/bomb": ("gzip", ZEROS),
    "/twice": ("gzip, gzip", gzip.compress(ZEROS)),
    "/packed": ("gzip", DOCUMENT),
    "/cut": ("gzip", DOCUMENT[:-6]),
    "/false": ("gzip", b"no gzip"),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/drip":
            self._drip()
            return
        coding, body = ANSWERS[self.path]
        self.send_response(200)
        self.send_header("Content-Encoding", coding)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            return  # the reader has seen enough

    def _drip(self) -> None:
        """A header that goes on and on: every single read is short."""
        try:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
            for _ in range(60):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            return

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


def refusal(url: str, **options: object) -> str:
    diagnostics = Collector()
    with pytest.raises(Refused):
        load(url, options=SourceOptions(**options), diagnostics=diagnostics)  # type: ignore[arg-type]
    (found,) = diagnostics
    return found.message.removeprefix(f"{url} ")


def test_a_header_without_end(server: str) -> None:
    started = time.monotonic()
    assert refusal(f"{server}/drip", timeout_seconds=0.5) == "cannot be fetched within 0.5 seconds"
    assert time.monotonic() - started < 2.5


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/bomb", "is larger than 1,000 bytes"),
        ("/twice", "cannot be fetched: its content coding gzip, gzip is not known"),
        ("/cut", "cannot be fetched: its compressed content ends too early"),
        ("/false", "cannot be fetched: its content is not gzip"),
    ],
)
def test_compressed_answers(server: str, path: str, expected: str) -> None:
    assert refusal(server + path, max_bytes=1000) == expected


def test_a_compressed_document_is_read(server: str) -> None:
    assert load(f"{server}/packed", diagnostics=Collector()).root.value == {"a": 1}


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    """A link beside the document is followed before it is checked, also when a folder is the link."""
    outside = tmp_path / "private"
    outside.mkdir()
    (outside / "secret.yaml").write_text("key: s3cret\n")
    home = tmp_path / "a" / "b" / "spec"
    home.mkdir(parents=True)
    (home / "file.yaml").symlink_to(outside / "secret.yaml")
    (home / "folder").symlink_to(outside)
    (home / "api.yaml").write_text("openapi: 3.1.0\n")
    tree = load(str(home / "api.yaml"), diagnostics=Collector())
    for reference in (
        "file.yaml",
        "folder/secret.yaml",
        "../../../private/secret.yaml",
        "%2e%2e/%2e%2e/%2e%2e/private/secret.yaml",
    ):
        with pytest.raises(Exception, match="leads outside the folder"):
            tree.resolve(reference, tree.node)
