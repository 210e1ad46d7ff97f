"""Typed views of `catalog.json`: what the generator decided about every tool.

The wire dicts of `tools/list` stay plain dicts, because nothing at start-up may cost a Python object per
tool; an `Operation` is made when its tool is first called.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

from pydantic_core import from_json

from .inputs.file_arguments import admit_paths, takes_files
from .inputs.tailoring import tailored
from .operation import Operation, read_operation
from .setup.policy import ToolPolicy

SCHEMA_VERSION = 1


class CatalogError(Exception):
    """The catalogue can't be read by this version of the run-time library."""


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What the server says about itself, and where its API is; `base_url` is None when nobody said."""

    name: str
    title: str
    version: str
    instructions: str
    env_prefix: str
    base_url: str | None


class Catalog:
    """The catalogue of one generated package, loaded once."""

    def __init__(self, package: str, content: Mapping[str, Any]) -> None:
        version = content.get("schema_version")
        if version != SCHEMA_VERSION:
            raise CatalogError(f"catalog.json has version {version!r}; this library reads {SCHEMA_VERSION}")
        self.package = package
        self.tools: list[dict[str, Any]] = content["tools"]
        self.auth: Mapping[str, Mapping[str, Any]] = content.get("auth", {})
        self._operations: Mapping[str, Mapping[str, Any]] = content["operations"]
        self._server: Mapping[str, Any] = content["server"]
        self.servers: list[Any] = self._server.get("servers") or []
        self.settings: Mapping[str, str] = content.get("settings", {})
        self.policies: Mapping[str, Mapping[str, Any]] = content.get("policies", {})
        self._views: dict[str, Operation] = {}

    @classmethod
    def load(cls, package: str) -> Catalog:
        """Reads `catalog.json` beside the package's `__init__.py`.

        Raises:
            CatalogError: it is missing, broken or of another version.
        """
        try:
            with collector_paused():
                content = from_json(files(package).joinpath("catalog.json").read_bytes())
        except (OSError, ValueError) as error:
            raise CatalogError(f"catalog.json of {package} can't be read: {error}") from error
        return cls(package, content)

    @cached_property
    def server(self) -> ServerInfo:
        told = self._server
        return ServerInfo(
            name=told["name"],
            title=told.get("title") or told["name"],
            version=told.get("version") or "",
            instructions=told.get("instructions") or "",
            env_prefix=told["env_prefix"],
            base_url=told.get("base_url"),
        )

    @cached_property
    def tool_by_name(self) -> dict[str, dict[str, Any]]:
        return {tool["name"]: tool for tool in self.tools}

    @cached_property
    def toolsets(self) -> frozenset[str]:
        return frozenset(entry["toolset"] for entry in self._operations.values())

    def select(self, effects: frozenset[str], toolsets: Collection[str]) -> Iterator[str]:
        """Names of the tools that these effects and toolsets allow; no toolset is every toolset."""
        for name, entry in self._operations.items():
            if entry["effect"] in effects and (not toolsets or entry["toolset"] in toolsets):
                yield name

    def own_servers(self) -> Iterator[list[Any]]:
        """The server lists of operations that have their own, as written."""
        for entry in self._operations.values():
            if entry.get("servers"):
                yield entry["servers"]

    def admit_paths(self) -> None:
        """Lets file arguments be named by path, in the published schemas too."""
        bodies = ((name, entry.get("body")) for name, entry in self._operations.items())
        admit_paths(self.tool_by_name[name] for name, body in bodies if takes_files(body))

    def tailor(self, policy: Callable[[str], ToolPolicy], tools: Iterable[str]) -> None:
        """Puts the policies of tools into their published schemas."""
        for name in tools:
            tool = self.tool_by_name[name]
            tool.update(tailored(tool, self.effect(name), policy(name)))

    @property
    def entries(self) -> Mapping[str, Mapping[str, Any]]:
        """The operations by tool, as the catalogue has them: what need not be typed to be searched."""
        return self._operations

    def add(self, tools: Iterable[dict[str, Any]], operations: Mapping[str, Mapping[str, Any]]) -> None:
        """Puts further tools beside those of the file: wire dicts, and their entries of `operations` by name."""
        self.tools = sorted([*self.tools, *tools], key=lambda tool: str(tool["name"]))
        self._operations = {**self._operations, **operations}
        for view in ("tool_by_name", "toolsets"):
            self.__dict__.pop(view, None)

    def effect(self, tool: str) -> str:
        return str(self._operations[tool]["effect"])

    def operation(self, tool: str) -> Operation:
        """The typed view of one tool's operation, made on first use.

        Raises:
            KeyError: no such tool.
        """
        if tool not in self._views:
            self._views[tool] = read_operation(tool, self._operations[tool], self.tool_by_name[tool])
        return self._views[tool]


@contextmanager
def collector_paused() -> Iterator[None]:
    """A big catalogue is a million new objects and no garbage: looking for it takes longer than reading."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()
