"""A project with settings and policies from `mcpgen.toml`: they hold in its server, and its own tests still pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from mcpgen.cli.main import main

SPEC = Path(__file__).parents[2] / "specs" / "orders" / "openapi.yaml"
CONFIG = """
[server]
deny_tools = ["delete_*"]

[tools."search_*"]
fields = ["orders.order_id"]

[tools.create_refund]
confirm = "always"
limits = { amount_cents = { maximum = 10000 } }
repeat_window = 300

[tools.search_orders]
paging = { kind = "cursor", items = "/orders", next = "/next_cursor", argument = "cursor", size = "limit" }
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("policies")
    (folder / "mcpgen.toml").write_text(CONFIG)
    target = folder / "orders"
    done = CliRunner().invoke(
        main, ["generate", str(SPEC), "--output", str(target), "--config", str(folder / "mcpgen.toml")]
    )
    assert done.exit_code == 0, done.output
    return target


def python(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {"PYTHONPATH": str(project / "src")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True, check=False)


def test_the_server_follows_them(project: Path) -> None:
    script = """
import json
from orders_mcp._runtime.app import App
app = App.start("orders_mcp", {"ORDERS_ALLOW_EFFECTS": "read,write,destructive"})
amount = app.catalog.tool_by_name["create_refund"]["inputSchema"]["properties"]["amount_cents"]
print(json.dumps([sorted(app.registered), amount["maximum"], app.policy("create_refund").confirm]))
"""
    done = python(project, "-c", script)
    registered, maximum, confirm = json.loads(done.stdout or done.stderr)
    assert "delete_order_note" not in registered
    assert "search_orders" in registered
    assert (maximum, confirm) == (10000, "always")


def test_its_own_tests_pass(project: Path, expect_sound: Callable[..., None]) -> None:
    expect_sound(project)


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("[tools.serch_orders]\npaging = false\n", "no tool has this name (did you mean 'search_orders'?)"),
        ('[tools."serch_*"]\npaging = false\n', "no tool has this name"),
    ],
)
def test_paging_of_a_tool_that_is_not_there(tmp_path: Path, section: str, told: str) -> None:
    (tmp_path / "mcpgen.toml").write_text(section)
    arguments = [
        "generate",
        str(SPEC),
        "--output",
        str(tmp_path / "out"),
        "--config",
        str(tmp_path / "mcpgen.toml"),
    ]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1
    assert told in done.output
    assert not (tmp_path / "out").exists()


def test_a_pattern_switches_paging_off(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.toml").write_text('[tools."search_*"]\npaging = false\n')
    arguments = [
        "generate",
        str(SPEC),
        "--output",
        str(tmp_path / "out"),
        "--config",
        str(tmp_path / "mcpgen.toml"),
    ]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    catalogue = json.loads((tmp_path / "out" / "src" / "orders_mcp" / "catalog.json").read_text())
    assert "paging" not in catalogue["operations"]["search_orders"]
