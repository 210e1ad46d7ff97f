"""Edits follow what moved: a module under another name, a function in another module, a package."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.emit import ChangeSet, Choice, Ownership, RenderedFile, write
from mcpgen.emit.pristine import PRISTINE_NAME, Pristine, pack, unpack

from .projects import INFO, actions, emit

ROOT = "src/p/tools"


def module(*names: str) -> str:
    functions = (f"async def {name}() -> int:\n    return 1\n" for name in names)
    return '"""Tools."""\n\n\n' + "\n\n".join(functions)


def edited(text: str, name: str) -> str:
    return text.replace(f"{name}() -> int:\n", f"{name}() -> int:\n    # mine\n")


def package(output: Path, name: str, text: str) -> ChangeSet:
    files = [RenderedFile(PurePosixPath(f"src/{name}/tools/a.py"), text, Ownership.GENERATED)]
    files.append(RenderedFile(PurePosixPath(f"src/{name}/hooks.py"), "mine = 0\n", Ownership.USER))
    return write(files, output, lock=replace(INFO, project={"package": name}), diagnostics=Collector())


def test_a_module_under_another_name_takes_its_edits_along(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/old.py": module("one", "two"), f"{ROOT}/rest.py": module("three")}, output)
    (output / ROOT / "old.py").write_text(edited(module("one", "two"), "one") + "\n\nHELPER = 1\n")

    changes = emit(
        {f"{ROOT}/new.py": module("one", "two", "zip"), f"{ROOT}/rest.py": module("three")}, output
    )

    assert not (output / ROOT / "old.py").exists()
    text = (output / ROOT / "new.py").read_text()
    assert "# mine" in text
    assert "HELPER = 1" in text
    assert "zip" in text
    assert actions(changes)[f"{ROOT}/old.py"] == "remove"


@pytest.mark.parametrize("target", ["b", "new"])
def test_a_function_in_another_module_takes_its_edits_along(tmp_path: Path, target: str) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two", "three"), f"{ROOT}/b.py": module("zip")}, output)
    ours = edited(module("one", "two", "three"), "two").replace("def two(", "def own_two(")
    (output / ROOT / "a.py").write_text(ours)

    files = {f"{ROOT}/a.py": module("one", "three"), f"{ROOT}/b.py": module("zip")}
    files[f"{ROOT}/{target}.py"] = module("two", "zip") if target == "b" else module("two")
    emit(files, output)

    assert (output / ROOT / "a.py").read_text() == module("one", "three")
    text = (output / ROOT / f"{target}.py").read_text()
    assert "def own_two() -> int:\n    # mine\n" in text
    assert ("def zip" in text) is (target == "b")
    assert emit(files, output).writes == ()


def test_what_a_moved_function_uses_moves_with_it(tmp_path: Path) -> None:
    """Imports; what stays in the old module is imported from there."""
    output = tmp_path / "out"
    before = {f"{ROOT}/a.py": module("one", "two"), f"{ROOT}/b.py": module("zip")}
    emit(before, output)
    ours = (
        '"""Tools."""\n\nimport functools\nimport json\nimport os.path as paths\nfrom typing import Any\n\nLIMIT = 3\n\n\n'
        "def inner() -> Any:\n    return json.loads('1')\n\n\n"
        "def helper() -> Any:\n    return inner()\n\n\n"
        "def shared() -> int:\n    return LIMIT\n\n\n"
        "async def one() -> int:\n    return shared()\n\n\n"
        "@functools.wraps(print)\nasync def two() -> int:\n    return helper() + shared() + LIMIT + len(paths.sep)\n"
    )
    (output / ROOT / "a.py").write_text(ours)

    files = {f"{ROOT}/a.py": module("one"), f"{ROOT}/b.py": module("two", "zip")}
    emit(files, output)

    left, there = ((output / ROOT / f"{name}.py").read_text() for name in "ab")
    assert all(f"def {name}" in left for name in ("inner", "helper", "shared"))
    imports = ["import functools", "import os.path as paths"]
    imports += [f"from .a import {name}" for name in ("LIMIT", "helper", "shared")]
    assert there.startswith('"""Tools."""\n\n' + "".join(f"{one}\n" for one in imports))
    assert "json" not in there
    assert emit(files, output).writes == ()


def test_what_a_function_uses_moves_into_a_new_module(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two"), f"{ROOT}/b.py": module("zip")}, output)
    ours = module("one", "two").replace('"""\n', '"""\n\nimport json\n', 1)
    (output / ROOT / "a.py").write_text(
        ours.replace("def two() -> int:\n", "def two() -> int:\n    json.dumps(1)\n")
    )
    head = '"""New."""\n\nfrom __future__ import annotations\n\nfrom .rest import x\n'
    new = head + module("two").removeprefix('"""Tools."""\n')

    emit({f"{ROOT}/a.py": module("one"), f"{ROOT}/b.py": module("zip"), f"{ROOT}/new.py": new}, output)

    text = (output / ROOT / "new.py").read_text()
    assert text.startswith(head.replace("from .rest", "import json\n\nfrom .rest"))
    assert "    json.dumps(1)\n" in text


def test_a_function_moves_into_a_module_that_is_no_python_now(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two"), f"{ROOT}/b.py": module("zip")}, output)
    ours = '"""Tools."""\n\nimport json\n' + module("one", "two").removeprefix('"""Tools."""\n')
    (output / ROOT / "a.py").write_text(
        ours.replace("def two() -> int:\n", "def two() -> int:\n    json.dumps(1)\n")
    )
    (output / ROOT / "b.py").write_text("def (:\n" + module("zip"))

    emit({f"{ROOT}/a.py": module("one"), f"{ROOT}/b.py": module("two", "zip")}, output, choice=Choice.INLINE)

    assert "json.dumps(1)" in (output / ROOT / "b.py").read_text()


def test_two_functions_that_share_a_helper_can_move_together(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two", "three"), f"{ROOT}/b.py": module("zip")}, output)
    ours = module("one", "two", "three") + "\n\ndef helper() -> int:\n    return 2\n"
    for name in ("one", "two"):
        ours = ours.replace(f"{name}() -> int:\n    return 1", f"{name}() -> int:\n    return helper()")
    (output / ROOT / "a.py").write_text(ours)

    emit({f"{ROOT}/a.py": module("three"), f"{ROOT}/b.py": module("one", "two", "zip")}, output)

    left, there = ((output / ROOT / f"{name}.py").read_text() for name in "ab")
    assert left.count("def helper") == 1
    assert there.count("from .a import helper\n") == 1
    assert there.count("return helper()") == 2


def test_what_calls_a_moved_function_imports_it(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two"), f"{ROOT}/b.py": module("zip")}, output)
    (output / ROOT / "a.py").write_text(
        edited(module("one", "two"), "two") + "\n\nasync def both() -> None:\n    await two()\n"
    )
    emit({f"{ROOT}/a.py": module("one"), f"{ROOT}/b.py": module("two", "zip")}, output)
    assert "from .b import two\n" in (output / ROOT / "a.py").read_text()
    assert "# mine" in (output / ROOT / "b.py").read_text()


def test_a_function_that_can_not_move_stays_and_is_reported(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two"), f"{ROOT}/b.py": module("zip")}, output)
    ours = edited(module("one", "two"), "two").replace("# mine\n    return 1", "return LIMIT  # mine")
    (output / ROOT / "a.py").write_text(ours + "\n\nLIMIT = 5\n")
    (output / ROOT / "b.py").write_text(module("zip") + "\n\nLIMIT = 99\n")
    diagnostics = Collector()
    emit({f"{ROOT}/a.py": module("one"), f"{ROOT}/b.py": module("two", "zip")}, output, diagnostics)
    assert "return LIMIT  # mine" in (output / ROOT / "a.py").read_text()
    assert "# mine" not in (output / ROOT / "b.py").read_text()
    assert any("two" in diagnostic.message for diagnostic in diagnostics)


def test_a_removed_function_does_not_come_back_in_another_module(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two"), f"{ROOT}/b.py": module("zip")}, output)
    (output / ROOT / "a.py").write_text(module("one"))
    emit({f"{ROOT}/a.py": module("one"), f"{ROOT}/b.py": module("two", "zip")}, output)
    assert "two" not in (output / ROOT / "b.py").read_text()


def test_a_module_that_is_no_python_now_keeps_everything(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one", "two"), f"{ROOT}/b.py": module("zip")}, output)
    broken = module("one", "two") + "def (\n"
    (output / ROOT / "a.py").write_text(broken)
    emit({f"{ROOT}/b.py": module("one", "two", "zip")}, output)
    assert (output / ROOT / "a.py").read_text() == broken


def test_the_files_of_a_renamed_package_take_their_edits_along(tmp_path: Path) -> None:
    output = tmp_path / "out"
    package(output, "old", module("one"))
    (output / "src/old/tools/a.py").write_text(edited(module("one"), "one"))
    (output / "src/old/hooks.py").write_text("mine = 9\n")

    package(output, "new", module("one"))

    assert (output / "src/new/tools/a.py").read_text() == edited(module("one"), "one")
    assert (output / "src/new/hooks.py").read_text() == "mine = 9\n"
    assert not (output / "src/old").exists()


def test_without_the_last_text_an_edit_is_a_conflict_not_a_loss(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({f"{ROOT}/a.py": module("one")}, output)
    (output / ROOT / "a.py").write_text(edited(module("one"), "one"))
    for damage in (lambda path: path.write_bytes(b"<<<<<<<"), lambda path: path.unlink()):
        damage(output / PRISTINE_NAME)
        diagnostics = Collector()
        changes = emit({f"{ROOT}/a.py": module("two")}, output, diagnostics, dry_run=True)
        assert actions(changes)[f"{ROOT}/a.py"] == "conflict"
        assert [item.message for item in diagnostics] == [
            f"What was generated last is not in {PRISTINE_NAME}."
        ]


def test_what_is_remembered_comes_back() -> None:
    path = PurePosixPath("a/ü.py")
    pristine = Pristine({path: b"x\n"}, {PurePosixPath("b"): ("ab", ("0011223344", "5566778899"))})
    assert unpack(pack(pristine)) == pristine
    assert pack(unpack(pack(pristine))) == pack(pristine)
    with pytest.raises(ValueError, match="not readable"):
        unpack(b"no archive")


LIBRARY = [f"line_{number} = {number}\n" for number in range(20)]


def library(output: Path, files: dict[str, list[str]]) -> ChangeSet:
    planned = [
        RenderedFile(PurePosixPath("src/p/_runtime", path), "".join(lines), Ownership.VENDORED)
        for path, lines in files.items()
    ]
    return write(planned, output, lock=INFO, diagnostics=Collector())


def test_an_edited_file_of_the_library_is_followed_to_its_new_place(tmp_path: Path) -> None:
    output, folder = tmp_path / "out", tmp_path / "out/src/p/_runtime"
    library(output, {"pages.py": LIBRARY, "other.py": LIBRARY[:10]})
    (folder / "pages.py").write_text("".join([*LIBRARY[:5], "mine = 1\n", *LIBRARY[5:]]))
    newer = [*LIBRARY[:14], "line_14 = 'new'\n", *LIBRARY[15:]]
    files = {"paging/pages.py": newer, "paging/plan.py": ["a = 1\n"] * 20, "rest/other.py": LIBRARY[:10]}

    changes = library(output, files)

    assert (folder / "paging/pages.py").read_text() == "".join([*newer[:5], "mine = 1\n", *newer[5:]])
    assert not (folder / "pages.py").exists()
    assert actions(changes)["src/p/_runtime/pages.py"] == "remove"
    assert library(output, files).writes == ()


def test_an_edited_file_of_the_library_that_is_gone_is_kept(tmp_path: Path) -> None:
    output, folder = tmp_path / "out", tmp_path / "out/src/p/_runtime"
    library(output, {"pages.py": LIBRARY, "short.py": LIBRARY[:3]})
    for name in ("pages.py", "short.py"):
        (folder / name).write_text("mine = 1\n" + (folder / name).read_text())
    changes = library(
        output, {"paging/pages.py": [*LIBRARY[:8], *["a = 1\n"] * 12], "paging/short.py": LIBRARY[:3]}
    )
    assert (folder / "pages.py").read_text().startswith("mine = 1\n")
    assert (folder / "short.py").read_text().startswith("mine = 1\n")
    assert actions(changes)["src/p/_runtime/pages.py"] == "kept"


def test_tests_follow_the_tools_that_they_test(tmp_path: Path) -> None:
    output = tmp_path / "out"
    case, test = (
        '{\n  "tool": "one",\n  "calls": []\n}\n',
        '"""Tests."""\n\n\ndef test_request() -> None:\n    pass\n',
    )

    def files(toolset: str, other: str) -> dict[str, str]:
        return {
            f"{ROOT}/{toolset}.py": module("one", "two"),
            f"{ROOT}/{other}.py": module("three"),
            f"tests/tools/test_{toolset}.py": test,
            f"tests/tools/test_{other}.py": test,
            f"tests/cases/{toolset}/one.json": case,
            f"tests/cases/{other}/three.json": case,
        }

    emit(files("old", "rest"), output)
    (output / "tests/tools/test_old.py").write_text(test + "\n\nMINE = 1\n")
    (output / "tests/cases/old/one.json").write_text(case.replace("[]", "[1]"))

    emit(files("new", "other"), output)

    assert "MINE = 1" in (output / "tests/tools/test_new.py").read_text()
    assert "MINE" not in (output / "tests/tools/test_other.py").read_text()
    assert '"calls": [1]' in (output / "tests/cases/new/one.json").read_text()
    assert not (output / "tests/cases/old").exists()
    assert not (output / "tests/cases/rest").exists()


def test_the_case_file_of_a_dropped_tool_goes(tmp_path: Path) -> None:
    output = tmp_path / "out"
    emit({"tests/cases/a/one.json": "{}\n", "tests/cases/a/two.json": "{}\n"}, output)
    emit({"tests/cases/a/two.json": "{}\n"}, output)
    assert [path.name for path in (output / "tests/cases/a").iterdir()] == ["two.json"]
