"""Says which published schemas admit more than the document's: the first few tools by name, the others as a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mcpgen.diagnostics import Collector, Location
from mcpgen.ir.api import Operation
from mcpgen.plan.projection import Projected

SHOWN = 5


@dataclass(slots=True)
class Simplifications:
    """Gathers them while tools are planned; `close` says what they have in common, once."""

    diagnostics: Collector
    _inputs: list[str] = field(default_factory=list)
    _dropped: list[str] = field(default_factory=list)
    _unions: list[str] = field(default_factory=list)
    _answers: list[str] = field(default_factory=list)

    def add(
        self, operation: Operation, tool: str, inputs: Projected, outputs: Projected, dropped: Sequence[str]
    ) -> None:
        """Takes in one tool; `dropped` are keywords of its body that separate arguments can't express."""
        if inputs.simplified:
            self._say(
                self._inputs,
                operation,
                tool,
                f"the input schema of {tool} was loosened far from its root to keep it small; the API checks the rest",
            )
        if dropped:
            words = ", ".join(dropped)
            message = (
                f"{words} of the whole body can't be said of separate arguments of {tool}; the API checks it"
            )
            self._say(self._dropped, operation, tool, message)
        if inputs.any_of:
            self._unions.append(tool)
        if outputs.simplified:
            self._answers.append(tool)

    def close(self, origin: Location) -> None:
        """What was not said of single tools."""
        self._rest(self._inputs, "more input schemas were loosened", origin)
        self._rest(self._dropped, "more bodies have conditions that only the API checks", origin)
        if self._unions:
            message = (
                f"`oneOf` in the arguments of {_named(self._unions)} is published as `anyOf`, which is all that clients"
                " know: what matches several alternatives passes, and the API decides"
            )
            self.diagnostics.add("schema-simplified", message, origin)
        if self._answers:
            message = f"the result schemas of {_named(self._answers)} were loosened, because they are large or recursive"
            self.diagnostics.add("schema-simplified", message, origin)

    def _say(self, seen: list[str], operation: Operation, tool: str, message: str) -> None:
        seen.append(tool)
        if len(seen) <= SHOWN:
            self.diagnostics.add("schema-simplified", f"{operation.key}: {message}", operation.origin)

    def _rest(self, seen: list[str], what: str, origin: Location) -> None:
        if len(seen) > SHOWN:
            self.diagnostics.add("schema-simplified", f"and {len(seen) - SHOWN} {what}", origin)


def _named(tools: Sequence[str]) -> str:
    rest = len(tools) - 3
    return ", ".join(tools[:3]) + (f" and {rest} more tools" if rest > 0 else "")
