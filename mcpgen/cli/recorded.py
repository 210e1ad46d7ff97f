"""A project's own input, as its lock records it, under what the command line says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mcpgen.cli.options import Given, build_config, with_options
from mcpgen.cli.report import Reporter
from mcpgen.cli.running import EXIT_REFUSED, Run
from mcpgen.config import WORKSPACE_NAME, Config, Member, load_member
from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.emit import Sources, found_from, read_lock


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a project is generated from."""

    spec: str
    config: Config
    options: Mapping[str, Any]


def recorded_input(
    project: Path, spec: str | None, given: Given, diagnostics: Collector, *, strict: bool
) -> Recorded:
    """The input of a project. What the command line gives takes the place of what is recorded.

    Raises:
        Refused: the folder holds no project, its input is not recorded, or the configuration is wrong.
    """
    hint = "Name the folder of a project, or make one: mcpgen generate SPEC --output DIR."
    sources, name = _sources(project, diagnostics, hint)
    values = _values(given, sources)
    member = _member(given.config, sources, diagnostics)
    target = spec
    if target is None:
        target = member.spec if member is not None else sources.spec
    if target is None:
        hint = f"Give it again, with its options: mcpgen update {project} --spec SPEC."
        message = f"The project does not say where its spec ({name}) is."
        raise diagnostics.refuse("source-unreadable", message, Location(str(project)), hint=hint)
    if member is not None:
        return Recorded(target, with_options(member.config, values, strict=strict), values)
    config = given.config
    if config is None and sources.config is not None:
        config = Path(sources.config)
    return Recorded(target, build_config(Given(config, values), diagnostics, strict=strict), values)


def recorded_run(
    ctx: click.Context,
    project: Path,
    spec: str | None,
    given: Given,
    reporter: Reporter,
    *,
    strict: bool,
    **how: Any,
) -> Run:
    """The run that would generate a project again; ends the command when its input is wrong. `how` is for `Run`."""
    diagnostics = Collector()
    try:
        found = recorded_input(project, spec, given, diagnostics, strict=strict)
    except Refused:
        reporter.diagnostics(list(diagnostics))
        ctx.exit(EXIT_REFUSED)
    return Run(found.spec, project, found.config, found.options, **how)


def member_run(member: Member, given: Given, diagnostics: Collector, *, strict: bool, **how: Any) -> Run:
    """The run that would generate again a project that its workspace leads to; the lock adds what the command line said.

    Raises:
        Refused: the folder holds no project.
    """
    path = member.config.path
    config = "" if path is None or str(path) == WORKSPACE_NAME else f" --config {path}"
    hint = f"Make the project: mcpgen generate --all{config} --project {member.name}."
    values = _values(given, _sources(member.output, diagnostics, hint)[0])
    return Run(member.spec, member.output, with_options(member.config, values, strict=strict), values, **how)


def _sources(project: Path, diagnostics: Collector, hint: str) -> tuple[Sources, str]:
    """What the lock of a project says about its input, and what the spec is called.

    Raises:
        Refused: the folder holds no project.
    """
    lock = read_lock(project, diagnostics)
    if lock is None:
        place = Location(str(project))
        raise diagnostics.refuse("source-unreadable", "The folder holds no mcpgen.lock.", place, hint=hint)
    return found_from(project, lock.info.sources), lock.info.spec_name


def _values(given: Given, sources: Sources) -> Mapping[str, Any]:
    options = {key: given.values.get(key) or sources.options.get(key) for key in given.values}
    return {key: value if value is not None else given.values[key] for key, value in options.items()}


def _member(config: Path | None, sources: Sources, diagnostics: Collector) -> Member | None:
    """The project of a workspace that the lock names; another configuration file on the command line takes its place.

    Raises:
        Refused: the workspace is wrong, or has no such project any more.
    """
    if sources.config is None or sources.project is None:
        return None
    path = Path(sources.config)
    if config is not None and config.resolve() != path.resolve():
        return None
    return load_member(path, sources.project, diagnostics)
