"""What is known about a write that has failed: that nothing was sent, that it was done all the same, or neither."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .failures import Category, Failure

if TYPE_CHECKING:
    from ..call import Call

_GATEWAY = frozenset({502, 504})
"""A gateway has no answer of the API behind it (RFC 9110, 15.6.3 and 15.6.5)."""
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
    told = f"{failure.message} {words}"
    return replace(failure, message=told, outcome_unknown=open_end, harmless_again=harmless)


def _fate(call: Call, failure: Failure) -> tuple[str, bool]:
    """The words, and whether a look would tell more."""
    record, answered = call.record, failure.status is not None
    if call.operation.effect == "read" or (record.source is not None):
        return "", False
    unclear = failure.category in (Category.TRANSIENT, Category.INTERNAL)
    if record.accepted == _SEE_OTHER or (record.accepted is not None and unclear and not answered):
        return f"The API had already carried out the call ({record.accepted}).", True
    if answered and record.lost:
        return _EARLIER, True
    if not unclear or (answered and failure.status not in _GATEWAY):
        return "", False
    if record.lost or answered:
        return (_UNKNOWN if call.repeatable else _LOOK), True
    return ("", False) if record.sent else (_NOTHING_SENT, False)
