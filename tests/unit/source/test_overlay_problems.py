"""Where the values of an overlaid document stand, what is wrong with overlays, and the bounds on them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Collector, Diagnostic, Location, Refused
from mcpgen.source.model import SourceTree
from mcpgen.source.overlays import apply_overlays, applying, jsonpath

HEAD = "overlay: 1.1.0\ninfo: {title: T, version: 1.0.0}\nactions:\n"
SPEC = """\
openapi: 3.1.0
info:
  title: Shop
  version: "1"
tags:
  - name: a
  - name: b
paths:
  /items:
    get:
      summary: Lists items.
    parameters:
      - $ref: '#/components/parameters/P'
"""

Make = Callable[..., SourceTree]
Run = Callable[..., tuple[SourceTree, list[Diagnostic]]]


@pytest.fixture
def run(tree: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Applies the actions in `text` to SPEC, in a folder where it is `api.yaml` and the overlay `o.yaml`."""
    monkeypatch.chdir(tmp_path)

    def apply(text: str, *, spec: str = SPEC, whole: bool = False) -> tuple[SourceTree, list[Diagnostic]]:
        diagnostics = Collector()
        found = tree({"api.yaml": spec}, diagnostics=diagnostics)
        diagnostics.locate = found.locate
        Path("o.yaml").write_text(text if whole else HEAD + text)
        try:
            apply_overlays(found, [Path("o.yaml")], diagnostics=diagnostics)
        except Refused:
            assert any(item.severity == "error" for item in diagnostics)
        else:
            assert not any(item.severity == "error" for item in diagnostics)
        return found, diagnostics.located()

    return apply


def place(tree: SourceTree, pointer: str) -> str:
    found = tree.locate(Location(tree.root.name, pointer))
    return f"{Path(found.file).name}:{found.line}:{found.column} {found.pointer}"


# -- places


def test_a_value_stands_where_it_was_written(run: Run) -> None:
    tree, said = run(
        "  - target: $.tags[0]\n"
        "    remove: true\n"
        "  - target: $.tags\n"
        "    update:\n"
        "      name: c\n"
        "  - target: $.paths['/items'].get\n"
        "    update:\n"
        "      summary: New.\n"
        "      x-more: {deep: 1}\n"
    )
    assert said == []
    assert place(tree, "/tags/0/name") == "api.yaml:7:5 /tags/1/name"
    assert place(tree, "/tags/1/name") == "o.yaml:8:7 /actions/1/update/name"
    assert place(tree, "/paths/~1items/get/summary") == "o.yaml:11:7 /actions/2/update/summary"
    assert place(tree, "/paths/~1items/get/x-more/deep") == "o.yaml:12:16 /actions/2/update/x-more/deep"
    assert place(tree, "/paths/~1items/get") == "api.yaml:10:5 /paths/~1items/get"
    assert place(tree, "/info/title") == "api.yaml:3:3 /info/title"


def test_a_copied_value_stands_where_its_source_does(run: Run) -> None:
    tree, _ = run(
        "  - target: $.paths\n    update: {/new: {}}\n"
        "  - target: $.paths['/new']\n    copy: $.paths['/items']\n"
        "  - target: $.paths['/items']\n    remove: true\n"
    )
    assert place(tree, "/paths/~1new/get/summary") == "api.yaml:11:7 /paths/~1items/get/summary"
    assert place(tree, "/paths/~1new") == "o.yaml:5:14 /actions/0/update/~1new"


# -- what changes nothing


@pytest.mark.parametrize(
    ("action", "line", "message"),
    [
        ("target: $.pathz\n    remove: true", 4, "the target `$.pathz` matches nothing"),
        ("target: $.info", 4, "neither `update` nor `copy` nor `remove: true`"),
    ],
)
def test_an_action_without_effect_is_a_warning(run: Run, action: str, line: int, message: str) -> None:
    _, [said] = run(f"  - {action}\n")
    assert (said.code, said.severity) == ("overlay-no-effect", "warning")
    assert message in said.message
    assert said.location is not None
    assert (said.location.file, said.location.line, said.location.column) == ("o.yaml", line, 5)


def test_a_target_that_matches_nothing_says_why(run: Run) -> None:
    _, said = run(
        "  - {target: '$.paths[\"/items\"].gett.summary', remove: true}\n"
        "  - {target: '$.paths[\"/items\"].parameters[0].name', remove: true}\n"
    )
    assert [item.hint for item in said] == [
        "`$['paths']['/items']` has no `gett`. Did you mean `get`?",
        "`$['paths']['/items']['parameters'][0]` is a reference to `#/components/parameters/P`, "
        "and overlays do not follow references.",
    ]


