"""Reading audit files: hostile lines, differences between values, the drift report, the statistics' summary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.observe.commands import run
from mcpgen.runtime.observe.differences import differences, short
from mcpgen.runtime.observe.events import Ended, Outcome
from mcpgen.runtime.observe.reading import read_lines
from mcpgen.runtime.observe.stats import Stats
from mcpgen.runtime.record import Record
from mcpgen.runtime.secrecy.secret_names import SecretNames
from mcpgen.runtime.values import UNSET

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def write(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b"".join(_raw(line) + b"\n" for line in lines))
    return path


def _raw(line: object) -> bytes:
    if isinstance(line, bytes):
        return line
    return line.encode() if isinstance(line, str) else json.dumps(line).encode()


GOOD = {"tool": "get", "outcome": "ok"}


def test_lines_that_are_no_calls_are_told_by_their_number(tmp_path: Path) -> None:
    deep = "[" * 100_000
    long = json.dumps({**GOOD, "x": "y" * (3 << 20)})
    path = write(tmp_path, GOOD, "{", b"\xff", "[]", '{"tool":1,"outcome":"ok"}', "", deep, long, "NaN", GOOD)
    found = [(line.number, line.entry is not None) for line in read_lines(path)]
    assert found == [(1, True), *((number, False) for number in (2, 3, 4, 5, 7, 8, 9)), (10, True)]


def test_the_last_line_needs_no_end(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text(json.dumps(GOOD))
    assert [line.entry for line in read_lines(path)] == [GOOD]


def test_what_is_appended_while_reading_is_not_read(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD, GOOD)
    count = 0
    for _ in read_lines(path):
        count += 1
        with path.open("a") as file:
            file.write(json.dumps(GOOD) + "\n")
    assert count == 2


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"a": 1}, {"a": 2}, [("/a", 1, 2)]),
        ({"a": [1, {"b~/": 2}]}, {"a": [1, {"b~/": 3}, 4]}, [("/a/1/b~0~1", 2, 3), ("/a/2", UNSET, 4)]),
        ({"a": 1, "b": 2}, {"b": 2}, [("/a", 1, UNSET)]),
        ({"a": None}, {}, [("/a", None, UNSET)]),
        ([], {}, [("", [], {})]),
        (1, True, [("", 1, True)]),
        (1, 1.0, []),
    ],
)
def test_differences_by_pointer(before: object, after: object, told: list[tuple[object, ...]]) -> None:
    assert [(one.pointer, one.before, one.after) for one in differences(before, after)] == told


@given(_JSON, _JSON)
def test_equal_values_have_no_differences_and_others_have_some(one: object, other: object) -> None:
    assert not list(differences(one, json.loads(json.dumps(one))))
    if json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True):
        assert list(differences(one, other))


def test_long_values_are_told_in_short() -> None:
    assert short(list(range(500))) == "(array of 500)"
    assert len(short("x" * 500)) == 80
    assert "\n" not in short("a\u2028b\x1b[31m")


# -- drift


def call(tool: str = "get", *, drift: tuple[str, str] | None = None, **more: object) -> dict[str, object]:
    told = {
        "tool": tool,
        "outcome": "ok",
        "method": "GET",
        "path": f"/{tool}",
        "time": "2026-01-02T00:00:00.000Z",
    }
    return told | ({"drift": {"pointer": drift[0], "rule": drift[1]}} if drift else {}) | more


def test_drift_by_operation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(
        tmp_path,
        call(),
        call(drift=("/items/0/price", "type"), time="2026-01-03T00:00:00.000Z"),
        call(drift=("/items/17/price", "type"), time="2026-01-01T00:00:00.000Z"),
        call(drift=("", "required")),
        call("list"),
        call("list", outcome="error", drift=("/x", "type")),
        call("cached", drift=("/x", "type"), source="cache"),
        {"tool": "find_tools", "outcome": "ok"},
    )
    assert run("shop", ["drift", str(path)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "get  GET /get",
        "  3 of 4 answers, from 2026-01-01T00:00:00.000Z to 2026-01-03T00:00:00.000Z",
        "       2  /items/*/price  type",
        "       1  (root)  required",
        "1 of 2 operations break their schemas.",
    ]
    assert run("shop", ["drift", str(path), "--format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["operations"]
    assert (found["tool"], found["operation"], found["broken"], found["calls"]) == ("get", "GET /get", 3, 4)
    assert found["places"][0] == {"pointer": "/items/*/price", "rule": "type", "count": 2}


def test_no_drift_is_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, call(), "broken", call("list"))
    assert run("shop", ["drift", str(path)]) == 0
    told = capsys.readouterr()
    assert told.out == "No drift: 2 answers of 2 operations keep their schemas.\n"
    assert "line 2 is not an audit line" in told.err


def test_a_hostile_file_can_not_act_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, call("\x1b[2Jx", drift=("/\x1b]0;t\x07", "ty\rpe")))
    run("shop", ["drift", str(path)])
    told = capsys.readouterr().out
    assert not set("\x1b\r\x07") & set(told)


@pytest.mark.parametrize(
    "words", [["drift"], ["drift", "f", "--format", "xml"], ["replay", "f", "--limit", "0"], ["replay"]]
)
def test_wrong_usage_is_status_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run("shop", words)
    assert caught.value.code == 2


def test_a_file_that_is_not_there_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("shop", ["drift", str(tmp_path / "none")]) == 2
    assert "can't be read" in capsys.readouterr().err


# -- statistics


def ended(
    tool: str, seconds: float, outcome: Outcome = Outcome.OK, effect: str | None = "read", **record: object
):
    return Ended(
        tool=tool,
        effect=effect,
        operation=None,
        arguments={},
        names=SecretNames(),
        trace_id="t",
        outcome=outcome,
        started=0.0,
        seconds=seconds,
        record=Record(**record),
    )


def test_the_summary_tells_every_tool() -> None:
    stats = Stats()
    for number in range(100):
        stats.add(ended("get", (number + 1) / 1000, attempts=2 if number == 0 else 1, received_bytes=10))
    stats.add(ended("drop", 0.5, Outcome.CANCELLED, sent_bytes=7, drift=("/a", "type")))
    stats.add(ended("no_such_tool", 0.5, Outcome.ERROR, effect=None))
    first, head, *rows = stats.summary("shop-mcp").splitlines()
    assert first.startswith("shop-mcp: 101 calls of 2 tools in 0 s, 1 not ok")
    assert head.split()[:3] == ["tool", "calls", "ok"]
    assert rows[0].split() == ["get", "100", "100.0%", "50.0", "95.0", "99.0", "1", "0", "1000", "0"]
    assert rows[1].split() == [
        "drop",
        "1",
        "0.0%",
        "500.0",
        "500.0",
        "500.0",
        "0",
        "7",
        "0",
        "1",
        "1",
        "cancelled",
    ]


def test_memory_is_bounded_and_the_sample_is_fair() -> None:
    stats = Stats()
    for number in range(20_000):
        stats.add(ended("get", number / 20_000))
    tool = stats.tools["get"]
    assert len(tool.latencies) == 512
    assert tool.percentile(0.5) == pytest.approx(0.5, abs=0.15)


def test_nothing_called() -> None:
    assert Stats().summary("shop-mcp") == "shop-mcp: 0 calls of 0 tools in 0 s, 0 not ok"
