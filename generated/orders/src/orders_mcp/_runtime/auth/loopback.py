"""Receives the browser after a login: one address on this machine, open for one answer (RFC 8252, 7.3)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PATH = "/callback"
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>{title}</title>"
    "<body style='font-family:sans-serif;margin:4em'><h1>{title}</h1><p>You can close this page.</p>"
)


class Loopback:
    """Listens on 127.0.0.1 until the answer to one `state` has come. Other requests learn nothing and change nothing.

    Args:
        port: 0 takes a free one.
        state: what the answer must carry (RFC 6749, 10.12).
        path: where it comes to.
    """

    def __init__(self, port: int, state: str, path: str = PATH) -> None:
        self._answer: Mapping[str, str] | None = None
        self._came = threading.Event()
        listener = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def do_GET(self) -> None:  # the name is that of the HTTP method, for http.server to find
                parts = urlsplit(self.path)
                fields = {name: values[0] for name, values in parse_qs(parts.query).items()}
                expected = parts.path == path and fields.get("state") == state
                title = "Logged in" if "code" in fields else "The login was refused"
                body = _PAGE.format(title=title if expected else "Not found").encode()
                self.send_response(200 if expected else 404)
                for name, value in (
                    ("Content-Type", "text/html; charset=utf-8"),
                    ("Content-Length", str(len(body))),
                    ("Cache-Control", "no-store"),
                    ("Referrer-Policy", "no-referrer"),
                ):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                if expected and not listener._came.is_set():
                    listener._answer = fields
                    listener._came.set()

            def log_message(self, format: str, *args: object) -> None:
                """Nothing: the address of the answer holds the code."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1})
        self._thread.daemon = True
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{PATH}"

    def wait(self, seconds: float) -> Mapping[str, str] | None:
        """The fields of the answer; None when none came in time. Blocks: call it from a worker thread."""
        self._came.wait(seconds)
        return self._answer

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
