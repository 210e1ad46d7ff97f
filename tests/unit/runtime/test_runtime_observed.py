"""Every call leaves its audit line, in both eras: what it says, and what it never says."""

from __future__ import annotations

import json
import logging
import os
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as mt
import pytest
from mcp import Client, MCPError

from mcpgen.runtime import SettingsError
from mcpgen.runtime.secrecy.hiding import MASK

pytestmark = pytest.mark.anyio

OBJECT = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def shop(build, op):
    return build(
        get_order=op(
            path="/orders/{order_id}",
            params=[("path", "order_id", {"type": "string"}, {})],
            required=["order_id"],
            data=OBJECT,
        ),
        add_order=op(method="POST", path="/orders", effect="write", fields={"note": {"type": "string"}}),
        drop_order=op(method="DELETE", path="/orders/1", effect="destructive"),
        log_in=op(
            method="POST",
            path="/login",
            effect="write",
            params=[("cookie", "sid", {"type": "string"}, {})],
            fields={
                "user": {"type": "string"},
                "password": {"type": "string"},
                "memorable": {"type": "string", "format": "password"},
                "inner": {"type": "object", "properties": {"once": {"type": "string", "writeOnly": True}}},
            },
            body={"content_type": "application/json", "kind": "json", "required": True},
        ),
    )


async def test_a_success(shop, audit, mode) -> None:
    shop.answer(httpx2.Response(200, json={"id": 1, "token": "of-the-order"}))
    result = await shop.told("get_order", {"order_id": "A-1"}, mode=mode, SHOP_AUDIT=str(audit))
    assert result["data"] == {"id": 1, "token": "of-the-order"}
    (line,) = lines(audit)
    assert stat.S_IMODE(audit.stat().st_mode) == 0o600
    assert datetime.fromisoformat(line.pop("time")).utcoffset() is not None
    assert line.pop("latency_ms") >= line.pop("api_ms") >= 0
    assert len(line.pop("trace_id")) == 16
    assert len(line.pop("result_sha256")) == 64
    assert line.pop("caller")["name"]
    assert "received_bytes" in line  # a pretended API sends none
    del line["received_bytes"]
    assert line == {
        "server": "shop-mcp",
        "version": "1.0.0",
        "tool": "get_order",
        "effect": "read",
        "method": "GET",
        "path": "/orders/{order_id}",
        "arguments": {"order_id": "A-1"},
        "outcome": "ok",
        "status": 200,
        "attempts": 1,
        "sent_bytes": 0,
        "result": {"id": 1, "token": MASK},
    }


async def test_a_failure(shop, audit, mode) -> None:
    shop.answer(httpx2.Response(404, json={"message": "no such order"}))
    told = await shop.told("get_order", {"order_id": "A-1"}, mode=mode, SHOP_AUDIT=str(audit))
    (line,) = lines(audit)
    assert (line["outcome"], line["category"], line["status"]) == ("error", "not_found", 404)
    assert line["trace_id"] == told["trace_id"]
    assert "no such order" not in audit.read_text()
    assert "result" not in line
    assert "result_sha256" not in line


async def test_repeats_are_counted(shop, audit, no_waiting) -> None:
    shop.answer(httpx2.Response(503), httpx2.Response(200, json={"id": 1}))
    await shop.told("get_order", {"order_id": "1"}, SHOP_AUDIT=str(audit), SHOP_RETRY_BUDGET="5")
    (line,) = lines(audit)
    assert (line["attempts"], line["status"], line["outcome"]) == (2, 200, "ok")


async def test_wrong_arguments_are_told_as_they_were_given(shop, audit, mode) -> None:
    await shop.told("get_order", {"orderid": "A-1", "passwort": 1}, mode=mode, SHOP_AUDIT=str(audit))
    (line,) = lines(audit)
    assert line["arguments"] == {"orderid": "A-1", "passwort": 1}
    assert (line["category"], line["attempts"]) == ("validation", 0)
    assert "status" not in line


