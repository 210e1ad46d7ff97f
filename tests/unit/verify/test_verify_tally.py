"""What the calls of one tool come to."""

from collections.abc import Callable

import pytest

from mcpgen.diagnostics import Location
from mcpgen.pipeline import Planned
from mcpgen.verify.document import operations_of
from mcpgen.verify.model import Finding, Kind, Verdict
from mcpgen.verify.tally import Tally

PLACE = Location("api.json", "/paths/~1x/get", 3, 5)


@pytest.fixture
def tally(plan: Callable[..., Planned]) -> Tally:
    planned = plan({"/x": {"get": {"responses": {"200": {"description": ""}}}}})
    [tool] = planned.plan.tools
    return Tally(tool, operations_of(planned.api)["GET /x"], PLACE)


def seen(tally: Tally, *statuses: int) -> None:
    for status in statuses:
        tally.calls += 1
        tally.statuses[status] += 1
        if status in (400, 422):
            tally.note_refusal(status, {}, "GET /x")


@pytest.mark.parametrize(
    ("statuses", "verdict", "reason"),
    [
        ((200,), Verdict.CONFORMS, ""),
        ((404, 201), Verdict.CONFORMS, ""),
        ((404, 404), Verdict.UNPROVEN, "only 404 seen"),
        ((409, 404), Verdict.UNPROVEN, "only 404, 409 seen"),
        ((400, 404), Verdict.UNPROVEN, "only 400, 404 seen"),
        ((), Verdict.NOT_CALLED, "the budget ended before"),
    ],
)
def test_verdicts(tally: Tally, statuses: tuple[int, ...], verdict: Verdict, reason: str) -> None:
    seen(tally, *statuses)
    report = tally.report()
    assert (report.verdict, report.reason) == (verdict, reason)


def test_an_api_that_refuses_all_that_fits_the_spec_drifts(tally: Tally) -> None:
    seen(tally, 400, 422, 400)
    report = tally.report()
    assert report.verdict is Verdict.DRIFTS
    assert [(one.kind, one.count, one.status) for one in report.findings] == [(Kind.REFUSES_VALID, 3, 400)]


def test_single_refusals_are_a_remark(tally: Tally) -> None:
    seen(tally, 200, 400)
    report = tally.report()
    assert report.verdict is Verdict.CONFORMS
    assert report.remarks == ("1 of 2 calls that fit the spec were refused by the API",)


def test_equal_findings_are_one(tally: Tally) -> None:
    for number in range(3):
        detail = f"200, total: {number} is no text"
        tally.find(Finding(Kind.BODY, detail, PLACE, 200, {"n": number}, "GET /x", "total type"))
    tally.find(Finding(Kind.BODY, "200, other: 1 is no text", PLACE, 200, {}, "GET /x", "other type"))
    tally.find(Finding(Kind.STATUS, "500", PLACE, 500, {}, "GET /x"))
    found = tally.report().findings
    assert [(one.kind, one.count) for one in found] == [(Kind.BODY, 3), (Kind.BODY, 1), (Kind.STATUS, 1)]
    assert found[0].arguments == {"n": 0}, "the first example is kept"


def test_a_tool_that_sends_nothing_proves_nothing(tally: Tally) -> None:
    tally.calls = 2
    tally.not_sent += ["`n` is too large.", "`n` is too large."]
    assert tally.report().reason == "the tool sent nothing: `n` is too large."
