"""What `mcpgen inspect` shows of a project or a spec: the stable view of the catalogue that scripts rely on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Collector, Location
from mcpgen.models.model import Models
from mcpgen.plan.model import PackagePlan
from mcpgen.render.catalog import SCHEMA_VERSION as CATALOG_VERSION
from mcpgen.render.catalog import catalogue

SCHEMA_VERSION = 1


def inspection(catalog: Mapping[str, Any], *, why: bool = False) -> dict[str, Any]:
    """The inspection object for a catalogue; `why` adds the reason of every tool's effect."""
    return {
        "schema_version": SCHEMA_VERSION,
        "project": dict(catalog["project"]),
        "auth": [
            {"scheme": name, "type": scheme["type"], "env": dict(scheme["env"])}
            for name, scheme in sorted(catalog["auth"].items())
        ],
        "tools": [_tool(name, entry, why=why) for name, entry in sorted(catalog["operations"].items())],
        "skipped": list(catalog["skipped"]),
    }


def catalog_of(plan: PackagePlan) -> dict[str, Any]:
    """The catalogue that a spec would get, without the time that its models take: `inspect` does not show them."""
    return catalogue(plan, Models(), generator="")


def read_catalog(project: Path, diagnostics: Collector) -> dict[str, Any]:
    """The catalogue of a generated project.

    Raises:
        Refused: the folder holds no generated project, or one of another version (`source-unreadable`).
    """
    place = Location(str(project))
    found = sorted(project.glob("src/*/catalog.json"))
    if len(found) != 1:
        problem = "no catalogue" if not found else "more than one catalogue"
        message = f"The folder is not a generated project: there is {problem} at src/PACKAGE/catalog.json."
        raise diagnostics.refuse("source-unreadable", message, place)
    place = Location(str(found[0]))
    try:
        catalog = json.loads(found[0].read_bytes())
        version = catalog["schema_version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = "The catalogue cannot be read; generate the project again."
        raise diagnostics.refuse("source-unreadable", message, place) from error
    if version != CATALOG_VERSION:
        message = f"The catalogue has version {version}, not {CATALOG_VERSION}; generate the project again."
        raise diagnostics.refuse("source-unreadable", message, place)
    assert isinstance(catalog, dict)
    return catalog


def _tool(name: str, entry: Mapping[str, Any], *, why: bool) -> dict[str, Any]:
    tool: dict[str, Any] = {
        "name": name,
        "toolset": entry["toolset"],
        "effect": entry["effect"],
        "operation": {
            "method": entry["method"],
            "path": entry["path"],
            "operation_id": entry.get("operation_id"),
        },
        "arguments": [_argument(argument) for argument in entry["arguments"]],
    }
    if entry.get("fixed"):
        tool["fixed"] = entry["fixed"]
    if why:
        tool["reason"] = entry["reason"]
    return tool


def _argument(argument: Mapping[str, Any]) -> dict[str, Any]:
    """One argument; OpenAPI 3.2's `in: querystring` is the query to whoever calls the API."""
    where = "query" if argument["in"] == "querystring" else argument["in"]
    if where == "body":
        return {"name": argument["name"], "in": where, "pointer": argument["pointer"]}
    return {"name": argument["name"], "in": where, "wire_name": argument["wire_name"]}
