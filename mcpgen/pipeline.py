"""The pipeline, top to bottom. The only module that knows the order of the stages.

bytes -> SourceTree -> NormalizedDocument -> Api -> PackagePlan -> RenderedFile* -> ChangeSet -> disk
         source        spec                  build   plan, models,  render          emit
                                                     cases
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import mcpgen
from mcpgen.build import build_api
from mcpgen.cases.documents import case_files
from mcpgen.cases.package import package_cases
from mcpgen.config import Config, server_faults
from mcpgen.diagnostics import Collector, Diagnostic, Location, Refused, Severity
from mcpgen.emit import (
    Action,
    ChangeSet,
    Choice,
    Conflicted,
    LockInfo,
    Ownership,
    RenderedFile,
    sources_of,
    spec_name,
    write,
)
from mcpgen.freshness import remember
from mcpgen.ir.api import Api
from mcpgen.models.generate import generate_models
from mcpgen.pins import Pins, follow, read_pins
from mcpgen.plan.model import PackagePlan
from mcpgen.plan.planner import PlanOptions, plan_package
from mcpgen.plan.selection import Selection, read_selection
from mcpgen.plan.texts.options import TextRequest
from mcpgen.plugins import Active, load_plugins
from mcpgen.releases import CHANGELOG, next_release
from mcpgen.render.catalog import catalogue
from mcpgen.render.environment import OWN_FILTERS
from mcpgen.render.layers import read_stack, template_digest
from mcpgen.render.library import RuntimeMode
from mcpgen.render.origins import Trace
from mcpgen.render.renderer import Templates, render
from mcpgen.runtime.setup.policy import ToolPolicies
from mcpgen.source.load import load
from mcpgen.source.options import SourceOptions
from mcpgen.source.overlays import apply_overlays
from mcpgen.source.tree import SourceTree
from mcpgen.spec import normalize

GENERATOR = f"mcpgen {mcpgen.__version__}"
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """One run. `spec` is a path, a URL, or `-` for standard input (or for `stdin`, when that is given).

    `pins` are names to keep, in place of those of the project in `output`. `options` is what the command line said: it is
    recorded, so that the project can be updated. `choice` decides about edits that overlap with new texts, `restore` names
    deleted files that are made again. `trace` is told where lines of files come from that layers of templates make.
    """

    spec: str
    output: Path | None = None
    config: Config = field(default_factory=Config)
    choice: Choice | None = None
    restore: tuple[PurePosixPath, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False
    stdin: bytes | None = None
    pins: Pins | None = None
    trace: Trace = field(default_factory=Trace)


@dataclass(frozen=True, slots=True)
class Planned:
    """A spec as far as the plan: what it says, and what would be emitted. `overlays` have file name and SHA-256 each."""

    tree: SourceTree
    api: Api
    plan: PackagePlan
    overlays: tuple[tuple[str, str], ...] = ()
    plugins: Active = field(default_factory=Active)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did. When it was `refused`, nothing was written and the reasons are among the diagnostics.

    A run that was refused because something is in the way still has its `changes`.
    """

    diagnostics: list[Diagnostic]
    refused: bool = False
    api: Api | None = None
    plan: PackagePlan | None = None
    changes: ChangeSet | None = None


@contextmanager
def _bounded(request: GenerateRequest, diagnostics: Collector) -> Iterator[None]:
    """Stages walk schemas recursively: a document that refers through too many steps for that is refused."""
    try:
        yield
    except RecursionError:
        message = "The document refers from one part to the next through too many steps."
        raise diagnostics.refuse("source-limit", message, Location(request.spec)) from None


def read_standard_input() -> bytes:
    """Standard input, which may never end: one byte more than is allowed shows that there is too much."""
    return sys.stdin.buffer.read(SourceOptions().max_bytes + 1)


def plan_spec(
    request: GenerateRequest, diagnostics: Collector, progress: Progress = lambda _: None
) -> Planned:
    """Reads a spec and plans its package.

    Raises:
        Refused: the reasons are in `diagnostics`.
    """
    config = request.config
    selection = read_selection(
        config.include, config.exclude, config.deprecated, config.places, diagnostics=diagnostics
    )
    where = config.locate(("generate", "plugins"))
    plugins = load_plugins(config.plugins, diagnostics, where, taken=OWN_FILTERS)
    progress("reading")
    options = SourceOptions(config.allow_remote, config.allow_outside, config.allow_private)
    given = request.stdin is not None or request.spec != "-"
    stdin = request.stdin if given else read_standard_input()
    with _bounded(request, diagnostics):
        tree = load(request.spec, options=options, diagnostics=diagnostics, stdin=stdin)
        diagnostics.locate = tree.locate
        overlays = apply_overlays(tree, config.overlays, options=options, diagnostics=diagnostics)
        document = normalize(tree, diagnostics=diagnostics, strict=config.strict)
        api = build_api(document, diagnostics=diagnostics)
        progress("planning")
        plan = plan_package(api, _plan_options(request, selection, api), diagnostics=diagnostics)
    plan = plugins.change(plan, diagnostics)
    _check_policies(config, plan, diagnostics)
    return Planned(tree, api, plan, overlays, plugins)


