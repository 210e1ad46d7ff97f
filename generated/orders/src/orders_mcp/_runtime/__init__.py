"""The run-time library of generated servers. Every generated package carries it as `_runtime`, unchanged.

Names are imported when they are first used: the tables of settings and policies can then be read without the MCP
SDK, whose import takes longer than everything else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .call import Call
    from .catalog import CatalogError
    from .cli import main
    from .hooks import AfterResult, BeforeRequest
    from .memory.store import Store
    from .operation import Operation
    from .outcomes.failures import Category, Failure
    from .outcomes.result import Attachment, Result
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
    "Failure",
    "FileArgument",
    "JsonObject",
    "JsonValue",
    "Operation",
    "PreparedRequest",
    "Result",
    "SettingsError",
    "Store",
    "Unset",
    "build_server",
    "main",
]

_HOMES = {
    "call": ("Call",),
    "catalog": ("CatalogError",),
    "cli": ("main",),
    "transport.client": ("PreparedRequest",),
    "outcomes.failures": ("Category", "Failure"),
    "hooks": ("AfterResult", "BeforeRequest"),
    "operation": ("Operation",),
    "outcomes.result": ("Attachment", "Result"),
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
