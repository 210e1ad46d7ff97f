"""The pipeline, top to bottom. The only module that knows the order of the stages.

bytes -> SourceTree -> NormalizedDocument -> Api -> PackagePlan -> RenderedFile* -> ChangeSet -> disk
         source        spec                  build   plan, models   render          emit
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import mcpgen
from mcpgen.build import build_api
from mcpgen.config import Config, locate, server_faults
from mcpgen.diagnostics import Collector, Diagnostic, Refused, Severity
from mcpgen.emit import ChangeSet, LockInfo, spec_name, write
from mcpgen.ir.api import Api
from mcpgen.models.generate import generate_models
from mcpgen.pins import read_pins
from mcpgen.plan.model import PackagePlan
from mcpgen.plan.planner import PlanOptions, plan_package
from mcpgen.render.catalog import catalogue
from mcpgen.render.renderer import render
from mcpgen.render.testing import test_cases
from mcpgen.runtime.setup.policy import ToolPolicies
from mcpgen.source.load import load
from mcpgen.source.options import SourceOptions
from mcpgen.source.tree import SourceTree
from mcpgen.spec import normalize

GENERATOR = f"mcpgen {mcpgen.__version__}"
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """One run. `spec` is a path, a URL, or `-` for standard input (or for `stdin`, when that is given)."""

    spec: str
    output: Path | None = None
    config: Config = field(default_factory=Config)
    force: bool = False
    dry_run: bool = False
    stdin: bytes | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A spec as far as the plan: what it says, and what would be emitted."""

    tree: SourceTree
    api: Api
    plan: PackagePlan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did. When it was `refused`, nothing was written and the reasons are among the diagnostics."""

    diagnostics: list[Diagnostic]
    refused: bool = False
    api: Api | None = None
    plan: PackagePlan | None = None
    changes: ChangeSet | None = None


def plan_spec(
    request: GenerateRequest, diagnostics: Collector, progress: Progress = lambda _: None
) -> Planned:
    """Reads a spec and plans its package.

    Raises:
        Refused: the reasons are in `diagnostics`.
    """
    config = request.config
    progress("reading")
    stdin = request.stdin if request.stdin is not None or request.spec != "-" else sys.stdin.buffer.read()
    options = SourceOptions(config.allow_remote, config.allow_outside, config.allow_private)
    tree = load(request.spec, options=options, diagnostics=diagnostics, stdin=stdin)
    diagnostics.locate = tree.locate
    document = normalize(tree, diagnostics=diagnostics, strict=config.strict)
    api = build_api(document, diagnostics=diagnostics)
    progress("planning")
    plan = plan_package(api, _plan_options(request), diagnostics=diagnostics)
    _check_policies(config, plan, diagnostics)
    return Planned(tree, api, plan)


def generate(
    request: GenerateRequest, diagnostics: Collector, progress: Progress = lambda _: None
) -> Outcome:
    """Runs the whole pipeline. Never raises for bad input: the outcome says what happened."""
    planned: Planned | None = None
    changes: ChangeSet | None = None
    try:
        planned = plan_spec(request, diagnostics, progress)
        _refuse_warnings(request.config, diagnostics)
        changes = _emit(planned, request, diagnostics, progress)
    except Refused:
        found = diagnostics.located()
        return Outcome(found, True) if planned is None else Outcome(found, True, planned.api, planned.plan)
    return Outcome(diagnostics.located(), False, planned.api, planned.plan, changes)


def _emit(
    planned: Planned, request: GenerateRequest, diagnostics: Collector, progress: Progress
) -> ChangeSet:
    """From the plan to the disk."""
    if request.output is None:
        raise ValueError("generate needs an output folder")
    api, plan = planned.api, planned.plan
    progress("making models")
    models = generate_models(plan, api.schemas, diagnostics=diagnostics)
    progress("rendering")
    data = {"catalog.json": catalogue(plan, models, GENERATOR), "/tests/cases.json": test_cases(plan)}
    files = render(plan, models, data, diagnostics=diagnostics)
    lock = LockInfo(
        generator=GENERATOR,
        spec_name=spec_name(request.spec),
        spec_sha256=planned.tree.root.digest,
        config_sha256=request.config.digest(),
        tools=plan.pins,
        documents=planned.tree.further(),
        project={"package": plan.package, "name": plan.distribution, "env_prefix": plan.env_prefix},
    )
    progress("formatting and writing")
    return write(
        files,
        request.output,
        lock=lock,
        diagnostics=diagnostics,
        force=request.force,
        dry_run=request.dry_run,
    )


def _plan_options(request: GenerateRequest) -> PlanOptions:
    config = request.config
    pins = read_pins(request.output, config)
    return PlanOptions(
        package=config.package or pins.project.get("package"),
        distribution=config.name or pins.project.get("name"),
        env_prefix=config.env_prefix or pins.project.get("env_prefix"),
        server_url=config.server_url,
        retrieved_from=request.spec if request.spec.lower().startswith(("http://", "https://")) else None,
        spec_name=spec_name(request.spec),
        settings=config.server,
        policies=config.tools,
        paging=config.paging,
        pinned=pins.tools,
        pinned_arguments=pins.arguments,
    )


def _check_policies(config: Config, plan: PackagePlan, diagnostics: Collector) -> None:
    """The names of tools and arguments in the configuration; which there are is known only now."""
    known = {tool.name: [argument.name for argument in tool.arguments] for tool in plan.tools}
    named = ToolPolicies({name: {} for name in config.paging}).over(config.tools)
    faults = list(named.unknown(known))
    found = [(("tools", *place), f"{place[-1]}: {what}.") for place, what in faults]
    found += server_faults(config.server, list(known), [toolset.module for toolset in plan.toolsets])
    for place, message in found:
        where = None if config.path is None else locate(config.path, place)
        diagnostics.add("config-invalid", message, where)
    if found:
        raise Refused("the configuration names what the spec does not have")


def _refuse_warnings(config: Config, diagnostics: Collector) -> None:
    """`--strict`: a warning is as good as an error."""
    if config.strict and diagnostics.worst() in (Severity.WARNING, Severity.ERROR):
        raise Refused("warnings in strict mode")
