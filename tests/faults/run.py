"""`make faults`: every kind of tool meets every fault, in both protocol eras; prints the matrix."""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from matrix import CALLS, FAST, OUTCOMES, TOKEN, Answer, Outcome, faults
from mcp import Client
from stub import Stub, abandoned_within, nobody_accepts, nobody_listens, running

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

SPEC = Path(__file__).parent / "openapi.yaml"
ERAS = ("auto", "legacy")
_HOOKS = """
async def before_request(call, request):
    if "/hook-before/" in request.url:
        raise RuntimeError("the hook is broken: " + request.headers.get("authorization", ""))


async def after_result(call, result):
    if "/hook-after" in call.app.settings.base_url:
        raise RuntimeError("the hook is broken")
"""


@dataclass(frozen=True)
class World:
    """A generated server, and everything that its API can be."""

    package: str
    stub: Stub
    unaccepted: int
    refused: int
    tls: int

    def environ(self, outcome: Outcome) -> dict[str, str]:
        """The settings of a server that meets this outcome."""
        where = {
            "!unaccepted": f"http://127.0.0.1:{self.unaccepted}",
            "!refused": f"http://127.0.0.1:{self.refused}",
            "!unknown-host": "http://nobody.invalid",
            "!tls": f"https://127.0.0.1:{self.tls}",
        }.get(outcome.at, f"http://127.0.0.1:{self.stub.port}/{outcome.at}")
        settings = {"BASE_URL": where, "ALLOW_EFFECTS": "read,write,destructive", "CONFIRM": "never", **FAST}
        settings |= dict(outcome.environ)
        return {f"FAULTY_SHOP_{name}": value for name, value in settings.items()} | {
            "FAULTY_SHOP_BEARER_TOKEN": TOKEN
        }

    def server(self, outcome: Outcome) -> Any:
        build = importlib.import_module(f"{self.package}.server").build
        return build(environ=self.environ(outcome))


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """Generates the server into the folder and starts what its calls will meet."""
    diagnostics = Collector()
    outcome = generate(GenerateRequest(str(SPEC), folder), diagnostics)
    if outcome.refused:
        raise AssertionError([str(d) for d in diagnostics])
    (folder / "src" / "faulty_shop_mcp" / "hooks.py").write_text(_HOOKS)
    sys.path.insert(0, str(folder / "src"))
    with ExitStack() as stack:
        stub = stack.enter_context(running())
        secure = stack.enter_context(running(_self_signed(folder)))
        unaccepted = stack.enter_context(nobody_accepts())
        yield World("faulty_shop_mcp", stub, unaccepted, nobody_listens(), secure.port)
    sys.path.remove(str(folder / "src"))


async def cells(world: World, outcome: Outcome, era: str) -> dict[str, list[str]]:
    """What is wrong with each tool's result for one outcome; nothing, if all is well."""
    found: dict[str, list[str]] = {}

    async with Client(world.server(outcome), mode=era) as client:
        listed = (await client.list_tools()).tools
        tools = {tool.name: tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed}

        async def one(tool: str) -> None:
            result = await client.call_tool(tool, CALLS[tool])
            answer = Answer(
                bool(result.is_error), result.content[0].text, dict(result.structured_content or {})
            )
            found[tool] = faults(tool, answer, outcome.expected(tool), tools)

        async with anyio.create_task_group() as group:
            for tool in CALLS:
                group.start_soon(one, tool)
    return found


async def cancelled(world: World, tool: str, era: str) -> list[str]:
    """A client that gives up takes the request to the API with it."""
    silent = Outcome("cancelled", "silent", lambda _: _never(), {"READ_TIMEOUT": "15", "TIMEOUT": "15"})
    async with Client(world.server(silent), mode=era) as client:
        before = len(world.stub.requests)
        try:
            async with abandoned_within(world.stub, 5.0), anyio.create_task_group() as group:
                group.start_soon(client.call_tool, tool, CALLS[tool])
                while len(world.stub.requests) == before:
                    await anyio.sleep(0.01)
                group.cancel_scope.cancel()
        except AssertionError as error:
            return [str(error)]
        listed = await client.list_tools()
        return [] if listed.tools else ["the server does not answer any more"]


def _never() -> Any:
    raise AssertionError("a cancelled call has no result")


def _self_signed(folder: Path) -> Any:
    """A TLS context with a certificate that nobody trusts."""
    import datetime
    import ssl

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    path = folder / "self-signed.pem"
    path.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


async def _matrix(world: World) -> tuple[int, int]:
    """Prints the matrix; how many cells are right, and how many there are."""
    right = total = 0
    width = max(len(outcome.name) for outcome in OUTCOMES) + 2
    print(" " * width + "  ".join(f"{tool:>15}" for tool in CALLS))
    for outcome in OUTCOMES:
        by_era = [await cells(world, outcome, era) for era in ERAS]
        right, total = _row(outcome.name, width, by_era, right, total)
    gone = [{tool: await cancelled(world, tool, era) for tool in CALLS} for era in ERAS]
    return _row("cancelled", width, gone, right, total)


def _row(
    name: str, width: int, by_era: list[dict[str, list[str]]], right: int, total: int
) -> tuple[int, int]:
    marks = ["/".join("ok" if not found[tool] else "WRONG" for found in by_era) for tool in CALLS]
    print(f"{name:<{width}}" + "  ".join(f"{mark:>15}" for mark in marks), flush=True)
    for era, found in zip(ERAS, by_era, strict=True):
        for tool, wrong in found.items():
            for what in wrong:
                print(f"    {era} {tool}: {what}", flush=True)
    cells_here = [wrong for found in by_era for wrong in found.values()]
    return right + sum(not wrong for wrong in cells_here), total + len(cells_here)


def main() -> int:
    """Exit status 0 when every cell is right."""
    import logging

    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder, world(Path(folder) / "project") as found:
        right, total = anyio.run(_matrix, found)
    print(f"\n{right} of {total} cells right ({len(CALLS)} tools, {len(OUTCOMES) + 1} outcomes, both eras)")
    return 0 if right == total else 1


if __name__ == "__main__":
    sys.exit(main())
