"""What becomes of a client's file: what is kept, what is refused, and what is shown."""

from __future__ import annotations

import codecs
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mcpgen.connect import toml
from mcpgen.connect.clients import CLIENTS
from mcpgen.connect.entries import entry_for
from mcpgen.connect.files import Plan, plan_change
from mcpgen.connect.model import Entry, FileProblem, Launch, Server, Variable

TOKEN = Variable("P_TOKEN", True, "token")
SERVER = Server("p", Launch("/bin/python", "p_mcp", "/p/src"), variables=(TOKEN,))
RUNNING = Server("p", url="https://mcp.example.com/mcp")


def planned(path: Path, client: str, server: Server = SERVER) -> Plan:
    return plan_change(CLIENTS[client], server.name, entry_for(CLIENTS[client], server), path)


def after(path: Path, client: str, server: Server = SERVER) -> Any:
    text = planned(path, client, server).after.decode("utf-8-sig")
    return tomllib.loads(text) if CLIENTS[client].toml else json.loads(text)


def put(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def test_a_new_file_holds_the_entry_alone(tmp_path: Path) -> None:
    plan = planned(tmp_path / "x.json", "cursor")
    assert (plan.before, plan.replaces) == (None, False)
    assert json.loads(plan.after) == {"mcpServers": {"p": entry_for(CLIENTS["cursor"], SERVER).value}}
    assert all(line.startswith("+") for line in plan.lines)


@pytest.mark.parametrize("client", CLIENTS)
def test_entering_twice_changes_nothing_the_second_time(client: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(planned(path, client).after)
    again = planned(path, client)
    assert (again.after, again.lines, again.replaces) == (path.read_bytes(), (), False)


def test_what_the_user_filled_in_and_added_stays(tmp_path: Path) -> None:
    mine = {"command": "/old", "args": ["-m", "old"], "disabled": True, "timeout": 5}
    mine["env"] = {"P_TOKEN": "s3cret", "P_MODE": "search", "PYTHONPATH": "/old"}
    path = put(tmp_path / "x.json", {"mcpServers": {"p": mine, "q": {"command": "q"}}, "more": 1})
    found = after(path, "cursor")
    assert found["mcpServers"]["p"] == {
        "command": "/bin/python",
        "args": ["-P", "-m", "p_mcp"],
        "disabled": True,
        "timeout": 5,
        "env": {"P_TOKEN": "s3cret", "P_MODE": "search", "PYTHONPATH": "/p/src"},
    }
    assert (found["mcpServers"]["q"], found["more"]) == ({"command": "q"}, 1)


def test_a_path_that_is_no_longer_needed_goes(tmp_path: Path) -> None:
    path = put(tmp_path / "x.json", {"mcpServers": {"p": entry_for(CLIENTS["zed"], SERVER).value}})
    installed = Server("p", Launch("/bin/python", "p_mcp"), variables=(TOKEN,))
    entry = entry_for(CLIENTS["cursor"], installed)
    changed = json.loads(plan_change(CLIENTS["cursor"], "p", entry, path).after)
    assert "PYTHONPATH" not in changed["mcpServers"]["p"]["env"]


def test_an_entry_of_the_other_kind_is_not_mixed_in(tmp_path: Path) -> None:
    old = {"command": "x", "env": {"P_TOKEN": "s3cret"}, "disabled": True}
    path = put(tmp_path / "x.json", {"mcpServers": {"p": old}})
    plan = planned(path, "cursor", RUNNING)
    assert plan.replaces
    assert json.loads(plan.after) == {"mcpServers": {"p": {"url": RUNNING.url}}}


def test_values_of_others_are_not_shown(tmp_path: Path) -> None:
    old = {
        "command": "x",
        "args": ["--key", "s3cret"],
        "env": {"P_TOKEN": "s3cret"},
        "headers": {"A": "s3cret"},
    }
    plan = planned(put(tmp_path / "x.json", {"mcpServers": {"p": old}}), "cursor")
    assert plan.replaces
    assert "s3cret" not in "\n".join(plan.lines)
    assert '-  "command": "x",' in plan.lines
    assert '+  "command": "/bin/python",' in plan.lines
    assert "s3cret" in plan.after.decode()


def test_an_entry_that_is_no_object_is_replaced_whole(tmp_path: Path) -> None:
    plan = planned(put(tmp_path / "x.json", {"mcpServers": {"p": "s3cret"}}), "cursor")
    assert plan.replaces
    assert "s3cret" not in "\n".join(plan.lines)


def test_vscode_keeps_inputs_and_adds_each_once(tmp_path: Path) -> None:
    mine = {"id": "mine", "type": "promptString"}
    path = put(tmp_path / "x.json", {"inputs": [mine], "servers": {}})
    found = after(path, "vscode")
    assert [one["id"] for one in found["inputs"]] == ["mine", "p-p-token"]
    found["servers"]["p"]["command"] = "/old"
    assert after(put(path, found), "vscode")["inputs"] == found["inputs"]


def test_vscode_asks_for_nothing_that_is_filled_in(tmp_path: Path) -> None:
    old = {"command": "x", "env": {"P_TOKEN": "${env:MY_TOKEN}"}}
    found = after(put(tmp_path / "x.json", {"servers": {"p": old}}), "vscode")
    assert "inputs" not in found
    assert found["servers"]["p"]["env"]["P_TOKEN"] == "${env:MY_TOKEN}"


def test_codex_does_not_forward_what_is_filled_in(tmp_path: Path) -> None:
    text = (
        '# mine\n[mcp_servers.p]\ncommand = "x" # old\nstartup_timeout_sec = 9\nenv = {P_TOKEN = "s3cret"}\n'
    )
    plan = planned(put(tmp_path / "x.toml", text), "codex")
    assert tomllib.loads(plan.after.decode())["mcp_servers"]["p"] == {
        "command": "/bin/python",
        "args": ["-P", "-m", "p_mcp"],
        "startup_timeout_sec": 9,
        "env": {"P_TOKEN": "s3cret", "PYTHONPATH": "/p/src"},
    }
    assert plan.after.startswith(b"# mine\n[mcp_servers.p]\n")


TOML = '# top\nmodel = "m"   # best\n\n[mcp_servers.other] # q\ncommand = "q"\n\n[profiles.a]\nmodel = "b"\n'


def test_toml_keeps_comments_order_and_style(tmp_path: Path) -> None:
    plan = planned(put(tmp_path / "x.toml", TOML), "codex")
    assert plan.after.decode().startswith(f"{TOML}\n[mcp_servers.p]\n")


def test_toml_tables_apart_from_each_other_are_changed_in_place(tmp_path: Path) -> None:
    text = (
        '[mcp_servers.a]\ncommand = "a"\n\n[tui]\nx = 1\n\n[mcp_servers.p] # mine\ncommand = "x" # old\n'
        'args = ["-P", "-m", "p_mcp"] # how\n\n[mcp_servers.p.env]\nP_MODE = "search" # few\n\n[z]\ny = 2\n'
    )
    changed = planned(put(tmp_path / "x.toml", text), "codex").after.decode()
    expected = tomllib.loads(text)
    expected["mcp_servers"]["p"] |= {"command": "/bin/python", "env_vars": ["P_TOKEN"]}
    expected["mcp_servers"]["p"]["env"]["PYTHONPATH"] = "/p/src"
    assert tomllib.loads(changed) == expected
    assert [line for line in changed.splitlines() if "#" in line] == [
        "[mcp_servers.p] # mine",
        'command = "/bin/python" # old',
        'args = ["-P", "-m", "p_mcp"] # how',
        'P_MODE = "search" # few',
    ]


def test_toml_in_one_line(tmp_path: Path) -> None:
    found = after(put(tmp_path / "x.toml", 'mcp_servers = {other = {command = "q"}}\n'), "codex")
    assert found["mcp_servers"].keys() == {"other", "p"}
    with pytest.raises(FileProblem, match="`mcp_servers` cannot be changed"):
        planned(put(tmp_path / "x.toml", "mcp_servers = 1\n"), "codex")


@pytest.mark.parametrize(("text", "place"), [("a = 1\nb = tru\n", (2, 5)), ("a = 1\nb = [\n", (2, 6))])
def test_malformed_toml_is_told_with_its_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(FileProblem, match="It is not TOML") as caught:
        toml.read(text)
    assert (caught.value.line, caught.value.column) == place


def test_a_byte_order_mark_stays_and_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(codecs.BOM_UTF8 + b"{}")
    assert planned(path, "cursor").after.startswith(codecs.BOM_UTF8 + b"{")
    path.write_bytes("{}".encode("utf-16"))
    with pytest.raises(FileProblem, match="It is not UTF-8"):
        planned(path, "cursor")


def test_a_name_that_has_to_be_quoted(tmp_path: Path) -> None:
    plan = plan_change(CLIENTS["codex"], 'a."b', Entry({"command": "x"}), tmp_path / "x.toml")
    assert tomllib.loads(plan.after.decode()) == {"mcp_servers": {'a."b': {"command": "x"}}}
