"""Compares requests and values with what is expected of them, part by part."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from email.message import Message
from enum import Enum
from typing import Any, Final

import httpx2
from harness import ADDED_HEADERS, BASE_URL

OF_THE_HTTP_LIBRARY = {
    "accept-encoding",
    "connection",
    "content-length",
    "host",
    "transfer-encoding",
    "user-agent",
}
LONGEST = 300


class Nothing(Enum):
    """Stands for what is not there."""

    NOTHING = "nothing"


NOTHING: Final = Nothing.NOTHING


@dataclass(frozen=True)
class Difference:
    """One part that is not as expected."""

    place: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"{self.place}: expected {shown(self.expected)}, got {shown(self.got)}"


def shown(value: object) -> str:
    """A value as JSON, with its kind where that does not show."""
    if value is NOTHING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


def kind_of(value: object) -> str:
    """The JSON type of a value; whole numbers and others are told apart."""
    if isinstance(value, Decimal):
        return "float"
    return type(value).__name__


def value_differences(place: str, expected: Any, got: Any) -> Iterator[Difference]:
    """Where two JSON values differ. Types count: 1 is not 1.0, and neither is true."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in [*expected, *(name for name in got if name not in expected)]:
            inner = f"{place}/{name}"
            yield from value_differences(inner, expected.get(name, NOTHING), got.get(name, NOTHING))
    elif isinstance(expected, list) and isinstance(got, list):
        for number in range(max(len(expected), len(got))):
            one, other = (
                items[number] if number < len(items) else NOTHING for items in (expected, got)
            )
            yield from value_differences(f"{place}/{number}", one, other)
    elif kind_of(expected) != kind_of(got) or exact(expected) != exact(got):
        yield Difference(place, expected, got)


def exact(value: Any) -> Any:
    """Numbers with a fraction by their digits, not by the nearest number of the machine."""
    return Decimal(repr(value)) if isinstance(value, float) else value


def request_differences(
    expected: Mapping[str, Any], request: httpx2.Request
) -> Iterator[Difference]:
    """Where a request differs from the expected one: method, path, query, headers, body."""
    if request.method != expected["method"]:
        yield Difference("method", expected["method"], request.method)
    yield from target_differences(expected["target"], request.url)
    yield from header_differences(expected, request)
    yield from body_differences(expected.get("body"), request)


def target_differences(expected: str, url: httpx2.URL) -> Iterator[Difference]:
    """The path, and the query pair by pair; both are compared as they are spelt on the wire."""
    sent = f"{url.scheme}://{url.netloc.decode()}{url.raw_path.decode()}"
    if not sent.startswith(BASE_URL):
        yield Difference("address", f"{BASE_URL}{expected}", sent)
        return
    path, _, query = expected.partition("?")
    sent_path, _, sent_query = sent.removeprefix(BASE_URL).partition("?")
    if path != sent_path:
        yield Difference("path", path, sent_path)
    yield from query_differences(query, sent_query)


def query_differences(expected: str, got: str) -> Iterator[Difference]:
    """Which pairs are missing, other or too many; else whether their order is another one."""
    pairs, sent = (query.split("&") if query else [] for query in (expected, got))
    missing, more = (
        list((Counter(a) - Counter(b)).elements()) for a, b in ((pairs, sent), (sent, pairs))
    )
    for pair in missing:
        name = pair.partition("=")[0]
        other = next((one for one in more if one.partition("=")[0] == name), None)
        if other is not None:
            more.remove(other)
        yield Difference(f"query `{name}`", pair, NOTHING if other is None else other)
    for pair in more:
        yield Difference(f"query `{pair.partition('=')[0]}`", NOTHING, pair)
    if pairs != sent and Counter(pairs) == Counter(sent):
        yield Difference("order of the query", expected, got)


