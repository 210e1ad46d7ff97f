"""One run of the generator from the command line: what `generate`, `update` and `check` share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mcpgen.cli.report import Reporter, one_line
from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Diagnostic, Severity
from mcpgen.emit import Action, Change, ChangeSet, Choice, Ownership
from mcpgen.emit.changes import DELETED
from mcpgen.emit.lock import LOCK_NAME, LockedFile

if TYPE_CHECKING:
    from mcpgen.plan.model import PackagePlan

EXIT_REFUSED = 1
Command = TypeVar("Command", bound=Callable[..., Any])
_SHOWN_LINES = 12


@dataclass(frozen=True, slots=True)
class Run:
    """What the command line asks for. `options` is what it said besides the configuration file."""

    spec: str
    output: Path
    config: Config
    options: Mapping[str, Any] = field(default_factory=dict)
    choice: Choice | None = None
    restore: tuple[PurePosixPath, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it.

    Attributes:
        changes: None when the input was refused.
        summary: one line for people.
        tools: how many the project has; None when the input was refused.
        names: the project's `package`, `name` and `env_prefix`, where they are known.
    """

    refused: bool
    changes: ChangeSet | None
    summary: str = ""
    diagnostics: Sequence[Diagnostic] = ()
    tools: int | None = None
    names: Mapping[str, str] = field(default_factory=dict)


def writing_options(command: Command) -> Command:
    """Adds the options about how a project is written over."""
    for option in (
        click.option(
            "--restore",
            multiple=True,
            metavar="PATH",
            help="Make this file of the project again, which was deleted.",
        ),
        click.option(
            "--conflicts",
            type=click.Choice([str(choice) for choice in Choice]),
            help="Where an edit and a new text overlap: leave both between markers, or take one side. "
            "Without it, overlaps are listed and nothing is written.",
        ),
        click.option("--dry-run", is_flag=True, help="Show what would change and write nothing."),
        click.option("--quiet", "-q", is_flag=True, help="Print problems only."),
        click.option("--verbose", "-v", is_flag=True, help="List every file and what happens to it."),
    ):
        command = option(command)
    return command


def carry_out(run: Run, reporter: Reporter, title: str) -> Done:
    """Runs the generator and prints what it has to say."""
    stdin = _standard_input() if run.spec == "-" else None
    with reporter.progress(title) as update:
        done = execute(run, update, stdin)
    reporter.diagnostics(done.diagnostics)
    show(done, run, reporter)
    return done


def _standard_input() -> bytes:
    from mcpgen.pipeline import read_standard_input  # the pipeline is costly to import

    return read_standard_input()


def execute(run: Run, progress: Callable[[str], None] = lambda _: None, stdin: bytes | None = None) -> Done:
    """Runs the generator without a word; a project with nothing to do is recognised at once."""
    if not run.restore and (done := _nothing_to_do(run, stdin)) is not None:
        return done
    from mcpgen.pipeline import GenerateRequest, generate

    diagnostics = Collector()
    request = GenerateRequest(
        spec=run.spec,
        output=run.output,
        config=run.config,
        choice=run.choice,
        restore=run.restore,
        options=run.options,
        dry_run=run.dry_run,
        stdin=stdin,
    )
    outcome = generate(request, diagnostics, progress)
    said = _strictly(outcome.diagnostics) if run.config.strict else outcome.diagnostics
    plan, changes = outcome.plan, outcome.changes
    refused = outcome.refused or diagnostics.worst() is Severity.ERROR
    if refused or plan is None or changes is None:
        return Done(refused, changes, diagnostics=said)
    names = {"package": plan.package, "name": plan.distribution, "env_prefix": plan.env_prefix}
    return Done(False, changes, _summary(plan, changes, run), said, len(plan.tools), names)


def show(done: Done, run: Run, reporter: Reporter) -> None:
    """Prints what happens to which file, where that is asked for, and the overlaps that nobody has decided."""
    if done.changes is None:
        return
    text = listing(done.changes, everything=reporter.verbose)
    if text and (run.dry_run or reporter.verbose):
        reporter.result(text)
    overlaps = _overlaps(done.changes)
    if overlaps and not reporter.as_json:
        click.echo(overlaps, err=True)


