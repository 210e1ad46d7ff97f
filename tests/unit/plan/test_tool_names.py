"""Names of tools beside each other: told apart by meaning, whatever the words are."""

from __future__ import annotations

import keyword
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Location
from mcpgen.ir.api import MediaType, Operation, Response
from mcpgen.plan.naming.answers import answers_of
from mcpgen.plan.naming.names import NameRequest, tool_names
from mcpgen.plan.naming.verbs import contradicts, is_verb


def request(key: str, operation_id: str | None = None, summary: str = "", effect: str = "") -> NameRequest:
    method, path = key.split(" ", 1)
    return NameRequest(key, method, path, operation_id, summary=summary, effect=effect)


def names(*requests: NameRequest) -> list[str]:
    """The names of the requests, in their order."""
    found = tool_names(requests)
    return [found[one.key] for one in requests]


def test_an_id_with_a_number_is_told_apart_by_a_word() -> None:
    plans = (request("POST /plans", "createPlan"), request("POST /fixed/plans", "createPlan_1"))
    assert names(*plans) == ["create_plan", "create_plan_fixed"]


def test_a_version_comes_back_where_two_ids_differ_by_it_alone() -> None:
    disks = (request("GET /projects/{p}/disks", "disk_list"), request("GET /v1/disks", "disk_list_v1"))
    assert names(*disks) == ["list_disks", "list_disks_v1"]


def test_the_number_of_a_noun_comes_back_where_two_ids_differ_by_it_alone() -> None:
    both = (request("POST /registry", "registry_create"), request("POST /registries", "registries_create"))
    assert names(*both) == ["create_registry", "create_registries"]


def test_the_method_tells_two_changes_of_one_thing_apart() -> None:
    engines = (request("PUT /engines/{id}"), request("PATCH /engines/{id}"))
    assert names(*engines) == ["put_engine", "patch_engine"]
    ids = (request("PUT /engines/{id}", "putEngine"), request("PATCH /engines/{id}", "patchEngine"))
    assert names(*ids) == ["put_engine", "patch_engine"]


def test_a_made_up_name_gives_way_to_one_that_the_api_has() -> None:
    boats = (request("POST /yard/boats", "post-boat"), request("POST /boats", "createBoat"))
    assert names(*boats) == ["post_boat", "create_boat"]


def test_a_method_that_ends_one_of_two_ids_is_kept_there() -> None:
    searches = (request("GET /search", "searchBoats"), request("POST /search", "searchBoatsPost"))
    assert names(*searches) == ["search_boats", "search_boats_post"]


def test_the_parameter_tells_two_paths_to_one_thing_apart() -> None:
    found = names(request("GET /account/roles/{role}"), request("GET /accounts/{account}/roles/{role}"))
    assert found == ["get_account_role_by_role", "get_account_role_by_account_role"]


def test_a_long_name_loses_whole_words_and_keeps_the_thing_and_the_version() -> None:
    name = names(
        request("GET /x", "listAdmissionregistrationV1beta1NamespacedValidatingAdmissionPolicyBinding")
    )[0]
    assert name == "list_v1_beta1_validating_admission_policy_binding"
    name = names(
        request("GET /x", "retrieveHistoricalMeasurementsOfTheUndergroundWaterStationsByIdentifier")
    )[0]
    assert name == "retrieve_historical_measurements_underground_water"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "array", "items": {}}, "list"),
        ({"type": "object", "properties": {"data": {"type": "array"}, "total": {"type": "integer"}}}, "list"),
        ({"type": "object", "properties": {"boats": {"type": "array"}}}, "list"),
        ({"type": "object", "properties": {"errors": {"type": "array"}}}, "maybe"),
        ({"type": "object", "properties": {"name": {"type": "string"}}}, "one"),
        ({"$ref": "#/components/schemas/Boats"}, "list"),
        ({"type": "string"}, ""),
    ],
)
def test_what_an_operation_answers_with(schema: dict[str, object], expected: str) -> None:
    here = Location("spec.yaml")
    media = MediaType("application/json", schema)
    operation = Operation("GET", "/boats", here, responses=(Response("200", "", (media,), here),))
    assert answers_of(operation, {"Boats": {"type": "array", "items": {}}}) == expected


WORDS = st.sampled_from(
    [
        "boat",
        "Boats",
        "get",
        "Update",
        "list",
        "bulk",
        "order",
        "report",
        "delete",
        "v1",
        "by",
        "id",
        "舱室",
        "Лодка",
        "post",
    ]
)
IDS = st.one_of(
    st.none(),
    st.lists(WORDS, max_size=6).map("_".join),
    st.lists(WORDS, max_size=6).map("".join),
    st.text(max_size=70),
)
PATHS = st.lists(
    st.sampled_from(["boats", "{id}", "v1", "cancel", "set_name", "exportBoats", "latest", "order", "x.y"]),
    max_size=5,
)
SUMMARIES = st.one_of(
    st.sampled_from(["", "Update a boat", "Get boats", "删除用户", "Boats"]), st.text(max_size=30)
)
REQUESTS = st.lists(
    st.tuples(
        st.sampled_from(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY"]),
        PATHS,
        IDS,
        SUMMARIES,
        st.sampled_from(["", "read", "write", "destructive"]),
        st.sampled_from(["", "list", "maybe", "one"]),
    ),
    max_size=8,
)


@given(REQUESTS, st.randoms())
def test_every_name_is_legal_unique_and_its_own(
    parts: list[tuple[str, list[str], str | None, str, str, str]], random_: random.Random
) -> None:
    requests = [
        NameRequest(
            str(number), method, "/" + "/".join(path), own, summary=text, effect=effect, answers=answers
        )
        for number, (method, path, own, text, effect, answers) in enumerate(parts)
    ]
    found = tool_names(requests)
    assert all(re.fullmatch(r"[a-z_][a-z0-9_]{0,55}", name) for name in found.values())
    assert not any(keyword.iskeyword(name) for name in found.values())
    assert len({name.replace("_", "") for name in found.values()}) == len(requests)
    shuffled = list(requests)
    random_.shuffle(shuffled)
    assert tool_names(shuffled) == found


@given(IDS, PATHS, st.sampled_from(["GET", "POST", "PUT", "DELETE"]), st.sampled_from(["read", "write"]))
def test_no_name_says_another_effect(own: str | None, path: list[str], method: str, effect: str) -> None:
    """Without a summary that agrees with the id, the verb never contradicts the annotations."""
    one = NameRequest("k", method, "/" + "/".join(path), own, effect=effect)
    verb = tool_names([one])["k"].split("_")[0]
    assert not (is_verb(verb) and contradicts(verb, effect))
