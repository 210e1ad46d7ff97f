"""What is known about a write that has failed: that nothing was sent, that it was done all the same, or neither."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .failures import Category, Failure, with_words

if TYPE_CHECKING:
    from ..call import Call

_GATEWAY = frozenset({502, 504})
"""A gateway has no answer of the API behind it (RFC 9110, 15.6.3 and 15.6.5)."""
_BROKEN_OFF = frozenset({302, 500, 520, 524, 598, 599})
"""What can come in the middle of a call as well as before it: a fault of the API or of what stands before it, and the
page that some APIs lead to after a write (RFC 9110, 15.4.3: 303 was made for that)."""
_SEE_OTHER = 303
"""The call is done; what came of it is to be read elsewhere (RFC 9110, 15.4.4)."""
_LONGEST_KEY = 255
_NOTHING_SENT = "Nothing was sent."
_EARLIER = "An earlier attempt had no answer: it may have taken effect."
_UNKNOWN = "It is not known whether the call took effect."
_LOOK = "It is not known whether the call took effect: look before you repeat it."


def with_fate(call: Call, failure: Failure) -> Failure:
    """The failure of a write, with what became of the write where that is not plain; others as they are."""
    words, open_end = _fate(call, failure)
    if not words or words in failure.message:
        return failure
    harmless = words == _UNKNOWN
    key = call.idempotency_key
    if open_end and call.record.accepted is None and key is not None and len(key.value) <= _LONGEST_KEY:
        words += f' With `{key.argument}` "{key.value}" it is done at most once.' if key.argument else ""
    told = with_words(failure.message, words)
    return replace(failure, message=told, outcome_unknown=open_end, harmless_again=harmless)


def _fate(call: Call, failure: Failure) -> tuple[str, bool]:
    """The words, and whether a look would tell more."""
    record, answered = call.record, failure.status is not None
    if call.operation.effect == "read" or (record.source is not None):
        return "", False
    if not call.operation.method:
        return _own_fate(call, failure)
    unclear = failure.category in (Category.TRANSIENT, Category.INTERNAL)
    if record.accepted == _SEE_OTHER or (record.accepted is not None and unclear and not answered):
        return f"The API had already carried out the call ({record.accepted}).", True
    if answered and record.lost:
        return _EARLIER, True
    if not unclear or (answered and not _says_nothing(call, failure.status)):
        return "", False
    if record.lost or answered:
        return (_UNKNOWN if call.repeatable else _LOOK), True
    return ("", False) if record.sent else (_NOTHING_SENT, False)


def _says_nothing(call: Call, status: int | None) -> bool:
    """Whether a status leaves it open what the API has done. What may simply be repeated needs no look."""
    return status in _GATEWAY or (status in _BROKEN_OFF and not call.repeatable)


def _own_fate(call: Call, failure: Failure) -> tuple[str, bool]:
    """Of a tool of the team's own: what the tools that it used have done, and whether its code came to its end."""
    record, told = call.record, list[str]()
    unknown = [tool for tool, done in record.parts.items() if not done]
    done = [tool for tool, done in record.parts.items() if done]
    if done:
        told.append(f"Already carried out: {', '.join(done)}.")
    if unknown and not failure.outcome_unknown:
        told.append(f"It is not known whether {', '.join(unknown)} took effect: look before you repeat it.")
    if record.inside and not record.parts:
        told.append(_UNKNOWN if call.repeatable else _LOOK)
    if told or failure.outcome_unknown:
        return " ".join(told), True
    unclear = failure.category in (Category.TRANSIENT, Category.INTERNAL) and failure.status is None
    return (_NOTHING_SENT if unclear and not record.began else ""), False