def _nothing_to_do(run: Run, stdin: bytes | None) -> Done | None:
    from mcpgen.freshness import unchanged

    found = unchanged(run.spec, run.output, run.config, run.options, stdin)
    if found is None:
        return None
    names = found.lock.info.project
    edits = f", {len(found.edited)} with edits of yours" if found.edited else ""
    tools, files = len(found.lock.info.tools), len(found.lock.files)
    summary = f"{names.get('name', '')}: {tools} tools. {run.output}: nothing to do, {files} files{edits}."
    same = [_unchanged(path, entry, found.edited) for path, entry in found.lock.files.items()]
    same.append(Change(PurePosixPath(LOCK_NAME), Action.IDENTICAL, Ownership.GENERATED))
    changes = ChangeSet(tuple(sorted(same, key=lambda change: change.path)))
    return Done(False, changes, one_line(summary), found.diagnostics, tools, names)


def _unchanged(path: PurePosixPath, entry: LockedFile, edited: Sequence[str]) -> Change:
    if entry.deleted:
        return Change(path, Action.KEPT, entry.ownership, reason=DELETED, deleted=True)
    if path.as_posix() in edited:
        return Change(path, Action.EDITED, entry.ownership, reason="has edits of yours")
    kept = entry.ownership is Ownership.USER
    return Change(path, Action.KEPT if kept else Action.IDENTICAL, entry.ownership)


def _strictly(items: Sequence[Diagnostic]) -> list[Diagnostic]:
    """`--strict` makes an error of every warning, and shows it as one."""
    return [replace(i, severity=Severity.ERROR) if i.severity is Severity.WARNING else i for i in items]


def listing(changes: ChangeSet, *, everything: bool) -> str:
    """What happens to which file; files that stay as they are only when everything is asked for."""
    shown = [entry for entry in changes if everything or not _as_ever(entry)]
    return "\n".join(
        f"{entry.action:<9}  {entry.path}" + (f" ({entry.reason})" if entry.reason else "") for entry in shown
    )


def _as_ever(change: Change) -> bool:
    return change.action is Action.IDENTICAL or (
        change.action is Action.KEPT and change.ownership is Ownership.USER and not change.deleted
    )


def _overlaps(changes: ChangeSet) -> str:
    """Both sides of every overlap that nobody has decided."""
    blocks = []
    for change in changes.of(Action.CONFLICT):
        for conflict in change.conflicts:
            where = f"{change.path}:{conflict.line}" + (f" {conflict.place}" if conflict.place else "")
            sides = [("yours", conflict.ours), ("generated", conflict.theirs)] if not conflict.reason else []
            blocks.append("\n".join([one_line(where), *(line for side in sides for line in _side(*side))]))
    return "\n\n".join(blocks)


def _side(name: str, text: str) -> list[str]:
    lines = text.splitlines() or ["(removed)"]
    cut = [*lines[:_SHOWN_LINES], f"... {len(lines) - _SHOWN_LINES} more lines"]
    shown = lines if len(lines) <= _SHOWN_LINES else cut
    return [f"  {name:<9} | {_printable(line)}" for line in shown]


def _printable(line: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _summary(plan: PackagePlan, changes: ChangeSet, run: Run) -> str:
    effects = Counter(tool.effect for tool in plan.tools)
    counts = ", ".join(
        f"{effects[effect]} {effect}" for effect in ("read", "write", "destructive") if effects[effect]
    )
    excluded = sum(entry.code == "operation-excluded" for entry in plan.skipped)
    skipped = f"; {excluded} left out" if excluded else ""
    skipped += f"; {len(plan.skipped) - excluded} operations skipped" if len(plan.skipped) > excluded else ""
    state = "nothing was written (dry run)" if run.dry_run else written(changes)
    return one_line(
        f"{plan.distribution}: {len(plan.tools)} tools ({counts}){skipped}. {run.output}: {state}."
    )


def written(changes: ChangeSet) -> str:
    """How many files had what happen to them."""
    done = Counter(entry.action for entry in changes)
    parts = [f"{done[Action.CREATE] + done[Action.REPLACE]} files written"]
    parts += [f"{done[Action.MERGE]} merged with your edits"] if done[Action.MERGE] else []
    parts += [f"{done[Action.IDENTICAL] + done[Action.EDITED]} unchanged"]
    parts += [f"{done[Action.REMOVE]} removed"] if done[Action.REMOVE] else []
    return ", ".join(parts)
