"""What the lock says about the input of a run can be found again from any working folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.emit import sources_of
from mcpgen.emit.sources import found_from


def test_layers_are_recorded_as_seen_from_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, layer = tmp_path / "projects" / "orders", tmp_path / "team" / "templates"
    layer.mkdir(parents=True)
    options = {"layers": (str(layer), "package:acme_templates"), "overlays": (tmp_path / "more.yaml",)}

    found = sources_of(str(tmp_path / "openapi.yaml"), None, options, project)

    assert found.options == {
        "layers": ["../../team/templates", "package:acme_templates"],
        "overlays": ["../../more.yaml"],
    }
    monkeypatch.chdir(tmp_path)
    again = found_from(Path("projects/orders"), found)
    assert again.options["layers"] == ("team/templates", "package:acme_templates")
    assert [path.resolve() for path in again.options["overlays"]] == [tmp_path / "more.yaml"]
    assert again.spec == "openapi.yaml"
