"""Layers of templates: folders that lie over the built-in one, and how they are found.

A layer mirrors the generated project. `README.md.jinja` in it takes the place of the built-in template of that name,
a name that mcpgen does not have adds a file. What is not there comes from the next weaker layer.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.render.locate import templates_folder
from mcpgen.render.views import CONTEXT_VERSION

PACKAGE = "package:"
"""`package:NAME` or `package:NAME/FOLDER`: a folder of an installed package, `templates` when left out."""
DEFAULT = "default"
SUFFIX = ".jinja"
PARTS = "_parts/"
"""Templates that others include; they make no files."""
SETTINGS = "layer.toml"

_PASSED_OVER = frozenset({".git", ".hg", ".svn", ".mcpgen", "__pycache__", ".DS_Store", "Thumbs.db"})
_LEFTOVER = re.compile(r".*(~|\.swp|\.pyc|\.orig|\.rej)")


@dataclass(frozen=True, slots=True)
class Layer:
    """One folder of templates. `name` is how the user calls it; `files` are paths in it, sorted, with `/`."""

    name: str
    folder: Path
    files: tuple[str, ...]

    def path(self, file: str) -> Path:
        return self.folder / file


def default_layer() -> Layer:
    """The built-in templates: the weakest layer of every stack."""
    return built_in_layer("package")


def built_in_layer(part: str) -> Layer:
    """A folder of mcpgen's own templates."""
    folder = templates_folder() / part
    return Layer(DEFAULT, folder, _files(folder))


def read_stack(
    names: Sequence[str], diagnostics: Collector, where: Location | None = None
) -> tuple[Layer, ...]:
    """The layers, the strongest first and the built-in one last.

    Args:
        names: folders, or `package:NAME` with or without `/FOLDER`, the strongest last.
        diagnostics: where layers that cannot be used are reported, each with a reason.
        where: where the names were written down.

    Raises:
        Refused: there are such layers (`layer-invalid`).
    """
    found: list[Layer] = []
    problems = 0
    for name in names:
        try:
            found.insert(0, _layer(name))
        except (OSError, ValueError) as error:
            problems += 1
            reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            diagnostics.add("layer-invalid", f"The template layer {name} cannot be used: {reason}.", where)
    if problems:
        raise Refused("template layers are wrong")
    return (*found, default_layer())


def template_digest(names: Sequence[str] = ()) -> str:
    """The SHA-256 of all templates, built-in and of these layers: names and contents, in their order.

    Raises:
        OSError: a layer cannot be used.
    """
    sha = hashlib.sha256()
    try:
        layers = (default_layer(), *map(_layer, names))
    except ValueError as error:
        raise OSError(str(error)) from error
    for layer in layers:
        for file in layer.files:
            data = layer.path(file).read_bytes()
            sha.update(f"{file} {len(data)}\n".encode() + data)
        sha.update(b"\0")
    return sha.hexdigest()


def _layer(name: str) -> Layer:
    folder = _package_folder(name.removeprefix(PACKAGE)) if name.startswith(PACKAGE) else Path(name)
    if not folder.is_dir():
        raise ValueError("there is no such folder")
    _check_settings(folder / SETTINGS)
    layer = Layer(name, folder, _files(folder))
    root = folder.resolve()
    for file in layer.files:
        if not layer.path(file).resolve().is_relative_to(root):
            raise ValueError(f"{file} is a link that leads out of it")
    return layer


def _package_folder(text: str) -> Path:
    """The folder of an installed package, found without importing anything of it."""
    package, _, folder = text.partition("/")
    if not package.isidentifier():
        raise ValueError(f"{package!r} is not the name of a top-level package")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"no package {package} is installed beside mcpgen")
    found = Path(next(iter(spec.submodule_search_locations))) / (folder or "templates")
    if not found.is_dir():
        raise ValueError(f"the package {package} has no folder {folder or 'templates'}")
    return found


def _check_settings(path: Path) -> None:
    """`layer.toml`, which a layer may have: `context = N`, the version of the context that it was written for.

    Raises:
        ValueError: it is not that, or the version is another one.
    """
    if not path.is_file():
        return
    try:
        settings: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{SETTINGS} is not TOML: {error}") from error
    unknown = sorted(settings.keys() - {"context"})
    if unknown:
        raise ValueError(f"{SETTINGS} has an unknown key {unknown[0]}; known is: context")
    wanted = settings.get("context", CONTEXT_VERSION)
    if wanted != CONTEXT_VERSION:
        raise ValueError(
            f"it was written for version {wanted} of the template context, and this mcpgen has version {CONTEXT_VERSION}"
        )


def _files(folder: Path) -> tuple[str, ...]:
    found = []
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        if _PASSED_OVER.isdisjoint(relative.parts) and path.is_file() and not _LEFTOVER.fullmatch(path.name):
            found.append(relative.as_posix())
    return tuple(sorted(name for name in found if name != SETTINGS))
