"""What a plugin is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from mcpgen.plan.model import PackagePlan

API_VERSION = 1
"""Of this protocol: it goes up when a plugin that was right would no longer be."""


@runtime_checkable
class Plugin(Protocol):
    """An object, or a class without arguments for its constructor, that an entry point leads to.

    Attributes:
        api_version: the `API_VERSION` that the plugin was written for.
    """

    api_version: int

    def filters(self) -> Mapping[str, Callable[..., Any]]:
        """Filters for templates, by name. What they give is text like any other: it is printed through an escaping filter."""
        ...

    def change_plan(self, plan: PackagePlan) -> PackagePlan:
        """The plan to emit, made of the one that mcpgen has made (`dataclasses.replace`). Called once a run."""
        ...


class PluginFailure(Exception):
    """A plugin has raised something; the message names it."""

    def __init__(self, plugin: str, message: str) -> None:
        super().__init__(f"the plugin {plugin} failed: {message}")
        self.plugin = plugin
