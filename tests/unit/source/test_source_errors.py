"""Everything that cannot be read gives one clear sentence with a place, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector, Diagnostic, Refused, Severity
from mcpgen.source.load import load
from mcpgen.source.model import SourceOptions

DEFAULTS = SourceOptions()


def refusal(target: str, stdin: bytes | None = None, options: SourceOptions = DEFAULTS) -> Diagnostic:
    diagnostics = Collector()
    with pytest.raises(Refused):
        load(target, options=options, diagnostics=diagnostics, stdin=stdin)
    (found,) = diagnostics
    assert found.severity is Severity.ERROR
    assert found.location is not None
    return found


def refused_bytes(data: bytes) -> Diagnostic:
    return refusal("-", data)


@pytest.mark.parametrize(
    ("data", "message", "place"),
    [
        (b"", "<stdin> is empty", None),
        (b" \n\t\n", "<stdin> is empty", None),
        (b"# only a comment\n", "<stdin> is empty", None),
        (b"\xef\xbb\xbf", "<stdin> is empty", None),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "<stdin> holds binary data, not JSON or YAML text", None),
        (b"\x89PNG\r\n\x1a\n\xff\x01\x02\x03\x04", "<stdin> holds binary data, not JSON or YAML text", None),
        (
            b"info:\n  title: caf\xe9 au lait, and a longer text\n",
            "<stdin> is not UTF-8 text (byte 0xE9)",
            (2, 13),
        ),
        (b'{"openapi": "3.0.0", "info": {', "<stdin> is not valid JSON: it ends too early", (1, 31)),
        (b'{"a": 1,\n "b": ["1" 2]}', "<stdin> is not valid JSON: expecting ',' delimiter", (2, 12)),
        (b"a: [1, 2\nb: 3\n", "<stdin> is not valid YAML: did not find expected ',' or ']'", (2, 2)),
        (
            b"a: 1\n\tb: 2\n",
            "<stdin> is not valid YAML: found a tab character that violates indentation",
            (2, 1),
        ),
        (
            b"paths: {{template}}\n",
            "<stdin> is not valid for OpenAPI: a key of a mapping must be text",
            (1, 9),
        ),
        (b"a: *missing\n", "<stdin> holds an alias *missing without an anchor before it", (1, 4)),
        (b"a: &x [*x]\n", "<stdin> holds an alias *x inside its own anchor", (1, 8)),
        (b"a: \x01\n", "<stdin> holds the character U+0001, which YAML does not allow", (1, 4)),
        (b"<!DOCTYPE html><html></html>", "<stdin> looks like a web page or XML, not JSON or YAML", None),
    ],
)
def test_text_that_is_no_document(data: bytes, message: str, place: tuple[int, int] | None) -> None:
    found = refused_bytes(data)
    assert found.code == "source-syntax"
    assert found.message == message
    assert found.location is not None
    assert (found.location.line, found.location.column) == (place or (None, None))


def test_a_file_that_does_not_exist_names_what_was_meant(tmp_path: Path) -> None:
    (tmp_path / "openapi.yaml").write_text("{}")
    found = refusal(str(tmp_path / "openapi.yml"))
    assert (found.code, found.message) == ("source-unreadable", f"{tmp_path / 'openapi.yml'} does not exist")
    assert found.hint == f"Did you mean {tmp_path / 'openapi.yaml'}?"


def test_a_folder_names_the_description_inside(tmp_path: Path) -> None:
    (tmp_path / "swagger.json").write_text("{}")
    found = refusal(str(tmp_path))
    assert (found.code, found.message) == ("source-unreadable", f"{tmp_path} is a folder, not a file")
    assert found.hint == f"Did you mean {tmp_path / 'swagger.json'}?"


def test_a_device_is_no_file() -> None:
    assert refusal("/dev/null").message == "/dev/null is not a regular file"


def test_an_impossible_path() -> None:
    assert refusal("spec\0.yaml").code == "source-unreadable"


def test_the_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    path.write_text("a: " + "x" * 100)
    found = refusal(str(path), options=SourceOptions(max_bytes=50))
    assert (found.code, found.message) == ("source-limit", f"{path} is larger than 50 bytes")
    assert refusal("-", b"a: " + b"x" * 100, SourceOptions(max_bytes=50)).code == "source-limit"


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'{"a":' * 100_000, b"- " * 5_000 + b"x", b"[" * 300 + b"]" * 300]
)
def test_depth_is_bounded(data: bytes) -> None:
    found = refused_bytes(data)
    assert found.code in ("source-limit", "source-syntax")
    if found.code == "source-limit":
        assert "nested more than 200 levels deep" in found.message


def test_aliases_cannot_blow_up() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 10) + "]" for n in range(1, 12)]
    found = refused_bytes("\n".join(lines).encode())
    assert found.code == "source-limit"
    assert "aliases" in found.message
    assert found.location is not None
    assert found.location.line == 7


def test_aliases_cannot_hide_depth() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 250)]
    assert "nested more than 200 levels" in refused_bytes("\n".join(lines).encode()).message


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(encoding: str) -> None:
    tree = load("-", diagnostics=Collector(), stdin="title: Zoë\n".encode(encoding))
    assert tree.root.value == {"title": "Zoë"}


def test_json_with_comments_and_trailing_commas_is_yaml_and_says_so() -> None:
    diagnostics = Collector()
    tree = load("-", diagnostics=diagnostics, stdin=b'{\n "a": 1, # one\n "b": [2,],\n}')
    assert tree.root.value == {"a": 1, "b": [2]}
    (found,) = diagnostics
    assert (found.code, found.message[-20:]) == ("spec-repaired", "; it is read as YAML")


def test_json_keeps_what_other_readers_lose() -> None:
    data = b'{"big": 123456789012345678901234567890, "huge": 1e999, "nan": NaN, "tab": "a\tb", "half": "\\ud800x", "pair": "\\ud83d\\ude00"}'
    value = load("-", diagnostics=Collector(), stdin=data).root.value
    assert value == {
        "big": 123456789012345678901234567890, "huge": "1e999", "nan": "NaN", "tab": "a\tb", "half": "\ufffdx", "pair": "😀",
    }  # fmt: skip


def test_json_with_a_key_twice_says_so() -> None:
    diagnostics = Collector()
    assert load("-", diagnostics=diagnostics, stdin=b'{"a": 1, "a": 2}').root.value == {"a": 2}
    assert [item.code for item in diagnostics] == ["spec-repaired"]
