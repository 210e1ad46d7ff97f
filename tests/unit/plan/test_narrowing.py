"""A tool for one action speaks of that action only."""

from __future__ import annotations

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation
from mcpgen.plan.texts.narrowing import applies, narrowed

OPERATION = Operation(
    "POST",
    "/jobs/{id}/manage",
    Location("spec.yaml"),
    summary="Start or cancel a job.",
    description="Needs the id of a job. `start` puts it in the queue. `cancel` ends it for good. Use `cancel` before a new `start`.",
)


def test_sentences_about_other_actions_go() -> None:
    found = narrowed(OPERATION, "start", ["cancel"], "Start job")

    assert (
        found.description
        == "Needs the id of a job. `start` puts it in the queue. Use `cancel` before a new `start`."
    )
    assert found.summary == "Start job"


def test_a_summary_that_names_no_action_stays() -> None:
    found = narrowed(
        Operation("POST", "/x", Location("s"), summary="Manage a job."), "start", ["cancel"], "Start job"
    )

    assert found.summary == "Manage a job."


def test_an_argument_of_another_action_does_not_apply() -> None:
    assert not applies("For `hold` only; when it ends.", "cancel", ["hold", "query"])
    assert applies("For `hold` and `cancel`.", "cancel", ["hold"])
    assert applies("Why.", "cancel", ["hold"])
