"""Bodies of answers in each kind of media type, and how a result may show them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from mcpgen.cases.failures import TEXT
from mcpgen.plan.model import AnswerSample

_NAME = r"[\w!#$&^.+*-]+"
_LEGAL = re.compile(rf"{_NAME}/{_NAME}([ \t]*;[ \t]*{_NAME}=({_NAME}|\"[ !#-\[\]-~]*\"))*", re.ASCII)
"""RFC 9110, 8.3.1. What is none can't be the type of an answer."""
_CONCRETE = {
    "json": "application/json",
    "ndjson": "application/x-ndjson",
    "text": "text/plain",
    "xml": "application/xml",
    "form": "application/x-www-form-urlencoded",
    "multipart": "multipart/mixed",
    "binary": "application/octet-stream",
}
_SAMPLE = b"\x89\x00\xff\xfe sample"
"""No text in any encoding that is tried."""
_STREAMS = ("ndjson", "jsonl", "jsonlines", "json-stream", "json-seq", "event-stream")


@dataclass(frozen=True, slots=True)
class Body:
    """A body as it is sent.

    Attributes:
        content_type: None for no body.
        value: as in `OutcomeCase`.
        readings: JSON values that it can mean, the usual one first. The first that the published schema admits is `data`.
        json: it is one JSON value.
    """

    content_type: str | None
    value: Any
    readings: tuple[Any, ...]
    json: bool = False


EMPTY = Body(None, None, (None,))
"""No body: an empty result, null as a value."""


PROBLEM = Body("application/problem+json", {"title": TEXT}, ({"title": TEXT},), json=True)
"""RFC 9457."""
_TEXT_OF_PAGE = f"<!DOCTYPE html><html><head><title>Sample</title></head><body><p>{TEXT}</p></body></html>"
PAGE = Body("text/html", _TEXT_OF_PAGE, (_TEXT_OF_PAGE,))
"""What gateways and consent screens send in place of data."""
BROKEN = "{not JSON"


def as_base64(content: bytes) -> dict[str, str]:
    """Bytes as a case holds them."""
    return {"base64": base64.b64encode(content).decode("ascii")}


def body_of(sample: AnswerSample) -> Body | None:
    """The body for a documented answer; None where its media type can't be sent or no value is at hand."""
    if sample.media is None:
        return EMPTY
    content_type = _content_type(sample)
    if content_type is None or (sample.kind in ("json", "ndjson") and not sample.found):
        return None
    return _MAKERS[sample.kind](content_type, sample.value)


def _content_type(sample: AnswerSample) -> str | None:
    """The type without wildcards; charsets other than UTF-8 are left out, because tests write UTF-8."""
    media = (sample.media or "").strip()
    if not _LEGAL.fullmatch(media):
        return None
    bare, _, parameters = media.partition(";")
    if "*" in bare:
        family = bare.partition("/")[0].strip()
        known = {"image": "image/png", "audio": "audio/mpeg", "video": "video/mp4", "text": "text/plain"}
        if sample.kind == "binary" and family in known:
            return known[family]
        return _CONCRETE[sample.kind]
    lowered = parameters.lower()
    return bare.strip() if "charset" in lowered and "utf-8" not in lowered else media


def _json(content_type: str, value: Any) -> Body | None:
    """An object of the form that bytes have in a case would be taken for them."""
    taken = isinstance(value, dict) and value.keys() == {"base64"}
    return None if taken else Body(content_type, value, (value,), json=True)


def _text(content_type: str, _: Any) -> Body:
    return Body(content_type, TEXT, (TEXT,))


def _xml(content_type: str, _: Any) -> Body:
    text = f"<answer>{TEXT}</answer>"
    return Body(content_type, text, (text,))


def _form(content_type: str, _: Any) -> Body:
    return Body(content_type, "sample=text", ("sample=text",))


def _binary(content_type: str, _: Any) -> Body:
    """Bytes are told by their type, size and digest."""
    told = {
        "media_type": content_type.partition(";")[0].strip().lower(),
        "size": len(_SAMPLE),
        "sha256": hashlib.sha256(_SAMPLE).hexdigest(),
    }
    return Body(content_type, as_base64(_SAMPLE), (told,))


def _records(content_type: str, value: Any) -> Body | None:
    """A stream is a list of its records (OpenAPI 3.2, Sequential Media Types)."""
    bare = content_type.partition(";")[0].strip().lower()
    if not bare.endswith(_STREAMS) or value == []:
        return None
    records = value if isinstance(value, list) else [value]
    texts = [json.dumps(record, ensure_ascii=False) for record in records]
    if bare == "text/event-stream":
        text = "".join(f"data: {one}\n\n" for one in texts)
        whole = ([{"data": one} for one in texts], [{"data": record} for record in records])
        return Body(content_type, text, (records, *whole))
    mark = "\x1e" if bare.endswith("json-seq") else ""
    return Body(content_type, "".join(f"{mark}{one}\n" for one in texts), (records,))


_MAKERS = {
    "json": _json,
    "ndjson": _records,
    "text": _text,
    "xml": _xml,
    "form": _form,
    "multipart": _binary,
    "binary": _binary,
}