@pytest.mark.parametrize(
    ("extends", "warned"),
    [
        ("./api.yaml", False),
        ("https://example.com/v1/api.yaml", False),  # a downloaded copy
        ("other.yaml", True),
        ("https://example.com/other.yaml", True),
    ],
)
def test_an_overlay_for_another_document_is_a_warning(run: Run, extends: str, warned: bool) -> None:
    text = f"overlay: 1.0.0\nextends: {extends}\ninfo: {{title: T, version: 1}}\nactions: [{{target: $, update: {{x-a: 1}}}}]\n"
    tree, said = run(text, whole=True)
    assert [item.code for item in said] == (["overlay-extends"] if warned else [])
    assert tree.root.value["x-a"] == 1


# -- what is wrong


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("openapi: 3.1.0\n", 1, 1, "o.yaml is no OpenAPI Overlay"),
        ("- a\n", 1, 1, "o.yaml is no OpenAPI Overlay"),
        ("info: {}\noverlay: 1.2.0\n", 2, 1, "version '1.2.0' is not supported"),
        ("overlay: 1.1\n", 1, 1, "version 1.1 is not supported"),
        ("overlay: 1.1.0\ninfo: x\nactions: [{target: $}]", 2, 1, "`info` must be an object"),
        ("overlay: 1.1.0\ninfo: {title: T}\nactions: [{target: $}]", 2, 1, "must have a text `version`"),
        ("overlay: 1.1.0\ninfo: {title: T, version: 1}\nactions: []", 3, 1, "at least one action"),
        ("overlay: 1.1.0\ninfo: {title: T, version: 1}\naction: []", 3, 1, "`action` is no field"),
        (HEAD + "  - 1\n", 4, 5, "an action must be an object"),
        (HEAD + "  - target: $\n    description: 1\n", 5, 5, "`description` must be text"),
        (HEAD + "  - update: {}\n", 4, 5, "must have a `target`"),
        (HEAD + "  - target: $\n    updates: {}\n", 5, 5, "`updates` is no field"),
        (HEAD + "  - target: $\n    remove: yes\n", 5, 5, "`remove` must be true or false"),
        (HEAD + "  - target: info\n", 4, 5, "`info` is no JSONPath"),
        (HEAD + "  - target: $.paths[\n", 4, 5, "is no JSONPath"),
        (HEAD + f"  - target: $[?{'(' * 3000}@.a{')' * 3000}]\n", 4, 5, "no usable JSONPath"),
        (HEAD + "  - target: $\n    copy: $[\n", 5, 5, "is no JSONPath"),
        (HEAD + "  - target: $\n    update: {}\n    copy: $\n", 6, 5, "switch each other off"),
        (
            HEAD.replace("1.1.0", "1.0.0") + "  - target: $\n    copy: $.info\n",
            5,
            5,
            "`copy` needs version 1.1",
        ),
        (HEAD + "  - target: [\n", 5, 1, "is not valid YAML"),
    ],
)
def test_a_malformed_overlay_is_an_error_at_its_place(
    run: Run, text: str, line: int, column: int, message: str
) -> None:
    tree, said = run(text, whole=True)
    found = [item for item in said if message in item.message]
    assert found, said
    assert all(item.severity == "error" for item in said)
    location = found[0].location
    assert location is not None
    assert (location.file, location.line, location.column) == ("o.yaml", line, column)
    assert tree.root.origins is None


@pytest.mark.parametrize(
    ("actions", "line", "message"),
    [
        ("  - target: $\n    remove: true\n", 4, "the whole document cannot be removed"),
        ("  - target: $.info\n    update: text\n", 5, "a single value cannot be merged into an object"),
        (
            "  - target: $\n    update:\n      info:\n        title: {a: 1}\n",
            7,
            "an object cannot be merged into a single value",
        ),
        ("  - target: $\n    update:\n      tags: {}\n", 6, "an object cannot be merged into a list"),
        ("  - target: $.info.title\n    update: {}\n", 5, "an object cannot be merged into a single value"),
        ("  - target: $['info','tags']\n    update: {}\n", 4, "values of different kinds"),
        ("  - target: $.info\n    copy: $.tags[*]\n", 5, "it selects 2 values"),
        ("  - target: $.info\n    copy: $.inf\n", 5, "it selects nothing"),
        ("  - target: $.info\n    copy: $.tags\n", 5, "a list cannot be merged into an object"),
    ],
)
def test_an_action_that_does_not_fit_is_an_error_at_its_place(
    run: Run, actions: str, line: int, message: str
) -> None:
    _, [said] = run(actions)
    assert (said.code, said.severity) == ("overlay-invalid", "error")
    assert message in said.message
    assert said.location is not None
    assert (said.location.file, said.location.line) == ("o.yaml", line)


