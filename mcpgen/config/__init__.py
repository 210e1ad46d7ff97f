"""The configuration: `mcpgen.toml`, and over it what the command line says.

To add a key, add a field to `Config` and a line to `KEYS`; to add a section of another kind, a line to `SECTIONS` too.
"""

from mcpgen.config.keys import KEYS, problem_with, suggestion
from mcpgen.config.model import Config
from mcpgen.config.places import locate
from mcpgen.config.reading import load_config
from mcpgen.config.sections import server_faults
from mcpgen.config.workspace import (
    WORKSPACE_NAME,
    Member,
    Workspace,
    is_workspace,
    load_member,
    load_workspace,
)

__all__ = [
    "KEYS",
    "WORKSPACE_NAME",
    "Config",
    "Member",
    "Workspace",
    "is_workspace",
    "load_config",
    "load_member",
    "load_workspace",
    "locate",
    "problem_with",
    "server_faults",
    "suggestion",
]
