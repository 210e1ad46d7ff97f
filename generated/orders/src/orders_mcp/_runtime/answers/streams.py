"""Streams of records as lists: server-sent events, newline-delimited JSON, JSON text sequences."""

from __future__ import annotations

from typing import Any

from ..values import parse_json
from .answer_headers import whole_number


def line_items(text: str, cut: bool) -> list[Any]:
    """Newline-delimited JSON, and JSON text sequences (RFC 7464), whose records start with a control.

    Args:
        cut: the text was broken off, so that its last line may not be whole.
    """
    # A record of a sequence may be spread over lines; what stands before the first mark is none.
    records = text.split("\x1e" if "\x1e" in text else "\n")
    if cut and records and not text.endswith("\n"):
        records.pop()
    return [_json_or_text(record.strip(" \t\r\n")) for record in records if record.strip()]


def event_items(text: str) -> tuple[list[Any], list[Any], list[Any]]:
    """The events of a stream in three readings, the usual one first (HTML standard, 9.2.6).

    What most APIs describe is the data alone, as JSON. OpenAPI 3.2 (Server-Sent Events) describes whole events
    with their data as text; some documents describe whole events with their data as JSON.
    """
    events: list[dict[str, Any]] = []
    current: dict[str, Any] = {}
    data: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line == "":
            if data == ["[DONE]"]:  # how several APIs say that the stream ends; it is no event of theirs
                break
            if data:
                events.append({"data": "\n".join(data), **current})
            current, data = {}, []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "event" or (name == "id" and "\0" not in value):
            current[name] = value
        elif name == "retry" and (delay := whole_number(value)) is not None:
            current[name] = delay
    parsed = [_json_or_text(event["data"]) for event in events]
    both = [{**event, "data": data} for event, data in zip(events, parsed, strict=True)]
    return parsed, events, both


def _json_or_text(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return text
