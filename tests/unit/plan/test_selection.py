"""Which operations become tools: selectors, what wins over what, and what is said about the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.build import build_api
from mcpgen.diagnostics import Collector, Diagnostic, Location, Refused
from mcpgen.ir.api import Operation
from mcpgen.plan.model import PackagePlan
from mcpgen.plan.planner import PlanOptions, plan_package
from mcpgen.plan.selection import read_selection
from mcpgen.plan.selectors import SelectorError, parse_selector
from mcpgen.source.load import load
from mcpgen.spec import normalize


def operation(tag: str, name: str, **more: Any) -> dict[str, Any]:
    answer = {"200": {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}}}
    return {"operationId": name, "summary": f"{name}.", "tags": [tag], "responses": answer, **more}


def by_id(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


ACTION = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["action"],
                "properties": {"action": {"type": "string", "enum": ["query", "cancel"]}},
            }
        }
    },
}
PATHS: dict[str, Any] = {
    "/pets": {"get": operation("pets", "listPets"), "post": operation("pets", "createPet")},
    "/pets/{id}": {
        "get": operation("pets", "getPet", parameters=[by_id("id")]),
        "delete": operation("pets", "deletePet", parameters=[by_id("id")]),
    },
    "/pets/find": {"get": operation("pets", "findPets", deprecated=True)},
    "/admin": {"post": operation("admin", "resetAll")},
    "/admin/users/{id}": {
        "get": operation("admin", "getUser", parameters=[by_id("id")], **{"x-internal": True})
    },
    "/orders/{id}/manage": {
        "post": operation("orders", "manageOrder", parameters=[by_id("id")], requestBody=ACTION)
    },
}


def planned(
    *,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
    deprecated: bool = False,
    places: dict[str, Location] | None = None,
    paths: dict[str, Any] = PATHS,
    operations: dict[str, Any] | None = None,
) -> tuple[PackagePlan | None, list[Diagnostic]]:
    """The plan, None where it is refused, and the diagnostics about the selection."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Zoo", "version": "1"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": paths,
    }
    diagnostics = Collector()
    tree = load("-", diagnostics=diagnostics, stdin=json.dumps(document).encode())
    api = build_api(normalize(tree, diagnostics=diagnostics, strict=False), diagnostics=diagnostics)
    plan = None
    try:
        selection = read_selection(include, exclude, deprecated, places or {}, diagnostics=diagnostics)
        options = PlanOptions(selection=selection, operations=operations or {})
        plan = plan_package(api, options, diagnostics=diagnostics)
    except Refused:
        assert any(item.severity == "error" for item in diagnostics)
    codes = ("operation-excluded", "selection-unmatched", "selection-empty", "config-invalid")
    return plan, [item for item in diagnostics if item.code in codes]


def tools(**more: Any) -> set[str]:
    plan, said = planned(**more)
    assert plan is not None, said
    return {tool.name for tool in plan.tools}


ALL = tools(deprecated=True)
CANCEL, QUERY = (name for name in sorted(ALL) if "order" in name)


def test_everything_but_the_deprecated_becomes_tools() -> None:
    assert ALL - tools() == {"find_pets"}
    plan, [said] = planned()
    assert plan is not None
    assert [(s.method, s.path, s.code, s.reason) for s in plan.skipped] == [
        ("GET", "/pets/find", "operation-excluded", "it is deprecated")
    ]
    assert (said.code, said.severity) == ("operation-excluded", "info")
    assert said.message == "left out because it is deprecated: GET /pets/find"
    assert said.hint == "Take them in with --deprecated, or `deprecated = true` in [select]."


