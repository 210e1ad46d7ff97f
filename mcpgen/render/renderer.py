"""Turns a plan into files in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import mcpgen
from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit.model import Ownership, RenderedFile, json_lines
from mcpgen.models.model import Models
from mcpgen.plan.model import Code, PackagePlan, SpecText
from mcpgen.render.environment import TemplateEnvironment
from mcpgen.render.failures import failure_of
from mcpgen.render.languages import Language, language_of
from mcpgen.render.layers import PARTS, SUFFIX, Layer, default_layer
from mcpgen.render.library import RuntimeMode
from mcpgen.render.origins import Trace, Traced, render_traced
from mcpgen.render.outputs import BUILT_IN, Once, Output, added_outputs, check_added, check_planned
from mcpgen.render.proving import prove
from mcpgen.render.sharing import needs, runtime_modules
from mcpgen.render.views import FIRST_VERSION, package_view, tool_module


@dataclass(frozen=True, slots=True)
class Templates:
    """What shapes the text of a project besides the plan.

    Attributes:
        stack: the layers, the strongest first and the built-in one last.
        filters: filters of plugins; mcpgen's own cannot be replaced.
        trace: is told where the lines of files come from that layers have a part in.
    """

    stack: tuple[Layer, ...] = field(default_factory=lambda: (default_layer(),))
    filters: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    trace: Trace = field(default_factory=Trace)


def render(
    plan: PackagePlan,
    models: Models,
    data: Mapping[str, Any],
    *,
    diagnostics: Collector,
    templates: Templates | None = None,
    version: str = FIRST_VERSION,
    runtime: RuntimeMode = RuntimeMode.VENDORED,
) -> list[RenderedFile]:
    """All files of the generated project.

    Args:
        plan: what to emit.
        models: the model modules and result types.
        data: the JSON documents of the package by path below its folder.
        diagnostics: where a failing template is reported.
        templates: the layers of a team and what belongs to them; without it, only the built-in ones.
        version: the version of the generated project.
        runtime: how the project has the run-time library.

    Raises:
        Refused: a template fails, or a file that a layer adds is in the way of another one.
    """
    templates = templates or Templates()
    added = added_outputs(templates.stack)
    check_added(added, templates.stack, diagnostics)
    view = package_view(plan, f"mcpgen {mcpgen.__version__}", needs(runtime), version)
    renderer = _Renderer(plan.package, {"package": view}, templates, diagnostics)
    files = [
        file
        for output in (*BUILT_IN, *added)
        if output.applies(plan, runtime)
        for name, context in _uses(output, plan, models)
        if (file := renderer.file(output, name, context)) is not None
    ]
    if renderer.failed:
        raise Refused("templates failed")
    source = PurePosixPath("src") / plan.package
    files += [_document(source, name, value) for name, value in data.items()]
    files += _runtime(source / "_runtime", runtime)
    check_planned(added, plan.package, [file.path for file in files], templates.stack, diagnostics)
    return files


def _uses(output: Output, plan: PackagePlan, models: Models) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every use of a template: a name for the file, and what the template sees besides the package."""
    if output.once is Once.MODELS:
        for module, body in sorted(models.modules.items()):
            title = next((t.label for t in plan.toolsets if t.module == module), SpecText("several toolsets"))
            yield module, {"title": title, "body": Code(body)}
    elif output.once is Once.TOOLSET:
        for toolset in plan.toolsets:
            yield toolset.module, {"module": tool_module(toolset, models.types)}
    else:
        yield "", {}


class _Renderer:
    """Renders single files; one environment for each language, made when it is needed."""

    def __init__(
        self, package: str, context: Mapping[str, Any], templates: Templates, diagnostics: Collector
    ) -> None:
        self._package = package
        self._context = context
        self._templates = templates
        self._diagnostics = diagnostics
        self.failed = False
        self._environments: dict[tuple[Language, bool], TemplateEnvironment] = {}
        self._parts = any(file.startswith(PARTS) for layer in templates.stack[:-1] for file in layer.files)

    def file(self, output: Output, name: str, context: Mapping[str, Any]) -> RenderedFile | None:
        """One file; None where its template fails or makes what cannot be right, which is then `failed` and reported."""
        try:
            return self._file(output, name, context)
        except Refused:
            self.failed = True
            return None

    def _file(self, output: Output, name: str, context: Mapping[str, Any]) -> RenderedFile:
        path = output.target(self._package, name)
        layer = next(layer for layer in self._templates.stack if output.template in layer.files)
        place = str(layer.path(output.template))
        if not output.template.endswith(SUFFIX):
            return RenderedFile(path, self._copied(layer, output.template), output.ownership)
        ours = layer is self._templates.stack[-1] and not self._parts
        environment = self._environment(language_of(path), marking=not ours)
        try:
            full = environment.loader.find(output.template)
            template = environment.get_template(full or output.template)
            everything = {**self._context, **context}
            if ours:
                text = str(template.render(everything))
                return RenderedFile(path, text, output.ownership, shaped=output.shaped)
            traced = render_traced(template, everything)
        except Exception as error:  # whatever a template of a team can provoke
            message, where = failure_of(error, place)
            raise self._diagnostics.refuse("render-failed", message, where) from error
        return self._proved(path, traced, output)

    def _proved(self, path: PurePosixPath, traced: Traced, output: Output) -> RenderedFile:
        self._templates.trace.files[path] = traced
        problem = prove(language_of(path), traced)
        if problem is not None:
            where = traced.at(problem.line)
            raise self._diagnostics.refuse("render-failed", f"In {path}, {problem.message}.", where)
        return RenderedFile(path, traced.text, output.ownership)

    def _copied(self, layer: Layer, file: str) -> str:
        try:
            return layer.path(file).read_bytes().decode("utf-8")
        except (UnicodeDecodeError, OSError) as error:
            message, where = failure_of(error, str(layer.path(file)))
            raise self._diagnostics.refuse("render-failed", message, where) from error

    def _environment(self, language: Language, *, marking: bool) -> TemplateEnvironment:
        key = language, marking
        if key not in self._environments:
            stack, filters = self._templates.stack, self._templates.filters
            self._environments[key] = TemplateEnvironment(stack, language, marking=marking, filters=filters)
        return self._environments[key]


def _document(source: PurePosixPath, name: str, value: Any) -> RenderedFile:
    return RenderedFile(source / name, json_lines(value), Ownership.GENERATED)


def _runtime(target: PurePosixPath, mode: RuntimeMode) -> Iterator[RenderedFile]:
    """The run-time library, byte for byte, or what stands in for it."""
    for path, text in runtime_modules(mode):
        yield RenderedFile(target / path, text, Ownership.VENDORED)
