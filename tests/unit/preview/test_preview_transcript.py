"""The transcript says what happened, hides secrets, and cannot steer a terminal."""

from typing import Any

from mcpgen.preview.recording import Exchange
from mcpgen.preview.session import Called
from mcpgen.preview.transcript import Line, Style, call_lines

HEADERS = (
    ("host", "127.0.0.1"),
    ("authorization", "Bearer abc"),
    ("x-api-key", "abc"),
    ("idempotency-key", "k-1"),
)


def exchange(**changes: Any) -> Exchange:
    fields: dict[str, Any] = {
        "method": "GET", "target": "/v1/pets?limit=2", "headers": HEADERS, "body": b"", "status": 200,
        "answer_type": "application/json", "answer": b"[]",
    }  # fmt: skip
    return Exchange(**(fields | changes))


def lines(called: Called, *exchanges: Exchange, whole: bool = False) -> list[str]:
    return [line.text for line in call_lines(called, exchanges, whole=whole)]


def test_success_shows_call_wire_and_data() -> None:
    called = Called("list_pets", {"limit": 2}, {"ok": True, "data": [], "total": 0, "note": "All pets."})
    assert lines(called, exchange()) == [
        '> list_pets {"limit": 2}',
        "  -> GET /v1/pets?limit=2",
        "     authorization: Bearer ***",
        "     x-api-key: ***",
        "     idempotency-key: k-1",
        "  <- 200 application/json, 2 bytes",
        "  = ok, total 0",
        "    []",
        "  = note: All pets.",
    ]


def test_failure_shows_category_and_hint() -> None:
    outcome = {
        "ok": False,
        "error": "No pet 9.",
        "category": "not_found",
        "retryable": False,
        "status": 404,
        "hint": "Call list_pets.",
    }
    shown = lines(Called("get_pet", {"id": 9}, outcome), exchange(status=404, answer=b""))
    assert shown[-3:] == [
        "  = failed: not_found (404), not to be retried",
        "    No pet 9.",
        "  = hint: Call list_pets.",
    ]


def test_refusal_says_that_nothing_was_sent() -> None:
    outcome = {"ok": False, "error": "id must be a number", "category": "validation", "retryable": True}
    shown = lines(Called("get_pet", {"id": "x"}, outcome))
    assert "  (nothing was sent to the API)" in shown
    assert "  = failed: validation, can be retried" in shown


def test_questions_to_the_user_are_shown() -> None:
    called = Called(
        "delete_pet", {}, {"ok": True, "data": None}, questions=("Delete pet 1?\n\nIt is final.",)
    )
    assert lines(called)[1:3] == ["  ? asks the user: Delete pet 1?", "      It is final."]


def test_protocol_error_is_a_refusal() -> None:
    styles = [
        (line.text, line.style)
        for line in call_lines(Called("x", {}, {}, protocol_error="Unknown tool: x"), [])
    ]
    assert styles[-1] == ("  = refused: Unknown tool: x", Style.FAILURE)


def test_long_bodies_are_cut_unless_whole() -> None:
    data = [{"id": number, "name": "n" * 60} for number in range(60)]
    called = Called("list_pets", {}, {"ok": True, "data": data})
    cut = lines(called, exchange())
    assert len(cut) < 40
    assert cut[-1].endswith("more lines)")
    assert len(lines(called, exchange(), whole=True)) > 60


def test_long_json_is_laid_out_and_still_json() -> None:
    import json

    data = {
        "pets": [{"id": number, "tags": ["a" * 40, "b" * 40, "c" * 40]} for number in range(2)],
        "next": None,
    }
    shown = lines(Called("list_pets", {}, {"ok": True, "data": data}), whole=True)
    assert json.loads("\n".join(shown[shown.index("  = ok") + 1 :])) == data


def test_lines_cannot_steer_a_terminal() -> None:
    assert Line("a\x1b[2Jb\u202ec\x85").printable == "a\\x1b[2Jb\\u202ec\\x85"
    assert Line("  Grüße, 世界").printable == "  Grüße, 世界"
