"""The configuration: `mcpgen.toml`, and over it what the command line says.

To add a key, add a field to `Config` and a line to `KEYS`; to add a section of another kind, a line to `SECTIONS` too.
"""

from mcpgen.config.keys import KEYS, problem_with, suggestion
from mcpgen.config.model import Config
from mcpgen.config.places import locate
from mcpgen.config.reading import load_config
from mcpgen.config.sections import server_faults

__all__ = ["KEYS", "Config", "load_config", "locate", "problem_with", "server_faults", "suggestion"]
