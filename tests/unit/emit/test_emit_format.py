"""Formatting: stable, parallel where it pays, loud where generated code is broken."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit import Ownership, RenderedFile, format
from mcpgen.emit.format import format_files


def rendered(text: str, path: str = "a.py", ownership: Ownership = Ownership.GENERATED) -> RenderedFile:
    return RenderedFile(PurePosixPath(path), text, ownership)


def formatted(text: str, **options: object) -> str:
    [file] = format_files([rendered(text, **options)], Collector())  # type: ignore[arg-type]
    return file.data.decode()


def test_python_is_formatted_at_one_hundred_columns() -> None:
    assert formatted("x = {  'a':1 }") == 'x = {"a": 1}\n'
    assert formatted(f"f({'a' * 46}, {'b' * 46})\n").count("\n") == 1
    assert formatted(f"f({'a' * 50}, {'b' * 50})\n").count("\n") > 1


def test_a_magic_trailing_comma_keeps_one_item_a_line() -> None:
    assert formatted("f(a, b,)\n") == "f(\n    a,\n    b,\n)\n"


@pytest.mark.parametrize("path", ["a.json", "a.md", "py.typed", ".env.example"])
def test_other_files_keep_their_text(path: str) -> None:
    assert formatted("x  =  1", path=path) == "x  =  1"


def test_vendored_python_keeps_its_bytes() -> None:
    assert formatted("x  =  1", ownership=Ownership.VENDORED) == "x  =  1"


def test_broken_code_is_named_with_file_and_line_for_every_file() -> None:
    diagnostics = Collector()
    files = [rendered("x = 1\ny = = 2\n", "src/a.py"), rendered("ok = 1\n", "b.py"), rendered("(", "c.py")]
    with pytest.raises(Refused):
        format_files(files, diagnostics)
    found = [(d.code, d.location.file, d.location.line) for d in diagnostics if d.location]
    assert found == [("format-failed", "src/a.py", 2), ("format-failed", "c.py", 1)]
    assert "y = = 2" in next(iter(diagnostics)).message


def test_broken_code_far_down_in_a_cut_module_has_the_line_of_the_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(format, "PART_SIZE", 1)
    text = "class A:\n    x = 1\n\n\nclass B:\n    y = 2\n\n\nclass C:\n    z = = 3\n"
    diagnostics = Collector()
    with pytest.raises(Refused):
        format_files([rendered(text)], diagnostics)
    [diagnostic] = diagnostics
    assert diagnostic.location is not None
    assert diagnostic.location.line == 10


BLOCKS = st.sampled_from(
    [
        '"""Doc."""',
        "import os",
        "# a comment",
        "x = [1,2,\n3]",
        "class A:\n    pass",
        "class B:\n    x: int = 1\n\n    y  =  2",
        'class C:\n    """Doc."""',
        "class D:\n    x = 1\n    # the end",
        'TEXT = """\n    x\n\n\nclass No: pass\n"""',
        "F = (\n    1,\n\n\n)",
        "@decorate\ndef f(a,b,): return (a)",
        "async def g():\n    return 1",
        "def h(): ...",
        "if True:\n    y = 1",
        "def k():\n    x = 1  # fmt: skip",
    ]
)


@given(st.lists(BLOCKS, max_size=8), st.sampled_from(["\n\n\n", "\n\n", "\n"]))
def test_cutting_a_module_does_not_change_the_result(blocks: list[str], between: str) -> None:
    text = between.join(blocks) + "\n"
    whole = format.format_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(format, "PART_SIZE", 1)
        assert formatted(text) == whole


def test_large_input_uses_processes_and_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [rendered("class A:\n    x = {'a':1}\n\n\n" * 60, f"m{number}.py") for number in range(3)]
    alone = format_files(files, Collector())
    used: list[int] = []

    class Pool(format.ProcessPoolExecutor):
        def __init__(self, processes: int, *args: object, **options: object) -> None:
            used.append(processes)
            super().__init__(processes, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(format, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(format, "PARALLEL_SIZE", 100)
    monkeypatch.setattr(format.os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    assert format_files(files, Collector()) == alone
    assert used == [2]


def shaped(text: str) -> RenderedFile:
    return RenderedFile(PurePosixPath("a.py"), text, Ownership.GENERATED, shaped=True)


def test_only_the_long_lines_of_shaped_code_are_formatted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    original = format._format_part
    monkeypatch.setattr(format, "_format_part", lambda text: (seen.append(text), original(text))[1])
    short = "def a():\n    return 1"
    long = f"def b():\n    return f({', '.join(f'argument_{number}' for number in range(12))})"
    text = f"{short}\n\n\n{long}\n\n\n{short}\n"

    [file] = format_files([shaped(text)], Collector())

    assert file.data.decode() == format.format_text(text)
    assert seen[0] == f"{long}\n"


def test_shaped_code_ends_with_one_line_end() -> None:
    [file] = format_files([shaped("def a():\n    return 1\n\n")], Collector())
    assert file.data.decode() == "def a():\n    return 1\n"


def test_shaped_code_that_does_not_parse_is_reported_with_its_line() -> None:
    diagnostics = Collector()

    with pytest.raises(Refused):
        format_files([shaped("def a():\n    return 1\n\n\ndef b():\n    return 1 +\n")], diagnostics)

    assert [d.location.line for d in diagnostics if d.location] == [6]