def generate(
    request: GenerateRequest, diagnostics: Collector, progress: Progress = lambda _: None
) -> Outcome:
    """Runs the whole pipeline. Never raises for bad input: the outcome says what happened."""
    planned: Planned | None = None
    changes: ChangeSet | None = None
    try:
        planned = plan_spec(request, diagnostics, progress)
        _refuse_warnings(request.config, diagnostics)
        with _bounded(request, diagnostics):
            changes = _emit(planned, request, diagnostics, progress)
    except Refused as stop:
        found = diagnostics.located()
        changes = stop.changes if isinstance(stop, Conflicted) else None
        if planned is None:
            return Outcome(found, True)
        return Outcome(found, True, planned.api, planned.plan, changes)
    return Outcome(diagnostics.located(), False, planned.api, planned.plan, changes)


def _emit(
    planned: Planned, request: GenerateRequest, diagnostics: Collector, progress: Progress
) -> ChangeSet:
    """From the plan to the disk."""
    if request.output is None:
        raise ValueError("generate needs an output folder")
    api, plan, config = planned.api, planned.plan, request.config
    stack = read_stack(config.layers, diagnostics, config.locate(("templates", "layers")))
    progress("making models")
    models = generate_models(plan, api.schemas, diagnostics=diagnostics)
    progress("rendering")
    catalog = catalogue(plan, models, GENERATOR)
    release = next_release(request.output, catalog)
    data = {"catalog.json": catalog}
    templates = Templates(stack, planned.plugins.filters, request.trace)
    files = render(
        plan,
        models,
        data,
        diagnostics=diagnostics,
        templates=templates,
        version=release.version,
        runtime=RuntimeMode(config.runtime),
    )
    files.append(RenderedFile(CHANGELOG, release.changelog, Ownership.GENERATED))
    cases = case_files(package_cases(plan))
    files += [RenderedFile(path, text, Ownership.GENERATED) for path, text in cases.items()]
    lock = LockInfo(
        generator=GENERATOR,
        spec_name=spec_name(request.spec),
        spec_sha256=planned.tree.root.digest,
        config_sha256=config.digest(),
        tools=plan.pins,
        documents=planned.tree.further(),
        overlays=planned.overlays,
        project={"package": plan.package, "name": plan.distribution, "env_prefix": plan.env_prefix},
        templates_sha256=template_digest(config.layers),
        sources=sources_of(request.spec, config.path, request.options, request.output, config.member),
    )
    progress("formatting and writing")
    changes = write(
        files,
        request.output,
        lock=lock,
        diagnostics=diagnostics,
        choice=request.choice,
        restore=request.restore,
        rebased=release.rebased,
        dry_run=request.dry_run,
    )
    if not request.dry_run:
        kept = any(change.code is not None for change in changes.of(Action.KEPT))
        remember(request.output, request.spec, diagnostics.located(), kept=kept)
    return changes


def _plan_options(request: GenerateRequest, selection: Selection, api: Api) -> PlanOptions:
    config = request.config
    pins = request.pins if request.pins is not None else read_pins(request.output, config)
    pins = follow(pins, api.operations)
    return PlanOptions(
        package=config.package or pins.project.get("package"),
        distribution=config.name or pins.project.get("name"),
        env_prefix=config.env_prefix or pins.project.get("env_prefix"),
        server_url=config.server_url,
        retrieved_from=request.spec if request.spec.lower().startswith(("http://", "https://")) else None,
        spec_name=spec_name(request.spec),
        settings=config.server,
        policies=config.tools,
        operations=config.operations,
        paging=config.paging,
        selection=selection,
        texts=TextRequest(
            config.description_level or "standard", config.language, config.phrases, config.path
        ),
        locate=config.locate,
        pinned=pins.tools,
        pinned_arguments=pins.arguments,
    )


def _check_policies(config: Config, plan: PackagePlan, diagnostics: Collector) -> None:
    """The names of tools and arguments in the configuration; which there are is known only now."""
    known = {tool.name: [argument.name for argument in tool.arguments] for tool in plan.tools}
    named = ToolPolicies({name: {} for name in config.paging}).over(config.tools)
    faults = list(named.unknown(known))
    left_out = {entry.tool: f"the tool is left out: {entry.reason}" for entry in plan.skipped if entry.tool}
    found = [(("tools", *place), f"{place[-1]}: {left_out.get(place[-1], what)}.") for place, what in faults]
    found += server_faults(config.server, list(known), [toolset.module for toolset in plan.toolsets])
    for place, message in found:
        diagnostics.add("config-invalid", message, config.locate(place))
    if found:
        raise Refused("the configuration names what the spec does not have")


def _refuse_warnings(config: Config, diagnostics: Collector) -> None:
    """`--strict`: a warning is as good as an error."""
    if config.strict and diagnostics.worst() in (Severity.WARNING, Severity.ERROR):
        raise Refused("warnings in strict mode")
