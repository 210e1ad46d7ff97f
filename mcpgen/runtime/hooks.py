"""The team's own code around every call: `<package>/hooks.py`, written once by the generator."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .call import Call
    from .memory.store import Store
    from .outcomes.result import Result
    from .transport.client import PreparedRequest


class BeforeRequest(Protocol):
    """`async def before_request(call, request)`: runs before every request, credentials already applied.

    It may change the request: a further header, a signature, another URL.
    """

    def __call__(self, call: Call, request: PreparedRequest, /) -> Awaitable[None]: ...


class AfterResult(Protocol):
    """`async def after_result(call, result)`: sees every result; may return another one in its place."""

    def __call__(self, call: Call, result: Result[Any], /) -> Awaitable[Result[Any] | None]: ...


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks that a package defines; None where it defines none."""

    before_request: BeforeRequest | None = None
    after_result: AfterResult | None = None
    store: Store | None = None

    @classmethod
    def load(cls, package: str) -> Hooks:
        """Imports `<package>.hooks`. A package without it has no hooks; one that is broken is an error."""
        name = f"{package}.hooks"
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            return cls()
        return cls(
            getattr(module, "before_request", None),
            getattr(module, "after_result", None),
            getattr(module, "store", None),
        )
