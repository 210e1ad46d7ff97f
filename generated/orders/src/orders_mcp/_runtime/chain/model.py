"""`Link`: one thing that happens around every call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import mcp_types as mt

from ..call import Call
from ..outcomes.result import Result

Following = Callable[[Call], Awaitable[Result[Any]]]
"""The rest of the chain."""


class Link(Protocol):
    """Sees a call before the rest of the chain and its result after it.

    It may answer without calling `following`, or end the call by raising `CallFailed`.
    """

    async def __call__(self, call: Call, following: Following, /) -> Result[Any]: ...


class Asked(Exception):
    """Ends a call with a question to the user, which the client answers by repeating the call (2026-07-28)."""

    def __init__(self, question: mt.InputRequiredResult) -> None:
        self.question = question
        super().__init__("the user is asked first")


def chained(links: Sequence[Link], last: Following) -> Following:
    """One function from call to result: the first link outermost, `last` in the middle."""
    following = last
    for link in reversed(links):
        following = _around(link, following)
    return following


def _around(link: Link, following: Following) -> Following:
    async def linked(call: Call) -> Result[Any]:
        return await link(call, following)

    return linked