async def test_a_tool_that_does_not_exist(shop, audit, mode) -> None:
    async with Client(shop.server(SHOP_AUDIT=str(audit)), mode=mode) as client:
        with pytest.raises(MCPError):
            await client.call_tool("no_such_tool" * 50, {"password": "x"})
    (line,) = lines(audit)
    assert (line["outcome"], line["code"], line["arguments"]) == ("error", -32602, {"password": MASK})
    assert len(line["tool"]) == 100
    assert "effect" not in line


async def test_a_question_and_its_answer(shop, audit, mode) -> None:
    async def agree(*_: Any) -> mt.ElicitResult:
        return mt.ElicitResult(action="accept", content={"confirm": True})

    environ = {"SHOP_AUDIT": str(audit), "SHOP_ALLOW_EFFECTS": "read,destructive"}
    await shop.told("drop_order", {}, mode=mode, elicitation_callback=agree, **environ)
    outcomes = [(line["outcome"], line["attempts"]) for line in lines(audit)]
    assert outcomes == ([("asked", 0), ("ok", 1)] if mode == "auto" else [("ok", 1)])


async def test_an_answer_that_was_not_asked_for_is_refused_by_the_protocol(shop, audit) -> None:
    environ = {"SHOP_AUDIT": str(audit), "SHOP_ALLOW_EFFECTS": "destructive"}
    answer = mt.ElicitResult(action="accept", content={"confirm": True})
    async with Client(shop.server(**environ), elicitation_callback=lambda *_: answer) as client:
        with pytest.raises(MCPError):
            await client.session.call_tool("drop_order", {}, input_responses={"confirm": answer})
    (line,) = lines(audit)
    assert (line["outcome"], line["code"]) == ("error", mt.INVALID_PARAMS)
    assert "category" not in line


async def test_a_call_that_is_given_up(shop, audit, mode, monkeypatch) -> None:
    from mcpgen.runtime import build_server

    arrived = anyio.Event()

    async def hang(_: httpx2.Request) -> httpx2.Response:
        arrived.set()
        await anyio.sleep(30)
        raise AssertionError

    server = build_server(shop.name, environ={"SHOP_AUDIT": str(audit)}, transport=httpx2.MockTransport(hang))
    async with Client(server, mode=mode) as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "get_order", {"order_id": "1"})
        await arrived.wait()
        group.cancel_scope.cancel()
    (line,) = lines(audit)
    assert (line["outcome"], line["attempts"]) == ("cancelled", 1)


