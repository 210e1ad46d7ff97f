"""Descriptions and examples of fields that stand somewhere else in the document."""

from __future__ import annotations

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Api, MediaType, Operation, Parameter, ParameterIn, RequestBody, Response, Style
from mcpgen.plan.texts.field_texts import FieldTexts, is_label
from mcpgen.plan.texts.samples import FieldSamples

HERE = Location("spec.yaml")


def api(*said: str) -> Api:
    parameters = tuple(
        Parameter(f"x{'_' * i}", ParameterIn.QUERY, False, {}, Style.FORM, True, HERE, description=text)
        for i, text in enumerate(said)
    )
    asked = MediaType("application/json", None, examples=({"sail": "G-12", "crew": [{"badge": "C7"}]},))
    given = MediaType("application/json", None, examples=([{"id": "b-9", "berth": "B3"}],))
    operation = Operation(
        "POST",
        "/boats",
        HERE,
        parameters=parameters,
        body=RequestBody(False, (asked,), HERE),
        responses=(Response("200", "", (given,), HERE),),
    )
    schemas = {
        "Boat": {"properties": {"status": {"description": "Where it is in its year. May be empty."}, "keel": {"description": "Keel"}}},
        "Crew": {"properties": {"status": {"description": "Who is on leave."}, "berth_no": {"description": "Counted from the bow."}}},
    }  # fmt: skip
    return Api("A", "1", "3.1.0", HERE, operations=(operation,), schemas=schemas)


def test_a_common_name_is_explained_by_its_own_schema_only() -> None:
    texts = FieldTexts(api())
    assert texts.find("status", "boat") == "Where it is in its year."
    assert texts.find("status", "harbour") == ""
    assert texts.find("berthNo", "harbour") == "Counted from the bow."
    assert texts.find("keel", "boat") == ""


def test_names_that_mean_different_things_are_not_explained() -> None:
    assert FieldTexts(api("First thing told.", "Another thing told.", "A third one.")).find("x", "") == ""
    assert FieldTexts(api("First thing told.", "First thing told.")).find("x", "") == "First thing told."


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [("Order id", "order_id", True), (".", "id", True), ("群号", "group_id", True), ("The order to pay for", "order_id", False),
     ("群号，可在群资料页查看", "group_id", False)],
)  # fmt: skip
def test_labels_say_no_more_than_the_name(text: str, name: str, label: bool) -> None:
    assert is_label(text, name) is label


def test_examples_of_bodies_give_values_to_their_fields() -> None:
    samples = FieldSamples(api())
    assert samples.find("sail", "boat", "") == "G-12"
    assert samples.find("badge", "", "") == "C7"
    assert samples.find("berth", "", "") == "B3"
    assert samples.find("boat_id", "", "") == "b-9"
    assert samples.find("id", "harbour", "") is None
