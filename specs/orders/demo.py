"""`make demo`: generates the orders server afresh, runs it against the back end, and shows what a client sees.

Every step has an expectation; the exit status is 1 when one of them fails.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from backend import PREFIX, create_app

from mcpgen.cli.report import as_line, has_colour
from mcpgen.cli.transcript import styled
from mcpgen.diagnostics import Collector, Severity
from mcpgen.pipeline import GenerateRequest, generate
from mcpgen.plan.model import PackagePlan
from mcpgen.preview.recording import Exchange, Recorder
from mcpgen.preview.serving import serving
from mcpgen.preview.session import Called, open_session
from mcpgen.preview.transcript import Line, Style, call_lines, tool_lines

SPEC = Path(__file__).with_name("openapi.yaml")
TOKEN = "demo-token"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Step:
    """One call. `agrees` is what the user says when asked; `holds` is the expectation."""

    title: str
    tool: str
    arguments: Mapping[str, Any]
    holds: Callable[[Called, Sequence[Exchange]], bool]
    agrees: bool = False


def _failed(called: Called, category: str, hint: str = "") -> bool:
    outcome = called.outcome
    return outcome.get("ok") is False and outcome["category"] == category and hint in outcome.get("hint", "")


STEPS = (
    Step(
        "A search. One operation is one tool; the result is typed by the spec.",
        "search_orders",
        {"query": "kovac", "status": ["packed", "shipped"]},
        lambda called, sent: [o["order_id"] for o in called.outcome["data"]["orders"]] == ["ORD-100003"],
    ),
    Step(
        "An empty result is a success, not an error.",
        "search_orders",
        {"query": "typewriter"},
        lambda called, sent: called.ok and called.outcome["data"]["orders"] == [],
    ),
    Step(
        "Wrong arguments are refused before anything leaves, every one of them named.",
        "create_refund",
        {"order_id": "100007", "amount_cents": 0, "reason": "broken"},
        lambda called, sent: _failed(called, "validation") and not sent,
    ),
    Step(
        "An order that does not exist. The hint says which tool finds the right one.",
        "get_order",
        {"order_id": "ORD-999999"},
        lambda called, sent: _failed(called, "not_found", "search_orders"),
    ),
    Step(
        "A refund gives money away, so the user is asked. It is above the API's limit: a business error.",
        "create_refund",
        {"order_id": "ORD-100007", "amount_cents": 60_000, "reason": "damaged"},
        lambda called, sent: _failed(called, "business") and sent[-1].status == 409,
        agrees=True,
    ),
    Step(
        "A cancellation is final. This time the user says no: nothing is sent.",
        "cancel_order",
        {"order_id": "ORD-100003", "reason": "Ordered twice."},
        lambda called, sent: bool(called.questions) and not called.ok and not sent,
    ),
    Step(
        "And now yes.",
        "cancel_order",
        {"order_id": "ORD-100003", "reason": "Ordered twice."},
        lambda called, sent: bool(called.questions)
        and called.ok
        and called.outcome["data"]["status"] == "cancelled",
        agrees=True,
    ),
)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="orders-demo-") as folder:
        project = Path(folder) / "orders-mcp"
        diagnostics = Collector()
        outcome = generate(GenerateRequest(spec=str(SPEC), output=project), diagnostics)
        for item in outcome.diagnostics:
            if item.severity is not Severity.INFO:
                print(as_line(item), file=sys.stderr)
        if outcome.plan is None or outcome.refused:
            return 1
        return anyio.run(run, project, outcome.plan)


async def run(project: Path, plan: PackagePlan) -> int:
    """Runs all steps and returns the exit status."""
    recorder = Recorder(create_app(TOKEN))
    with serving(recorder) as root, tempfile.TemporaryFile("w+") as log:
        environment = {
            f"{plan.env_prefix}_BASE_URL": root + PREFIX,
            f"{plan.env_prefix}_ALLOW_EFFECTS": "read,write,destructive",
            plan.auth[0].env["token"]: TOKEN,
        }
        async with open_session(project, plan.package, environment, log) as session:
            show(
                Line(
                    f"{plan.distribution}, generated from {SPEC.name}, in front of {root}{PREFIX}",
                    Style.TITLE,
                )
            )
            show(Line(""), *tool_lines(plan.tools))
            failed = 0
            for number, step in enumerate(STEPS, start=1):
                before = len(recorder.exchanges)
                session.user.agrees = step.agrees
                called = await session.call(step.tool, step.arguments)
                sent = recorder.exchanges[before:]
                show(Line(""), Line(f"{number}. {step.title}", Style.TITLE), *call_lines(called, sent))
                if not step.holds(called, sent):
                    failed += 1
                    show(Line("  This is not what was expected.", Style.FAILURE))
    print(f"\n{len(STEPS) - failed} of {len(STEPS)} steps went as expected.")
    return 1 if failed else 0


def show(*lines: Line) -> None:
    for line in lines:
        print(styled(line, colour=has_colour(sys.stdout)))


if __name__ == "__main__":
    sys.exit(main())
