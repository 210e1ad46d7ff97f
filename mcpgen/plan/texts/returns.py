"""What comes back, in the words of the success response, else as its schema says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Operation, Response, Schema
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.text import clean_text, one_line, shorten
from mcpgen.plan.texts.words import ended, repeats

_LIMIT = 160
_WITHOUT_BODY = (204, 205)
"""Answers that can't have a body (RFC 9110, 15.3.5 and 15.3.6); for the others a document may only be silent about it."""
_FIELDS = 5
_LONG_NAME = 28
# Descriptions of responses that say no more than "it worked".
_EMPTY_RESPONSE = re.compile(
    r"^\W*(?:ok|okay|done|default|response|result|none|null|default response|the response|a? ?json response)\W*$"
    r"|success|no error|no content|expected response|request (?:has been )?(?:accepted|processed)|result of method"
    r"|(?:^|\b(?:was|were|been|is) )(?:created|updated|deleted|removed|accepted|modified|changed|found)\b"
    r"|^[\w ]{1,60} (?:created|updated|deleted|removed|accepted|modified|changed|started|retrieved|cancell?ed)\W*$"
    r"|\breturned\W*$|\bHTTP [`']?20\d"
    r"|^\W*20\d\b|成功|正常|业务响应|正常に|успешн|exitosa|éxito|sucesso|réussie?|erfolgreich|õnnestus",
    re.IGNORECASE,
)
_NO_WORDS = re.compile(
    r"^\W*(?:the |an? )?(?:\w+ ){0,2}(?:response|result)(?: (?:object|data|body))?\W*$|^response (?:from|of|for|to) ",
    re.IGNORECASE,
)
_RESPONSE_PREFIX = re.compile(
    r"^(?:(?:success(?:ful)?(?: response)?|ok|200)\s*[-–:,.]\s*)?(?:(?:returns?|returned)(?: (?:a )?response of type)?\s+(?=\w))?"
    r"(?:(?:the|this|a) response(?: body)? (?:is|contains|includes|will be|will contain)\s+)?",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"\b(?:list|array|object|details?|data|containing|contains|with the|including|record|page)\b|列表|详情|数据",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\breturn(?:s|ed)?\b|\bresponds? with\b|\bresponse (?:contains|includes|will|is)\b|返回|返します|возвраща\w+|devuelve|liefert|gibt\b.*\bzurück",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    "response result dto object body model data schema inline get post put patch 200".split()
)
_DULL = frozenset(
    "links link href self object kind apiversion success ok code msg message error errors meta metadata requestid request_id"
    " createdat updatedat archivedat created_at updated_at archived archived_at".split()
)
_ADDRESSES = ("url", "uri", "Url", "URL", "_link")
_FIRST = ("id", "name", "title", "status", "type")
_WRAPPERS = ("data", "result", "results", "payload", "response")


@dataclass(frozen=True, slots=True)
class Answered:
    """What a successful call gives, as it is published.

    Attributes:
        kind: `json`, `text`, `binary`, `ndjson`, `empty` or `unknown`.
        schema: of the data, projected.
        source: of the data, as the document has it.
        status: the status of the answer that is promised first.
        media: the media type's name, "" where there is none.
    """

    kind: str
    schema: Mapping[str, Any]
    source: Schema
    status: int
    media: str = ""


def returns_text(
    operation: Operation, answer: Answered | None, known: str, schemas: Mapping[str, Schema], phrases: Phrases
) -> str:
    """A sentence on what comes back, or nothing where the text says it or the document does not know.

    Args:
        known: what the description says already.
    """
    told = _own_words(operation.responses, known)
    if told:
        return ended(phrases.say("returns", text=shorten(told, _LIMIT)), phrases["stop"])
    if answer is None or _SAID.search(known):
        return ""
    shape = _shape(answer, schemas, phrases) or _exemplified(operation.responses, phrases)
    return ended(phrases.say("returns", text=shape), phrases["stop"]) if shape else ""


def _exemplified(responses: Sequence[Response], phrases: Phrases) -> str:
    """What an example of the answer holds, where no schema says it."""
    good = (item for item in responses if item.status.startswith("2"))
    value = next((one for item in good for media in item.media for one in media.examples), None)
    listed = isinstance(value, list)
    inner = value[0] if listed and value else value
    if not isinstance(inner, Mapping):
        return ""
    fields = _fields({str(name): {} for name in inner if str(name).isidentifier()}, phrases)
    what = phrases.say("list_of", what=phrases["objects"]) if listed else phrases["object"]
    return phrases.say("with_fields", what=what, text=fields) if fields else ""


def _own_words(responses: Sequence[Response], known: str) -> str:
    """The description of the success response where it says something."""
    good = [item for item in responses if item.status.startswith("2")]
    if not good:
        return ""
    text = one_line(clean_text(min(good, key=lambda item: item.status).description)).rstrip(".。")
    text = _RESPONSE_PREFIX.sub("", text)
    empty = _NO_WORDS.search(text) or (_EMPTY_RESPONSE.search(text) and not _DATA.search(text))
    if not text or empty or len(text) < 4 or repeats(text, known) or "request is successful" in text:
        return ""
    return text


