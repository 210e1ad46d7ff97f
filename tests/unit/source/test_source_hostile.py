"""Addresses that are no URIs, and files that are there and cannot be read, are refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mcpgen.diagnostics import Collector, Diagnostic, Refused, Unsupported
from mcpgen.source import fetch as fetching
from mcpgen.source import load as loading
from mcpgen.source.load import load
from mcpgen.source.model import SourceTree
from mcpgen.source.problem import SourceProblem


def refusal(target: str, stdin: bytes | None = None) -> Diagnostic:
    diagnostics = Collector()
    with pytest.raises(Refused):
        load(target, diagnostics=diagnostics, stdin=stdin)
    (found,) = diagnostics
    return found


@pytest.mark.parametrize("url", ["http://[::1", "http://a:b:c/x", "http://[not-an-address]/x"])
def test_a_url_that_is_none(url: str) -> None:
    found = refusal(url)
    assert found.code == "source-unreadable"
    assert found.message.startswith(f"{url} cannot be fetched: ")


def test_a_redirect_to_no_url(monkeypatch: pytest.MonkeyPatch) -> None:
    class Client(httpx2.Client):
        @contextmanager
        def stream(self, *_: Any, **__: Any) -> Iterator[httpx2.Response]:  # type: ignore[override]
            yield httpx2.Response(302, headers={"Location": "http://["})

    monkeypatch.setattr(fetching.httpx2, "Client", Client)
    assert refusal("http://127.0.0.1:9/x").code == "source-unreadable"


@pytest.mark.parametrize("reference", ["http://[bad/x.yaml#/a", "//[x#/a", "file:///a%00b#/x", "http://[#/a"])
def test_a_reference_that_is_no_uri_is_broken(tree: Callable[..., SourceTree], reference: str) -> None:
    found = tree({"api.json": json.dumps({"a": {"$ref": reference}})})
    with pytest.raises(Unsupported) as caught:
        found.resolve(reference, found.at(found.root.name, "/a"))
    assert caught.value.code in ("reference-broken", "reference-refused")


def test_names_that_are_no_uris_are_left_out(tree: Callable[..., SourceTree]) -> None:
    diagnostics = Collector()
    document = {
        "$self": "http://[",
        "schemas": {"A": {"$id": "http://[", "$ref": "http://[#/x"}, "B": {"x": 1}},
    }
    found = tree({"api.json": json.dumps(document)}, diagnostics=diagnostics)
    assert [(item.code, item.location.pointer) for item in diagnostics if item.location] == [
        ("spec-repaired", "/$self"),
        ("spec-repaired", "/schemas/A/$id"),
    ]
    assert found.resolve("#/schemas/B", found.at(found.root.name, "/schemas/A")).value == {"x": 1}


def test_json_that_is_nested_too_deep_has_a_place() -> None:
    text = '{"s": "[{\\"[",\n "a":' + "[" * 300 + "]" * 300 + "}"
    found = refusal("-", text.encode())
    assert found.code == "source-limit"
    assert found.location is not None
    assert (found.location.line, found.location.column) == (2, 5 + 200)


def test_json_beyond_the_parser_has_a_place() -> None:
    found = refusal("-", b"\n" + b"[" * 200_000)
    assert found.code == "source-limit"
    assert found.location is not None
    assert found.location.line == 2


def test_an_unreadable_file_is_not_meant_to_be_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "api.yaml").write_text("openapi: 3.1.0")
    (tmp_path / "api2.yaml").write_text("openapi: 3.1.0")

    def denied(path: Path, most: int) -> bytes:
        raise SourceProblem("source-unreadable", "cannot be read: permission denied")

    monkeypatch.setattr(loading, "read_file", denied)
    assert refusal(str(tmp_path / "api.yaml")).hint is None
    assert refusal(str(tmp_path / "api3.yaml")).hint is not None
