"""`mcpgen export`: what it writes, what it says of what can't be strict, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main

PLACE = "out/src/shop_mcp/catalog.json"


def tool(name: str, properties: dict[str, Any], *required: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    output = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, "outputSchema": output}


TOOLS = [
    tool("drop_item", {"id": {"type": "string"}}, "id"),
    tool("get_item", {"id": {"type": "string", "maxLength": 9}, "note": {"type": ["string", "null"]}}, "id"),
    tool("make_item", {"meta": {"type": "object"}, "any": {}, "when": {"type": "object", "properties": {}}}),
]
EFFECTS = {"drop_item": "destructive", "get_item": "read", "make_item": "write"}


def write(folder: Path, **more: Any) -> Path:
    """A project; its catalogue has one line for each tool, as generated ones have."""
    project = folder / "out"
    package = project / "src" / "shop_mcp"
    package.mkdir(parents=True, exist_ok=True)
    head = {
        "schema_version": 1,
        "server": {"name": "shop-mcp", "env_prefix": "SHOP"},
        "project": {"package": "shop_mcp", "source_root": "src"},
        "operations": {
            name: {"effect": effect, "toolset": "stock" if effect == "read" else "admin", "arguments": []}
            for name, effect in EFFECTS.items()
        },
        **more,
    }
    lines = ",\n".join(json.dumps(one) for one in TOOLS)
    (package / "catalog.json").write_text(json.dumps(head)[:-1] + ',\n"tools":[\n' + lines + "\n]}\n")
    return project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return Path("out")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["export", *arguments])


def names(result: Result) -> list[str]:
    return [entry["name"] for entry in json.loads(result.stdout)]


def test_the_tools_of_a_request_come_out(project: Path) -> None:
    result = run(str(project), "--format", "anthropic")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == [
        {"name": one["name"], "description": one["description"], "input_schema": one["inputSchema"]}
        for one in TOOLS[1:]
    ]
    assert result.stderr == "2 tools.\n"


OWN = """
from ._runtime import tool, tool as other
raise SystemExit("never run")

async def before_request(call, request): ...

@tool(effect="read")
async def sum_up(call): ...

@other(effect="read")
async def not_known_by_this_name(call): ...

@_runtime.tool(effect="read", name="sell")
async def do_sell(call): ...
"""


def test_tools_of_a_team_are_named_without_running_its_code(project: Path) -> None:
    hooks = project / "src/shop_mcp/hooks.py"
    hooks.write_text(OWN)
    result = run(str(project), "--format", "anthropic")
    assert result.exit_code == 0
    assert len(names(result)) == 2
    assert f"{hooks}:8:1: info[own-tools-unseen]: " in result.stderr
    assert "without running your code: sum_up, sell." in result.stderr
    hooks.write_text("async def before_request(call, request): ...\n")
    assert "own-tools" not in run(str(project), "--format", "anthropic").stderr
    hooks.write_text("async def (\n")
    assert run(str(project), "--format", "anthropic").exit_code == 0


def test_gemini_has_its_declarations_in_one_tool(project: Path) -> None:
    [entry] = json.loads(run(str(project), "--format", "gemini").stdout)
    assert [one["name"] for one in entry["functionDeclarations"]] == ["get_item", "make_item"]


def test_what_is_not_strict_is_told_and_defined_as_it_is(project: Path) -> None:
    result = run(str(project), "--format", "openai-strict", "--api", "responses")
    assert result.exit_code == 0
    assert [(entry["name"], entry["strict"]) for entry in json.loads(result.stdout)] == [
        ("get_item", True),
        ("make_item", False),
    ]
    assert result.stderr.splitlines() == [
        f"{PLACE}: info[definition-changed]: maxLength: the format has no keyword for it; the descriptions say it, "
        "and calls are checked (get_item /properties/id).",
        f"{PLACE}: info[definition-changed]: null means left out, so null itself cannot be given "
        "(get_item /properties/note).",
        f"{PLACE}:5:106: warning[definition-not-strict]: make_item: not strict: /properties/meta: the object says "
        "nothing of its fields (and 2 more reasons).",
        "2 tools, 1 strict and 1 not.",
    ]


def test_warnings_can_fail_the_run(project: Path) -> None:
    result = run(str(project), "--format", "openai-strict", "--strict", "--quiet")
    assert result.exit_code == 1
    assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["warning[definition-not-strict]"]
    assert len(json.loads(result.stdout)) == 2
    assert run(str(project), "--format", "openai-strict", "--strict", "--tool", "get_*").exit_code == 0


def test_it_writes_to_a_file(project: Path) -> None:
    result = run(str(project), "--format", "openai", "--output", "tools.json", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert len(json.loads(Path("tools.json").read_text("utf-8"))) == 2
    again = run(str(project), "--format", "openai", "--output", "nowhere/tools.json")
    assert again.exit_code == 2
    assert "--output: nowhere/tools.json cannot be written: No such file or directory." in again.stderr


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--effects", "read"], ["get_item"]),
        (["--effects", "read,write,destructive"], ["drop_item", "get_item", "make_item"]),
        (["--toolset", "stock"], ["get_item"]),
        (["--toolset", "stock", "--toolset", "admin"], ["get_item", "make_item"]),
        (["--tool", "make_*", "--tool", "get_item"], ["get_item", "make_item"]),
    ],
)
def test_tools_are_chosen_as_for_the_server(project: Path, options: list[str], expected: list[str]) -> None:
    assert names(run(str(project), "--format", "anthropic", *options)) == expected


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            ["--effects", "reads"],
            "--effects: 'reads' is not one of read, write, destructive (did you mean 'read'?)",
        ),
        (["--toolset", "stok"], "--toolset: 'stok' is not one of admin, stock (did you mean 'stock'?)"),
        (["--tool", "get_itm"], "--tool: no tool is called 'get_itm' (did you mean 'get_item'?)"),
        (["--tool", "x*"], "--tool: no tool matches 'x*'"),
        (["--api", "responses"], "--api is for the formats openai and openai-strict."),
    ],
)
def test_a_wrong_choice_is_wrong_usage(project: Path, options: list[str], error: str) -> None:
    result = run(str(project), "--format", "anthropic", *options)
    assert result.exit_code == 2
    assert error in result.stderr
    assert result.stdout == ""


def test_nothing_left_is_refused(project: Path) -> None:
    result = run(str(project), "--format", "anthropic", "--tool", "drop_*")
    assert result.exit_code == 1
    assert result.stderr == (
        f"{PLACE}: error[export-empty]: No tool is left to export. Destructive tools are exported with --effects "
        "read,write,destructive.\n"
    )


def test_a_folder_without_a_project_is_refused(tmp_path: Path) -> None:
    result = run(str(tmp_path), "--format", "openai")
    assert result.exit_code == 1
    assert "error[source-unreadable]: The folder is not a generated project" in result.stderr


def test_settings_and_policies_of_the_project_hold(tmp_path: Path) -> None:
    policies = {"get_item": {"limits": {"id": {"max_length": 3}}}}
    project = write(
        tmp_path, settings={"deny_tools": "make_*", "allow_effects": "read,write"}, policies=policies
    )
    result = run(str(project), "--format", "openai", "--quiet")
    [entry] = json.loads(result.stdout)
    assert entry["function"]["name"] == "get_item"
    assert entry["function"]["parameters"]["properties"]["id"]["maxLength"] == 3