def header_differences(
    expected: Mapping[str, Any], request: httpx2.Request
) -> Iterator[Difference]:
    """The headers by name; each must be there once, and none besides. Those that the HTTP library writes don't count."""
    wanted = {name.lower(): value for name, value in ADDED_HEADERS.items()} | expected["headers"]
    generated = set(expected.get("generated", ()))
    sent: dict[str, list[str]] = {}
    for name, value in request.headers.multi_items():
        sent.setdefault(name.lower(), []).append(value)
    if "content-type" in sent and sent["content-type"][0].startswith("multipart/"):
        sent["content-type"][0] = without_boundary(sent["content-type"][0])
    for name in sorted({*wanted, *generated, *sent}):
        values = sent.get(name, [])
        got = NOTHING if not values else values[0] if len(values) == 1 else values
        if name in generated:
            if len(values) != 1 or not values[0]:
                yield Difference(f"header {name}", "a value that the server makes", got)
        elif name in wanted or name not in OF_THE_HTTP_LIBRARY:
            if got != wanted.get(name, NOTHING):
                yield Difference(f"header {name}", wanted.get(name, NOTHING), got)


def without_boundary(content_type: str) -> str:
    """The type of a multipart body without its boundary, which is another one each time."""
    return ";".join(
        part for part in content_type.split(";") if not part.strip().startswith("boundary=")
    )


def body_differences(
    expected: Mapping[str, Any] | None, request: httpx2.Request
) -> Iterator[Difference]:
    """The body: JSON by value, text and bytes exactly, multipart by parts."""
    content = request.content
    if expected is None:
        if content:
            yield Difference("body", NOTHING, content.decode("utf-8", "replace"))
    elif "parts" in expected:
        yield from parts_differences(
            expected["parts"], request.headers.get("content-type", ""), content
        )
    else:
        yield from content_differences(
            "body", expected, content, charset_of(request.headers.get("content-type", ""))
        )


def charset_of(content_type: str) -> str:
    """The charset that a media type names, else UTF-8."""
    message = Message()
    message["content-type"] = content_type
    return message.get_content_charset("utf-8")


def content_differences(
    place: str, expected: Mapping[str, Any], content: bytes, charset: str = "utf-8"
) -> Iterator[Difference]:
    """One body or part against `json`, `text` or `base64`."""
    if "base64" in expected:
        if base64.b64decode(expected["base64"]) != content:
            yield Difference(
                f"{place} (base64)", expected["base64"], base64.b64encode(content).decode()
            )
        return
    text = content.decode(charset, "backslashreplace")
    if "text" in expected:
        if expected["text"] != text:
            yield Difference(place, expected["text"], text)
        return
    try:
        value = json.loads(text, parse_float=Decimal, object_pairs_hook=once_each)
    except ValueError as error:
        yield Difference(place, expected["json"], f"{text} ({error})")
        return
    yield from value_differences(place, expected["json"], value)


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object.

    Raises:
        ValueError: a name is there twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a name is there twice: {[name for name, _ in pairs]}")
    return found


def parts_differences(
    expected: list[Any], content_type: str, content: bytes
) -> Iterator[Difference]:
    """Multipart: as many parts as expected, each with its headers and its content, in their order."""
    boundary = next(
        (p.strip()[9:] for p in content_type.split(";") if p.strip().startswith("boundary=")), ""
    )
    chunks = content.split(b"--" + boundary.strip('"').encode())[1:-1]
    if len(chunks) != len(expected):
        yield Difference("number of parts", len(expected), len(chunks))
    for number, (part, chunk) in enumerate(zip(expected, chunks, strict=False), start=1):
        head, _, body = chunk.removesuffix(b"\r\n").partition(b"\r\n\r\n")
        lines = [line.partition(": ") for line in head.decode().split("\r\n") if line]
        headers = {name.lower(): value for name, _, value in lines}
        yield from value_differences(f"part {number}, header", dict(part["headers"]), headers)
        yield from content_differences(f"part {number}", part, body)
