"""An API on a loopback port, spoken byte by byte, and what can stand before it: TLS, a proxy."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

OK = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{"id":1}'
CUT = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 80\r\n\r\n{"id":1'


@dataclass
class Asked:
    """One request as it came, and the connection that it came by."""

    line: str
    headers: dict[str, str]
    body: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def say(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    async def until_the_caller_leaves(self) -> bool:
        """Whether it has gone away within the time that a test has."""
        try:
            return await asyncio.wait_for(self.reader.read(1), 5) == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False


Answering = Callable[[Asked], Awaitable[None]]


@dataclass
class Loopback:
    """The API: what came, and how many connections were opened."""

    port: int = 0
    scheme: str = "http"
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/v1"

    @property
    def lines(self) -> list[str]:
        return [request.line for request in self.asked]


async def ok(asked: Asked) -> None:
    await asked.say(OK)


async def silent(asked: Asked) -> None:
    await asked.until_the_caller_leaves()
    asked.writer.close()


async def hang_up(asked: Asked) -> None:
    asked.writer.close()


@asynccontextmanager
async def loopback(answering: Answering = ok, tls: ssl.SSLContext | None = None) -> AsyncIterator[Loopback]:
    """The API, in the loop of the test."""
    found = Loopback(scheme="https" if tls else "http")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while not writer.is_closing():
                request = await _request(reader, writer)
                found.asked.append(request)
                found.arrived.set()
                await answering(request)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


async def _request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    line, *rest = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in rest)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(line.removesuffix(" HTTP/1.1"), headers, body, reader, writer)


@asynccontextmanager
async def proxying(refuse: bool = False) -> AsyncIterator[Loopback]:
    """A proxy: absolute addresses are passed on, CONNECT makes a tunnel (RFC 9110, 7.6 and 9.3.6)."""

    async def pass_on(asked: Asked) -> None:
        method, target = asked.line.split(" ")
        if refuse:
            await asked.say(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            asked.writer.close()
            return
        place = target if method == "CONNECT" else target.partition("://")[2].partition("/")[0]
        host, _, port = place.partition(":")
        reader, writer = await asyncio.open_connection("127.0.0.1" if "example" in host else host, int(port))
        if method == "CONNECT":
            await asked.say(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            path = "/" + target.partition("://")[2].partition("/")[2]
            writer.write(f"{method} {path} HTTP/1.1\r\nHost: {place}\r\nVia: test\r\n\r\n".encode())
        await asyncio.gather(_pipe(asked.reader, writer), _pipe(reader, asked.writer))

    async with loopback(pass_on) as found:
        yield found


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(4096):
            writer.write(piece)
            await writer.drain()
    writer.close()


@contextmanager
def nobody_accepts() -> Iterator[int]:
    """A port that listens, but whose queue is full: connecting to it never ends."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = int(listener.getsockname()[1])
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        yield port
        for one in waiting:
            one.close()


def nobody_listens() -> int:
    """A port that refuses connections."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@cache
def _key(_: str) -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def authority(folder: Path) -> Path:
    """The certificate of an authority that signs those of `secured`."""
    path = folder / "authority.pem"
    path.write_bytes(_certificate("authority", "authority", 1).public_bytes(serialization.Encoding.PEM))
    return path


def secured(folder: Path, host: str = "127.0.0.1", days: int = 1) -> ssl.SSLContext:
    """TLS with a certificate of that authority; with negative days it has expired."""
    path = folder / f"{host}.pem"
    private = serialization.PrivateFormat.PKCS8
    path.write_bytes(
        _certificate(host, "authority", days).public_bytes(serialization.Encoding.PEM)
        + _key(host).private_bytes(serialization.Encoding.PEM, private, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def _certificate(name: str, issuer: str, days: int) -> x509.Certificate:
    now, is_authority = datetime.datetime.now(datetime.UTC), name == issuer

    def told(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    builder = (
        x509.CertificateBuilder()
        .subject_name(told(name))
        .issuer_name(told(issuer))
        .public_key(_key(name).public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=10))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(_key(name).public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(_key(issuer).public_key()), critical=False
        )
    )
    if is_authority:
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        builder = builder.add_extension(usage, critical=True)
    else:
        try:
            alternative: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(name))
        except ValueError:
            alternative = x509.DNSName(name)
        builder = builder.add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
    return builder.sign(_key(issuer), hashes.SHA256())
