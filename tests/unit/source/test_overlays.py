"""What overlays do to a document (OpenAPI Overlay Specification 1.0 and 1.1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonpath_rfc9535 import JSONPathEnvironment

from mcpgen.diagnostics import Collector, Diagnostic, Refused
from mcpgen.source.model import SourceTree
from mcpgen.source.overlays import apply_overlays
from mcpgen.source.overlays.jsonpath import Environment

Apply = Callable[..., Any]

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "tags": ["a", "dummy", "b"],
    "paths": {
        "/items": {"get": {"tags": ["x"], "parameters": [{"name": "page", "in": "query"}]}},
        "/some": {"delete": {"tags": ["x"]}},
    },
    "servers": [{"url": "https://one.example"}, {"url": "https://two.example"}],
}


def overlay(*actions: dict[str, Any], version: str = "1.1.0", **more: Any) -> str:
    head = {"overlay": version, "info": {"title": "T", "version": "1"}, "actions": list(actions), **more}
    return json.dumps(head, indent=1)


@pytest.fixture
def run(
    tree: Callable[..., SourceTree], tmp_path: Path
) -> Callable[..., tuple[Any, list[Diagnostic], SourceTree]]:
    """Applies overlay texts to a document: the result, what was said, and the tree."""

    def apply(document: Any, *overlays: str) -> tuple[Any, list[Diagnostic], SourceTree]:
        diagnostics = Collector()
        found = tree({"api.json": json.dumps(document, indent=1)}, diagnostics=diagnostics)
        diagnostics.locate = found.locate
        paths = []
        for index, text in enumerate(overlays):
            paths.append(tmp_path / f"overlay{index}.yaml")
            paths[-1].write_text(text)
        before = json.dumps(found.root.value)
        value = found.root.value
        apply_overlays(found, paths, diagnostics=diagnostics)
        assert json.dumps(value) == before, "the document that was read is shared and must stay"
        return found.root.value, diagnostics.located(), found

    return apply


# -- update


def test_objects_are_merged_deeply(run: Apply) -> None:
    value, said, _ = run(
        DOCUMENT, overlay({"target": "$", "update": {"info": {"title": "New", "license": {"name": "MIT"}}}})
    )
    assert value["info"] == {"title": "New", "version": "1", "license": {"name": "MIT"}}
    assert value["paths"] == DOCUMENT["paths"]
    assert said == []


def test_lists_below_the_target_are_joined(run: Apply) -> None:
    new = {"name": "top", "in": "query"}
    value, _, _ = run(DOCUMENT, overlay({"target": "$.paths.*.get", "update": {"parameters": [new]}}))
    assert value["paths"]["/items"]["get"]["parameters"] == [{"name": "page", "in": "query"}, new]


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
def test_a_list_gets_an_entry(run: Apply, version: str) -> None:
    new = {"url": "https://three.example"}
    value, _, _ = run(DOCUMENT, overlay({"target": "$.servers", "update": new}, version=version))
    assert value["servers"] == [*DOCUMENT["servers"], new]


def test_a_list_for_a_list_is_an_entry_in_1_0_and_joined_in_1_1(run: Apply) -> None:
    action = {"target": "$.tags", "update": ["c", "d"]}
    assert run(DOCUMENT, overlay(action, version="1.0.0"))[0]["tags"] == ["a", "dummy", "b", ["c", "d"]]
    assert run(DOCUMENT, overlay(action, version="1.1.0"))[0]["tags"] == ["a", "dummy", "b", "c", "d"]


def test_every_match_is_updated(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$.paths.*.*", "update": {"x-seen": True}}))
    assert value["paths"]["/items"]["get"]["x-seen"] is True
    assert value["paths"]["/some"]["delete"]["x-seen"] is True


def test_a_value_that_is_selected_twice_is_updated_once(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$['tags','tags']", "update": "c"}))
    assert value["tags"] == ["a", "dummy", "b", "c"]


def test_a_match_inside_a_match_is_updated_too(run: Apply) -> None:
    document = {"a": {"n": 1, "b": {"n": 2}}}
    value, _, _ = run(document, overlay({"target": "$..[?@.n]", "update": {"seen": True}}))
    assert value == {"a": {"n": 1, "b": {"n": 2, "seen": True}, "seen": True}}


def test_single_values_are_exchanged_in_1_1(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$.info.title", "update": "New"}))
    assert value["info"]["title"] == "New"


def test_null_can_be_an_update(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$.info", "update": {"title": None}}))
    assert value["info"]["title"] is None


# -- remove


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
def test_entries_of_objects_and_lists_are_removed(run: Apply, version: str) -> None:
    actions = (
        {"target": "$.paths['/some']", "remove": True},
        {"target": "$.servers[?@.url == 'https://one.example']", "remove": True},
        {"target": "$.info.title", "remove": True},
    )
    value, said, _ = run(DOCUMENT, overlay(*actions, version=version))
    assert list(value["paths"]) == ["/items"]
    assert value["servers"] == [{"url": "https://two.example"}]
    assert value["info"] == {"version": "1"}
    assert said == []


def test_single_values_in_lists_are_removed(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$.tags[?@ == 'dummy']", "remove": True}))
    assert value["tags"] == ["a", "b"]


def test_several_elements_are_removed_at_once(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$.tags[0,2]", "remove": True}))
    assert value["tags"] == ["dummy"]


def test_remove_wins_over_update(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$.info", "update": {"title": "New"}, "remove": True}))
    assert "info" not in value


def test_what_goes_with_its_container_is_no_problem(run: Apply) -> None:
    value, said, _ = run(DOCUMENT, overlay({"target": "$.paths..*", "remove": True}))
    assert value["paths"] == {}
    assert said == []


# -- copy (1.1), and the order of actions


def test_copying_merges_into_the_target(run: Apply) -> None:
    value, _, _ = run(DOCUMENT, overlay({"target": "$.paths['/some']", "copy": "$.paths['/items']"}))
    assert set(value["paths"]["/some"]) == {"get", "delete"}
    assert value["paths"]["/some"]["get"] == DOCUMENT["paths"]["/items"]["get"]


def test_moving_takes_three_actions_in_their_order(run: Apply) -> None:
    value, _, _ = run(
        DOCUMENT,
        overlay(
            {"target": "$.paths", "update": {"/new": {}}},
            {"target": "$.paths['/new']", "copy": "$.paths['/items']"},
            {"target": "$.paths['/items']", "remove": True},
        ),
    )
    assert list(value["paths"]) == ["/some", "/new"]
    assert value["paths"]["/new"] == DOCUMENT["paths"]["/items"]


def test_a_copy_does_not_change_with_its_source(run: Apply) -> None:
    value, _, _ = run(
        DOCUMENT,
        overlay(
            {"target": "$.paths['/some']", "copy": "$.paths['/items']"},
            {"target": "$.paths['/items'].get", "update": {"tags": ["late"]}},
        ),
    )
    assert value["paths"]["/items"]["get"]["tags"] == ["x", "late"]
    assert value["paths"]["/some"]["get"]["tags"] == ["x"]


def test_overlays_apply_one_after_the_other(run: Apply) -> None:
    first = overlay({"target": "$.info", "update": {"x-step": 1}})
    second = overlay({"target": "$.info[?@ == 1]", "update": 2})
    value, said, _ = run(DOCUMENT, first, second)
    assert value["info"]["x-step"] == 2
    assert said == []


def test_an_alias_is_changed_in_one_place_only(tree: Callable[..., SourceTree], tmp_path: Path) -> None:
    found = tree({"api.yaml": "a: &one {n: 1}\nb: *one\n"})
    (tmp_path / "o.json").write_text(overlay({"target": "$.a", "update": {"n": 2}}))
    apply_overlays(found, [tmp_path / "o.json"], diagnostics=Collector())
    assert found.root.value == {"a": {"n": 2}, "b": {"n": 1}}


def test_a_reference_can_lead_to_what_an_overlay_added(run: Apply) -> None:
    new = {"components": {"schemas": {"S": {"$anchor": "here", "type": "string"}}}}
    _, _, found = run(DOCUMENT, overlay({"target": "$", "update": new}))
    assert found.resolve("#/components/schemas/S", found.node).value["type"] == "string"
    assert found.resolve("#here", found.node).value["type"] == "string"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from("abc"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), JSON, min_size=1, max_size=3)


def merged(old: Any, new: Any) -> Any:
    """The rule of the specification, written down once more; ValueError where the values do not fit."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {
            k: merged(old[k], new[k]) if k in old and k in new else {**old, **new}[k] for k in {**old, **new}
        }
    if isinstance(old, list) and isinstance(new, list):
        return old + new
    if isinstance(old, (dict, list)) or isinstance(new, (dict, list)):
        raise ValueError
    return new


