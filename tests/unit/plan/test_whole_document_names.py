"""Names of whole documents: the same whatever the order, and unmoved when the document grows."""

from __future__ import annotations

import json
import random
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcpgen.build import build_api
from mcpgen.diagnostics import Collector
from mcpgen.plan.model import PackagePlan
from mcpgen.plan.planner import PlanOptions, plan_package
from mcpgen.source.load import load
from mcpgen.spec import normalize

Names = dict[str, tuple[str, dict[tuple[str, str], str]]]

words = st.sampled_from(
    ["ship", "Ships", "crew-member", "sailId", "класс", "class", "v1", "get", "2nd", "данные", "x"]
)
methods = st.sampled_from(["get", "post", "put", "delete"])
names = st.sampled_from(
    ["id", "ID", "i-d", "from", "body", "page[size]", "страница", "__init__", "call", "name"]
)
operation_ids = st.none() | st.builds(lambda *parts: "".join(parts), words, words) | st.text(max_size=20)


@st.composite
def operations(draw: st.DrawFn) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": where, "schema": {"type": "string"}}
        for name, where in draw(
            st.lists(
                st.tuples(names, st.sampled_from(["query", "header"])),
                max_size=3,
                unique_by=lambda pair: (pair[0].lower() if pair[1] == "header" else pair[0], pair[1]),
            )
        )
    ]
    found: dict[str, Any] = {"parameters": parameters, "responses": {"200": {"description": "ok"}}}
    operation_id = draw(operation_ids)
    if operation_id is not None:
        found["operationId"] = operation_id
    if draw(st.booleans()):
        fields = {name: {"type": "string"} for name in draw(st.lists(names, max_size=3, unique=True))}
        schema = {"type": "object", "properties": fields}
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    tags = draw(st.lists(words, max_size=1))
    return {**found, "tags": tags} if tags else found


paths = st.lists(st.one_of(words, words.map(lambda word: f"{{{word}}}")), min_size=1, max_size=3).map(
    lambda parts: "/" + "/".join(dict.fromkeys(parts))
)
documents = st.dictionaries(
    paths, st.dictionaries(methods, operations(), min_size=1, max_size=2), min_size=1, max_size=5
)


def plan(found: dict[str, Any], pinned: dict[str, str] | None = None) -> PackagePlan:
    spec = {"openapi": "3.1.0", "info": {"title": "Fleet", "version": "1"}, "paths": found}
    diagnostics = Collector()
    tree = load("-", diagnostics=diagnostics, stdin=json.dumps(spec).encode())
    document = normalize(tree, diagnostics=diagnostics, strict=False)
    api = build_api(document, diagnostics=diagnostics)
    return plan_package(api, PlanOptions(pinned=pinned or {}), diagnostics=diagnostics)


def names_of(found: PackagePlan) -> Names:
    return {
        tool.key: (tool.name, {(a.where, a.wire_name or a.pointer or ""): a.name for a in tool.arguments})
        for tool in found.tools
    }


def shuffled(value: Any, random_: random.Random) -> Any:
    """The same document written in another order: keys of objects, and parameters, which have no order either."""
    if isinstance(value, dict):
        entries = [(key, shuffled(item, random_)) for key, item in value.items()]
        random_.shuffle(entries)
        return dict(entries)
    if isinstance(value, list):
        items = [shuffled(item, random_) for item in value]
        random_.shuffle(items)
        return items
    return value


@settings(max_examples=settings.default.max_examples // 3)
@given(documents, st.randoms())
def test_names_are_legal_unique_and_independent_of_order(
    found: dict[str, Any], random_: random.Random
) -> None:
    first = plan(found)
    told = names_of(first)
    assert len({name.replace("_", "").casefold() for name, _ in told.values()}) == len(told)
    for name, arguments in told.values():
        assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,55}", name)
        assert all(re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", argument) for argument in arguments.values())
        assert len({argument.replace("_", "").casefold() for argument in arguments.values()}) == len(
            arguments
        )
    second = plan(shuffled(found, random_))
    assert names_of(second) == told
    assert {t.key: (t.module, t.toolset) for t in second.tools} == {
        t.key: (t.module, t.toolset) for t in first.tools
    }


@settings(max_examples=settings.default.max_examples // 3)
@given(documents, documents)
def test_names_stay_when_the_document_grows(found: dict[str, Any], more: dict[str, Any]) -> None:
    before = plan(found)
    grown = {**more, **{path: {**more.get(path, {}), **item} for path, item in found.items()}}
    after = names_of(plan(grown, pinned=before.pins))
    assert {key: after[key] for key in names_of(before)} == names_of(before)
    assert len({name.replace("_", "").casefold() for name, _ in after.values()}) == len(after)


def test_names_stay_when_a_clash_would_rename_them() -> None:
    ok = {"responses": {"200": {"description": "ok"}}}
    before = plan({"/ships": {"get": {**ok, "operationId": "listShips"}}})
    grown = {
        "/ships": {"get": {**ok, "operationId": "listShips"}},
        "/v2/ships": {"get": {**ok, "operationId": "list_ships"}},
    }
    assert names_of(plan(grown))["GET /ships"][0] != "list_ships"
    assert names_of(plan(grown, pinned=before.pins))["GET /ships"][0] == "list_ships"


def test_pins_that_cannot_be_used_are_left_alone() -> None:
    ok = {"responses": {"200": {"description": "ok"}}}
    found = {"/ships": {"get": ok}, "/crews": {"get": ok}}
    for pins in ({"GET /ships": "no name"}, {"GET /ships": "same", "GET /crews": "Same"}, {"GET /gone": "x"}):
        assert {tool.name for tool in plan(found, pinned=pins).tools} == {"list_ships", "list_crews"}
