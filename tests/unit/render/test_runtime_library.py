"""The run-time library as a distribution: what its version stands for, and the door that projects have to it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import mcpgen
import mcpgen.runtime
from mcpgen.emit.format import format_text
from mcpgen.plan.model import Code
from mcpgen.render import library as library_module
from mcpgen.render.library import REQUIREMENTS, Library, RuntimeMode, read_library
from mcpgen.render.sharing import distribution_files, needs, runtime_modules

RUNTIME = Path(mcpgen.__file__).parent / "runtime"
SOURCE = PurePosixPath("src/mcpgen_runtime")


def modules() -> Iterator[tuple[PurePosixPath, str]]:
    for path in RUNTIME.rglob("*.py"):
        yield PurePosixPath(path.relative_to(RUNTIME).as_posix()), path.read_text("utf-8")


def library(**texts: str) -> Library:
    return Library({PurePosixPath(f"{name}.py"): text for name, text in texts.items()})


def test_the_library_is_all_that_is_in_its_folder() -> None:
    assert dict(read_library().modules) == dict(modules())


def test_the_fingerprint_is_about_every_text_name_and_requirement(monkeypatch: pytest.MonkeyPatch) -> None:
    one = library(a="x = 1\n", b="")
    others = [
        library(a="x = 2\n", b=""),
        library(a="x = 1\n", c=""),
        library(a="x = 1\n"),
        library(a="", b="x = 1\n"),
    ]
    found = [entry.fingerprint for entry in (one, *others)]
    assert one.fingerprint == library(a="x = 1\n", b="").fingerprint
    monkeypatch.setattr(library_module, "REQUIREMENTS", (*REQUIREMENTS, "more>=1"))
    found.append(one.fingerprint)
    assert len(set(found)) == len(found)


def test_a_requirement_means_one_library_only(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = library(a=""), library(a="x = 1\n")
    version = Version(one.version)
    assert str(version) == one.version
    assert version.base_version == mcpgen.__version__
    assert version.local is None, "indexes refuse local versions"
    assert version.post is not None
    assert version.post < 2**63
    wanted = SpecifierSet(one.requirement.removeprefix("mcpgen-runtime"))
    assert [entry for entry in (one.version, other.version, version.base_version) if entry in wanted] == [
        one.version
    ]
    monkeypatch.setattr(mcpgen, "__version__", "9.1.0.dev3")
    assert Version(one.version).base_version == "9.1.0"
    assert one.fingerprint == library(a="").fingerprint, "the same content is the same library"


def test_what_is_public_is_what_the_library_says() -> None:
    assert list(read_library().public) == mcpgen.runtime.__all__
    with pytest.raises(ValueError, match="does not say what is public"):
        _ = library(__init__="").public


def test_a_copy_is_the_library_and_a_door_is_one_module() -> None:
    assert dict(runtime_modules(RuntimeMode.VENDORED)) == dict(modules())
    [(path, text)] = runtime_modules(RuntimeMode.PACKAGE)
    assert path == PurePosixPath("__init__.py")
    assert format_text(text) == text, "the template is not in the shape of black"
    assert all(f'"{name}",' in text for name in mcpgen.runtime.__all__)


def test_the_distribution_is_the_library_byte_for_byte_and_always_the_same() -> None:
    files = distribution_files()
    assert list(files.items()) == list(distribution_files().items())
    own = {path.relative_to(SOURCE): text for path, text in files.items() if path.is_relative_to(SOURCE)}
    added = own.keys() - dict(modules()).keys()
    assert {str(path) for path in added} == {"_identity.py", "py.typed"}
    assert {path: text for path, text in own.items() if path not in added} == dict(modules())
    assert {str(path) for path in files if not path.is_relative_to(SOURCE)} == {"README.md", "pyproject.toml"}


def test_the_requirements_have_one_home() -> None:
    project = tomllib.loads(distribution_files()[PurePosixPath("pyproject.toml")])["project"]
    assert project["dependencies"] == list(REQUIREMENTS) == list(needs(RuntimeMode.VENDORED).requirements)
    assert project["version"] == read_library().version
    assert needs(RuntimeMode.PACKAGE).requirements == (Code(f"mcpgen-runtime=={project['version']}"),)


def test_no_template_of_a_project_knows_of_the_difference() -> None:
    folder = Path(mcpgen.__file__).parents[1] / "templates" / "package"
    texts = [path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()]
    assert texts
    assert not [text for text in texts if "mcpgen-runtime" in text or "mcpgen_runtime" in text]
