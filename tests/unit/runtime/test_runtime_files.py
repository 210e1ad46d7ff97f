"""File arguments: base64 or a path of the folder that the operator opened; sent in pieces, held once."""

from __future__ import annotations

import base64
import hashlib
import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client

from mcpgen.runtime import build_server
from mcpgen.runtime.operation import Body
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.body import encode_body
from mcpgen.runtime.requests.files import FileAccess, file_of
from mcpgen.runtime.requests.payload import Payload

from . import wire_decoder as wire

pytestmark = pytest.mark.anyio

MIB = 1 << 20
FILE = {
    "type": "object",
    "properties": {
        "content_base64": {"type": "string", "description": "The bytes of the file in base64."},
        "filename": {"type": "string"},
        "content_type": {"type": "string"},
    },
    "required": ["content_base64"],
    "additionalProperties": False,
}
RAW = {"content_type": "application/octet-stream", "kind": "binary", "required": True}
FORM = {
    "content_type": "multipart/form-data",
    "kind": "multipart",
    "required": True,
    "files": {"photo": "one", "pages": "list"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "open"
    (made / "sub").mkdir(parents=True)
    (made / "a.png").write_bytes(b"\x89PNG")
    (made / "sub" / "b.txt").write_text("b")
    (tmp_path / "secret.txt").write_text("secret")
    (made / "inside").symlink_to(made / "sub" / "b.txt")
    (made / "outside").symlink_to(tmp_path / "secret.txt")
    (made / "up").symlink_to(tmp_path)
    (made / "loop").symlink_to(made / "loop")
    return made.resolve()


def access(folder: Path, most: int = 100) -> FileAccess:
    return FileAccess(folder, most)


async def content(value: Any, allowed: FileAccess) -> bytes:
    body, _ = encode_body(Body("application/octet-stream", "binary", True), value, allowed)
    return body if isinstance(body, bytes) else b"".join([piece async for piece in body])


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.png", b"\x89PNG"), ("sub/b.txt", b"b"), ("./sub//b.txt", b"b"), ("inside", b"b")],
)
async def test_a_file_of_the_folder(folder: Path, path: str, expected: bytes) -> None:
    assert await content({"path": path}, access(folder)) == expected


def test_its_name_and_type(folder: Path) -> None:
    found = file_of({"path": "a.png"}, "f", access(folder))
    assert (found.filename, found.guessed, found.size) == ("a.png", "image/png", 4)
    assert file_of({"path": "a.png", "filename": "x"}, "f", access(folder)).filename == "x"


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt", "sub/../../secret.txt", "sub/../a.png", "outside", "up/secret.txt", "loop", "missing", "sub",
        "", ".", "/etc/passwd", "a.png\0", "C:\\x", "\\\\host\\x", "x" * 5000,
    ],
)  # fmt: skip
def test_no_other_file(folder: Path, path: str) -> None:
    with pytest.raises(CallFailed) as caught:
        file_of({"path": path}, "photo", access(folder))
    assert caught.value.failure.category == "validation"
    assert "`photo.path`" in str(caught.value)
    assert str(folder) not in str(caught.value)


def test_what_is_outside_and_what_is_missing_sound_the_same(folder: Path) -> None:
    told = set()
    for path in ("outside", "up/secret.txt", "up/nothing", "missing"):
        with pytest.raises(CallFailed) as caught:
            file_of({"path": path}, "f", access(folder))
        told.add(str(caught.value))
    assert len(told) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_plain_file_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(CallFailed):
        file_of({"path": "pipe"}, "f", access(folder))


@pytest.mark.parametrize("value", [{}, {"path": 1}, {"path": "a.png", "content_base64": ""}])
def test_one_source_exactly(folder: Path, value: Any) -> None:
    with pytest.raises(CallFailed):
        file_of(value, "f", access(folder))


def test_too_large_files_are_refused(folder: Path) -> None:
    assert file_of({"path": "a.png"}, "f", access(folder, 4)).size == 4
    for value in ({"path": "a.png"}, {"content_base64": base64.b64encode(b"four").decode()}):
        with pytest.raises(CallFailed) as caught:
            file_of(value, "f", access(folder, 3))
        assert "larger than the 3 bytes" in str(caught.value)


@pytest.mark.parametrize("change", ["longer", "shorter", "replaced", "linked", "gone"])
async def test_a_file_that_changes_meanwhile_is_not_sent(folder: Path, change: str) -> None:
    path = folder / "a.png"
    body, _ = encode_body(Body("a/b", "binary", True), {"path": "a.png"}, access(folder))
    assert isinstance(body, Payload)
    path.unlink()
    if change == "linked":
        path.symlink_to(folder.parent / "secret.txt")
    elif change != "gone":
        path.write_bytes({"longer": b"12345", "shorter": b"1", "replaced": b"1234"}[change])
    with pytest.raises(CallFailed):
        [piece async for piece in body]


# ---------------------------------------------------------------- through the server


