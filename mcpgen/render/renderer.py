"""Turns a plan into files in memory. Which file comes from which template is said here, once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from jinja2 import TemplateError
from jinja2.exceptions import TemplateSyntaxError

import mcpgen
from mcpgen.diagnostics import Collector
from mcpgen.emit.model import Ownership, RenderedFile
from mcpgen.models.model import Models
from mcpgen.plan.model import Code, PackagePlan, SpecText
from mcpgen.render.environment import make_environment
from mcpgen.render.locate import runtime_folder, templates_folder
from mcpgen.render.views import package_view, tool_module

_ROOT = {
    "pyproject.toml.jinja": "pyproject.toml",
    "README.md.jinja": "README.md",
    "env.example.jinja": ".env.example",
    "gitignore.jinja": ".gitignore",
}
_PACKAGE = (
    "__init__.py",
    "__main__.py",
    "server.py",
    "models/__init__.py",
    "models/base.py",
    "tools/__init__.py",
)
_SHAPED = ("src/package/models/module.py.jinja", "src/package/tools/toolset.py.jinja")
"""Templates that give what black would, but for lines that are too long (`layout`, `mcpgen.models.generate`)."""
_TESTS = ("conftest.py", "test_server.py", "test_tools.py")


def render(
    plan: PackagePlan,
    models: Models,
    data: Mapping[str, Any],
    *,
    diagnostics: Collector,
    layers: Sequence[Path] = (),
) -> list[RenderedFile]:
    """All files of the generated project.

    Args:
        plan: what to emit.
        models: the model modules and result types.
        data: the JSON documents of the project by path below the package folder or, with a leading `/`, below the root.
        diagnostics: where a failing template is reported.
        layers: template folders of the team, the strongest first.

    Raises:
        Refused: a template fails.
    """
    environment = make_environment([*layers, templates_folder()])
    view = package_view(plan, f"mcpgen {mcpgen.__version__}")
    source = PurePosixPath("src") / plan.package

    def one(
        template: str, path: PurePosixPath, ownership: Ownership = Ownership.GENERATED, **more: Any
    ) -> RenderedFile:
        try:
            found = environment.get_template(f"package/{template}")
            text = found.render(package=view, **more)
        except (TemplateError, TypeError) as error:
            raise diagnostics.refuse("render-failed", f"{_place(template, error)}: {error}") from error
        ours = found.filename is not None and Path(found.filename).is_relative_to(templates_folder())
        return RenderedFile(path, text, ownership, shaped=ours and template in _SHAPED)

    files = [one(template, PurePosixPath(name)) for template, name in _ROOT.items()]
    files += [one(f"src/package/{name}.jinja", source / name) for name in _PACKAGE]
    files.append(one("src/package/hooks.py.jinja", source / "hooks.py", Ownership.USER))
    for module, body in sorted(models.modules.items()):
        title = next((t.label for t in plan.toolsets if t.module == module), SpecText("several toolsets"))
        files.append(
            one(
                "src/package/models/module.py.jinja",
                source / "models" / f"{module}.py",
                title=title,
                body=Code(body),
            )
        )
    for toolset in plan.toolsets:
        path = source / "tools" / f"{toolset.module}.py"
        files.append(
            one("src/package/tools/toolset.py.jinja", path, module=tool_module(toolset, models.types))
        )
    files += [one(f"tests/{name}.jinja", PurePosixPath("tests") / name) for name in _TESTS]
    files += [_document(source, name, value) for name, value in data.items()]
    return [*files, *_runtime(source / "_runtime")]


def _place(template: str, error: Exception) -> str:
    if isinstance(error, TemplateSyntaxError):
        return f"{error.name or template}:{error.lineno}"
    traceback = error.__traceback__
    number = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename.endswith(".jinja"):
            number = traceback.tb_lineno
        traceback = traceback.tb_next
    return f"{template}:{number}" if number else template


def _document(source: PurePosixPath, name: str, value: Any) -> RenderedFile:
    path = PurePosixPath(name[1:]) if name.startswith("/") else source / name
    return RenderedFile(path, _lines(value), Ownership.GENERATED)


def _lines(document: Mapping[str, Any]) -> str:
    """JSON with one line for each entry of the second level: small, and a change shows as the line of its tool."""
    members = []
    for key, value in document.items():
        opened, closed = ("{", "}") if isinstance(value, Mapping) else ("[", "]")
        items = [f"{_json(k)}:{_json(v)}" for k, v in value.items()] if isinstance(value, Mapping) else []
        items = [_json(item) for item in value] if isinstance(value, list) else items
        body = ",\n".join(items)
        members.append(
            f"{_json(key)}:{opened}\n{body}\n{closed}" if items else f"{_json(key)}:{_json(value)}"
        )
    return "{" + ",\n".join(members) + "}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _runtime(target: PurePosixPath) -> Iterator[RenderedFile]:
    """The run-time library, byte for byte."""
    folder = runtime_folder()
    for file in sorted(folder.rglob("*.py")):
        path = target / file.relative_to(folder).as_posix()
        yield RenderedFile(path, file.read_text(encoding="utf-8"), Ownership.VENDORED)
