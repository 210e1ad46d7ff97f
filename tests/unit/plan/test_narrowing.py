"""A tool for one action speaks of that action only."""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation
from mcpgen.plan.cutting.model import Action
from mcpgen.plan.texts.narrowing import narrowed

OPERATION = Operation(
    "POST",
    "/jobs/{id}/manage",
    Location("spec.yaml"),
    summary="Start or cancel a job.",
    description="Needs the id of a job. `start` puts it in the queue. `cancel` ends it for good. Use `cancel` before a new `start`.",
)
START = Action("body", "action", "start", ("cancel",), sent="start", label="start")


def summary(text: str, action: Action = START) -> str:
    return narrowed(replace(OPERATION, summary=text), action, "Start job").summary


def test_sentences_about_other_actions_go() -> None:
    found = narrowed(OPERATION, START, "Start job")
    assert (
        found.description
        == "Needs the id of a job. `start` puts it in the queue. Use `cancel` before a new `start`."
    )
    assert found.summary == "Start job"


def test_lines_of_a_list_are_about_one_action() -> None:
    listed = replace(OPERATION, description="Actions:\n- start: queues it\n- cancel: ends it")
    found = narrowed(listed, START, "Start job")
    assert "queues" in found.description
    assert "ends" not in found.description


def test_a_summary_of_all_actions_gives_way_and_another_stays() -> None:
    assert summary("Manage a job.") == "Start job"
    assert summary("Perform an action on a job") == "Start job"
    assert summary("Job actions") == "Start job"
    assert summary("Start a job at once.") == "Start a job at once."
    found = narrowed(
        replace(OPERATION, summary="Update a job", description="`cancel` ends it."), START, "Start job"
    )
    assert (found.summary, found.description) == ("Start job", "Update a job.")


def test_what_the_document_says_about_a_value_is_told() -> None:
    told = replace(START, text="Puts the job in the queue.")
    found = narrowed(replace(OPERATION, summary="Manage a job", description=""), told, "Start job")
    assert (found.summary, found.description) == ("Puts the job in the queue.", "Puts the job in the queue.")
    noun = replace(START, text="The body of a start.")
    found = narrowed(replace(OPERATION, summary="Manage a job", description=""), noun, "Start job")
    assert (found.summary, found.description) == ("Start job", "The body of a start.")


def test_codes_are_not_taken_for_other_numbers() -> None:
    code = Action("body", "op", "1", ("2", "cancel"), sent=1, label="query")
    found = narrowed(
        replace(OPERATION, summary="Keep the last 2 orders", description=""), code, "Query orders"
    )
    assert (found.summary, found.description) == ("Query orders", "Keep the last 2 orders.")


def test_the_tool_without_a_flag_keeps_all_words() -> None:
    off = Action("query", "delete", "false", (), left_out=True)
    assert narrowed(OPERATION, off, "x") == OPERATION
