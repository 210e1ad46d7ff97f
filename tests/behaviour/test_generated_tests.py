"""The tests of a generated project: edits of a team fail the right tests, which say what differs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FAILED = re.compile(r"^FAILED tests/tools/test_\w+\.py::(\w+)\[(\w+?)-", re.MULTILINE)


@pytest.fixture
def project(tmp_path: Path, mcpgen_command: Callable[..., Any]) -> Path:
    output = tmp_path / "orders"
    spec = ROOT / "specs" / "orders" / "openapi.yaml"
    done = mcpgen_command("generate", str(spec), "--output", str(output), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return output


def edit(project: Path, file: str, old: str, new: str) -> None:
    path = project / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def said_by_pytest(project: Path, *options: str) -> str:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "MCPGEN"))}
    plugins = (f"-pno:{name}" for name in ("cacheprovider", "xdist", "hypothesispytest"))
    command = [sys.executable, "-m", "pytest", "-q", *plugins, *options]
    done = subprocess.run(command, cwd=project, env=clean, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_each_edit_of_a_tool_fails_its_own_tests(project: Path) -> None:
    orders, refunds = "src/orders_mcp/tools/orders.py", "src/orders_mcp/tools/refunds.py"
    edit(project, orders, '{"include_tracking": include_tracking}', "{}")
    edit(
        project,
        orders,
        '{"order_id": order_id, "note_id": note_id}',
        '{"order_id": note_id, "note_id": note_id}',
    )
    edit(project, orders, '"action": "hold"', '"action": "cancel"')
    edit(project, refunds, 'header={"Idempotency-Key": idempotency_key},', 'header={"X-Key": "1"},')
    catalog = project / "src" / "orders_mcp" / "catalog.json"
    text, count = re.subn(
        r'("get_tracking":\{[^\n]*?"method":)"GET"', r'\1"POST"', catalog.read_text("utf-8")
    )
    assert count == 1
    catalog.write_text(text, "utf-8")

    said = said_by_pytest(project, "tests/tools")

    requests = {tool for test, tool in FAILED.findall(said) if test == "test_request"}
    assert requests == {"get_order", "delete_order_note", "hold_order", "create_refund", "get_tracking"}
    for told in (
        r'get_order, full call .*\n.*query `include_tracking`: expected "include_tracking=\w+", got nothing',
        r"delete_order_note, minimal call .*\n.* path: expected ",
        r'hold_order, minimal call .*\n.*body/action: expected "hold", got "cancel"',
        r'create_refund, minimal call .*\n(.*\n)*?.*header x-key: expected nothing, got "1"',
        r'get_tracking, minimal call .*\n.*method: expected "GET", got "POST"',
        r"expected in: tests/cases/orders/get_order\.json",
    ):
        assert re.search(told, said), told


def test_a_header_of_the_hooks_is_told_and_can_be_expected(project: Path) -> None:
    hook = '\n\nasync def before_request(call: object, request: PreparedRequest) -> None:\n    request.headers["X-Team"] = "a"\n'
    hooks = project / "src" / "orders_mcp" / "hooks.py"
    hooks.write_text(f"{hooks.read_text('utf-8')}\nfrom ._runtime import PreparedRequest\n{hook}", "utf-8")

    said = said_by_pytest(project, "-k", "get_tracking", "tests/tools")
    assert 'header x-team: expected nothing, got "a"' in said
    assert "`before_request` in hooks.py" in said
    assert {tool for _, tool in FAILED.findall(said)} == {"get_tracking"}

    edit(project, "tests/harness.py", "ADDED_HEADERS: dict[str, str] = {}", 'ADDED_HEADERS = {"X-Team": "a"}')
    said = said_by_pytest(project, "-k", "get_tracking", "tests/tools")
    assert " passed" in said
    assert "failed" not in said
