"""Two targets, each a spec or a project, as catalogues that can be compared.

A spec is planned with the names that the other side has given: names never move, so that the difference is what an update
would bring. Tools whose operation moved to another path keep their names too, as far as `pins.follow` recognises them.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.inspection import catalog_of, read_catalog
from mcpgen.pins import Pins, pinned_arguments, read_pins
from mcpgen.plan.model import PackagePlan

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Side:
    """One target: its catalogue, and the names that it gives. `version` is that of a project's package, if it can be read."""

    target: str
    catalog: Mapping[str, Any]
    pins: Pins
    version: str | None = None


def read_sides(
    old: str, new: str, config: Config, diagnostics: tuple[Collector, Collector], progress: Progress
) -> tuple[Side, Side]:
    """Both targets; `config` is for those that are specs, `diagnostics` has one collector for each.

    Raises:
        Refused: a target can't be read; the reasons are in its collector.
    """
    if not Path(old).is_dir() and Path(new).is_dir():
        after = _project(new, config, diagnostics[1])
        progress(f"reading {old}")
        return read_spec(old, config, diagnostics[0], beside=after), after
    progress(f"reading {old}")
    if Path(old).is_dir():
        before = _project(old, config, diagnostics[0])
    else:
        before = read_spec(old, config, diagnostics[0])
    progress(f"reading {new}")
    if Path(new).is_dir():
        return before, _project(new, config, diagnostics[1])
    return before, read_spec(new, config, diagnostics[1], beside=before)


def read_spec(
    target: str,
    config: Config,
    diagnostics: Collector,
    *,
    beside: Side | None = None,
    stdin: bytes | None = None,
) -> Side:
    """A spec, with the names that the other side has given; `stdin` is what `-` stands for.

    Raises:
        Refused: it can't be read; the reasons are in `diagnostics`.
    """
    from mcpgen.pipeline import GenerateRequest, plan_spec  # two projects are compared without it

    if target == "-" and stdin is None:
        stdin = sys.stdin.buffer.read()
    pins = Pins() if beside is None else beside.pins
    request = GenerateRequest(spec=target, config=config, pins=pins, stdin=stdin)
    plan = plan_spec(request, diagnostics).plan
    catalog = catalog_of(plan)
    return Side(target, catalog, _pins_of(plan, catalog["operations"]))


def _pins_of(plan: PackagePlan, operations: Mapping[str, Any]) -> Pins:
    return Pins(
        project={"package": plan.package, "name": plan.distribution, "env_prefix": plan.env_prefix},
        tools=plan.pins,
        arguments=pinned_arguments(operations),
        operation_ids={tool.name: tool.operation_id for tool in plan.tools if tool.operation_id is not None},
    )


def _project(target: str, config: Config, diagnostics: Collector) -> Side:
    folder = Path(target)
    return Side(target, read_catalog(folder, diagnostics), read_pins(folder, config), _version(folder))


def _version(project: Path) -> str | None:
    """The version in `pyproject.toml`, which the team may have edited in any way."""
    try:
        version = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return version if isinstance(version, str) else None