async def test_secret_arguments(shop, audit, mode, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    given = {
        "user": "mia",
        "password": "open sesame",
        "memorable": "old place",
        "sid": "cookie-value",
        "inner": {"once": "for all", "note": '{"token": "inside a text"}'},
    }
    shop.answer(httpx2.Response(200, json={"said": "mia has open sesame"}))
    told = await shop.told("log_in", given, mode=mode, SHOP_AUDIT=str(audit))
    assert told["data"] == {"said": "mia has open sesame"}
    (line,) = lines(audit)
    assert line["arguments"] == {
        "user": "mia",
        "password": MASK,
        "memorable": MASK,
        "sid": MASK,
        "inner": {"once": MASK, "note": '{"token":"[redacted]"}'},
    }
    assert sorted(line["hidden"]) == ["/inner/note", "/inner/once", "/memorable", "/password", "/sid"]
    assert line["result"] == {"said": f"mia has {MASK}"}


async def test_secret_arguments_in_a_json_text(shop, audit) -> None:
    text = json.dumps({"once": "for all"})
    await shop.told("log_in", {"user": "mia", "inner": text}, SHOP_AUDIT=str(audit))
    assert lines(audit)[0]["arguments"]["inner"] == json.dumps({"once": MASK}, separators=(",", ":"))


async def test_the_operator_adds_names(shop, audit) -> None:
    given = {"user": "mia", "password": "p"}
    await shop.told("log_in", given, SHOP_AUDIT=str(audit), SHOP_REDACT_NAMES="user")
    assert lines(audit)[0]["arguments"] == {"user": MASK, "password": MASK}


async def test_long_arguments_are_cut(shop, audit) -> None:
    await shop.told("add_order", {"note": "x" * 5000}, SHOP_AUDIT=str(audit))
    await shop.told("add_order", {f"n{number}": "y" * 900 for number in range(90)}, SHOP_AUDIT=str(audit))
    first, second = lines(audit)
    assert first["arguments"]["note"]["length"] == 5000
    assert len(first["arguments"]["note"]["sha256"]) == 64
    assert first["hidden"] == ["/note"]
    assert second["arguments"]["length"] > 80_000
    assert second["hidden"] == [""]
    assert max(map(len, audit.read_text().splitlines())) < 4000


async def test_a_line_is_short_whatever_is_in_it(shop, audit) -> None:
    deep: Any = {"password": "x"}
    for _ in range(30):
        deep = {"k" * 300: deep}
    given = {"order_id": [deep] * 3, **{f"password{number}": "x" for number in range(500)}}
    await shop.told("get_order", given, SHOP_AUDIT=str(audit))
    (line,) = lines(audit)
    assert len(line["hidden"]) <= 20
    assert len(audit.read_bytes()) < 40_000


@pytest.mark.parametrize("items", [10, 5000])
async def test_small_results_are_kept_and_large_ones_told_by_their_digest(shop, audit, items, mode) -> None:
    shop.answer(httpx2.Response(200, json={"id": 1, "list": [f"item {n}" for n in range(items)]}))
    for _ in range(2):
        await shop.told("get_order", {"order_id": "1"}, mode=mode, SHOP_AUDIT=str(audit))
    first, second = lines(audit)
    assert first["result_sha256"] == second["result_sha256"]
    assert ("result" in first) is (items == 10)


async def test_drift_is_logged_and_audited(shop, audit, mode, caplog) -> None:
    shop.answer(httpx2.Response(200, json={"id": "one"}))
    told = await shop.told("get_order", {"order_id": "1"}, mode=mode, SHOP_AUDIT=str(audit))
    assert "raw" in told
    (line,) = lines(audit)
    assert line["drift"] == {"pointer": "/id", "rule": "type"}
    (record,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert record.getMessage() == (
        f"{line['trace_id']}: get_order (GET /orders/{{order_id}}): the answer breaks its schema at /id: type"
    )


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (httpx2.Response(200, headers={"content-type": "application/json"}, content=b"{"), "media type"),
        (httpx2.Response(204), "not empty"),
        (httpx2.Response(200, json={}), "required"),
    ],
)
async def test_every_kind_of_drift(shop, audit, answer, rule) -> None:
    shop.answer(answer)
    await shop.told("get_order", {"order_id": "1"}, SHOP_AUDIT=str(audit))
    assert lines(audit)[0]["drift"] == {"pointer": "", "rule": rule}


async def test_nothing_new_is_no_drift(shop, audit) -> None:
    shop.answer(httpx2.Response(304))
    await shop.told("get_order", {"order_id": "1"}, SHOP_AUDIT=str(audit))
    assert "drift" not in lines(audit)[0]


async def test_search_mode_tells_the_tool_that_was_meant(shop, audit, mode) -> None:
    shop.answer(httpx2.Response(200, json={"id": 1}))
    environ = {"SHOP_AUDIT": str(audit), "SHOP_MODE": "search"}
    async with Client(shop.server(**environ), mode=mode) as client:
        await client.call_tool("find_tools", {"query": "order"})
        await client.call_tool("call_read_tool", {"name": "get_order", "arguments": {"order_id": "1"}})
        await client.call_tool("call_read_tool", {"name": "get_ordre"})
    told = [(line["tool"], line["effect"], line["outcome"], line.get("method")) for line in lines(audit)]
    assert told == [
        ("find_tools", "read", "ok", None),
        ("get_order", "read", "ok", "GET"),
        ("call_read_tool", "read", "error", None),
    ]


