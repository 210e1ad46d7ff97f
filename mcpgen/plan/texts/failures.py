"""How a call fails, so far as the document says it: statuses with their words, else the shape of what comes back then."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Operation, Response, Schema
from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.text import clean_text, first_sentence, shorten
from mcpgen.plan.texts.words import ended, repeats, weight

_FAILURES = 60
"""Tokens that failures may cost together."""
_ONE_FAILURE = 110
_PLAIN = 4
"""Failures without words of their own that are named."""
_STATUS_PREFIX = re.compile(
    r"^(?:[45]\d\d\W*)?(?:not found|conflict|unprocessable(?: entity| content)?|request timeout|precondition failed|gone"
    r"|payment required|locked|bad request|forbidden|too many requests|validation error)\b\W*",
    re.IGNORECASE,
)
# Descriptions that say no more than the status does.
_PLAIN_FAILURE = re.compile(
    r"^(?:the |an? |this )?(?:\w+ ){0,4}(?:was |were |is |could )?(?:not (?:be )?found|not exist|does(?: not|n't) exist"
    r"|unable to find.*|validation (?:error|failed)s?|error(?: response)?)(?: or does not exist)?$"
    r"|unable to find|validation error|requested resource|resource you were|request-uri|error$|errors?\b.{0,12}$|not found|^invalid (?:request|input|parameters?)"
    r"|^(?:client|server|unexpected|generic|default) |missing or invalid|malformed|bad request|forbidden|unauthori[sz]ed|too many|rate limit|timed out$|^(?:\w+ )?conflict$"
    r"|(?:request|input|data|parameters?) (?:is|are|was) (?:invalid|not valid)|does not have the (?:necessary|required) permissions?$",
    re.IGNORECASE,
)
_IF = re.compile(r"(?:if|when|wenn|falls|si|cuando|если)\b", re.IGNORECASE)
_FIELDS = 3
_CODES, _CODES_SAID = 4, 3
_CODE_FIELDS = ("error", "code", "error_code", "errorCode", "reason", "errcode", "type")
_BAD = frozenset({"failed", "fail", "failure", "error"})
_GOOD = ("success", "ok")
_MESSAGES = ("message", "msg", "error", "detail")
_NUMBERS = ("retcode", "errcode", "code", "error_code")
_UNINFORMING = frozenset({"401", "405", "406", "415"})
"""Failures that no caller of a tool can cause or mend: the server has the credential and sets the headers."""
_ORDER = ("404", "409", "422", "400", "403", "429", "410", "412", "402", "423", "413", "408", "428")


def failure_of(response: Response) -> str:
    """What the document says of a failure beyond its status, in one sentence."""
    text = first_sentence(clean_text(response.description)).rstrip(".。")
    text = re.sub(r"^returned (?=if|when)", "", _STATUS_PREFIX.sub("", text), flags=re.IGNORECASE)
    told = (
        text
        and len(text) <= _ONE_FAILURE
        and not text.endswith((":", "："))
        and not _PLAIN_FAILURE.search(text)
    )
    return text if told else ""


def failures_text(
    operation: Operation,
    shared: Collection[str],
    known: str,
    schemas: Mapping[str, Schema],
    phrases: Phrases,
) -> str:
    """The failures worth knowing before the call: those with words of their own, then the plain ones, else what errors hold.

    Args:
        shared: texts of failures that nearly all operations have.
        known: what the description says already.
    """
    told: list[str] = []
    plain: list[str] = []
    for response in sorted(operation.responses, key=lambda item: _rank(item.status)):
        status = response.status
        if status[:1] != "4" or status in _UNINFORMING:
            continue
        text = failure_of(response)
        if text and f"{status} {text}" not in shared and not repeats(text, known):
            told.append(f"{status} {text[:1].lower()}{text[1:]}" if _IF.match(text) else f"{status}: {text}")
        elif phrases.get(f"status.{status}"):
            plain.append(f"{status} {phrases.get(f'status.{status}')}")
    found = [*told, *plain[: max(0, _PLAIN - len(told))]] or list(_otherwise(operation, schemas, phrases))
    listed = ""
    for one in found:
        longer = f"{listed}{phrases['separator']}{one}" if listed else one
        if listed and weight(longer) > _FAILURES:
            break
        listed = longer
    return ended(phrases.say("fails", text=shorten(listed, 400)), phrases["stop"]) if listed else ""


def _otherwise(operation: Operation, schemas: Mapping[str, Schema], phrases: Phrases) -> Iterator[str]:
    """What is known of failures where no status of a caller's mistake is documented."""
    good = any(response.status[:1] in "23" for response in operation.responses)
    rest = [
        one for one in operation.responses if one.status[:1] in "45" or (good and one.status == "DEFAULT")
    ]
    rest.sort(key=lambda one: one.status == "401")
    bodies = [body for one in rest for body in _bodies(one, schemas)]
    codes = next(filter(None, map(_codes, bodies)), [])
    failed = list(dict.fromkeys(_failed(operation.responses)))[:_CODES_SAID]
    texts = [(one.status, failure_of(one)) for one in rest]
    if codes:
        shown = phrases["comma"].join(codes[:_CODES])
        yield shown + (f"{phrases['comma'].rstrip()} …" if len(codes) > _CODES else "")
    elif failed:
        yield from failed
    elif any(text for _, text in texts):
        status, text = next((status, text) for status, text in texts if text)
        yield text if status == "DEFAULT" else f"{status}: {text}"
    else:
        named = next((one.status for one in rest if phrases.get(f"status.{one.status}")), "")
        told = ([name for name in body if name not in _GOOD] for body in bodies)
        fields = next((names[:_FIELDS] for names in told if names), [])
        if named:
            yield f"{named} {phrases.get(f'status.{named}')}"
        elif fields:
            text = phrases["comma"].join(fields)
            yield phrases.say("with_fields", what=phrases["error"], text=text)


