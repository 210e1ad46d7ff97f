"""README, `.env.example` and `pyproject.toml` of a generated project name every variable that the operator can set."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate


def document(scheme: dict[str, Any], servers: list[dict[str, Any]]) -> bytes:
    return json.dumps(
        {
            "openapi": "3.2.0",
            "info": {"title": "Shop", "version": "1"},
            "servers": servers,
            "security": [{"it|s": []}],
            "components": {"securitySchemes": {"it|s": scheme}},
            "paths": {"/a": {"get": {"responses": {"200": {"description": "ok"}}}}},
        }
    ).encode()


@pytest.mark.parametrize("login", [True, False])
def test_every_variable_is_named(tmp_path: Path, login: bool) -> None:
    scheme = (
        {"type": "openIdConnect", "openIdConnectUrl": "https://id.test/o"} if login else {"type": "mutualTLS"}
    )
    stage = {"default": "a|b", "enum": ["a|b", "<c>"], "description": "which\none"}
    servers = [
        {"url": "https://{stage}.test", "name": "prod", "variables": {"stage": stage}},
        {"url": "https://{x}.test"},
    ]
    outcome = generate(
        GenerateRequest(spec="-", output=tmp_path / "out", stdin=document(scheme, servers)), Collector()
    )
    assert not outcome.refused
    assert outcome.plan is not None
    (auth,) = outcome.plan.auth
    names = ["SHOP_SERVER", "SHOP_SERVER_STAGE", "SHOP_SERVER_X", "SHOP_FORWARD_AUTHORIZATION"]
    names += [*auth.env.values(), *auth.options.values()]
    names += ["SHOP_LOGIN_STORE", "SHOP_STATE_DIR"] if login else []
    readme = (tmp_path / "out/README.md").read_text()
    example = (tmp_path / "out/.env.example").read_text()
    for name in names:
        assert f"| `{name}` |" in readme
        assert f"{name}=" in example
    assert ("python -m shop_mcp login" in readme) is login
    table = [line for line in readme.splitlines() if line.startswith("| `SHOP_")]
    assert all(line.replace("\\|", "").count("|") == 4 for line in table)
    extras = tomllib.loads((tmp_path / "out/pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert ("keyring" in extras) is login


def test_the_defaults_are_those_of_the_project(tmp_path: Path) -> None:
    """Whoever loads `.env.example` as it stands changes nothing, least of all what the team has narrowed."""
    config = Config(server={"allow_effects": "read", "confirm": "write", "timeout": "20"})
    request = GenerateRequest(
        spec="-",
        output=tmp_path / "out",
        stdin=document({"type": "mutualTLS"}, [{"url": "https://a.test"}]),
        config=config,
    )
    assert not generate(request, Collector()).refused
    example = (tmp_path / "out/.env.example").read_text()
    for line in ("# SHOP_ALLOW_EFFECTS=read", "# SHOP_CONFIRM=write", "# SHOP_TIMEOUT=20"):
        assert line in example.splitlines()
    assert not [
        line for line in example.splitlines() if line and not line.startswith("#") and not line.endswith("=")
    ]
    readme = (tmp_path / "out/README.md").read_text()
    assert "| `SHOP_ALLOW_EFFECTS` | which effects are registered as tools | `read` |" in readme
