"""What the tests of `verify` share: a plan from a small document."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, Planned, plan_spec

Plan = Callable[..., Planned]


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Plans a document that is given by its paths; further members of the root by name."""

    def made(paths: dict[str, Any], **root: Any) -> Planned:
        document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, **root}
        if "swagger" in document:
            del document["openapi"]
        path = tmp_path / "api.json"
        path.write_text(json.dumps(document, indent=1), "utf-8")
        return plan_spec(GenerateRequest(spec=str(path)), Collector())

    return made