async def test_the_clients_trace_is_told_and_passed_on(shop, audit, mode) -> None:
    shop.answer(httpx2.Response(200, json={"id": 1}))
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    meta = {"traceparent": trace, "tracestate": "vendor=x", "baggage": "user=mia"}
    async with Client(shop.server(SHOP_AUDIT=str(audit)), mode=mode) as client:
        await client.call_tool("get_order", {"order_id": "1"}, meta=meta)
    sent = shop.sent.headers
    assert sent["traceparent"].split("-")[1] == trace.split("-")[1]
    assert sent["tracestate"] == "vendor=x"
    assert "baggage" not in sent
    assert lines(audit)[0]["traceparent"].split("-")[1] == trace.split("-")[1]


@pytest.mark.parametrize(
    "trace", ["", "00-zz-1-01", "x\r\nX-Evil: 1", "00-" + "0" * 32 + "-" + "0" * 16 + "-01"]
)
async def test_a_broken_trace_is_left_out(shop, trace) -> None:
    async with Client(shop.server()) as client:
        await client.call_tool("get_order", {"order_id": "1"}, meta={"traceparent": trace})
    assert "x-evil" not in shop.sent.headers
    assert trace not in (shop.sent.headers.get("traceparent"),)


async def test_to_standard_error(shop, capsys, mode) -> None:
    await shop.told("get_order", {"order_id": "1"}, mode=mode, SHOP_AUDIT="stderr")
    told = capsys.readouterr()
    assert json.loads(told.err)["tool"] == "get_order"
    assert told.out == ""


async def test_by_default_nothing_is_written(shop, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    await shop.told("get_order", {"order_id": "1"})
    assert capsys.readouterr().err == ""
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("target", ["none/audit.jsonl", ".", "file/audit.jsonl", "/dev/null"])
async def test_an_audit_that_can_not_be_written_stops_the_start(shop, tmp_path, target) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="SHOP_AUDIT"):
        shop.server(SHOP_AUDIT=str(tmp_path / target))


async def test_starting_creates_nothing_and_an_existing_file_is_kept(shop, audit) -> None:
    shop.server(SHOP_AUDIT=str(audit))
    assert not audit.exists()
    audit.write_text('{"old": 1}\n')
    await shop.told("get_order", {"order_id": "1"}, SHOP_AUDIT=str(audit))
    assert [sorted(line)[:1] for line in lines(audit)] == [["old"], ["api_ms"]]


async def test_a_lost_line_is_no_failure_of_the_call(shop, tmp_path, caplog) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    server = shop.server(SHOP_AUDIT=str(folder / "audit.jsonl"))
    folder.rmdir()
    async with Client(server) as client:
        result = await client.call_tool("get_order", {"order_id": "1"})
    assert not result.is_error
    assert "the audit line of this call is lost" in caplog.text


async def test_a_file_that_is_moved_away_is_begun_anew(shop, audit) -> None:
    async with Client(shop.server(SHOP_AUDIT=str(audit))) as client:
        await client.call_tool("get_order", {"order_id": "1"})
        os.rename(audit, audit.with_suffix(".1"))
        await client.call_tool("get_order", {"order_id": "2"})
    assert [line["arguments"]["order_id"] for line in lines(audit)] == ["2"]


async def test_the_question_shows_no_secret_argument(build, op, mode) -> None:
    package = build(
        reset=op(
            method="POST",
            effect="destructive",
            fields={"user": {"type": "string"}, "password": {"type": "string"}},
            body={"content_type": "application/json", "kind": "json", "required": True},
        )
    )
    asked: list[str] = []

    async def agree(_: Any, params: Any) -> mt.ElicitResult:
        asked.append(params.message)
        return mt.ElicitResult(action="accept", content={"confirm": True})

    given = {"user": "mia", "password": "open sesame"}
    await package.told(
        "reset", given, mode=mode, elicitation_callback=agree, SHOP_ALLOW_EFFECTS="destructive"
    )
    assert 'user: "mia"' in asked[0]
    assert 'password: "[redacted]"' in asked[0]
    assert json.loads(package.sent.content) == given