def test_version_1_0_cannot_update_a_single_value(run: Run) -> None:
    text = HEAD.replace("overlay: 1.1.0", "overlay: 1.0.0") + "  - target: $.info.title\n    update: New\n"
    _, [said] = run(text, whole=True)
    assert said.code == "overlay-invalid"
    assert said.hint == "Select the object that contains it, or write overlay: 1.1.0."


def test_all_that_is_wrong_is_said_at_once(run: Run) -> None:
    _, said = run("  - target: a\n  - target: b\n    remove: 1\n")
    assert len(said) == 3


def test_a_missing_overlay_is_named(tree: Make, tmp_path: Path) -> None:
    diagnostics = Collector()
    found = tree({"api.yaml": SPEC})
    with pytest.raises(Refused):
        apply_overlays(found, [tmp_path / "gone.yaml"], diagnostics=diagnostics)
    assert [item.code for item in diagnostics] == ["source-unreadable"]


# -- bounds

LARGE: dict[str, Any] = {"openapi": "3.1.0", "deep": [{"a": {"b": {"c": [1, 2, 3]}}} for _ in range(1000)]}


def test_a_descent_takes_time_in_proportion_to_the_document(run: Run) -> None:
    started = time.process_time()
    tree, _ = run("  - target: $..c\n    update: 4\n", spec=json.dumps(LARGE))
    assert time.process_time() - started < 5
    assert tree.root.value["deep"][999]["a"]["b"]["c"] == [1, 2, 3, 4]


@pytest.mark.parametrize("target", ["$..[?count($..*) > 1]", "$..[?@..[?@..[?@..z]]]", "$" + "..*" * 12])
def test_queries_that_multiply_are_stopped(run: Run, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    monkeypatch.setattr(jsonpath.Meter.__init__, "__defaults__", (60_000,))
    _, [said] = run(f"  - target: {target}\n    remove: true\n", spec=json.dumps(LARGE))
    assert said.code == "source-limit"
    assert said.location is not None
    assert said.location.file == "o.yaml"


def test_a_pattern_that_backtracks_is_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonpath, "_MATCH_SECONDS", 0.05)
    document = {"openapi": "3.1.0", "list": [{"name": "a" * 40 + "!"}]}
    action = {"target": "$.list[?match(@.name, '(a|a|aa)*[b-d]')]", "remove": True}
    _, [said] = run(f"  - {json.dumps(action)}\n", spec=json.dumps(document))
    assert said.code == "source-limit"


def test_patterns_are_those_of_rfc_9485(run: Run) -> None:
    document = {"openapi": "3.1.0", "list": ["a.b", "a\nb", "axb", "xaxbx"]}
    tree, _ = run("  - target: $.list[?match(@, 'a.b')]\n    remove: true\n", spec=json.dumps(document))
    assert tree.root.value["list"] == ["a\nb", "xaxbx"]


def test_copies_of_copies_are_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "MAX_NODES", 10_000)
    actions = ["  - target: $\n    update: {c: {a: {}, b: {}}}\n"]
    for _ in range(30):
        actions.append("  - target: $.c.a\n    copy: $.c\n  - target: $.c.b\n    copy: $.c\n")
    _, said = run("".join(actions))
    assert [item.code for item in said] == ["source-limit"]


def test_a_result_that_is_nested_too_deep_is_stopped(run: Run) -> None:
    target, actions = "$", []
    for _ in range(12):
        actions.append(f"  - target: {target}\n    update: {json.dumps({'n': nested(20)})}\n")
        target += ".n" * 21
    _, said = run("".join(actions))
    assert [item.code for item in said if item.severity == "error"] == ["source-limit"]
    assert "nested more than 200 levels" in said[0].message


def nested(depth: int) -> dict[str, Any]:
    return {"n": nested(depth - 1)} if depth else {}
