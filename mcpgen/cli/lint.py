"""`mcpgen lint`: what makes a spec or a project a poor set of tools, how good it is, and a start at repairing it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcpgen import __version__
from mcpgen.cli.lint_text import print_report
from mcpgen.cli.options import Given, build_config, config_options
from mcpgen.cli.report import Reporter, one_line
from mcpgen.diagnostics import Collector, Location, Refused, Severity

if TYPE_CHECKING:
    from mcpgen.lint import Prompt, Report, Subject

EXIT_FAILED = 1
_ORDER = ("none", "info", "warning", "error")


def _known_codes(ctx: click.Context, parameter: click.Parameter, codes: tuple[str, ...]) -> tuple[str, ...]:
    from mcpgen.lint.codes import READING, RULES

    known = [*RULES, *READING]
    for code in codes:
        if code not in known:
            close = difflib.get_close_matches(code, known, n=1)
            meant = f" Did you mean {close[0]}?" if close else ""
            raise click.BadParameter(f"there is no code {code}.{meant}", ctx, parameter)
    return codes


@click.command()
@click.argument("target")
@config_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    help="A report for people, JSON for programs, or SARIF 2.1.0 for code hosts.",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="SCORE",
    help="Exit with 1 below this score (0 to 100).",
)
@click.option(
    "--max-severity",
    type=click.Choice(_ORDER),
    default="warning",
    show_default=True,
    help="The worst finding that is still fine; worse ones exit with 1.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODE",
    callback=_known_codes,
    help="Leave out findings with this code.",
)
@click.option(
    "--system-prompt",
    "prompt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A host's system prompt: find wording that pulls towards one tool.",
)
@click.option(
    "--fix",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="OVERLAY",
    help="Write repairs and open questions as an OpenAPI Overlay (YAML).",
)
@click.option("--all", "all_", is_flag=True, help="Show every finding, not the first of each kind only.")
@click.option("--quiet", "-q", is_flag=True, help="Leave out mere hints, and show no progress.")
@click.pass_context
def lint(
    ctx: click.Context,
    target: str,
    given: Given,
    format_: str,
    fail_under: float | None,
    max_severity: str,
    ignore: tuple[str, ...],
    prompt: Path | None,
    fix: Path | None,
    all_: bool,
    quiet: bool,
) -> None:
    """Finds what makes a spec or a project a poor set of tools, and scores it.

    TARGET is a spec (a file, an http(s) URL, or - for standard input) or the folder of a generated project.
    """
    from mcpgen.lint.json_report import report_object
    from mcpgen.lint.sarif import sarif_object

    reporter = Reporter(quiet=quiet)
    _check_fix(target, fix)
    told = _prompt(prompt)
    diagnostics = Collector()
    try:
        with reporter.progress(f"Linting {target}") as update:
            subject, report = _linted(target, given, diagnostics, told, ignore, update)
    except Refused:
        reporter.diagnostics(diagnostics.located())
        ctx.exit(EXIT_FAILED)
    if format_ == "json":
        click.echo(json.dumps(report_object(report), indent=2, ensure_ascii=False))
    elif format_ == "sarif":
        click.echo(json.dumps(sarif_object(report, __version__), indent=2, ensure_ascii=False))
    else:
        print_report(report, every=all_, hints=not quiet)
    if fix is not None:
        _write_fixes(subject, report, fix)
    problems = _problems(report, fail_under, max_severity)
    for problem in problems:
        click.echo(f"mcpgen: {problem}", err=True)
    ctx.exit(EXIT_FAILED if problems else 0)


def _check_fix(target: str, fix: Path | None) -> None:
    """An overlay that is there can hold answers already, so it is never written over."""
    if fix is None:
        return
    if Path(target).is_dir():
        raise click.UsageError("--fix repairs a spec; this is the folder of a project.")
    if fix.exists():
        raise click.UsageError(
            f"--fix: {fix} is there already, and may hold answers of yours; name another file."
        )
    if not fix.absolute().parent.is_dir():
        raise click.UsageError(f"--fix: there is no folder {fix.absolute().parent}.")


def _prompt(path: Path | None) -> Prompt | None:
    from mcpgen.lint import Prompt

    if path is None:
        return None
    try:
        return Prompt(str(path), path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"--system-prompt: {path} cannot be read as UTF-8 text: {error}.") from None


def _linted(
    target: str,
    given: Given,
    diagnostics: Collector,
    prompt: Prompt | None,
    ignored: Sequence[str],
    update: Callable[[str], None],
) -> tuple[Subject, Report]:
    """Reads the target and lints it.

    Raises:
        Refused: it can't be read; the reasons are in `diagnostics`.
    """
    from mcpgen.inspection import catalog_of
    from mcpgen.lint import lint as run
    from mcpgen.lint import of_spec

    options: dict[str, Any] = {"prompt": prompt, "ignored": ignored}
    if Path(target).is_dir():
        subject, locate = _project(target, diagnostics)
        return subject, run(subject, locate=locate, **options)
    from mcpgen.pipeline import GenerateRequest, plan_spec

    settings = build_config(given, diagnostics)
    planned = plan_spec(GenerateRequest(spec=target, config=settings), diagnostics, update)
    update("linting")
    subject = of_spec(target, planned.tree, planned.api, catalog_of(planned.plan))
    return subject, run(subject, diagnostics=diagnostics, locate=planned.tree.locate, **options)


def _project(target: str, diagnostics: Collector) -> tuple[Subject, Callable[[Location], Location]]:
    from mcpgen.inspection import read_catalog
    from mcpgen.lint.project import read_project

    return read_project(Path(target), read_catalog(Path(target), diagnostics))


def _write_fixes(subject: Subject, report: Report, path: Path) -> None:
    from mcpgen.lint.overlay import overlay_of

    overlay = overlay_of(subject, report.findings)
    with click.open_file(str(path), "w", encoding="utf-8", atomic=True) as file:
        file.write(overlay.text(report.target))
    beyond = f" In other files, which it can't reach: {overlay.elsewhere}." if overlay.elsewhere else ""
    text = f"{path}: repairs: {overlay.patches}, questions: {overlay.questions}.{beyond}"
    click.echo(one_line(text), err=True)


def _problems(report: Report, fail_under: float | None, max_severity: str) -> list[str]:
    """Why the exit status is 1, if it is."""
    found = []
    worse = [severity for severity in Severity if _ORDER.index(severity) > _ORDER.index(max_severity)]
    number = sum(finding.severity in worse for finding in report.findings)
    if number:
        found.append(f"{number} findings are worse than `{max_severity}`.")
    if fail_under is not None and report.score.overall < fail_under:
        found.append(f"the score {report.score.overall:g} is below {fail_under:g}.")
    return found
