"""The team's own code around every call, and its own tools: `<package>/hooks.py`, written once by the generator."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Collection, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from .own_tools.decorator import MARK

if TYPE_CHECKING:
    from .call import Call
    from .memory.store import Store
    from .outcomes.result import Result
    from .own_tools.loading import OwnTool
    from .transport.client import PreparedRequest


class BeforeRequest(Protocol):
    """`async def before_request(call, request)`: runs before every request, credentials already applied.

    It may change the request: a further header, a signature, another URL.
    """

    def __call__(self, call: Call, request: PreparedRequest, /) -> Awaitable[None]: ...


class AfterResult(Protocol):
    """`async def after_result(call, result)`: sees every result; may return another one in its place."""

    def __call__(self, call: Call, result: Result[Any], /) -> Awaitable[Result[Any] | None]: ...


class HooksError(Exception):
    """The team's own code can't be used; the server does not start without it."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks and tools that a package defines; None where it defines none."""

    before_request: BeforeRequest | None = None
    after_result: AfterResult | None = None
    store: Store | None = None
    tools: Mapping[str, OwnTool] = field(default_factory=dict)

    @classmethod
    def load(cls, package: str, generated: Collection[str] = ()) -> Hooks:
        """Imports `<package>.hooks`. A package without it has no hooks.

        Args:
            package: import name of the generated package.
            generated: names of the generated tools, which no other one can have.

        Raises:
            HooksError: the module can't be imported, or one of its tools can't be a tool.
        """
        name = f"{package}.hooks"
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name not in (package, name):  # a catalogue can be served without its package
                raise HooksError(f"hooks.py can't be imported: {error}") from error
            return cls()
        except Exception as error:
            raise HooksError(f"hooks.py can't be imported: {type(error).__name__}: {error}") from error
        return cls(
            getattr(module, "before_request", None),
            getattr(module, "after_result", None),
            getattr(module, "store", None),
            _own_tools(module, generated),
        )


def _own_tools(module: ModuleType, generated: Collection[str]) -> Mapping[str, OwnTool]:
    if not any(hasattr(value, MARK) for value in vars(module).values()):
        return {}
    from .own_tools.loading import own_tools  # what makes schemas is slow, and needed only here
    from .own_tools.schemas import OwnToolError

    try:
        return own_tools(module, generated)
    except OwnToolError as error:
        raise HooksError(f"hooks.py: {error}") from error
