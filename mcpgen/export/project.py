"""From a project to definitions: the tools that its server would register, in the format of a model API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Collector, Location
from mcpgen.export.reporting import report
from mcpgen.inspection import read_catalog
from mcpgen.own_tools import tell_own_tools
from mcpgen.runtime.catalog import Catalog
from mcpgen.runtime.definitions.formats import define, request_tools, too_many
from mcpgen.runtime.definitions.model import Definition
from mcpgen.runtime.setup.registration import allowed_tools
from mcpgen.runtime.setup.settings import Settings, SettingsError
from mcpgen.source.model import tokens
from mcpgen.source.parse import parse

_OPTIONS = {"ALLOW_EFFECTS": "--effects", "TOOLSETS": "--toolset", "TOOLS": "--tool"}


class WrongChoice(Exception):
    """An option names what the project does not have; the text says what is known."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be exported. What is empty is as the project's server has it."""

    format: str
    api: str = "chat"
    effects: str = ""
    toolsets: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


def export_project(project: Path, wanted: Wanted, diagnostics: Collector) -> list[Definition]:
    """The definitions, in the order of the catalogue. What is to be known of them is in `diagnostics`.

    Raises:
        Refused: the folder holds no project, or nothing is left to export.
        WrongChoice: an option names what the project does not have.
    """
    content = read_catalog(project, diagnostics)
    place = project / content["project"]["source_root"] / content["project"]["package"] / "catalog.json"
    catalog = Catalog(content["project"]["package"], content)
    names = _registered(catalog, wanted)
    if not names:
        hint = "Destructive tools are exported with --effects read,write,destructive"
        raise diagnostics.refuse(
            "export-empty", "No tool is left to export.", Location(str(place)), hint=hint
        )
    tell_own_tools(project, content, diagnostics, "export")
    tools = [tool for tool in catalog.tools if tool["name"] in names]
    definitions = define(tools, wanted.format, wanted.api)
    findings = [finding for one in definitions for finding in one.findings]
    crowd = too_many(len(definitions), wanted.format)
    report([*findings, *([crowd] if crowd else [])], str(place), _numbers(catalog), diagnostics)
    diagnostics.locate = _locator(place)
    return definitions


def document(definitions: Sequence[Definition], wanted: Wanted) -> list[dict[str, Any]]:
    """What is written: the `tools` of a request."""
    return request_tools(definitions, wanted.format)


def _registered(catalog: Catalog, wanted: Wanted) -> frozenset[str]:
    """The tools that the project's own settings and the options allow; policies are then in their schemas."""
    prefix = catalog.server.env_prefix
    given = {
        "ALLOW_EFFECTS": wanted.effects,
        "TOOLSETS": ",".join(wanted.toolsets),
        "TOOLS": ",".join(wanted.tools),
    }
    try:
        settings = Settings.read(catalog, {f"{prefix}_{name}": text for name, text in given.items() if text})
    except SettingsError as error:
        text = str(error)
        for name, option in _OPTIONS.items():
            text = text.replace(f"{prefix}_{name}:", f"{option}:")
        raise WrongChoice(text) from error
    for pattern in wanted.tools:
        if not any(fnmatchcase(name, pattern) for name in catalog.tool_by_name):
            raise WrongChoice(f"--tool: no tool matches {pattern!r}")
    names = allowed_tools(catalog, settings)
    catalog.tailor(settings.policies.of, names)
    return names


def _numbers(catalog: Catalog) -> Mapping[str, int]:
    return {tool["name"]: number for number, tool in enumerate(catalog.tools)}


def _locator(path: Path) -> Callable[[Location], Location]:
    """Fills in the line of what the catalogue has; a policy can have put in what it has not."""
    positions = parse(path.read_bytes()).positions

    def locate(place: Location) -> Location:
        steps = list(tokens(place.pointer))
        for length in (len(steps), 2):
            found = positions.find(tuple(steps[:length])) if steps else None
            if found is not None:
                return replace(place, line=found[0], column=found[1])
        return place

    return locate
