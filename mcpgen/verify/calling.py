"""One call: what is sent, what comes back over the wire and to the client, and what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema.exceptions import SchemaError, best_match

from mcpgen.plan.model import ArgumentPlan
from mcpgen.preview.session import Called, Session
from mcpgen.runtime.patterns.keywords import bounded_validator
from mcpgen.verify.environment import Mask
from mcpgen.verify.forwarding import Forwarder
from mcpgen.verify.judging import CannotJudge, Judge
from mcpgen.verify.known import Known, identifies
from mcpgen.verify.model import Answered, Finding, Kind
from mcpgen.verify.places import Places
from mcpgen.verify.tally import REFUSALS, Tally

_SHOWN = 500
_GIVEN = frozenset({"example", "examples", "default", "enum", "const"})


class Caller:
    """Makes calls and notes in the tallies what they show.

    Attributes:
        known: what the API said so far.
        unreached: how many calls in a row did not reach the API; `problem` is why.
        reached: whether any did.
        unsent: calls that were not sent for want of a credential.
        limited: how many calls in a row met the API's limit of requests.
    """

    def __init__(
        self,
        session: Session,
        forwarder: Forwarder,
        judge: Judge,
        places: Places,
        known: Known,
        mask: Mask,
        output_schemas: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._session, self._forwarder, self._judge = session, forwarder, judge
        self._places, self.known, self._mask = places, known, mask
        self._schemas = output_schemas
        self.unreached = self.unsent = self.limited = 0
        self.reached = False
        self.problem = ""

    async def call(self, tally: Tally, case: Mapping[str, Any], turn: int) -> None:
        """Makes one call with the arguments of a case, and with real identifiers where any are known."""
        arguments = self._arguments(tally, case, turn)
        before = len(self._forwarder.answers)
        self._forwarder.problem = None
        called = await self._session.call(tally.tool.name, arguments)
        tally.calls += 1
        method = tally.tool.method.upper()
        answers = [one for one in self._forwarder.answers[before:] if one.method.upper() == method]
        del self._forwarder.answers[before:]
        if answers:
            self.reached, self.unreached = True, 0
            self._judged(tally, arguments, called, answers[-1])
        elif self._forwarder.problem is not None:
            self.unreached += 1
            self.problem = self._forwarder.problem
        else:
            self._unanswered(tally, arguments, called)

    def _arguments(self, tally: Tally, case: Mapping[str, Any], turn: int) -> dict[str, Any]:
        """The spec's examples come first, then what the API itself gave, then what the case has."""
        tool = tally.tool
        arguments = dict(case)
        paging = tool.paging
        if paging is not None and paging.kind in ("cursor", "link") and paging.argument:
            arguments.pop(paging.argument, None)  # only an answer can give one
        sample = tool.samples.minimal or {}
        examples = {
            one.name: sample[one.name]
            for one in tool.arguments
            if identifies(one) and one.name in sample and _has_example(one, tally)
        }
        if turn == 0 and examples:
            return arguments | examples
        return self.known.choose(tool, tally.operation, arguments | examples, max(turn - bool(examples), 0))

    def _judged(self, tally: Tally, arguments: Mapping[str, Any], called: Called, answered: Answered) -> None:
        status = answered.status
        tally.statuses[status] += 1
        self.limited = self.limited + 1 if status == 429 else 0
        request = self._request(answered)
        try:
            faults = self._judge.faults(tally.operation, answered)
        except CannotJudge as error:
            tally.unjudged.append(self._mask(str(error)))
            return
        for fault in faults:
            place = self._places.of_fault(fault, tally.operation, status)
            finding = Finding(
                fault.kind,
                self._mask(fault.detail),
                place,
                status,
                self._shown(arguments),
                request,
                fault.same,
            )
            tally.find(finding)
        if status in REFUSALS:
            tally.note_refusal(status, self._shown(arguments), request)
        problem = self._tool_problem(called, expects=not faults and status < 500)
        if problem:
            self._tool_fault(tally, arguments, problem, status, request)
        if 200 <= status < 300:
            self.known.learn(tally.tool, tally.operation, arguments, answered.body)

    def _unanswered(self, tally: Tally, arguments: Mapping[str, Any], called: Called) -> None:
        """A call that the API never saw."""
        problem = self._tool_problem(called, expects=True)
        if problem:
            self._tool_fault(tally, arguments, problem, None, "nothing was sent")
        elif called.ok:
            tally.unasked += 1
        else:
            tally.not_sent.append(self._mask(str(called.outcome.get("error", ""))))
            self.unsent += called.outcome.get("category") == "permission"

    def _tool_fault(
        self, tally: Tally, arguments: Mapping[str, Any], problem: str, status: int | None, request: str
    ) -> None:
        detail = self._mask(f"The tool, not the API: {problem}")
        tally.find(Finding(Kind.TOOL, detail, tally.place, status, self._shown(arguments), request))

    def _tool_problem(self, called: Called, *, expects: bool) -> str:
        """What is wrong with the result itself. `expects`: the answer was right, so the result has to be."""
        if called.protocol_error:
            return called.protocol_error
        error = _broken(called.outcome, self._schemas.get(called.name, {}))
        if error:
            return f"its result breaks its output schema: {error}"
        if expects and called.outcome.get("category") == "internal":
            return f"it failed by itself: {called.outcome.get('error', '')}"
        if expects and "raw" in called.outcome:
            return f"it finds that the answer differs from the spec: {called.outcome.get('note', '')}"
        return ""

    def _request(self, answered: Answered) -> str:
        """How to make the request again; credentials in the query are masked, those in headers are left out."""
        text = f"{answered.method} {answered.target}"
        if answered.sent:
            body = answered.sent[: _SHOWN + 1].decode("utf-8", "backslashreplace")
            text += f" {body}" if len(body) <= _SHOWN else f" {body[:_SHOWN]}…"
        return self._mask(text)

    def _shown(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        found = json.loads(self._mask(json.dumps(arguments)))
        return found if isinstance(found, dict) else {}


def _has_example(argument: ArgumentPlan, tally: Tally) -> bool:
    """Whether the spec itself gives a value, so that the sample has one that may exist."""
    for parameter in tally.operation.parameters:
        if parameter.name == argument.wire_name and parameter.where == argument.where:
            return bool(parameter.examples) or bool({*parameter.schema, *argument.schema} & _GIVEN)
    return bool(argument.schema.keys() & _GIVEN)


def _broken(outcome: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Why a result does not fit the schema that its tool publishes; empty where it does."""
    try:
        error = best_match(bounded_validator()(dict(schema)).iter_errors(dict(outcome)))
    except (SchemaError, RecursionError):
        return "the schema cannot be used"
    return "" if error is None else " ".join(error.message.split())[:200]
