"""`@tool`: makes a function of `hooks.py` a tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

OwnFunction = Callable[..., Awaitable[Any]]
_F = TypeVar("_F", bound=OwnFunction)

MARK = "__mcp_tool__"
TOOLSET = "own"


@dataclass(frozen=True, slots=True)
class Told:
    """What the decorator says about a function; None is made from the function."""

    effect: Literal["read", "write", "destructive"]
    name: str | None = None
    title: str | None = None
    description: str | None = None
    additive: bool = False
    idempotent: bool | None = None
    open_world: bool = True
    toolset: str = TOOLSET
    hints: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def tool(
    *,
    effect: Literal["read", "write", "destructive"],
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    additive: bool = False,
    idempotent: bool | None = None,
    open_world: bool = True,
    toolset: str = TOOLSET,
    hints: Mapping[str, Mapping[str, Any]] | None = None,
) -> Callable[[_F], _F]:
    """Makes `async def function(call: Call, *, ...)` a tool beside the generated ones, with the same contract.

    Arguments are checked against a schema made of the parameters, and handed over as the types that they name. What is
    returned is the `data` of the result, of the type that the function names; a `Result` is passed on as it is.

    Args:
        effect: the worst that the tool does: the gates go by it, and it uses no tool that does worse.
        name, title, description: those of the function and of its docstring when left out.
        additive: a write only adds something new.
        idempotent: the same call again changes nothing further; a read is so by itself.
        open_world: the tool reaches beyond this server.
        toolset: the group that `TOOLSETS` chooses by.
        hints: next steps by status (`404`) or category of the result: `{"tool": NAME, "arguments": {...}, "text": ...}`.
    """
    told = Told(
        effect, name, title, description, additive, idempotent, open_world, toolset, dict(hints or {})
    )

    def mark(function: _F) -> _F:
        setattr(function, MARK, told)
        return function

    return mark
