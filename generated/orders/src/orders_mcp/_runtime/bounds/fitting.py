"""Keeps the whole text of a result, and its attachments, within the bytes that may reach the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..inputs.own_arguments import of_operation
from ..outcomes.result import Attachment, Result, tool_result
from ..values import Unset
from .cut_notes import cut_note
from .measuring import measured, size_of
from .trimming import Cut, Kind, Trimmed, flattened, trim
from .ways import first_left_out, ways_of
from .wire import WORST, event_room, wire_size

if TYPE_CHECKING:
    from ..call import Call

_LONGEST_NOTE = 420
"""Bytes of what is said about cuts."""
_LATER_NOTE = 200
"""Bytes that a link further out may add to a result that it keeps and gives again."""
_REST = 80
"""Bytes that the arguments for the rest of a list may have more than those of the call."""
_TOTAL = 60
"""Bytes of `total` and of the names of fields that come in."""
_ROUNDS = 4
_TOO_LARGE = "The content is too large to be passed on; only its description is given."


@dataclass(frozen=True, slots=True)
class Fitted:
    """A result within its bounds. `whole` is false when only the beginning of the answer's text is left."""

    result: Result[Any]
    cuts: tuple[Cut, ...] = ()
    whole: bool = True


def limit_of(call: Call) -> int:
    """Bytes that a result of this call may have, before a link further out adds its note."""
    policy = call.policy
    limit = policy.max_result_bytes or call.app.settings.max_result_bytes
    limit = min(limit, event_room(call.context) or limit)
    return limit - (_LATER_NOTE if policy.cache_seconds or policy.repeat_window else 0)


def fitted(call: Call, result: Result[Any], clean: Callable[[Any], Any] = lambda value: value) -> Fitted:
    """The result, cut where it is too large; its notes then say what was left out and how to get it.

    Args:
        clean: what is done to the value before it is passed on, and to its texts before they are cut.
    """
    limit, room = limit_of(call), event_room(call.context)
    found = _fitted(call, result, clean, limit)
    if room is None:
        return found
    for _ in range(_ROUNDS):
        size = _size_on_wire(call, found.result)
        if size <= room:
            return found
        limit = max(room // WORST, limit * room // size - _LONGEST_NOTE)
        found = _fitted(call, result, clean, limit)
    return _fitted(call, result, clean, min(limit, room // WORST))


def _size_on_wire(call: Call, result: Result[Any]) -> int:
    told = replace(result, notes=(*call.notes, *result.notes)).envelope(call.trace_id)
    return wire_size(tool_result(told, result.attachments))


def _fitted(call: Call, result: Result[Any], clean: Callable[[Any], Any], limit: int) -> Fitted:
    """The result within so many bytes of text and attachments."""
    if result.next is not None:
        result = replace(result, next={**result.next, **call.own_arguments})
    if result.next is not None and size_of(result.next) > limit // 4:
        result = replace(result, next=None)
    value = result.value
    result, room = _with_attachments(call, result, limit)
    if _fits(value, room):
        trimmed = within(value, room, clean)
        if not trimmed.cuts:
            return Fitted(_with_value(result, trimmed.value))
    longest = min(_LONGEST_NOTE, limit // 4)
    more = size_of(call.arguments) + size_of(call.own_arguments) + _REST
    turning = more <= limit // 4
    trimmed = within(value, room - longest - _TOTAL - (more if turning else 0), clean)
    arguments = {**call.arguments, **call.own_arguments}
    rest = first_left_out(call.operation, arguments, trimmed.cuts) if turning else None
    ways = ways_of(call.operation, of_operation(call.operation, call.policy).fields)
    if ways.size is None and ways.move is None and result.total is None:
        result = replace(result, total=_counted(trimmed.cuts))
    note = cut_note(trimmed, value, ways, longest, leads=rest is not None, goes_on=result.next is not None)
    result = replace(
        _with_value(result, trimmed.value), notes=(*result.notes, note), next=rest or result.next
    )
    return Fitted(result, trimmed.cuts, trimmed.whole)


def _with_value(result: Result[Any], value: Any) -> Result[Any]:
    return replace(result, raw=value) if isinstance(result.data, Unset) else replace(result, data=value)


def _with_attachments(call: Call, result: Result[Any], limit: int) -> tuple[Result[Any], int]:
    """The result with those attachments that fit, and what is then left for its value."""
    room = limit - _frame(call, result)
    if not result.attachments:
        return result, room
    value = measured(result.value, room)
    kept: list[Attachment] = []
    for attachment in result.attachments:
        size = _block_size(attachment)
        if size <= room - value:
            kept.append(attachment)
            room -= size
    if len(kept) == len(result.attachments):
        return result, room
    result = replace(result, attachments=tuple(kept), notes=(*result.notes, _TOO_LARGE))
    return result, room - size_of(_TOO_LARGE)


def _block_size(attachment: Attachment) -> int:
    """Bytes in base64, and some for what stands around them."""
    return -(-len(attachment.content) // 3) * 4 + size_of([attachment.media_type, attachment.uri])


def _frame(call: Call, result: Result[Any]) -> int:
    """Bytes of everything in the result's text but its value, with the notes that the call has already."""
    empty = replace(_with_value(result, None), notes=(*call.notes, *result.notes))
    return size_of(empty.envelope(call.trace_id)) - size_of(None)


def _fits(value: Any, room: int) -> bool:
    try:
        return measured(value, room) <= room
    except RecursionError:
        return False


def within(value: Any, room: int, clean: Callable[[Any], Any]) -> Trimmed:
    """What fits when it is clean; a mask can be longer than what it hides."""
    space = room = max(2, room)
    for _ in range(_ROUNDS):
        trimmed = _trimmed(value, space, clean)
        size = size_of(trimmed.value)
        if size <= room:
            return trimmed
        space = max(2, space * room // (size + 1) - 16)
    return Trimmed("", (Cut((), Kind.TEXT, 0, 0),), whole=False)


def _trimmed(value: Any, room: int, clean: Callable[[Any], Any]) -> Trimmed:
    deep: tuple[Cut, ...] = ()
    try:
        trimmed = trim(value, room, clean)
    except RecursionError:
        value, deep = flattened(value)
        trimmed = trim(value, room, clean)
    flat, deeper = flattened(trimmed.value)
    return replace(trimmed, value=clean(flat), cuts=(*trimmed.cuts, *deep, *deeper))


def _counted(cuts: Sequence[Cut]) -> int | None:
    """How many there are of a list that is the whole answer."""
    return next((cut.total for cut in cuts if cut.kind is Kind.ITEMS and not cut.path), None)


def squeezed(notes: Sequence[str], longest: int) -> list[str]:
    """As many notes as fit in so many bytes."""
    kept: list[str] = []
    left = longest - _TOTAL
    for note in notes:
        left -= size_of(note)
        if left < 0:
            kept.append(f"({len(notes) - len(kept)} more notes)")
            break
        kept.append(note)
    return kept
