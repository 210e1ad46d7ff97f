"""`--all`: `generate`, `update` and `check` for every project of a workspace, and one summary."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from mcpgen.cli.options import Given
from mcpgen.cli.report import EXIT_BUG, Reporter, as_object, bug_line, has_colour, one_line
from mcpgen.cli.running import EXIT_REFUSED, Done, Run, execute, show
from mcpgen.cli.workspace_table import Row, State, as_json, print_table
from mcpgen.config import WORKSPACE_NAME, Member, Workspace, load_workspace, suggestion
from mcpgen.diagnostics import Collector, Diagnostic, Refused
from mcpgen.workspace import Crash, clashes, default_workers, in_order

Prepare = Callable[[Member, Collector], Run]
"""Makes the run of one project; raises Refused where that is not possible."""


@dataclass(frozen=True, slots=True)
class Every:
    """What `--all` was given with it: names of projects (none: all), and how many run at once."""

    projects: tuple[str, ...] = ()
    jobs: int | None = None


@dataclass(frozen=True, slots=True)
class _Job:
    member: Member
    run: Run | None
    diagnostics: tuple[Diagnostic, ...] = ()


def workspace_options(*alone: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds `--all`, `--project` and `--jobs`; the command gets them as `every`, None without `--all`.

    `alone` are parameters of the command that say something about one project, and don't go with `--all`.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_every(*args: Any, **kwargs: Any) -> Any:
            ctx = click.get_current_context()
            all_, names, jobs = kwargs.pop("all_"), kwargs.pop("projects"), kwargs.pop("jobs")
            if not all_ and (names or jobs is not None):
                raise click.UsageError("--project and --jobs go with --all.", ctx)
            if all_:
                _check_alone(ctx, alone)
            return command(*args, every=Every(names, jobs) if all_ else None, **kwargs)

        found: Callable[..., Any] = with_every
        for option in reversed(
            (
                click.option(
                    "--all",
                    "all_",
                    is_flag=True,
                    help="Do this for every project of a workspace: --config, or mcpgen.toml in the working folder.",
                ),
                click.option(
                    "--project",
                    "projects",
                    multiple=True,
                    metavar="NAME",
                    help="With --all: only this project; can be given several times.",
                ),
                click.option(
                    "--jobs",
                    type=click.IntRange(min=1),
                    metavar="N",
                    help="With --all: how many projects at once; by default one for each processor.",
                ),
            )
        ):
            found = option(found)
        return found

    return decorate


def _check_alone(ctx: click.Context, alone: Sequence[str]) -> None:
    given = [
        parameter
        for parameter in ctx.command.params
        if parameter.name in alone
        and ctx.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
        and ctx.params.get(parameter.name) is not None
    ]
    for parameter in given:
        name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
        advice = "the workspace file says what each project has"
        raise click.UsageError(f"{name.strip('[]')} is about one project; with --all, {advice}.", ctx)


def run_all(
    every: Every, given: Given, reporter: Reporter, title: str, prepare: Prepare, *, stale: str = ""
) -> int:
    """Runs all projects and prints what came of each, in the order of the workspace; gives the exit status.

    `stale` is what to do about projects that would change; where it is given, there must be none.
    """
    diagnostics = Collector()
    try:
        workspace = load_workspace(_file(given.config), diagnostics)
    except Refused:
        _refuse(reporter, diagnostics.located())
        return EXIT_REFUSED
    jobs = [_job(member, prepare) for member in _chosen(workspace, every.projects)]
    workers = every.jobs or workspace.jobs or default_workers()
    rows = list(_rows(jobs, workers, reporter, title))
    if reporter.as_json:
        click.echo(json.dumps([as_json(row) for row in rows], indent=2, ensure_ascii=False))
    elif not reporter.quiet:
        print_table(rows)
    states = {row.state for row in rows}
    if stale and State.PENDING in states:
        reporter.result(_with_file(stale, given.config))
        return EXIT_BUG if State.CRASHED in states else EXIT_REFUSED
    if State.CRASHED in states:
        return EXIT_BUG
    return EXIT_REFUSED if State.REFUSED in states else 0


def _with_file(command: str, config: Path | None) -> str:
    return command if config is None else one_line(f"{command} --config {config}")


def _file(config: Path | None) -> Path:
    if config is None and not Path(WORKSPACE_NAME).is_file():
        raise click.UsageError(f"There is no {WORKSPACE_NAME} here; name the workspace with --config FILE.")
    return config or Path(WORKSPACE_NAME)


def _refuse(reporter: Reporter, items: Sequence[Diagnostic]) -> None:
    """The workspace itself is wrong: with JSON, that is one object without a project."""
    if reporter.as_json:
        found = [as_object(item) for item in reporter.shown(items)]
        wrong = {"project": None, "result": str(State.REFUSED), "diagnostics": found}
        click.echo(json.dumps([wrong], indent=2, ensure_ascii=False))
    else:
        reporter.diagnostics(items)


def _chosen(workspace: Workspace, names: Sequence[str]) -> list[Member]:
    known = [member.name for member in workspace.members]
    for name in names:
        if name not in known:
            message = f"{workspace.path} has no project {name}.{suggestion(name, known)}"
            raise click.BadParameter(message, param_hint="'--project'")
    return [member for member in workspace.members if not names or member.name in names]


def _job(member: Member, prepare: Prepare) -> _Job:
    diagnostics = Collector()
    try:
        return _Job(member, prepare(member, diagnostics))
    except Refused:
        return _Job(member, None, tuple(diagnostics))


def _outcome(job: _Job) -> Done:
    """Runs one project, in a process of its own; the contents of files stay there."""
    if job.run is None:
        return Done(True, None, diagnostics=job.diagnostics)
    done = execute(job.run)
    if done.changes is None:
        return done
    entries = tuple(replace(change, data=None) for change in done.changes)
    return replace(done, changes=replace(done.changes, entries=entries))


def _rows(jobs: Sequence[_Job], workers: int, reporter: Reporter, title: str) -> Iterator[Row]:
    """What came of each project; what it has to say is printed as soon as it is its turn."""
    names: dict[str, Mapping[str, str]] = {}
    results = in_order(_outcome, jobs, workers)
    for index, job in enumerate(jobs):
        with reporter.progress(f"{title} {len(jobs)} projects: {index} done") as _:
            result = next(results)
        if isinstance(result, Crash):
            _print_crash(job.member.name, result)
            yield Row(job.member.name, job.member.spec, job.member.output, State.CRASHED)
            continue
        warnings = tuple(_clashes(job.member, result.names, names))
        names[job.member.name] = result.names
        done = replace(result, diagnostics=(*result.diagnostics, *warnings))
        _print_done(job, done, reporter)
        yield _row(job, done, reporter)


def _row(job: _Job, done: Done, reporter: Reporter) -> Row:
    member, changes = job.member, done.changes
    state = State.UNCHANGED
    if done.refused or changes is None:
        state = State.REFUSED
    elif job.run is not None and job.run.dry_run:
        state = State.PENDING if changes.outdated else State.UNCHANGED
    elif changes.writes:
        state = State.WRITTEN
    shown = tuple(reporter.shown(done.diagnostics))
    return Row(member.name, member.spec, member.output, state, done.tools, changes, done.diagnostics, shown)


def _clashes(
    member: Member, names: Mapping[str, str], before: Mapping[str, Mapping[str, str]]
) -> Iterator[Diagnostic]:
    collector = Collector()
    for key, what in clashes(names, before):
        where = member.config.locate(("project", key)) or member.place
        hint = f"Set {key} in [projects.{member.name}.project]."
        collector.add("workspace-clash", f"{what}.", where, hint=hint)
    yield from collector


def _print_done(job: _Job, done: Done, reporter: Reporter) -> None:
    """What one project has to say, under its name; nothing where it has nothing to say."""
    if reporter.as_json:
        return
    has_list = done.changes is not None and job.run is not None and (job.run.dry_run or reporter.verbose)
    if reporter.shown(done.diagnostics) or (has_list and done.changes and done.changes.writes):
        heading = one_line(f"{job.member.name} ({job.member.output})")
        reporter.result(click.style(heading, bold=True) if has_colour(sys.stdout) else heading)
    reporter.diagnostics(done.diagnostics)
    if job.run is not None:
        show(done, job.run, reporter)


def _print_crash(name: str, crash: Crash) -> None:
    if os.environ.get("MCPGEN_TRACEBACK") == "1":
        click.echo(crash.trace, err=True)
    click.echo(bug_line(f"project {name}: {crash.detail}"), err=True)
