"""The way to the API over real sockets: limits of time, broken connections, names, certificates, proxies."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from mcpgen.runtime import build_server

from .loopback_api import (
    CUT,
    OK,
    Asked,
    authority,
    hang_up,
    loopback,
    nobody_accepts,
    nobody_listens,
    proxying,
    secured,
    silent,
)

pytestmark = pytest.mark.anyio

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
UNKNOWN = "It is not known whether the call took effect: look before you repeat it."


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PROXIES, *CERTIFICATES):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    return build(get=op(), add=op(method="POST", effect="write"), put=op(method="PUT", effect="write"))


async def told(
    shop: Any, url: str, tool: str = "get", *, mode: str = "auto", **settings: str
) -> dict[str, Any]:
    environ = {"SHOP_BASE_URL": url, "SHOP_RETRIES": "0"}
    environ |= {f"SHOP_{name}": value for name, value in settings.items()}
    async with Client(build_server(shop.name, environ=environ), mode=mode) as client:
        result = await client.call_tool(tool, {})
    return dict(result.structured_content)


def is_transient(found: dict[str, Any]) -> bool:
    return (found["ok"], found["category"], found["retryable"], "status" in found) == (
        False,
        "transient",
        True,
        False,
    )


async def test_a_connection_that_is_not_made_in_time(shop: Any, mode: str) -> None:
    with nobody_accepts() as port:
        for tool, more in (("get", ""), ("add", " Nothing was sent.")):
            found = await told(shop, f"http://127.0.0.1:{port}", tool, mode=mode, CONNECT_TIMEOUT="0.2")
            assert is_transient(found)
            assert found["error"] == f"The API could not be reached within 0.2 seconds.{more}"


async def test_no_byte_for_too_long(shop: Any, mode: str) -> None:
    async with loopback(silent) as api:
        found = await told(shop, api.url, mode=mode, READ_TIMEOUT="0.2")
        assert is_transient(found)
        assert found["error"] == "The API sent nothing for 0.2 seconds."
        written = await told(shop, api.url, "add", mode=mode, READ_TIMEOUT="0.2")
    assert written["error"] == f"The API sent nothing for 0.2 seconds. {UNKNOWN}"


async def test_bytes_that_keep_coming_are_no_silence(shop: Any) -> None:
    async def slowly(asked: Asked) -> None:
        for start in range(0, len(OK), 12):
            await asked.say(OK[start : start + 12])
            await asyncio.sleep(0.12)

    async with loopback(slowly) as api:
        found = await told(shop, api.url, READ_TIMEOUT="0.8")
    assert found == {"ok": True, "data": {"id": 1}}


async def test_the_whole_call_has_a_limit(shop: Any, mode: str) -> None:
    async def forever(asked: Asked) -> None:
        await asked.say(CUT)
        while True:
            await asked.say(b" ")
            await asyncio.sleep(0.02)

    async with loopback(forever) as api:
        found = await told(shop, api.url, mode=mode, TIMEOUT="0.5")
        assert is_transient(found)
        assert found["error"] == "The API did not answer within 0.5 seconds."
        found = await told(shop, api.url, "add", mode=mode, TIMEOUT="0.5")
        assert found["error"] == f"The API did not answer within 0.5 seconds. {UNKNOWN}"


async def test_a_call_cut_off_while_it_connects_was_not_sent(shop: Any) -> None:
    with nobody_accepts() as port:
        found = await told(shop, f"http://127.0.0.1:{port}", "add", TIMEOUT="0.2")
    assert is_transient(found)
    assert found["error"] == "The API could not be reached within 0.2 seconds. Nothing was sent."


async def test_a_connection_closed_without_an_answer(shop: Any, mode: str) -> None:
    async with loopback(hang_up) as api:
        found = await told(shop, api.url, mode=mode)
        assert is_transient(found)
        assert found["error"] == "The API closed the connection without an answer."
        found = await told(shop, api.url, "add", mode=mode)
        assert found["error"] == f"The API closed the connection without an answer. {UNKNOWN}"


async def test_a_connection_closed_in_the_middle(shop: Any) -> None:
    async def cut(asked: Asked) -> None:
        await asked.say(CUT)
        asked.writer.close()

    async with loopback(cut) as api:
        found = await told(shop, api.url)
        assert is_transient(found)
        assert found["error"] == "The API closed the connection in the middle of its answer."
        assert UNKNOWN in (await told(shop, api.url, "add"))["error"]
        again = await told(shop, api.url, RETRIES="2")
    assert again["ok"] is False
    assert len(api.asked) == 5


async def test_of_a_refusal_that_breaks_off_the_status_counts(shop: Any) -> None:
    async def cut(asked: Asked) -> None:
        await asked.say(
            b"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        asked.writer.close()

    async with loopback(cut) as api:
        found = await told(shop, api.url)
    assert (found["category"], found["status"]) == ("not_found", 404)


async def test_of_a_refusal_that_does_not_end_the_status_counts(shop: Any) -> None:
    async def drip(asked: Asked) -> None:
        await asked.say(b"HTTP/1.1 422 Unprocessable Content\r\nContent-Length: 1000\r\n\r\n{")
        await asked.until_the_caller_leaves()

    async with loopback(drip) as api:
        found = await told(shop, api.url, "add", TIMEOUT="1")
    assert (found["category"], found["status"]) == ("validation", 422)
    assert "not known" not in found["error"]


async def test_no_http(shop: Any) -> None:
    async def garbage(asked: Asked) -> None:
        await asked.say(b"SSH-2.0-OpenSSH\r\n\r\n")
        asked.writer.close()

    async with loopback(garbage) as api:
        found = await told(shop, api.url)
    assert is_transient(found)
    assert found["error"] == "The API gave an answer that is no HTTP."


async def test_a_quiet_event_stream_is_an_answer(build: Any, op: Any) -> None:
    package = build(get=op(more={"accept": "text/event-stream"}, data={"type": "array"}))

    async def events(asked: Asked) -> None:
        await asked.say(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\ndata: 2\n\n")
        await asked.until_the_caller_leaves()

    async with loopback(events) as api:
        quiet = await told(package, api.url, READ_TIMEOUT="0.2")
        bounded = await told(package, api.url, TIMEOUT="1.5")
    assert (quiet["data"], bounded["data"]) == ([1, 2], [1, 2])


async def test_nobody_listens(shop: Any, mode: str) -> None:
    found = await told(shop, f"http://127.0.0.1:{nobody_listens()}", mode=mode)
    assert is_transient(found)
    assert found["error"] == "The API refused the connection."
    found = await told(shop, f"http://127.0.0.1:{nobody_listens()}", "add", mode=mode, RETRIES="1")
    assert found["error"] == "The API refused the connection. Nothing was sent."


async def test_a_name_that_does_not_exist(shop: Any, mode: str) -> None:
    found = await told(shop, "http://nobody.invalid/v1", mode=mode)
    assert is_transient(found)
    assert found["error"] == "The API could not be found: the name of its host is not known at the moment."


async def test_a_name_that_leads_nowhere_at_the_moment(shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr("anyio.getaddrinfo", fails)
    monkeypatch.setattr("anyio._core._sockets.getaddrinfo", fails)
    found = await told(shop, "http://api.example.net")
    assert "the name of its host is not known at the moment" in found["error"]


# ---------------------------------------------------------------- certificates


@pytest.mark.parametrize("wrong", ["another authority", "expired", "another name"])
async def test_a_certificate_that_is_not_trusted(
    shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, mode: str
) -> None:
    host = "api.example.net" if wrong == "another name" else "127.0.0.1"
    tls = secured(tmp_path, host, -1 if wrong == "expired" else 1)
    if wrong != "another authority":
        monkeypatch.setenv("SSL_CERT_FILE", str(authority(tmp_path)))
    async with loopback(tls=tls) as api:
        found = await told(shop, api.url, mode=mode, RETRIES="2")
        written = await told(shop, api.url, "add", mode=mode)
    assert (found["category"], found["retryable"], "status" in found) == ("internal", False, False)
    assert found["error"] == "The API has no certificate that this server trusts."
    assert written["error"] == "The API has no certificate that this server trusts. Nothing was sent."
    assert api.asked == []


async def test_a_certificate_of_the_operators_authority(
    shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority(tmp_path)))
    async with loopback(tls=secured(tmp_path)) as api:
        assert (await told(shop, api.url))["ok"]


async def test_a_folder_of_authorities(shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, certificate = tmp_path / "authorities", authority(tmp_path)
    folder.mkdir()
    command = ["openssl", "x509", "-subject_hash", "-noout", "-in", str(certificate)]
    name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    (folder / f"{name}.0").write_bytes(certificate.read_bytes())
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    async with loopback(tls=secured(tmp_path)) as api:
        assert (await told(shop, api.url))["ok"]


async def test_both_together_with_a_client_certificate(
    shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority(tmp_path)))
    tls = secured(tmp_path)
    tls.verify_mode = ssl.CERT_REQUIRED
    tls.load_verify_locations(authority(tmp_path))
    secured(tmp_path, "client")
    async with loopback(tls=tls) as api:
        assert (await told(shop, api.url, CLIENT_CERT=str(tmp_path / "client.pem")))["ok"]
        assert not (await told(shop, api.url))["ok"]
    assert len(api.asked) == 1


async def test_no_tls_where_tls_is_wanted(shop: Any) -> None:
    async def plain(asked: Asked) -> None:
        raise AssertionError("there is no request in a TLS greeting")

    async with loopback(plain) as api:
        server = await asyncio.start_server(_greet, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        found = await told(shop, f"https://127.0.0.1:{port}")
        server.close()
    assert api.asked == []
    assert (found["category"], found["retryable"]) == ("internal", False)
    assert found["error"] == "The API and this server could not agree on an encrypted connection."


async def _greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()


async def test_a_connection_lost_while_it_is_encrypted_may_come_back(shop: Any) -> None:
    async def leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.close()

    server = await asyncio.start_server(leave, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    found = await told(shop, f"https://127.0.0.1:{port}", "add")
    server.close()
    assert is_transient(found)
    assert found["error"] == "The API could not be reached. Nothing was sent."


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SSL_CERT_FILE", "/nowhere/ca.pem"),
        ("HTTP_PROXY", "ftp://proxy.example.net"),
        ("HTTP_PROXY", "http://me:word-of-the-proxy@proxy:port"),
        ("ALL_PROXY", "socks5://me:word-of-the-proxy@127.0.0.1:9"),
    ],
)
async def test_settings_that_make_no_connection(
    shop: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    if name == "ALL_PROXY":
        monkeypatch.setitem(__import__("sys").modules, "socksio", None)
    async with loopback() as api:
        found = await told(shop, api.url.replace("http:", "https:") if "SSL" in name else api.url)
    assert (found["ok"], found["category"], found["retryable"]) == (False, "internal", False)
    assert found["error"] == "This server is not set up to make connections. Nothing was sent."
    assert name in caplog.text
    assert "word-of-the-proxy" not in caplog.text + str(found)


# ---------------------------------------------------------------- proxies


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
async def test_a_proxy_for_http(shop: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    async with loopback() as api, proxying() as proxy:
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        url = f"http://api.example.net:{api.port}/v1"
        assert (await told(shop, url))["ok"]
    assert proxy.lines == [f"GET {url}/things"]
    assert api.lines == ["GET /v1/things"]


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
async def test_a_tunnel_for_https(
    shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority(tmp_path)))
    async with loopback(tls=secured(tmp_path, "api.example.net")) as api, proxying() as proxy:
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert (await told(shop, f"https://api.example.net:{api.port}/v1"))["ok"]
    assert proxy.lines == [f"CONNECT api.example.net:{api.port}"]
    assert api.lines == ["GET /v1/things"]
    assert not {"authorization", "accept-encoding"} & proxy.asked[0].headers.keys()


async def test_the_password_of_a_proxy_goes_to_the_proxy_only(
    shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with loopback() as api, proxying() as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://me:secret@127.0.0.1:{proxy.port}")
        assert (await told(shop, f"http://api.example.net:{api.port}/v1"))["ok"]
    assert proxy.asked[0].headers["proxy-authorization"] == "Basic bWU6c2VjcmV0"
    assert "proxy-authorization" not in api.asked[0].headers


@pytest.mark.parametrize("exempt", ["127.0.0.1", "*", "127.0.0.1,other.example.net"])
async def test_what_no_proxy_names_is_asked_directly(
    shop: Any, monkeypatch: pytest.MonkeyPatch, exempt: str
) -> None:
    async with loopback() as api, proxying() as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("NO_PROXY", exempt)
        assert (await told(shop, api.url))["ok"]
    assert (len(proxy.asked), len(api.asked)) == (0, 1)


async def test_a_proxy_that_is_not_there(shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{nobody_listens()}")
    found = await told(shop, "http://api.example.net/v1", "add")
    assert is_transient(found)
    assert found["error"] == "The API refused the connection. Nothing was sent."


async def test_a_proxy_that_makes_no_tunnel(shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async with proxying(refuse=True) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        found = await told(shop, "https://api.example.net/v1", "add")
    assert is_transient(found)
    assert found["error"] == "The API could not be reached. Nothing was sent."


async def test_a_silent_proxy_has_seen_nothing_of_the_call(
    shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with loopback(silent) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        found = await told(shop, "https://api.example.net/v1", "add", READ_TIMEOUT="0.2")
        late = await told(shop, "https://api.example.net/v1", "add", TIMEOUT="0.2")
    assert found["error"] == "The API sent nothing for 0.2 seconds. Nothing was sent."
    assert late["error"] == "The API could not be reached within 0.2 seconds. Nothing was sent."
