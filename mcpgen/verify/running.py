"""One verification: the server in a process of its own, an MCP client, and the real API behind a recorder."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TextIO

from mcpgen.ir.api import Api
from mcpgen.plan.model import PackagePlan, ToolPlan
from mcpgen.preview.routes import base_path_of
from mcpgen.preview.serving import serving
from mcpgen.preview.session import open_session
from mcpgen.source.tree import SourceTree
from mcpgen.verify.calling import Caller
from mcpgen.verify.cases import Cases, nothing_kept
from mcpgen.verify.document import operations_of
from mcpgen.verify.environment import Mask, credential_variables, server_environment
from mcpgen.verify.forwarding import Forwarder, api_client
from mcpgen.verify.judging import Judge
from mcpgen.verify.known import Known, identifies
from mcpgen.verify.model import Report, Stopped, Wanted
from mcpgen.verify.places import Places
from mcpgen.verify.tally import Tally

Progress = Callable[[int, str], None]
"""Told how many calls were made, and the tool that is called next."""
_ORDER = {"read": 0, "write": 1, "destructive": 2}
_DENIED = (401, 403, 407)
_ENOUGH = 5
"""So many calls without one success, or without reaching the API, say that it will not get better."""


async def verify(
    tree: SourceTree,
    api: Api,
    plan: PackagePlan,
    project: Path,
    wanted: Wanted,
    *,
    environment: Mapping[str, str],
    log: TextIO,
    progress: Progress = lambda calls, tool: None,
) -> Report:
    """Calls the tools of a project and compares what the API answers with the spec.

    Args:
        environment: where the operator's credentials and settings are.
        log: gets the server's standard error. Must be a real file.

    Raises:
        Stopped: the API cannot be reached, refuses all credentials, or the client certificate cannot be used.
    """
    places, operations = Places(tree), operations_of(api)
    tallies = [
        Tally(tool, operations[tool.operation_key], places.of_operation(operations[tool.operation_key]))
        for tool in plan.tools
        if _chosen(tool, wanted)
    ]
    with ExitStack() as stack:
        stack.enter_context(nothing_kept())
        try:
            client = stack.enter_context(api_client(environment, plan.env_prefix))
        except ValueError as error:
            raise Stopped(f"The client certificate cannot be used: {error}.") from error
        forwarder = Forwarder(wanted.base_url, client)
        root = stack.enter_context(serving(forwarder))
        settings = server_environment(environment, plan, wanted, root + base_path_of(wanted.base_url))
        async with open_session(project, plan.package, settings, log) as session:
            listed = {tool.name: tool.output_schema or {} for tool in await session.tools()}
            for tally in tallies:
                tally.reason = _reason(tally.tool, wanted, listed)
            open_ones = sorted((tally for tally in tallies if not tally.reason), key=_rank)
            judge = Judge([tally.operation for tally in open_ones], api.schemas, places.required_headers)
            mask = Mask(environment, plan)
            caller = Caller(session, forwarder, judge, places, Known(), mask, listed)
            cases = Cases([(one.tool, one.operation) for one in open_ones], api.schemas, wanted.seed)
            run = _Run(caller, cases, wanted, credential_variables(plan), progress)
            ended = await run.rounds(open_ones)
    return Report(
        project=plan.distribution,
        base_url=wanted.base_url,
        seed=wanted.seed,
        effects=wanted.effects,
        calls=sum(tally.calls for tally in tallies),
        tools=tuple(tally.report() for tally in tallies),
        skipped=tuple((f"{one.method} {one.path}", one.reason) for one in plan.skipped),
        ended=ended,
    )


def _chosen(tool: ToolPlan, wanted: Wanted) -> bool:
    return not wanted.tools or any(fnmatchcase(tool.name, pattern) for pattern in wanted.tools)


def _reason(tool: ToolPlan, wanted: Wanted, listed: Mapping[str, Any]) -> str:
    """Why a tool is not called."""
    if tool.effect not in wanted.effects:
        return f"it is {tool.effect}; allowed by --effects {','.join((*wanted.effects, tool.effect))}"
    if tool.name not in listed:
        return "the server does not have it: its settings leave it out, or the project is older than the spec"
    return ""


def _rank(tally: Tally) -> tuple[int, int, str]:
    """Reads first and what ends things last; lists before single things, because they say which there are."""
    asked = sum(identifies(argument) for argument in tally.tool.arguments)
    return _ORDER.get(tally.tool.effect, 2), asked, tally.tool.name


class _Run:
    """Makes the calls in rounds, so that every tool has had as many when the budget ends."""

    def __init__(
        self, caller: Caller, cases: Cases, wanted: Wanted, credentials: Sequence[str], progress: Progress
    ) -> None:
        self._caller, self._cases, self._wanted, self._progress = caller, cases, wanted, progress
        self._credentials = credentials
        self._deadline = time.monotonic() + wanted.seconds
        self._calls = 0

    async def rounds(self, tallies: Sequence[Tally]) -> str:
        """Makes all calls; says why it ended early, if it did.

        Raises:
            Stopped: the API cannot be reached, or refuses all credentials.
        """
        for turn in range(2 * self._wanted.cases):
            for tally in tallies:
                if turn >= self._wanted.cases:
                    self._again(tally)
                if tally.queue == []:
                    continue
                ended = self._ended()
                if ended:
                    return ended
                self._progress(self._calls, tally.tool.name)
                await self._turn(tally, turn)
                self._check(tallies)
        self._progress(self._calls, "")
        return ""

    def _again(self, tally: Tally) -> None:
        """A tool that never succeeded is tried with further identifiers: those so far may have been the wrong ones."""
        sample = tally.tool.samples.minimal
        hopeless = tally.succeeded or tally.findings or not tally.statuses or sample is None
        if not hopeless and self._caller.known.knows(tally.tool, tally.operation):
            tally.queue = [dict(sample or {})]

    async def _turn(self, tally: Tally, turn: int) -> None:
        if tally.queue is None:
            tally.queue = self._cases.valid(tally.tool, self._wanted.cases)
            if not tally.queue:
                tally.reason = "no call could be made from the spec"
        if not tally.queue:
            return
        self._calls += 1
        await self._caller.call(tally, tally.queue.pop(0), turn)

    def _ended(self) -> str:
        if self._wanted.max_calls is not None and self._calls >= self._wanted.max_calls:
            return f"after {self._calls} calls, as many as --max-calls allows"
        if time.monotonic() >= self._deadline:
            return f"after {self._wanted.seconds:g} seconds (--budget)"
        if self._caller.limited >= _ENOUGH:
            return "because the API kept answering 429: give it time, or ask less often (--rate)"
        return ""

    def _check(self, tallies: Sequence[Tally]) -> None:
        """Stops where going on would only repeat a failure."""
        if self._caller.unreached >= (_ENOUGH if self._caller.reached else 2):
            raise Stopped(f"{self._wanted.base_url} cannot be reached: {self._caller.problem}.")
        denied = sum(tally.statuses[status] for tally in tallies for status in _DENIED) + self._caller.unsent
        called = [tally for tally in tallies if tally.calls]
        everyone = len(called) == len(tallies) or denied >= _ENOUGH
        if denied and denied == self._calls and everyone:
            names = ", ".join(self._credentials) or "none: the spec names no security scheme"
            statuses = sorted({status for tally in tallies for status in tally.statuses})
            how = (
                f"answered {', '.join(map(str, statuses))}"
                if statuses
                else "needs a credential that is not set"
            )
            raise Stopped(f"Every call was refused ({how}). Credentials are read from: {names}.")
