"""Turns an API's answer into a `Result`: success when the status says so, whatever shape the data has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio

from .api_errors import failure_of
from .checking import data_error
from .client import STREAM_TYPES, Answer
from .decoding import Decoded, decode
from .failures import CallFailed, invalid
from .paging import announced_total, next_page
from .result import Result
from .trimming import trim
from .values import UNSET, Unset, parse_json

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from .call import Call

_BIG = 64 << 10
"""From this size on an answer is checked in a thread, so that other calls are not held up."""


async def outcome(call: Call, answer: Answer) -> Result[Any]:
    """The result of an answered call, with `data` checked against the published schema.

    Raises:
        CallFailed: the API refused the call, or its answer can't be used.
    """
    if not (200 <= answer.status < 300 or answer.status == 304):
        raise CallFailed(failure_of(answer, call.operation, call.app.redactor))
    if answer.cut and answer.media_type not in STREAM_TYPES:
        limit = call.app.settings.max_download_bytes >> 20
        raise invalid(
            f"The API accepted the call ({answer.status}), but its answer is larger than {limit} MiB "
            "and can't be passed on.",
            hint=f"Call {call.operation.tool} with arguments that ask for less, if it has any.",
        )
    decoded = decode(answer, call.operation.tool)
    if len(answer.content) < _BIG:
        return _success(call, answer, decoded)
    return await anyio.to_thread.run_sync(_success, call, answer, decoded)


def _success(call: Call, answer: Answer, decoded: Decoded) -> Result[Any]:
    schema = call.operation.output_schema
    if isinstance(decoded.value, Unset) or answer.status == 304:
        note = ("The API says that nothing has changed.",) if answer.status == 304 else ()
        if data_error(schema, None) is None:
            return Result(data=None, notes=note)
        return Result(raw=None, notes=(*note, "The answer is empty."))
    value = _encodable(call.app.redactor.value(decoded.value))
    trimmed = trim(value, call.app.settings.max_result_bytes)
    notes = (*decoded.notes, *filter(None, [trimmed.note]))
    result: Result[Any] = Result(
        total=trimmed.total or announced_total(answer),
        notes=notes,
        next=next_page(call.operation, call.arguments, answer),
        attachments=decoded.attachments,
    )
    if decoded.suspect or not trimmed.whole:
        return replace(result, raw=trimmed.value)
    error = data_error(schema, trimmed.value)
    if error is None:
        return replace(result, data=trimmed.value)
    parsed = _undeclared_json(answer, decoded)
    if parsed is not UNSET and data_error(schema, parsed) is None:
        return replace(result, data=_encodable(call.app.redactor.value(parsed)), attachments=())
    return replace(result, raw=trimmed.value, notes=(*notes, _difference(error)))


def _undeclared_json(answer: Answer, decoded: Decoded) -> Any:
    """JSON that was sent as text or as bytes, or UNSET."""
    if not (decoded.attachments or isinstance(decoded.value, str)):
        return UNSET
    try:
        return parse_json(answer.content)
    except (ValueError, RecursionError):
        return UNSET


def _difference(error: ValidationError) -> str:
    """Where and how the answer breaks its schema, told without repeating its values."""
    steps = [str(step).replace("~", "~0").replace("/", "~1") for step in error.absolute_path]
    where = "".join(f"/{step}" for step in steps[1:]) or "its root"  # the first step is `data`
    wanted: Any = error.validator_value
    given: Any = error.instance
    if error.validator == "required":
        told = "lacks " + ", ".join(name for name in wanted if name not in given)
    elif error.validator == "type":
        told = "is not " + (" or ".join(wanted) if isinstance(wanted, list) else str(wanted))
    else:
        told = f"breaks the rule {error.validator}"
    return f"The answer differs from the API's description: {where} {told}."


def _encodable(value: Any) -> Any:
    """Lone surrogates, which JSON can escape but no UTF-8 can carry, become question marks."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8") if not _is_text(value) else value
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return value


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