def _shape(answer: Answered, schemas: Mapping[str, Schema], phrases: Phrases) -> str:
    if answer.kind == "empty":
        return phrases["nothing" if answer.status in _WITHOUT_BODY else "undocumented"]
    if answer.kind == "binary":
        return phrases.say("file", what=answer.media or "binary")
    if answer.kind == "text":
        other = answer.media and not answer.media.startswith("text/plain")
        return phrases["plain"] + (f"{phrases['open']}{answer.media}{phrases['close']}" if other else "")
    schema = _one(answer.schema)
    if schema.get("type") == "boolean":
        return phrases["boolean"]
    if schema.get("type") == "array":
        return _list(_one(schema.get("items", {})), _item_name(answer.source), phrases)
    properties = schema.get("properties") or {}
    wrapped = _unwrapped(properties)
    if wrapped is not None:
        return f"`{wrapped[0]}`{phrases['open']}{_content(wrapped[1], phrases)}{phrases['close']}"
    held = [
        (name, inner) for name, part in properties.items() if (inner := _one(part)).get("type") == "array"
    ]
    name = _name_of(answer.source, schemas)
    if len(held) == 1 and len(properties) <= 8 and _one(held[0][1].get("items", {})).get("properties"):
        key, inner = held[0]
        listed = _list(_one(inner.get("items", {})), "", phrases)
        return f"`{key}`{phrases['open']}{listed}{phrases['close']}"
    return _with_fields(name, properties, phrases)


def _unwrapped(properties: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """The content of an answer that wraps it: `data` beside `code` and `msg`."""
    others = [
        name
        for name, part in properties.items()
        if name.lower() not in _DULL
        and name not in _WRAPPERS
        and (_one(part).get("properties") or _one(part).get("type") in ("array", "object"))
    ]
    inside = [name for name in _WRAPPERS if name in properties]
    if others or len(inside) != 1:
        return None
    content = _one(properties[inside[0]])
    fields = content.get("properties") or _one(content.get("items", {})).get("properties")
    return (inside[0], content) if fields else None


def _content(schema: Mapping[str, Any], phrases: Phrases) -> str:
    if schema.get("type") == "array":
        return _list(_one(schema.get("items", {})), "", phrases)
    properties = schema.get("properties") or {}
    return _fields(properties, phrases)


def _list(items: Mapping[str, Any], name: str, phrases: Phrases) -> str:
    fields = _fields(items.get("properties") or {}, phrases)
    plain = str(items.get("type") or "")
    if not fields and not name and plain in ("", "object"):
        return ""
    what = name or (phrases["objects"] if fields else plain)
    listed = phrases.say("list_of", what=what)
    return phrases.say("with_fields", what=listed, text=fields) if fields else listed


def _with_fields(name: str, properties: Mapping[str, Any], phrases: Phrases) -> str:
    fields = _fields(properties, phrases)
    if not fields:
        return name
    return phrases.say("with_fields", what=name or phrases["object"], text=fields)


def _fields(properties: Mapping[str, Any], phrases: Phrases) -> str:
    """The first fields by name."""
    said = [name for name in properties if name.lower() not in _DULL and not name.startswith(("_", "@", "$"))]
    said = said or [name for name in properties if not name.startswith(("_", "@", "$"))]
    names = [name for name in _FIRST if name in said] + [name for name in said if name not in _FIRST]
    names.sort(key=lambda name: name.endswith(_ADDRESSES))
    shown = phrases["comma"].join(names[:_FIELDS])
    return f"{shown}{phrases['comma'].rstrip()} …" if len(names) > _FIELDS else shown


def _one(schema: Any) -> Mapping[str, Any]:
    """The schema, or the first of its alternatives that says something."""
    if not isinstance(schema, Mapping):
        return {}
    for part in _parts(schema):
        if part.get("type") not in (None, "null") or part.get("properties"):
            return part
    return schema


def _parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if schema.get("properties") or "items" in schema:
        yield schema
    for part in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        if isinstance(part, Mapping):
            yield part


def _name_of(source: Schema, schemas: Mapping[str, Schema]) -> str:
    """The name of a schema where it is one that a person would say."""
    reference = source.get("$ref", "")
    if not isinstance(reference, str) or not reference.startswith(SCHEMA_PREFIX):
        return ""
    key = reference.removeprefix(SCHEMA_PREFIX)
    title = schemas.get(key, {}).get("title")
    name = one_line(clean_text(title)) if isinstance(title, str) else key
    words = {word.rstrip("0123456789") for word in split_words(name)}
    return "" if not words or words & _GENERIC or len(name) > _LONG_NAME else name


def _item_name(source: Schema) -> str:
    items = source.get("items")
    return _name_of(items, {}) if isinstance(items, Mapping) else ""
