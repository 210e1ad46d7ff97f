"""The answers that an API documents for one tool, and the cell of the result contract that each has to give.

The rules are those of the result contract (README, Results) and of OpenAPI: a 2xx is a success whatever its shape, `data`
is the answer where it keeps the published schema and `raw` where it does not, and everything else is a failure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from mcpgen.cases.answers import BROKEN, EMPTY, PAGE, PROBLEM, Body, as_base64, body_of
from mcpgen.cases.failures import category_of, hint_of, neutral
from mcpgen.cases.model import CallCase, OutcomeCase
from mcpgen.cases.published import DataSchema
from mcpgen.plan.model import AnswerSample, ToolPlan

_RANGE = re.compile(r"([2-5])XX")
_LIKELY = {
    "2": (200, 202, 201, 206, 203, 207),
    "3": (301, 302, 308, 300),
    "4": (400, 422, 409, 403, 404, 418, 451),
    "5": (500, 503, 502, 501, 505),
}
"""Which status stands for a range, the first that the document does not tell apart."""
_ERROR_WORDS = frozenset(
    "ok success succeeded error errors message msg errmsg errormessage retmsg code errcode errorcode retcode errno status".split()
)
"""Members of an answer that can make it an error although its status is that of a success."""


def outcomes_of(
    tool: ToolPlan, calls: Sequence[CallCase], registered: Collection[str], *, common: bool = False
) -> tuple[OutcomeCase, ...]:
    """The answers to the first call, and what must become of each.

    Args:
        registered: the names of all tools, which hints can name.
        common: also the answers that no document has to promise: too many requests, a broken server, a page or nothing
            in place of data. They are the same for all tools, so that few tools need to be tried with them.
    """
    if not calls:
        return ()
    cell = _Cells(tool, calls[0].arguments, registered)
    found = list(_documented(tool, cell))
    if not any(case.status == 404 for case in found):
        found.append(cell.failure(404, PROBLEM))
    if common:
        found += cell.common()
    return tuple(found)


def _documented(tool: ToolPlan, cell: _Cells) -> Iterator[OutcomeCase]:
    named = {sample.status for sample in tool.answers}
    for sample in tool.answers:
        status = _status(sample, named)
        body = body_of(sample)
        case = cell.of(status, body) if status is not None and body is not None else None
        if case is not None:
            yield case


def _status(sample: AnswerSample, named: Collection[str]) -> int | None:
    """The status that is sent; None where none can be: 1xx is no answer, and a range can be used up."""
    if sample.status.isascii() and sample.status.isdigit():
        status = int(sample.status)
        return status if 200 <= status < 600 else None
    found = _RANGE.fullmatch(sample.status)
    if found is not None:
        family = found[1]
    elif sample.status == "DEFAULT":
        family = "5" if any(name.startswith("2") for name in named) else "2"
    else:
        return None
    return next((status for status in _LIKELY[family] if str(status) not in named), None)


class _Cells:
    """The cells of one tool's result contract, for one call of it."""

    def __init__(self, tool: ToolPlan, arguments: Mapping[str, Any], registered: Collection[str]) -> None:
        self._tool = tool
        self._arguments = arguments
        self._registered = registered
        self._data = DataSchema(tool.output_schema)

    def of(self, status: int, body: Body) -> OutcomeCase | None:
        """The outcome of an answer; None where nothing could be promised."""
        if 200 <= status < 300 or status == 304:
            return self.success(status, body)
        return self.failure(status, body)

    def success(self, status: int, body: Body) -> OutcomeCase | None:
        """`data` where one of the readings of the body keeps the published schema, else `raw`."""
        empty = body.content_type is None or status in (204, 205, 304) or self._tool.method == "HEAD"
        body = EMPTY if empty else body
        told: dict[str, Any] = {"ok": True}
        for reading in body.readings:
            keeps = self._data.admits(reading)
            if keeps is None:
                break  # a schema that can't be used here: what it admits is not known
            if keeps:
                told["data"] = reading
                break
        else:
            if _may_be_error(body.readings[0]):
                return None
            told["raw"] = body.readings[0]
        return OutcomeCase(status, body.content_type, body.value, told)

    def failure(self, status: int, body: Body, headers: Mapping[str, str] | None = None) -> OutcomeCase:
        """A failure with the status, and what follows from it."""
        value = body.value
        if 400 <= status < 500 and body.json:
            value = neutral(value)
        if self._tool.method == "HEAD":
            body, value = EMPTY, None
        category = category_of(self._tool, status, value)
        told: dict[str, Any] = {"ok": False, "status": status}
        hint = None
        if category is not None:
            told |= {"category": category, "retryable": category in ("validation", "transient")}
            hint = hint_of(self._tool, status, category, value, self._arguments, self._registered)
        return OutcomeCase(status, body.content_type, value, told, hint, headers or {})

    def common(self) -> list[OutcomeCase]:
        """What every client of an API meets sooner or later, documented or not."""
        found = [
            self.failure(429, PROBLEM, {"Retry-After": "7"}),
            self.failure(500, EMPTY),
            self.failure(503, PAGE),
            self.failure(403, PAGE),
            self.success(200, EMPTY),
            self.success(200, PAGE),
        ]
        if self._tool.method != "HEAD":
            told = {"ok": True, "raw": BROKEN}
            found.append(OutcomeCase(200, "application/json", as_base64(BROKEN.encode()), told))
        return [case for case in found if case is not None]


def _may_be_error(value: Any) -> bool:
    """Whether an answer that breaks its schema may be taken for an error: then neither cell is promised."""
    if not isinstance(value, dict):
        return False
    return not _ERROR_WORDS.isdisjoint("".join(filter(str.isalnum, name.lower())) for name in value)
