"""One trial of a generated project: the stub API, the server, a client, and the calls between them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from mcpgen.ir.api import Api
from mcpgen.plan.examples import example_value
from mcpgen.plan.model import PackagePlan, ToolPlan
from mcpgen.preview.recording import Recorder
from mcpgen.preview.routes import base_path_of
from mcpgen.preview.serving import serving
from mcpgen.preview.session import Called, open_session
from mcpgen.preview.stub import Stub
from mcpgen.preview.transcript import Line, Style, call_lines, tool_lines

_SAMPLE_CREDENTIAL = "sample-credential"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool to call. Without arguments, a sample made from the spec is used."""

    tool: str
    arguments: Mapping[str, Any] | None = None


class UnknownTool(Exception):
    """A call names a tool that the package does not have; the message says which ones are close."""


async def run_trial(
    api: Api,
    plan: PackagePlan,
    project: Path,
    calls: Sequence[Call],
    *,
    show: Callable[[Iterable[Line]], None],
    log: TextIO,
    whole: bool = False,
) -> bool:
    """Starts stub and server, lists the tools, makes the calls, and shows the transcript as it grows.

    Args:
        calls: in this order; a read that suits the package when there are none.
        show: called with the lines of each step.
        log: gets the server's standard error. Must be a real file.
        whole: show bodies and headers uncut.

    Returns:
        Whether every call was a success.

    Raises:
        UnknownTool: nothing was started.
    """
    wanted = [_ready(call, plan) for call in calls] or _default_calls(plan)
    base_path = base_path_of(plan.base_url)
    recorder = Recorder(Stub(api, base_path))
    results: list[Called] = []
    with serving(recorder) as root:
        environment = trial_environment(plan, root + base_path)
        async with open_session(project, plan.package, environment, log) as session:
            listed = {tool.name for tool in await session.tools()}
            show(_title(plan, root + base_path))
            show(tool_lines([tool for tool in plan.tools if tool.name in listed]))
            for tool, arguments in wanted:
                before = len(recorder.exchanges)
                results.append(await session.call(tool.name, arguments))
                show([Line("")])
                show(call_lines(results[-1], recorder.exchanges[before:], whole=whole))
    return all(called.ok for called in results)


def trial_environment(plan: PackagePlan, base_url: str) -> dict[str, str]:
    """Settings for a server that may do everything, because the API is a stub, with made-up credentials."""
    prefix = plan.env_prefix
    credentials = {variable: _SAMPLE_CREDENTIAL for scheme in plan.auth for variable in scheme.env.values()}
    return credentials | {f"{prefix}_BASE_URL": base_url, f"{prefix}_ALLOW_EFFECTS": "read,write,destructive"}


def _title(plan: PackagePlan, url: str) -> Iterator[Line]:
    count = f"{len(plan.tools)} tool" + ("" if len(plan.tools) == 1 else "s")
    yield Line(f"{plan.distribution}: {count}, served over stdio; the stub API is at {url}", Style.TITLE)
    yield Line("")


def _ready(call: Call, plan: PackagePlan) -> tuple[ToolPlan, Mapping[str, Any]]:
    tools = {tool.name: tool for tool in plan.tools}
    tool = tools.get(call.tool)
    if tool is None:
        close = difflib.get_close_matches(call.tool, tools, n=3, cutoff=0.4)
        advice = f" Did you mean {', '.join(close)}?" if close else ""
        raise UnknownTool(f"There is no tool {call.tool!r}.{advice}")
    return tool, sample_arguments(tool) if call.arguments is None else call.arguments


def _default_calls(plan: PackagePlan) -> list[tuple[ToolPlan, Mapping[str, Any]]]:
    """The call that shows most with least: a read without required arguments that gives a list, if there is one."""

    def rank(tool: ToolPlan) -> tuple[bool, bool, bool]:
        asks = any(argument.required for argument in tool.arguments)
        return tool.effect != "read", asks, not _gives_list(tool.samples.response_value)

    return [(tool, sample_arguments(tool)) for tool in sorted(plan.tools, key=rank)[:1]]


def _gives_list(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(isinstance(member, list) for member in value.values())
    return isinstance(value, list)


def sample_arguments(tool: ToolPlan) -> Mapping[str, Any]:
    """Arguments for a call: the plan's own sample, else one made from the published schema."""
    if tool.samples.minimal is not None:
        return tool.samples.minimal
    value = example_value(tool.input_schema, {}, direction="request", minimal=True)
    return value if isinstance(value, dict) else {}
