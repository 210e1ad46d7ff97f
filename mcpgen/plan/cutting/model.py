"""One tool of an operation that is cut: the value that it sets itself, and what is left of the operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import Operation
from mcpgen.plan.effects.inference import EffectDecision


@dataclass(frozen=True, slots=True)
class Action:
    """The argument that a tool sets itself, and the values that other tools set.

    Attributes:
        where: `body`, `query`, or `nested` for a value inside a body field, which the field's schema then fixes.
        name: the argument on the wire.
        value: the value as text: `cancel`, `2`, `true`.
        others: the values of the other tools, and what they are called.
        sent: the value as it is sent.
        left_out: nothing is sent; the argument is a flag whose absence is the other choice.
        label: what the value is called: itself, or the name of a code.
        text: what the document says about the value.
        inherent: the operation has no other value, so the tool is the operation.
        within: the body field that has it, where `where` is `nested`.
        further: the tool does what the operation does, and this on top (`?purge=true`).
    """

    where: str
    name: str
    value: str
    others: tuple[str, ...]
    sent: Any = None
    left_out: bool = False
    label: str = ""
    text: str = ""
    further: bool = False
    inherent: bool = False
    within: str = ""

    @property
    def fixed(self) -> dict[str, Any]:
        """The value that the tool sends, by the name on the wire."""
        return {} if self.left_out or self.where == "nested" else {self.name: self.sent}


@dataclass(frozen=True, slots=True)
class Cut:
    """One tool: its action if it is one of several, the operation as far as it is about it, and what that does."""

    action: Action | None
    operation: Operation
    effect: EffectDecision
    whole: Operation | None = None
    """The operation with all its actions, where this is one of them."""
