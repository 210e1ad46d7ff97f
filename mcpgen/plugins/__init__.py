"""Plugins: filters for templates and changes of the plan, from packages that are installed beside mcpgen.

A package offers a plugin by an entry point of the group `mcpgen.plugins`, and a project uses it by its name in
`[generate] plugins`. One that is not named there is not even imported.
"""

from mcpgen.plugins.loading import GROUP, Active, load_plugins
from mcpgen.plugins.protocol import API_VERSION, Plugin, PluginFailure

__all__ = ["API_VERSION", "GROUP", "Active", "Plugin", "PluginFailure", "load_plugins"]
