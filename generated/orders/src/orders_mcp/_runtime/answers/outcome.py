"""Turns an API's answer into a `Result`: success when the status says so, whatever shape the data has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio

from ..api_errors import failure_of, refusal_in
from ..bounds.fitting import Fitted, fitted
from ..bounds.trimming import Cut
from ..bounds.ways import ways_of
from ..outcomes.failures import CallFailed, invalid
from ..outcomes.result import Result
from ..paging.paging import page_of
from ..requests.media import is_stream
from ..transport.client import Answer
from ..values import Unset, compact_json
from .decoding import Decoded, decode
from .follow_ups import follow_up

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from ..call import Call

_BIG = 64 << 10
"""From this size on an answer is read in a thread, so that other calls are not held up."""
_CHOICES = frozenset(
    {"anyOf", "oneOf", "allOf", "not", "if", "contains", "dependentSchemas", "unevaluatedProperties"}
)
_LONGEST_WORDS = 200


async def outcome(call: Call, answer: Answer) -> Result[Any]:
    """The result of an answered call, with `data` checked against the published schema.

    Raises:
        CallFailed: the API refused the call, or its answer can't be used.
    """
    if not (200 <= answer.status < 300 or answer.status == 304):
        raise CallFailed(failure_of(answer, call.operation, call.app.redactor))
    if answer.cut and not is_stream(answer.media_type):
        limit = _size(call.app.settings.max_download_bytes)
        words = f"The API accepted the call ({answer.status}), but its answer is larger than {limit}"
        if call.operation.effect == "read":
            raise invalid(f"{words} and can't be passed on.", hint=_smaller(call))
        call.notes.append(f"{words}: this is its beginning.")  # it is done: no failure, nothing to repeat
    if len(answer.content) < _BIG:
        call.within_bounds = _read(call, answer)
    else:
        call.within_bounds = await anyio.to_thread.run_sync(_read, call, answer)
    return call.within_bounds


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 1 << 20 else f"{count >> 20} MiB"


def _smaller(call: Call) -> str | None:
    """How the same is asked for in smaller parts, where the tool has arguments for it."""
    advice = ways_of(call.operation).advice(items=True, fields=True)
    return (
        None
        if advice is None
        else f"Call {call.named(call.operation.tool)} again with other arguments. {advice}"
    )


def _read(call: Call, answer: Answer) -> Result[Any]:
    return _success(call, answer, decode(answer, call.operation.tool))


def _success(call: Call, answer: Answer, decoded: Decoded) -> Result[Any]:
    error_of = call.operation.data_check.error
    if isinstance(decoded.value, Unset) or answer.status == 304:
        note = ("The API says that nothing has changed.",) if answer.status == 304 else ()
        for empty in (None, *decoded.others):
            if error_of(empty) is None:
                return Result(data=empty, notes=note, hint=follow_up(call, answer, empty))
        if answer.status != 304:
            call.record.drift = ("", "not empty")
        return Result(raw=None, notes=(*note, "The answer is empty."))
    base = replace(_on_page(call, answer, decoded, decoded.value), attachments=decoded.attachments)
    if decoded.suspect:
        if not answer.cut:
            call.record.drift = ("", "media type")
        return _shown(call, base, decoded.value, raw=True).result
    shown = _shown(call, base, decoded.value)
    error = error_of(shown.result.data)
    if error is None and shown.whole:
        return shown.result
    for reading in decoded.others:
        other = _shown(call, _on_page(call, answer, decoded, reading), reading)
        if other.whole and error_of(other.result.data) is None:
            return other.result
    if error is None or _by_cuts(error, shown.cuts):
        words = "What is left of it does not keep the API's description."
    else:
        refusal = refusal_in(answer, decoded.value, call.operation, call.app.redactor)
        if refusal is not None:
            raise CallFailed(refusal)
        words = _difference(error)
        call.record.drift = (pointer_to(error), str(error.validator))
    return _shown(call, replace(base, notes=(*base.notes, words)), decoded.value, raw=True).result


def _on_page(call: Call, answer: Answer, decoded: Decoded, value: Any) -> Result[Any]:
    """The result without its value: what the answer says about its page, and what it leads to."""
    page = page_of(call, answer, value)
    return Result(
        total=page.total,
        notes=(*decoded.notes, *page.notes),
        next=page.next,
        hint=follow_up(call, answer, value),
    )


def _shown(call: Call, base: Result[Any], value: Any, *, raw: bool = False) -> Fitted:
    """The result with as much of a value as may reach the model: what is wanted of it, without secrets, within bounds."""
    redactor, selection = call.app.redactor, call.selection
    if selection is not None:
        base = replace(base, notes=(*base.notes, *selection.notes(value)), attachments=())
        value = selection.of(value)
    result = replace(base, raw=value) if raw else replace(base, data=value)
    return fitted(call, result, clean=lambda part: encodable(redactor.value(part)))


def _by_cuts(error: ValidationError, cuts: tuple[Cut, ...]) -> bool:
    """Whether a break of the schema comes from what was cut: it is there, or a choice that holds it."""
    place = tuple(error.absolute_path)[1:]  # the first step is `data`
    choice = error.validator in _CHOICES
    return any(cut.path == place or (choice and cut.path[: len(place)] == place) for cut in cuts)


def pointer_to(error: ValidationError) -> str:
    """Where in the answer it is (RFC 6901)."""
    steps = [str(step).replace("~", "~0").replace("/", "~1") for step in error.absolute_path]
    return "".join(f"/{step}" for step in steps[1:])  # the first step is `data`


def _difference(error: ValidationError) -> str:
    """Where and how the answer breaks its schema, told without repeating its values."""
    where = _short(pointer_to(error)) or "its root"
    wanted: Any = error.validator_value
    given: Any = error.instance
    if error.validator == "required":
        told = "lacks " + _short(", ".join(name for name in wanted if name not in given))
    elif error.validator == "type":
        told = "is not " + (" or ".join(wanted) if isinstance(wanted, list) else str(wanted))
    else:
        told = f"breaks the rule {error.validator}"
    return f"The answer differs from the API's description: {where} {told}."


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_WORDS else text[:_LONGEST_WORDS] + "…"


def encodable(value: Any) -> Any:
    """Lone surrogates, which JSON can escape but no UTF-8 can carry, become question marks."""
    return value if _is_text(compact_json(value)) else _encodable(value)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
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
