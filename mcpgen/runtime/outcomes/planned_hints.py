"""What the catalogue says about the next step after a call, as typed views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Hint:
    """Another tool of this server and what to pass to it.

    Attributes:
        arguments: by name, values or words for them.
        same: arguments of that tool that take the value which an argument of this call has.
        values: arguments of that tool that take a value of the answer: `body#/id`, `header.Location`.
        again: which arguments of this tool to change when it is called again, and where the result of that tool has
            them; "" where that is not known.
        when: an argument of this call that the failure has to be about.
        text: what to say after the call of that tool.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)
    when: str | None = None
    text: str = ""


Hints = Mapping[str, tuple[Hint, ...]]
"""By status (`404`, `4XX`), category of the result contract, `unknown` or `reference`; each in the order of trying."""


def read_hints(entry: Mapping[str, Any] | None) -> Hints:
    """The view of one entry: under each key one hint or a list of them."""
    return {
        key: tuple(map(_hint, told if isinstance(told, list) else [told]))
        for key, told in (entry or {}).items()
    }


def planned(hints: Hints, keys: Iterable[str]) -> list[Hint]:
    """The hints under some keys, one after the other."""
    return [hint for key in keys for hint in hints.get(key, ())]


def _hint(told: Mapping[str, Any]) -> Hint:
    return Hint(
        tool=told["tool"],
        arguments=told.get("arguments") or {},
        same=told.get("same") or {},
        values=told.get("values") or {},
        again=told.get("again") or {},
        when=told.get("when"),
        text=told.get("text") or "",
    )
