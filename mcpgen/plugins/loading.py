"""Finds, checks and runs plugins. Whatever goes wrong in one is said to be its own."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from mcpgen.diagnostics import Collector, Location
from mcpgen.plan.model import PackagePlan
from mcpgen.plugins.protocol import API_VERSION, Plugin, PluginFailure

GROUP = "mcpgen.plugins"


@dataclass(frozen=True, slots=True)
class Active:
    """The plugins of a run, in the order in which the configuration names them."""

    plugins: tuple[tuple[str, Plugin], ...] = ()
    filters: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    where: Location | None = None

    def change(self, plan: PackagePlan, diagnostics: Collector) -> PackagePlan:
        """The plan after all plugins.

        Raises:
            Refused: one fails, or gives something else than a plan (`plugin-failed`).
        """
        for name, plugin in self.plugins:
            try:
                changed = plugin.change_plan(plan)
            except Exception as error:  # whatever code of others can raise
                raise _failed(name, "change_plan", error, diagnostics, self.where) from error
            if not isinstance(changed, PackagePlan):
                message = (
                    f"The plugin {name} failed: change_plan gave {type(changed).__name__}, not a PackagePlan."
                )
                raise diagnostics.refuse("plugin-failed", message, self.where)
            plan = changed
        return plan


def load_plugins(
    names: Sequence[str],
    diagnostics: Collector,
    where: Location | None = None,
    *,
    taken: Collection[str] = (),
) -> Active:
    """Loads the plugins of these names, and no others. `taken` are names that no filter can have.

    Raises:
        Refused: one is not installed, cannot be loaded, is none, or two offer a filter of one name (`plugin-failed`).
    """
    plugins: list[tuple[str, Plugin]] = []
    filters: dict[str, Callable[..., Any]] = {}
    owners: dict[str, str] = {}
    for name in dict.fromkeys(names):
        plugin = _load(name, diagnostics, where)
        for key, function in _filters(name, plugin, diagnostics, where).items():
            if key in taken:
                message = f"The plugin {name} failed: mcpgen has a filter {key} of its own."
                raise diagnostics.refuse("plugin-failed", message, where)
            if key in filters:
                message = f"The plugins {owners[key]} and {name} both offer a filter {key}."
                raise diagnostics.refuse("plugin-failed", message, where)
            filters[key] = _attributed(name, function)
            owners[key] = name
        plugins.append((name, plugin))
    return Active(tuple(plugins), filters, where)


def _load(name: str, diagnostics: Collector, where: Location | None) -> Plugin:
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        close = difflib.get_close_matches(name, list(found), n=1)
        known = (
            f" Did you mean {close[0]}?"
            if close
            else f" Installed are: {', '.join(sorted(found)) or 'none'}."
        )
        message = f"No plugin {name} is installed beside mcpgen.{known}"
        raise diagnostics.refuse("plugin-failed", message, where)
    try:
        plugin = _made(found[name])
    except Exception as error:
        raise _failed(name, "loading it", error, diagnostics, where) from error
    if not isinstance(plugin, Plugin):
        message = f"The plugin {name} is none: it needs api_version, filters and change_plan (mcpgen.plugins.Plugin)."
        raise diagnostics.refuse("plugin-failed", message, where)
    if plugin.api_version != API_VERSION:
        message = f"The plugin {name} was written for version {plugin.api_version} of the protocol; this mcpgen has {API_VERSION}."
        raise diagnostics.refuse("plugin-failed", message, where)
    return plugin


def _made(entry: EntryPoint) -> Any:
    loaded = entry.load()
    return loaded() if isinstance(loaded, type) else loaded


def _filters(
    name: str, plugin: Plugin, diagnostics: Collector, where: Location | None
) -> dict[str, Callable[..., Any]]:
    try:
        found = dict(plugin.filters())
    except Exception as error:
        raise _failed(name, "filters", error, diagnostics, where) from error
    for key, function in found.items():
        if not key.isidentifier() or not callable(function):
            message = f"The plugin {name} failed: {key!r} is no filter (a name and a function)."
            raise diagnostics.refuse("plugin-failed", message, where)
    return found


def _attributed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that gives plain text, and whose failures name the plugin."""

    @wraps(function)
    def attributed(*args: Any, **kwargs: Any) -> Any:
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            raise PluginFailure(name, f"{type(error).__name__}: {error}") from error
        return str.__str__(result) if isinstance(result, str) else result

    return attributed


def _failed(
    name: str, what: str, error: Exception, diagnostics: Collector, where: Location | None
) -> Exception:
    message = f"The plugin {name} failed in {what}: {type(error).__name__}: {error}"
    return diagnostics.refuse("plugin-failed", message, where)