@pytest.mark.parametrize(
    ("selector", "wanted"),
    [
        ("tag:pets", {"list_pets", "create_pet", "get_pet", "delete_pet"}),
        ("tag:p*", {"list_pets", "create_pet", "get_pet", "delete_pet"}),
        ("path:/pets", {"list_pets", "create_pet"}),
        ("path:/pets/*", {"get_pet", "delete_pet"}),
        ("path:/pets/{id}", {"get_pet", "delete_pet"}),
        ("path:/pets/**", {"list_pets", "create_pet", "get_pet", "delete_pet"}),
        ("path:/**/{id}", {"get_pet", "delete_pet", "get_user"}),
        ("path:/**/manage", {CANCEL, QUERY}),
        ("method:get", {"list_pets", "get_pet", "get_user"}),
        ("method:DELETE", {"delete_pet"}),
        ("operation:getPet", {"get_pet"}),
        ("operation:get*", {"get_pet", "get_user"}),
        ("operation:GET /pets/{id}", {"get_pet"}),
        ("operation:* /pets", {"list_pets", "create_pet"}),
        ("effect:read", {"list_pets", "get_pet", "get_user", QUERY}),
        ("extension:x-internal", {"get_user"}),
        ("tag:pets & effect:read", {"list_pets", "get_pet"}),
        ("TAG: pets", {"list_pets", "create_pet", "get_pet", "delete_pet"}),
    ],
)
def test_a_selector_includes_and_excludes_the_same(selector: str, wanted: set[str]) -> None:
    assert tools(include=(selector,)) == wanted
    assert tools(exclude=(selector,)) == ALL - wanted - {"find_pets"}


def test_exclusion_wins() -> None:
    assert tools(include=("tag:pets",), exclude=("effect:destructive",)) == {
        "list_pets",
        "create_pet",
        "get_pet",
    }
    said = {"getPet": {"include": True}}
    assert "get_pet" not in tools(exclude=("operation:getPet",), operations=said)


def test_an_effect_leaves_out_one_tool_of_a_cut_operation() -> None:
    plan, _ = planned(exclude=("effect:destructive",))
    assert plan is not None
    assert QUERY in {tool.name for tool in plan.tools}
    assert [s.reason for s in plan.skipped if s.path.startswith("/orders")] == [
        "its action `cancel` is left out: `effect:destructive` is excluded"
    ]


def test_what_is_said_about_one_operation_is_over_include_and_deprecated() -> None:
    said = {"findPets": {"include": True}, "getUser": {"include": True}}
    assert tools(include=("tag:orders",), operations=said) == {CANCEL, QUERY, "find_pets", "get_user"}
    plan, _ = planned(operations={"listPets": {"include": False}})
    assert plan is not None
    assert "the configuration says so" in {s.reason for s in plan.skipped}


def test_the_document_can_leave_an_operation_out() -> None:
    paths = {**PATHS, "/pets": {"get": operation("pets", "listPets", **{"x-mcp": {"include": False}})}}
    plan, _ = planned(paths=paths)
    assert plan is not None
    assert ("/pets", "the document says so") in {(s.path, s.reason) for s in plan.skipped}


def test_leaving_out_renames_nothing_and_nothing_names_what_is_left_out() -> None:
    whole, _ = planned(deprecated=True)
    part, _ = planned(exclude=("operation:listPets", "operation:deletePet"))
    assert whole is not None
    assert part is not None
    names = {tool.key: tool.name for tool in whole.tools}
    assert {tool.key: tool.name for tool in part.tools}.items() <= names.items()
    modules = {tool.key: tool.module for tool in whole.tools}
    assert {tool.key: tool.module for tool in part.tools}.items() <= modules.items()
    told = " ".join(f"{tool.description} {tool.hints}" for tool in part.tools)
    assert "list_pets" in " ".join(f"{tool.description} {tool.hints}" for tool in whole.tools)
    assert not any(name in told for name in ("list_pets", "delete_pet", "find_pets"))


