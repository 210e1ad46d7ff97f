"""The run-time library of generated servers, unchanged: each has it as `_runtime`, or many share it as `mcpgen_runtime`.

Names are imported when they are first used: the tables of settings and policies can then be read without the MCP
SDK, whose import takes longer than everything else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .auth.token_store import StoredToken, TokenStore
    from .call import Call
    from .catalog import CatalogError
    from .cli import main
    from .executor.loop import LoopEnd, Stop, run_loop
    from .executor.running import Confirm, Executor, open_package
    from .hooks import AfterResult, BeforeRequest, HooksError
    from .memory.store import Store
    from .operation import Operation
    from .outcomes.failures import Category, Failure
    from .outcomes.result import Attachment, Result
    from .own_tools.decorator import tool
    from .server import build_server
    from .setup.settings import SettingsError
    from .transport.client import PreparedRequest
    from .values import UNSET, FileArgument, JsonObject, JsonValue, Unset

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

_HOMES = {
    "auth.token_store": ("StoredToken", "TokenStore"),
    "call": ("Call",),
    "catalog": ("CatalogError",),
    "cli": ("main",),
    "executor.loop": ("LoopEnd", "Stop", "run_loop"),
    "executor.running": ("Confirm", "Executor", "open_package"),
    "transport.client": ("PreparedRequest",),
    "outcomes.failures": ("Category", "Failure"),
    "hooks": ("AfterResult", "BeforeRequest", "HooksError"),
    "operation": ("Operation",),
    "outcomes.result": ("Attachment", "Result"),
    "own_tools.decorator": ("tool",),
    "server": ("build_server",),
    "setup.settings": ("SettingsError",),
    "memory.store": ("Store",),
    "values": ("UNSET", "FileArgument", "JsonObject", "JsonValue", "Unset"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:  # a type checker reads the imports above

    def __getattr__(name: str) -> Any:
        """A public name, from the module that defines it (PEP 562)."""
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
        return value
