"""Renders a small API with layers of templates that a test writes down."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Collector, Refused
from mcpgen.models.generate import generate_models
from mcpgen.models.model import Models
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import PackagePlan, SpecText
from mcpgen.render.layers import read_stack
from mcpgen.render.renderer import Templates, render

TITLE = "Fine Shop"


@dataclass
class Rendering:
    """What came of it: the texts by path, and what was said as `layer/file:line: message`."""

    files: dict[str, str]
    problems: list[str]


Render = Callable[..., Rendering]


@pytest.fixture(scope="session")
def planned() -> tuple[PackagePlan, Models]:
    answer = {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": "1"},
        "servers": [{"url": "https://shop.test"}],
        "paths": {
            "/things": {"get": {"operationId": "listThings", "tags": ["a"], "responses": {"200": answer}}}
        },
    }
    found = plan_spec(GenerateRequest(spec="-", stdin=json.dumps(document).encode()), Collector())
    return found.plan, generate_models(found.plan, found.api.schemas, diagnostics=Collector())


@pytest.fixture
def rendered(planned: tuple[PackagePlan, Models], tmp_path: Path) -> Render:
    """Layers as texts by path, the strongest last."""

    def render_layers(*layers: Mapping[str, str], title: str = TITLE, **filters: Any) -> Rendering:
        plan, models = planned
        for number, files in enumerate(layers):
            (tmp_path / f"layer{number}").mkdir(exist_ok=True)
            for name, text in files.items():
                path = tmp_path / f"layer{number}" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
        names = [str(tmp_path / f"layer{number}") for number in range(len(layers))]
        diagnostics = Collector()
        try:
            templates = Templates(read_stack(names, diagnostics), filters)
            plan = replace(plan, title=SpecText(title))
            data: dict[str, Any] = {"catalog.json": {}}
            files = render(plan, models, data, diagnostics=diagnostics, templates=templates)
        except Refused:
            return Rendering({}, [_said(item, tmp_path) for item in diagnostics])
        return Rendering({str(file.path): file.text for file in files}, [])

    return render_layers


def _said(item: Any, folder: Path) -> str:
    place = item.location
    if place is None:
        return str(item.message)
    file = Path(place.file)
    name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name
    return f"{name}{'' if place.line is None else f':{place.line}'}: {item.message}"
