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
    from .client import PreparedRequest
    from .failures import Category, Failure
    from .hooks import AfterResult, BeforeRequest
    from .operation import Operation
    from .result import Attachment, Result
    from .server import build_server
    from .settings import SettingsError
    from .store import Store
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
    "client": ("PreparedRequest",),
    "failures": ("Category", "Failure"),
    "hooks": ("AfterResult", "BeforeRequest"),
    "operation": ("Operation",),
    "result": ("Attachment", "Result"),
    "server": ("build_server",),
    "settings": ("SettingsError",),
    "store": ("Store",),
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
