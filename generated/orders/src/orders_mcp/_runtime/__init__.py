"""The run-time library of generated servers. Every generated package carries it as `_runtime`, unchanged."""

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
    "Unset",
    "build_server",
    "main",
]
