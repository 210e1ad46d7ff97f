"""How many bytes a value has as compact JSON in UTF-8, without writing all of a big one."""

from __future__ import annotations

from typing import Any

from ..values import compact_json

_FEW = 100
"""Parts of a value that is written without a further look."""
_SINGLE = 16
"""So many members are looked at one by one: a big one among them may end the search. Then they go by growing slices."""
_SLICE = 4 << 10
"""Bytes that a slice should have at most."""


def size_of(value: Any) -> int:
    """Bytes of a value. What UTF-8 can't carry (a lone surrogate) counts as one."""
    return len(compact_json(value).encode("utf-8", "replace"))


def measured(value: Any, cap: int) -> int:
    """Bytes of a value, or some number over `cap` where it has more."""
    if isinstance(value, str):
        return cap + 1 if len(value) > cap else size_of(value)
    if not isinstance(value, dict | list) or _is_small(value):
        return size_of(value)
    members: list[Any] = list(value.items()) if isinstance(value, dict) else value
    used, start, step = 1, 0, 1
    while start < len(members) and used <= cap:
        before = used
        if step == 1:
            used += _member(members[start], isinstance(value, dict), cap - used)
        else:
            part = members[start : start + step]
            used += size_of(dict(part) if isinstance(value, dict) else part) - 1
        start += step
        if start >= _SINGLE:
            step = step * 2 if used - before < _SLICE else max(1, step // 2)
    return used


def _is_small(value: Any) -> bool:
    """Whether writing it costs less than looking at its parts one by one."""
    parts, left = [value], _FEW
    while parts:
        part = parts.pop()
        if isinstance(part, str):
            left -= len(part) >> 6
        elif isinstance(part, dict | list):
            left -= len(part)
            if left >= 0:
                parts.extend(part.values() if isinstance(part, dict) else part)
        if left < 0:
            return False
    return True


def _member(member: Any, field: bool, cap: int) -> int:
    """One member with the comma after it, and its name where it is a field."""
    if not field:
        return measured(member, cap) + 1
    key, inner = member
    return size_of(key) + 2 + measured(inner, cap)
