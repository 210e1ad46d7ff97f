"""Bad input of every kind: one clear message, the right exit status, and nothing written.

A case is a folder:

    case.toml      `args`, the command line; `{url}` is a loopback server of the folder (with `server = true`)
                   `status`, the expected exit status
                   `before`, command lines that must succeed first
                   `append`, `replace`: files that are then edited, path -> text
                   `folders`, empty folders to make; `stdin`, the file that standard input is
    expected.txt   standard error, exactly
    anything else  what the command works on; the command runs in a copy of the folder
"""

from __future__ import annotations

import functools
import shutil
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mcpgen.cli.main import main

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/case.toml"))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Requests are no news here."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def prepared(case: Path, settings: dict[str, Any], folder: Path, patch: pytest.MonkeyPatch) -> Iterator[str]:
    """A copy of the case, brought into its starting state; gives the address of its server, if it has one."""
    shutil.copytree(
        case, folder, ignore=shutil.ignore_patterns("case.toml", "expected.txt"), dirs_exist_ok=True
    )
    for name in settings.get("folders", ()):
        (folder / name).mkdir(parents=True)
    patch.chdir(folder)
    for arguments in settings.get("before", ()):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.stderr
    for name, text in settings.get("append", {}).items():
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)
    for name, text in settings.get("replace", {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    if settings.get("server"):
        with serving(folder) as url:
            yield url
    else:
        yield ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input_gets_one_clear_answer(
    case: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    read_tree: Callable[[Path], dict[str, bytes]],
    expect_text: Callable[[Path, str], None],
) -> None:
    settings = tomllib.loads((case / "case.toml").read_text("utf-8"))
    unknown = settings.keys() - {
        "args",
        "status",
        "before",
        "append",
        "replace",
        "folders",
        "stdin",
        "server",
    }
    assert not unknown, f"case.toml: {unknown}"
    with prepared(case, settings, tmp_path / "work", monkeypatch) as url:
        before = read_tree(tmp_path)
        stdin = Path(settings["stdin"]).read_bytes() if "stdin" in settings else b""
        arguments = [argument.replace("{url}", url) for argument in settings["args"]]
        done = CliRunner().invoke(main, arguments, input=stdin, prog_name="mcpgen")
        after = read_tree(tmp_path)
    assert done.exit_code == settings["status"], done.stderr
    assert after == before, "something was written"
    assert done.stdout == ""
    expect_text(case / "expected.txt", done.stderr.replace(url, "{url}") if url else done.stderr)


def test_every_case_is_found() -> None:
    assert len(CASES) >= 20
    folders = {
        path for path in Path(__file__).parent.iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    assert folders == set(CASES), "a folder without case.toml"
