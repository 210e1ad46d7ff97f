"""The run-time library of this server: the distribution mcpgen-runtime, which many servers share.

All names are imported from here. A server works with the very library that it was generated for;
with another one, or with none, nothing can be imported.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcpgen_runtime import (
        UNSET,
        AfterResult,
        Attachment,
        BeforeRequest,
        Call,
        CatalogError,
        Category,
        Confirm,
        Executor,
        Failure,
        FileArgument,
        HooksError,
        JsonObject,
        JsonValue,
        LoopEnd,
        Operation,
        PreparedRequest,
        Result,
        SettingsError,
        Stop,
        Store,
        StoredToken,
        TokenStore,
        Unset,
        build_server,
        main,
        open_package,
        run_loop,
        tool,
    )

__all__ = [
    "UNSET",
    "AfterResult",
    "Attachment",
    "BeforeRequest",
    "Call",
    "CatalogError",
    "Category",
    "Confirm",
    "Executor",
    "Failure",
    "FileArgument",
    "HooksError",
    "JsonObject",
    "JsonValue",
    "LoopEnd",
    "Operation",
    "PreparedRequest",
    "Result",
    "SettingsError",
    "Stop",
    "Store",
    "StoredToken",
    "TokenStore",
    "Unset",
    "build_server",
    "main",
    "open_package",
    "run_loop",
    "tool",
]

_VERSION = "VERSION"
_FINGERPRINT = "FINGERPRINT"


class RuntimeMismatch(ImportError):
    """The run-time library is missing, or another one. The message is one line and says what to do."""


def _problem() -> str | None:
    """What is wrong with the library that is installed, or None."""
    install = f'pip install "mcpgen-runtime=={_VERSION}"'
    try:
        from mcpgen_runtime._identity import FINGERPRINT, VERSION
    except ModuleNotFoundError as error:
        absent = error.name == "mcpgen_runtime"
        found = "it is not installed" if absent else "mcpgen_runtime is something else here"
        advice = f"Install it: {install}; `mcpgen runtime --output DIR` writes its project."
    else:
        if FINGERPRINT == _FINGERPRINT:
            return None
        found = f"{VERSION} is installed"
        follow = f"run `mcpgen update` of the mcpgen that {VERSION} comes from"
        advice = f"Install what it needs: {install}; or {follow}."
        if VERSION == _VERSION:
            found = "what is installed under this version is not the same"
            advice = f"Install it again: {install} --force-reinstall."
    package = __name__.partition(".")[0]
    return f"{package} was generated for mcpgen-runtime {_VERSION}, and {found}. {advice}"


def _refuse(problem: str) -> None:
    """Stops the import. Where nobody catches that, the process ends with the message alone.

    Raises:
        RuntimeMismatch: always.
    """
    before = sys.excepthook

    def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, RuntimeMismatch):
            print(error, file=sys.stderr)
        else:
            before(kind, error, trace)

    sys.excepthook = tell
    raise RuntimeMismatch(problem)


if (_found := _problem()) is not None:
    _refuse(_found)

if not TYPE_CHECKING:  # a type checker reads the imports above

    def __getattr__(name: str) -> Any:
        """A public name, from the library, when it is first used (PEP 562)."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module("mcpgen_runtime"), name)
        return value