def _bodies(response: Response, schemas: Mapping[str, Schema]) -> Iterator[Mapping[str, Any]]:
    """The properties of what a response can hold, its references and `allOf` followed one step; a field that wraps all is opened."""
    for media in response.media:
        whole = _followed(media.schema or {}, schemas)
        parts = [whole, *(_followed(part, schemas) for part in whole.get("allOf", ()))]
        fields = {name: one for part in parts for name, one in (part.get("properties") or {}).items()}
        inner = (
            _followed(next(iter(fields.values())), schemas).get("properties") if len(fields) == 1 else None
        )
        yield inner if isinstance(inner, Mapping) else fields


def _followed(schema: Any, schemas: Mapping[str, Schema]) -> Mapping[str, Any]:
    reference = schema.get("$ref") if isinstance(schema, Mapping) else None
    if isinstance(reference, str):
        return schemas.get(reference.removeprefix(SCHEMA_PREFIX), {})
    return schema if isinstance(schema, Mapping) else {}


def _codes(properties: Mapping[str, Any]) -> list[str]:
    """The codes that an error can have, where its schema lists them."""
    for name in _CODE_FIELDS:
        schema = properties.get(name)
        values = schema.get("enum") if isinstance(schema, Mapping) else None
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            return [f"`{value}`" for value in values if 0 < len(value) <= _ONE_FAILURE]
    return []


def _failed(responses: Collection[Response]) -> Iterator[str]:
    """Failures among the examples of a success: APIs that answer 200 to everything tell them apart inside of the answer."""
    for response in responses:
        for media in response.media if response.status[:1] == "2" else ():
            if len(media.examples) > 1:
                yield from filter(None, (_failure_in(one) for one in media.examples))


def _failure_in(example: Any) -> str:
    if not isinstance(example, Mapping):
        return ""
    bad = str(example.get("status", "")).lower() in _BAD or any(example.get(key) is False for key in _GOOD)
    text = next((example[key] for key in _MESSAGES if isinstance(example.get(key), str) and example[key]), "")
    code = next((example[key] for key in _NUMBERS if isinstance(example.get(key), int | str)), "")
    said = first_sentence(clean_text(text))
    return f"{code} {said}".strip() if bad and said and len(said) <= _ONE_FAILURE else ""


def _rank(status: str) -> tuple[int, str]:
    return (_ORDER.index(status) if status in _ORDER else len(_ORDER)), status
