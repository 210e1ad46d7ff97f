"""Faults that change nothing anyone could see, each read by a person, with the reason.

An entry is found by file, function, kind and both texts, so that it ends with the code that it is about; an entry that
matches no fault fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping

from .faults import Fault

Key = tuple[str, str, str, str, str]
"""File below the run-time library, function, operator, before, after."""

EQUIVALENT: Mapping[Key, str] = {
    ("requests/body.py", "_form_field", "wrong location", "'query'", "'header'"): (
        "fields of forms are written as query parameters are; `query_pairs` does not look at the place"
    ),
    ("requests/query.py", "form_text", "wrong location", "'query'", "'header'"): (
        "fields of forms are written as query parameters are; `query_pairs` does not look at the place"
    ),
}


def key_of(fault: Fault) -> Key:
    return (fault.file.removeprefix("_runtime/"), fault.where, fault.operator, fault.before, fault.after)


def is_equivalent(fault: Fault) -> bool:
    return key_of(fault) in EQUIVALENT
