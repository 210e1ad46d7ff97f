"""Says what an API's refusal means: its category, whether repeating helps, the API's own words."""

from __future__ import annotations

import html
import re
from typing import Any

import httpx2

from .answer_headers import retry_after
from .client import Answer
from .decoding import decode
from .exchange import REDIRECT_STATUSES
from .failures import Category, Failure
from .operation import Operation
from .redact import Redactor
from .values import Unset, compact_json

_LONGEST = 600
_LOOKED_AT = 4096
"""How much of an API's words is searched for what must not be passed on; the rest is not passed on anyway."""
_STATUS_CATEGORY = {
    400: Category.VALIDATION,
    401: Category.PERMISSION,
    402: Category.BUSINESS,
    403: Category.PERMISSION,
    404: Category.NOT_FOUND,
    405: Category.INTERNAL,
    406: Category.INTERNAL,
    407: Category.PERMISSION,
    408: Category.TRANSIENT,
    410: Category.NOT_FOUND,
    411: Category.INTERNAL,
    413: Category.VALIDATION,
    414: Category.VALIDATION,
    415: Category.INTERNAL,
    416: Category.VALIDATION,
    421: Category.INTERNAL,
    422: Category.VALIDATION,
    425: Category.TRANSIENT,
    429: Category.TRANSIENT,
    431: Category.VALIDATION,
    502: Category.TRANSIENT,
    503: Category.TRANSIENT,
    504: Category.TRANSIENT,
}
"""Other 4xx are the API's business rules; other 5xx depend on the call, see `category_of`."""


def category_of(status: int, operation: Operation) -> Category:
    """The category of a refusal. A 500 of a call that is safe to repeat may be gone the next time."""
    known = _STATUS_CATEGORY.get(status)
    if known is not None:
        return known
    if 400 <= status < 500:
        return Category.BUSINESS
    return Category.TRANSIENT if status == 500 and operation.repeatable else Category.INTERNAL


def failure_of(answer: Answer, operation: Operation, redactor: Redactor) -> Failure:
    """The failure that an answer other than a success is."""
    status = answer.status
    if status in REDIRECT_STATUSES:
        message = f"The API answered {status}: it points to another address, which is not followed."
        return Failure(Category.INTERNAL, message, status=status)
    category = category_of(status, operation)
    words = redactor.text(_bounded(_safe(_words(answer, operation.tool))))
    reason = httpx2.codes.get_reason_phrase(status)  # the usual one: the API's own can be anything
    message = (
        f"The API answered {status}" + (f" {reason}" if reason else "") + (f": {words}" if words else ".")
    )
    retryable = category in (Category.VALIDATION, Category.TRANSIENT)
    wait = retry_after(answer.headers) if category is Category.TRANSIENT else None
    return Failure(category, message, retryable, status, wait)


def _words(answer: Answer, tool: str) -> str:
    decoded = decode(answer, tool)
    value = decoded.value
    if isinstance(value, Unset) or decoded.attachments:
        return ""
    if isinstance(value, str):
        return _plain(value) if "html" in answer.media_type or "<html" in value[:500].lower() else value
    return "; ".join(dict.fromkeys(_messages(value, 0))) or compact_json(value)


_TEXT_KEYS = (
    "title",
    "detail",
    "message",
    "error_description",
    "error",
    "reason",
    "description",
    "msg",
    "fault",
)
_LIST_KEYS = (
    "errors",
    "details",
    "violations",
    "invalid-params",
    "invalid_params",
    "messages",
    "issues",
    "causes",
)
_WHERE_KEYS = ("field", "path", "pointer", "property", "param", "parameter", "name", "loc", "location")


def _messages(value: Any, depth: int) -> list[str]:
    """The words of an error body: RFC 9457 problems and the usual spellings of everyone else."""
    if depth > 4:
        return []
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, list):
        return [text for item in value[:10] for text in _messages(item, depth + 1)]
    if not isinstance(value, dict):
        return []
    lowered = {str(key).lower(): inner for key, inner in value.items()}
    found = [text for key in _TEXT_KEYS if key in lowered for text in _messages(lowered[key], depth + 1)]
    where = next((_where(lowered[key]) for key in _WHERE_KEYS if depth and lowered.get(key)), "")
    if where and found:
        found = [f"{where}: {found[0]}", *found[1:]]
    for key in _LIST_KEYS:
        inner = lowered.get(key)
        if isinstance(inner, dict):  # {"errors": {"days": ["too many"]}}
            found += [
                f"{name}: {text}" for name, told in inner.items() for text in _messages(told, depth + 1)
            ]
        elif inner is not None:
            found += _messages(inner, depth + 1)
    return found


def _where(value: Any) -> str:
    return ".".join(map(str, value)) if isinstance(value, list) else str(value)


def _plain(markup: str) -> str:
    """The title of an HTML error page, or its text."""
    markup = markup[: 64 * _LOOKED_AT]
    title = _TITLE.search(markup)
    text = title.group(1) if title else _CODE.sub(" ", markup)
    return html.unescape(_TAG.sub(" ", text[: 4 * _LOOKED_AT]))


# None of these patterns can be tried twice over the same text: an answer is as long as its sender likes.
_TITLE = re.compile(r"<title(?:\s[^<>]*)?>([^<]*)", re.IGNORECASE)
_CODE = re.compile(r"<(script|style)\b.*?(?:</\1[^<>]*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_TRACE = re.compile(
    r"Traceback \(most recent call last\)|^[ \t]*at [\w$.<>]+\(.*\)"
    r"|^[ \t]*File \".*\", line \d+|\bgoroutine \d{1,9} \[",
    re.MULTILINE,
)
_PRIVATE_HOST = re.compile(
    r"\b(?:https?://)?(?:(?:localhost|127(?:\.\d{1,3}){3}|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}"
    r"|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2})(?::\d{1,5})?\b"
    r"|(?<![\w.-])[\w.-]+\.(?:internal|local)(?::\d{1,5})?\b)"
)
_PATH = re.compile(r"(?<![\w:/.])/(?:home|root|usr|var|srv|opt|app|etc|tmp|Users)/[^\s\"',;)]+")


def _safe(text: str) -> str:
    """Without tracebacks, private hosts and file paths of the API's machines."""
    text = text[:_LOOKED_AT]
    trace = _TRACE.search(text)
    if trace:
        text = text[: trace.start()]
    return _PATH.sub("[path]", _PRIVATE_HOST.sub("[host]", text))


def _bounded(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
