"""What a team does to a generated project. Each edit works on the texts of the project's files, by path."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

Files = dict[str, str]
MARK = "kept by the team"


@dataclass(frozen=True, slots=True)
class Target:
    """Where edits go: the package, a toolset, and a tool of it."""

    package: str
    toolset: str
    tool: str
    model: str

    @property
    def source(self) -> str:
        return f"src/{self.package}"

    @property
    def module(self) -> str:
        return f"{self.source}/tools/{self.toolset}.py"

    @property
    def catalog(self) -> str:
        return f"{self.source}/catalog.json"


Edit = Callable[[Files, Target], None]


def _once(text: str, old: str, new: str) -> str:
    if old not in text:
        raise ValueError(f"nothing to edit: {old!r}")
    return text.replace(old, new, 1)


def _function(text: str, name: str) -> tuple[str, str, str]:
    """A module as what is before a function, the function, and what is after it."""
    start = text.index(f"async def {name}(")
    end = text.find("\n\n\n", start)
    return text[:start], text[start : end if end >= 0 else len(text)], text[end:] if end >= 0 else ""


def _body(files: Files, at: Target) -> None:
    before, function, after = _function(files[at.module], at.tool)
    files[at.module] = (
        before + _once(function, "    return await", f"    assert call, {MARK!r}\n    return await") + after
    )


def _rename(files: Files, at: Target) -> None:
    files[at.module] = _once(files[at.module], f"async def {at.tool}(", f"async def own_{at.tool}(")
    files[at.catalog] = _once(files[at.catalog], f'"function":"{at.tool}"', f'"function":"own_{at.tool}"')


def _helper_last(files: Files, at: Target) -> None:
    files[at.module] += f'\n\ndef helper() -> str:\n    """Ours."""\n    return {MARK!r}\n'


def _helper_between(files: Files, at: Target) -> None:
    before, function, after = _function(files[at.module], at.tool)
    helper = f'def helper() -> str:\n    """Ours."""\n    return {MARK!r}\n\n\n'
    files[at.module] = before + helper + function + after


def _decorator(files: Files, at: Target) -> None:
    text = _once(files[at.module], "from .._runtime import", "import functools\n\nfrom .._runtime import")
    before, function, after = _function(text, at.tool)
    files[at.module] = (
        f"{before}@functools.wraps(print, assigned=(), updated=())  # {MARK}\n{function}{after}"
    )


def _docstring(files: Files, at: Target) -> None:
    before, function, after = _function(files[at.module], at.tool)
    end = function.index('    """\n', function.index('"""') + 3)
    files[at.module] = f"{before}{function[:end]}\n    And: {MARK}.\n{function[end:]}{after}"


def _tool_in_catalog(files: Files, at: Target, change: Callable[[dict[str, object]], None]) -> None:
    lines = files[at.catalog].split("\n")
    for number, line in enumerate(lines):
        if line.startswith(f'{{"name":"{at.tool}",'):
            tool = json.loads(line.rstrip(","))
            change(tool)
            text = json.dumps(tool, ensure_ascii=False, separators=(",", ":"))
            lines[number] = text + ("," if line.endswith(",") else "")
    files[at.catalog] = "\n".join(lines)


def _description(files: Files, at: Target) -> None:
    _tool_in_catalog(files, at, lambda tool: tool.update(description=f"{tool['description']} Note: {MARK}."))


def _title(files: Files, at: Target) -> None:
    _tool_in_catalog(files, at, lambda tool: tool.update(title=f"Title {MARK}"))


def _whole_catalog_indented(files: Files, at: Target) -> None:
    _description(files, at)
    files[at.catalog] = json.dumps(json.loads(files[at.catalog]), indent=2, ensure_ascii=False) + "\n"


def _readme(files: Files, at: Target) -> None:
    files["README.md"] += f"\n## Operations\n\nThis is {MARK}.\n"


def _dependency(files: Files, at: Target) -> None:
    files["pyproject.toml"] = _once(
        files["pyproject.toml"], "dependencies = [\n", f'dependencies = [\n  "rich>=13",  # {MARK}\n'
    )


def _version(files: Files, at: Target) -> None:
    files["pyproject.toml"] = re.sub(
        r'^version = ".*"$', f'version = "1.4.2"\nkeywords = ["{MARK}"]', files["pyproject.toml"], flags=re.M
    )


def _test(files: Files, at: Target) -> None:
    files[f"tests/tools/test_{at.toolset}.py"] += f"\n\ndef test_of_ours() -> None:\n    assert {MARK!r}\n"


def _model(files: Files, at: Target) -> None:
    path = next(
        path
        for path, text in sorted(files.items())
        if path.startswith(f"{at.source}/models/") and f"class {at.model}(" in text
    )
    text = re.sub(rf"(class {at.model}\(.*\):\n)", rf"\1    # {MARK}\n", files[path], count=1)
    files[path] = _once(text, MARK, MARK)


def _runtime(files: Files, at: Target) -> None:
    files[f"{at.source}/_runtime/__init__.py"] += f"\n# {MARK}\n"


def _server(files: Files, at: Target) -> None:
    path = f"{at.source}/server.py"
    files[path] = _once(files[path], "def run() -> None:\n", f"# {MARK}\ndef run() -> None:\n")


def _environment(files: Files, at: Target) -> None:
    files[".env.example"] += f"# {MARK}\nOTHER=1\n"


def _deleted(files: Files, at: Target) -> None:
    del files[".env.example"]


def _own_file(files: Files, at: Target) -> None:
    files[f"{at.source}/tools/own.py"] = f'"""Ours: {MARK}."""\n'


EDITS: dict[str, Edit] = {
    "function body": _body,
    "function renamed": _rename,
    "helper at the end": _helper_last,
    "helper between": _helper_between,
    "decorator": _decorator,
    "docstring": _docstring,
    "description": _description,
    "title": _title,
    "catalogue indented": _whole_catalog_indented,
    "README": _readme,
    "dependency": _dependency,
    "version": _version,
    "test added": _test,
    "model": _model,
    "run-time library": _runtime,
    "server": _server,
    "environment": _environment,
    "file deleted": _deleted,
    "file added": _own_file,
}

IN_THE_CATALOGUE = ("description", "title", "catalogue indented")
"""Edits of a tool's entry, which goes with the tool after a conflict was reported."""