def test_colliding_names_stay_when_one_of_them_leaves() -> None:
    paths = {
        "/a/things": {"get": operation("a", "list")},
        "/b/things": {"get": operation("b", "list")},
    }
    plan, _ = planned(paths=paths)
    assert plan is not None
    both = {tool.path: tool.name for tool in plan.tools}
    plan, _ = planned(paths=paths, exclude=("tag:b",))
    assert plan is not None
    assert {tool.path: tool.name for tool in plan.tools} == {"/a/things": both["/a/things"]}


# -- slips


@pytest.mark.parametrize("key", ["include", "exclude"])
@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("tag:pet", "Did you mean `tag:pets`?"),
        ("path:/pet", "Did you mean `path:/pets`?"),
        ("operation:getPets", "Did you mean `operation:getPet`?"),
        ("method:DELTE", "Did you mean `method:DELETE`?"),
        ("tag:zzz", "The spec has: `pets`, `admin`, `orders`."),
    ],
)
def test_a_selector_that_matches_nothing_is_an_error(key: str, selector: str, hint: str) -> None:
    place = Location("mcpgen.toml", "/select", 3, 1)
    plan, [said] = planned(**{key: (selector,)}, places={selector: place})
    assert plan is None
    assert (said.code, said.severity, said.location) == ("selection-unmatched", "error", place)
    assert said.message == f"`{selector}` matches no operation"
    assert said.hint == hint


def test_a_slip_in_a_selector_of_several_terms_is_named() -> None:
    plan, [said] = planned(exclude=("tag:pest & method:GET",))
    assert plan is None
    assert said.message == "`tag:pest` matches no operation"


def test_a_policy_may_match_nothing() -> None:
    plan, said = planned(
        exclude=("method:PATCH", "extension:x-secret", "tag:orders & method:GET"), deprecated=True
    )
    assert plan is not None
    assert [(item.code, item.severity) for item in said] == [
        ("selection-unmatched", "info"),
        ("selection-unmatched", "info"),
        ("selection-unmatched", "warning"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pets", "must begin with what it selects by. For example: `tag:pets`"),
        ("tags:pets", "Did you mean `tag:`?"),
        ("/admin/**", "Did you mean `path:/admin/**`?"),
        ("DELETE", "Did you mean `method:DELETE`?"),
        ("GET /pets", "Did you mean `operation:GET /pets`?"),
        ("tag:", "selects nothing; write for example `tag:pets`"),
        ("effect:delete", "an effect is read, write or destructive"),
    ],
)
def test_what_is_no_selector_is_explained(text: str, message: str) -> None:
    with pytest.raises(SelectorError, match="`") as caught:
        parse_selector(text)
    assert message in str(caught.value)
    plan, [said] = planned(include=(text,))
    assert plan is None
    assert said.code == "config-invalid"


def test_a_tag_may_hold_an_ampersand_and_brackets() -> None:
    place = Location("api.yaml")
    selector = parse_selector("tag:Billing & Payments [beta]")
    assert len(selector.terms) == 1
    assert selector.matches(Operation("GET", "/", place, tags=("Billing & Payments [beta]",)), "read")


def test_nothing_left_is_an_error_that_says_why() -> None:
    plan, [said] = planned(include=("tag:pets",), exclude=("path:/pets/**",))
    assert plan is None
    assert said.code == "selection-empty"
    assert "tools are left out because `path:/pets/**` is excluded" in said.message
    deprecated = {"/old": {"get": operation("old", "getOld", deprecated=True)}}
    plan, [said] = planned(paths=deprecated)
    assert plan is None
    assert said.message == "no operation is left: one tool is left out because it is deprecated"
    assert said.hint == "Take them in with --deprecated, or `deprecated = true` in [select]."


def test_many_are_counted() -> None:
    paths = {
        f"/old/{index}": {"get": operation("old", f"getOld{index}", deprecated=True)} for index in range(8)
    }
    _, [said] = planned(paths={**PATHS, **paths, "/pets/find": {}})
    assert said.message.endswith("GET /old/4 and 3 more")
