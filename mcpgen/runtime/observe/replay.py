"""`python -m PACKAGE replay FILE`: makes the reads of an audit file again and shows what has become different.

What may be made again is decided by the catalogue, never by the file: only tools that read, only with arguments that
the file has in full, and only what had succeeded.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..app import App
from ..call import Call
from ..chain.model import Asked
from ..chain.order import call_chain
from ..memory.store import MemoryStore
from ..outcomes.result import Result
from ..values import UNSET, compact_json
from .audit import recorded
from .differences import Difference, differences, short
from .reading import Line, read_lines

MOST_LINES = 100_000
_MOST_DIFFERENCES = 20


@dataclass(frozen=True, slots=True)
class Replayed:
    """One call that was made again. `told` are the differences, as `place: before -> after`."""

    line: Line
    differences: tuple[Difference, ...]
    more: int = 0

    @property
    def call(self) -> str:
        return f"{self.line.text('tool')} {short((self.line.entry or {}).get('arguments'))}"

    def as_text(self) -> Iterator[str]:
        yield f"{self.call} (line {self.line.number}, {self.line.text('time')})"
        yield from (f"  {one.pointer}: {one.told}" for one in self.differences)
        if self.more:
            yield f"  and {self.more} more differences"

    def as_json(self) -> dict[str, Any]:
        entry = self.line.entry or {}
        told = [{"place": one.pointer, "kind": one.kind, **_sides(one)} for one in self.differences]
        return {
            "line": self.line.number,
            "tool": self.line.text("tool"),
            "arguments": entry.get("arguments"),
            "differences": told,
            "more": self.more,
        }


def _sides(one: Difference) -> dict[str, Any]:
    sides = {"before": one.before, "after": one.after}
    return {name: value for name, value in sides.items() if value is not UNSET}


@dataclass(slots=True)
class Replay:
    """What was found. `left_out` counts calls by the reason why they were not made again."""

    replayed: int = 0
    different: list[Replayed] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    malformed: list[int] = field(default_factory=list)

    def summary(self) -> str:
        """One line."""
        left_out = ", ".join(f"{count} {reason}" for reason, count in self.left_out.most_common())
        first = f"{self.replayed} reads made again, {len(self.different)} different"
        return first + (f"; left out: {left_out}" if left_out else "")

    def as_json(self) -> str:
        told = {
            "replayed": self.replayed,
            "different": [one.as_json() for one in self.different],
            "left_out": dict(self.left_out),
            "malformed": self.malformed,
        }
        return json.dumps(told, ensure_ascii=False, indent=2)


class Replayer:
    """Makes calls again through the server's own chain, without a client."""

    def __init__(self, app: App) -> None:
        app.store = MemoryStore()  # a cached answer would only be compared with itself
        self._app = app
        self._chain = call_chain(app)

    async def run(self, path: Path, tool: str | None, limit: int | None) -> AsyncIterator[Replayed | Replay]:
        """Yields each call with differences as soon as it is known, and at the end the whole.

        Raises:
            OSError: the file can't be read.
        """
        replay = Replay()
        async with self._app.session():
            for line in self._chosen(path, tool, replay):
                if limit is not None and replay.replayed >= limit:
                    replay.left_out["beyond the limit"] += 1
                    continue
                replay.replayed += 1
                found = self._compared(line, await self._again(line))
                if found.differences:
                    replay.different.append(found)
                    yield found
        yield replay

    def _chosen(self, path: Path, tool: str | None, replay: Replay) -> list[Line]:
        """The calls to make: of equal ones the last, since its answer is the newest."""
        chosen: dict[str, Line] = {}
        for line in read_lines(path):
            if line.entry is None:
                replay.malformed.append(line.number)
            elif tool is None or line.text("tool") == tool:
                reason = self._not(line, line.entry)
                key = compact_json([line.text("tool"), line.entry.get("arguments")])
                if reason is None and chosen.pop(key, None) is not None:
                    replay.left_out["made again later in the file"] += 1
                if reason is None and len(chosen) < MOST_LINES:
                    chosen[key] = line
                else:
                    replay.left_out[reason or "beyond the limit"] += 1
        return list(chosen.values())

    def _not(self, line: Line, entry: dict[str, Any]) -> str | None:
        """Why a call is not made again."""
        name = line.text("tool")
        if name not in self._app.registered:
            return "of tools that are not registered"
        if self._app.operation(name).effect != "read" or entry.get("effect") != "read":
            return "not reads"
        if entry["outcome"] != "ok":
            return "not ok in the file"
        if entry.get("hidden") or not isinstance(entry.get("arguments"), dict):
            return "with arguments that are masked or cut"
        if self._app.policy(name).confirm == "always":
            return "that ask the user"
        return None

    async def _again(self, line: Line) -> tuple[Call, Result[Any] | None]:
        name = line.text("tool")
        arguments = dict((line.entry or {})["arguments"])
        call = Call(self._app, self._app.operation(name), arguments, secrets.token_hex(8))
        try:
            return call, await self._chain(call)
        except Asked:
            return call, None

    def _compared(self, line: Line, made: tuple[Call, Result[Any] | None]) -> Replayed:
        entry = line.entry or {}
        call, result = made
        found = [
            Difference(name, before, after)
            for name, before, after in (
                ("ok", True, result is not None and result.ok),
                ("status", entry.get("status", UNSET), _or_unset(call.record.status)),
                ("category", UNSET, _or_unset(_category(result))),
                (
                    "schema",
                    _or_unset(entry.get("drift") and "broken"),
                    _or_unset(call.record.drift and "broken"),
                ),
            )
            if before != after
        ]
        if result is not None and result.ok:
            now = recorded(result.value, self._app.redactor)
            if now["result_sha256"] != entry.get("result_sha256"):
                found += self._data(entry, now)
        return Replayed(line, tuple(found[:_MOST_DIFFERENCES]), max(0, len(found) - _MOST_DIFFERENCES))

    @staticmethod
    def _data(entry: dict[str, Any], now: dict[str, Any]) -> list[Difference]:
        if "result" in entry and "result" in now:
            told = list(differences(entry["result"], now["result"]))
            return [Difference(f"data {one.pointer or '(all)'}", one.before, one.after) for one in told]
        return [Difference("data (SHA-256)", entry.get("result_sha256", UNSET), now["result_sha256"])]


def _or_unset(value: Any) -> Any:
    return UNSET if value is None else value


def _category(result: Result[Any] | None) -> str | None:
    failure = None if result is None else result.failure
    return None if failure is None else str(failure.category)