@given(old=OBJECTS, new=OBJECTS)
def test_merging_follows_the_rule(tmp_path_factory: pytest.TempPathFactory, old: Any, new: Any) -> None:
    from mcpgen.source.load import load

    folder = tmp_path_factory.mktemp("merge")
    (folder / "api.json").write_text(json.dumps(old))
    (folder / "overlay.json").write_text(overlay({"target": "$", "update": new}))
    found = load(str(folder / "api.json"), diagnostics=Collector())
    try:
        expected = merged(old, new)
    except ValueError:
        with pytest.raises(Refused):
            apply_overlays(found, [folder / "overlay.json"], diagnostics=Collector())
        return
    apply_overlays(found, [folder / "overlay.json"], diagnostics=Collector())
    assert found.root.value == expected


# -- JSONPath


@pytest.mark.parametrize(
    "query",
    [
        "$",
        "$..*",
        "$.paths.*.*",
        "$..['name','in']",
        "$..[0]",
        "$..[-1:]",
        "$.tags[::-1]",
        "$..[?@.name]",
        "$..[?@.name == 'page' && @.in != 'path']",
        "$..[?@ == 'x']",
        "$..[?!@.url]",
        "$..[?@.get.parameters[0].name == 'page']",
        "$..[?count(@..*) > 3]",
        "$..[?length(@.tags) == 1]",
        "$..[?@.url == $.servers[1].url]",
        "$..[?search(@.url, 'one|two')]",
        "$..[?@.none == @.other]",
    ],
)
def test_queries_select_what_the_library_selects(query: str) -> None:
    """The bound on the work, and the shorter way for names in filters, must not change what is selected."""
    ours = [node.location for node in Environment().compile(query).finditer(DOCUMENT)]
    assert ours == [node.location for node in JSONPathEnvironment().compile(query).finditer(DOCUMENT)]
    assert ours


def test_the_root_in_a_filter_in_a_filter_is_the_document() -> None:
    document = {"wanted": 1, "a": {"b": {"n": 1}}, "c": {"d": {"n": 2}}}
    found = Environment().compile("$[?@[?@.n == $.wanted]]").finditer(document)
    assert [node.location for node in found] == [("a",)]