@pytest.fixture
def upload(build: Any, op: Any) -> Any:
    fields = {"photo": FILE, "pages": {"type": "array", "items": FILE}, "meta": {"type": "object"}}
    return build(
        add=op(method="POST", effect="write", body=FORM, fields=fields, required=["photo"]),
        put=op(method="PUT", effect="write", body=RAW, whole=FILE, required=["body"]),
    )


async def file_schemas(package: Any, **settings: str) -> list[Any]:
    async with Client(package.server(**settings)) as client:
        tools = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
    return [tools["add"]["photo"], tools["add"]["pages"]["items"], tools["put"]["body"]]


async def test_paths_are_published_where_the_operator_opened_a_folder(upload: Any, folder: Path) -> None:
    assert await file_schemas(upload) == [FILE] * 3
    for schema in await file_schemas(upload, SHOP_FILES_DIR=str(folder)):
        assert list(schema["properties"]) == ["content_base64", "filename", "content_type", "path"]
        assert schema["anyOf"] == [{"required": ["content_base64"]}, {"required": ["path"]}]
        assert "required" not in schema


async def test_both_kinds_in_one_form(upload: Any, folder: Path) -> None:
    pages = [{"path": "sub/b.txt"}, {"content_base64": "eA==", "filename": "x.bin"}]
    given = {"photo": {"path": "a.png"}, "pages": pages, "meta": {"path": "is no file here"}}
    await upload.told("add", given, SHOP_FILES_DIR=str(folder))
    parts = wire.parts_of(upload.sent.content, upload.sent.headers["content-type"])
    assert [(p.disposition("name"), p.disposition("filename"), p.type, p.content) for p in parts] == [
        ("photo", "a.png", "image/png", b"\x89PNG"),
        ("pages", "b.txt", "text/plain", b"b"),
        ("pages", "x.bin", "application/octet-stream", b"x"),
        ("meta", None, "application/json", b'{"path":"is no file here"}'),
    ]
    assert upload.sent.headers["content-length"] == str(len(upload.sent.content))
    assert "transfer-encoding" not in upload.sent.headers


async def test_without_a_folder_a_path_is_refused(upload: Any) -> None:
    found = await upload.told("add", {"photo": {"path": "a.png"}})
    assert found["category"] == "validation"
    assert "content_base64" in found["error"]
    assert upload.requests == []


async def test_a_bad_path_sends_nothing(upload: Any, folder: Path) -> None:
    found = await upload.told("put", {"body": {"path": "../secret.txt"}}, SHOP_FILES_DIR=str(folder))
    assert (found["category"], found["retryable"]) == ("validation", True)
    assert upload.requests == []


async def test_a_repeat_sends_the_file_again(upload: Any, folder: Path) -> None:
    upload.answer(httpx2.ConnectError("refused"), httpx2.Response(503), httpx2.Response(201))
    found = await upload.told("put", {"body": {"path": "a.png"}}, SHOP_FILES_DIR=str(folder))
    assert found["ok"]
    assert [request.content for request in upload.requests][1:] == [b"\x89PNG"] * 2


@pytest.mark.parametrize("value", ["/no/such/folder", "/", __file__])
def test_the_folder_has_to_be_one(upload: Any, value: str) -> None:
    with pytest.raises(Exception, match="SHOP_FILES_DIR"):
        upload.server(SHOP_FILES_DIR=value)


# ---------------------------------------------------------------- memory


class Sink(httpx2.AsyncBaseTransport):
    """An API that reads bodies and keeps nothing of them but their digest."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.digest, self.headers = hashlib.sha256(), request.headers
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        async for piece in request.stream:
            assert len(piece) <= MIB
            self.digest.update(piece)
        return httpx2.Response(204)


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.parametrize("tool", ["put", "add"])
async def test_a_large_file_is_never_held(upload: Any, folder: Path, tool: str, traced: None) -> None:
    with (folder / "large").open("wb") as file:
        file.truncate(64 * MIB)
    sink = Sink()
    server = build_server(upload.name, environ={"SHOP_FILES_DIR": str(folder)}, transport=sink)
    async with Client(server) as client:
        await client.list_tools()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        result = await client.call_tool(tool, {"body" if tool == "put" else "photo": {"path": "large"}})
        peak = tracemalloc.get_traced_memory()[1] - before
    assert result.structured_content["ok"], result.structured_content
    assert int(sink.headers["content-length"]) >= 64 * MIB
    if tool == "put":
        assert sink.digest.hexdigest() == hashlib.sha256(bytes(64 * MIB)).hexdigest()
    assert peak < 8 * MIB


@pytest.mark.parametrize("kind", ["binary", "multipart"])
async def test_base64_is_decoded_once(kind: str, traced: None) -> None:
    argument = {"content_base64": base64.b64encode(bytes(64 * MIB)).decode()}
    value: Any = argument if kind == "binary" else {"photo": argument}
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    body, _ = encode_body(Body("multipart/form-data" if kind == "multipart" else "a/b", kind, True), value)
    assert isinstance(body, Payload)
    size = sum([len(piece) async for piece in body])
    peak = tracemalloc.get_traced_memory()[1] - before
    assert 64 * MIB <= size == len(body)
    assert peak < 66 * MIB  # the decoded bytes, and one piece
