"""Turns an API's answer into a `Result`: success when the status says so, whatever shape the data has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio

from .api_errors import failure_of
from .client import Answer
from .decoding import Decoded, decode
from .failures import CallFailed, invalid
from .media import is_stream
from .paging import announced_total, next_page
from .result import Attachment, Result
from .trimming import trim
from .values import Unset

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
    if answer.cut and not is_stream(answer.media_type):
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
    error_of = call.operation.data_check.error
    if isinstance(decoded.value, Unset) or answer.status == 304:
        note = ("The API says that nothing has changed.",) if answer.status == 304 else ()
        for empty in (None, *decoded.others):
            if error_of(empty) is None:
                return Result(data=empty, notes=note)
        return Result(raw=None, notes=(*note, "The answer is empty."))
    value = _encodable(call.app.redactor.value(decoded.value))
    trimmed = trim(value, call.app.settings.max_result_bytes)
    attachments, dropped = _fitting(call, decoded)
    notes = (*decoded.notes, *filter(None, [trimmed.note, dropped]))
    announced = announced_total(answer)
    result: Result[Any] = Result(
        total=trimmed.total if announced is None else announced,
        notes=notes,
        next=next_page(call.operation, call.arguments, answer),
        attachments=attachments,
    )
    if decoded.suspect or not trimmed.whole:
        return replace(result, raw=trimmed.value)
    error = error_of(trimmed.value)
    if error is None:
        return replace(result, data=trimmed.value)
    for other in decoded.others:
        cut = trim(_encodable(call.app.redactor.value(other)), call.app.settings.max_result_bytes)
        if cut.whole and error_of(cut.value) is None:
            notes = (*decoded.notes, *filter(None, [cut.note]))
            return replace(result, data=cut.value, notes=notes, attachments=())
    return replace(result, raw=trimmed.value, notes=(*notes, _difference(error)))


def _fitting(call: Call, decoded: Decoded) -> tuple[tuple[Attachment, ...], str | None]:
    """The attachments that keep the limit in their written form, base64, and a note when there are others."""
    limit = call.app.settings.max_result_bytes
    kept = tuple(found for found in decoded.attachments if -(-len(found.content) // 3) * 4 <= limit)
    if len(kept) == len(decoded.attachments):
        return kept, None
    return kept, "The content is too large to be passed on; only its description is given."


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
