"""Texts of the configuration are data in the generated project, like those of the description."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from mcpgen.config import Config, load_config
from mcpgen.diagnostics import Collector, Refused
from mcpgen.plan.overrides.shapes import ArgumentShape, HintShape, IconShape, OperationShape

from .base import document
from .configured import FIXED, overlay, override, phrases, whole, with_extension, with_operations
from .payloads import HARMLESS, PAYLOADS
from .projects import Project, check, light, make, shape

SOME = [name for number, name in enumerate(PAYLOADS) if number % 8 == 0]


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with light():
        yield


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def is_twin(made: Callable[[str], Project], payload: str) -> None:
    """The payload changes nothing but texts."""
    project, harmless = made(payload), made(HARMLESS)
    assert project.files, [item.message for item in project.diagnostics]
    assert harmless.files
    check(project)
    assert shape(project) == shape(harmless)


@pytest.mark.parametrize("name", SOME)
def test_what_is_said_about_an_operation(name: str, empty: Path) -> None:
    plain = document("3.1")
    is_twin(lambda text: make(plain, empty, with_operations(override(text))), PAYLOADS[name])
    is_twin(lambda text: make(with_extension(override(text)), empty), PAYLOADS[name])
    is_twin(lambda text: make(with_extension(whole(text)), empty), PAYLOADS[name])


def test_every_key_of_an_override_is_tried() -> None:
    said: dict[str, Any] = {**override("x"), **whole("x")}
    tried = {*said, *said["arguments"]["q"], *said["arguments"]["X-Team"], *said["arguments"]["limit"]}
    tried |= {*said["hints"]["404"], *said["icons"][0], *FIXED, "actions", "additive", "idempotent"}
    shapes: tuple[type[BaseModel], ...] = (OperationShape, ArgumentShape, HintShape, IconShape)
    keys = {field.alias or key for shape_ in shapes for key, field in shape_.model_fields.items()}
    assert keys - tried == set()


@pytest.mark.parametrize("name", SOME)
def test_phrases_of_a_team(name: str, empty: Path, tmp_path: Path) -> None:
    def made(text: str) -> Project:
        return make(document("3.1"), empty, Config(phrases=phrases(tmp_path, text)))

    is_twin(made, PAYLOADS[name])


@pytest.mark.parametrize(
    "text", ["{text:{text}}", "{text:>999999999}", "{text!r}", "{text.__class__}", "{0}", "{"]
)
def test_a_phrase_only_has_places_for_words(text: str, empty: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'scope = "{text}"\n', encoding="utf-8")
    project = make(document("3.1"), empty, Config(phrases=path))
    assert not project.files
    assert "config-invalid" in {item.code for item in project.diagnostics}


@pytest.mark.parametrize("name", SOME)
def test_overlays(name: str, empty: Path, tmp_path: Path) -> None:
    def made(text: str) -> Project:
        return make(document("3.1"), empty, Config(overlays=(overlay(tmp_path, text),)))

    is_twin(made, PAYLOADS[name])


@pytest.mark.parametrize("key", ["package", "name", "env_prefix", "server_url"])
def test_names_of_the_project_are_checked(key: str, empty: Path, tmp_path: Path) -> None:
    """Most payloads are refused; those that are no fault of a name or an address are data."""
    for name in PAYLOADS:
        _named(key, name, empty, tmp_path)


def _named(key: str, name: str, empty: Path, tmp_path: Path) -> None:
    good = {"package": "notes", "name": "notes", "env_prefix": "NOTES", "server_url": "https://example.com/"}
    path = tmp_path / "mcpgen.toml"
    text = "".join(
        f"\\U{ord(character):08X}" for character in PAYLOADS[name] if not 0xD7FF < ord(character) < 0xE000
    )
    path.write_text(f'[project]\n{key} = "{good[key]}{text}"\n', encoding="utf-8")
    try:
        config = load_config(path, Collector())
    except Refused:
        return
    check(make(document("3.1"), empty, config))


@pytest.mark.parametrize("name", SOME)
def test_selections_and_settings(name: str, empty: Path) -> None:
    def made(text: str) -> Project:
        server = {"redact_names": f"a{text}", "allowed_hosts": f"b{text}"}
        tools = {"list_notes": {"scopes": [f"read{text}"]}}
        return make(
            document("3.1"), empty, Config(server=server, tools=tools, exclude=("tag:admin", "method:DELETE"))
        )

    is_twin(made, PAYLOADS[name])
