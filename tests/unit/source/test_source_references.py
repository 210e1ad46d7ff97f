"""References between documents: where they lead, and where they may not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector, Location, Unsupported
from mcpgen.source.access import LocalAccess
from mcpgen.source.load import load
from mcpgen.source.model import SourceOptions, SourceTree

Make = Callable[..., SourceTree]


def resolved(tree: SourceTree, reference: str, pointer: str = "", file: str | None = None) -> object:
    return tree.resolve(reference, Location(file or tree.root.name, pointer)).value


def problem(tree: SourceTree, reference: str, pointer: str = "") -> Unsupported:
    with pytest.raises(Unsupported) as caught:
        tree.resolve(reference, Location(tree.root.name, pointer))
    assert caught.value.location == Location(tree.root.name, pointer)
    return caught.value


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        ("#/a~1b/x", 1),
        ("#/c~0d", 2),
        ("#/p%20q", 3),
        ("#/%7Bid%7D", 4),
        ("#/100%", 5),
        ("#/list/1", "second"),
        ("#a~1b/x", 1),  # without the first slash
        ("#/via/deep", 6),  # through a reference on the way
    ],
)
def test_pointers(tree: Make, reference: str, value: object) -> None:
    text = '{"a/b": {"x": 1}, "c~d": 2, "p q": 3, "{id}": 4, "100%": 5, "list": ["first", "second"], "via": {"$ref": "#/t"}, "t": {"deep": 6}}'
    assert resolved(tree({"api.json": text}), reference) == value


def test_whole_documents(tree: Make) -> None:
    found = tree({"api.yaml": "a: 1", "other.json": '{"b": 2}', "with space.yaml": "c: 3"})
    assert resolved(found, "#") == {"a": 1}
    assert resolved(found, "other.json") == {"b": 2}
    assert resolved(found, "./other.json#/") == {"b": 2}
    assert resolved(found, "with%20space.yaml#/c") == 3
    assert resolved(found, "with space.yaml#/c") == 3


def test_references_are_relative_to_the_document_that_holds_them(tree: Make) -> None:
    found = tree({"api.yaml": "a: 1", "parts/one.yaml": "x: 1", "parts/two.yaml": "y: 2"})
    one = found.resolve("parts/one.yaml", Location(found.root.name, ""))
    assert resolved(found, "two.yaml#/y", file=one.file) == 2
    assert resolved(found, "../api.yaml#/a", file=one.file) == 1
    assert [Path(document.name).name for document in found.documents] == ["api.yaml", "one.yaml", "two.yaml"]


def test_names_are_what_the_user_would_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "specs" / "v1").mkdir(parents=True)
    (tmp_path / "specs" / "v1" / "api.yaml").write_text("a: 1")
    (tmp_path / "specs" / "common.yaml").write_text("b: 2")
    monkeypatch.chdir(tmp_path)
    found = load("specs/v1/api.yaml", diagnostics=Collector())
    assert found.resolve("../common.yaml", found.node).file == "specs/common.yaml"


def test_a_copy_of_the_root_beside_it_is_the_root(tree: Make) -> None:
    text = "a: {$ref: 'original.yaml#/b'}\nb: 1\n"
    found = tree({"api.yaml": text, "original.yaml": text})
    assert found.resolve("original.yaml#/b", found.node).file == found.root.name


def test_declared_identifiers(tree: Make) -> None:
    text = """
$self: https://example.com/apis/orders
paths: {}
components:
  schemas:
    A: {$id: 'https://example.com/schemas/a', $defs: {inner: {type: string}}, $anchor: top}
    B: {$anchor: b, properties: {c: {$dynamicAnchor: node}}}
    C: {example: {$id: 'https://example.com/never', $anchor: never}}
"""
    found = tree({"api.yaml": text})
    assert resolved(found, "https://example.com/schemas/a#/$defs/inner") == {"type": "string"}
    assert resolved(found, "#/$defs/inner", "/components/schemas/A") == {"type": "string"}
    assert resolved(found, "#/components/schemas/B/$anchor", "/components/schemas/A") == "b"
    assert resolved(found, "https://example.com/apis/orders#/paths") == {}
    assert resolved(found, "../schemas/a") == found.root.value["components"]["schemas"]["A"]
    assert resolved(found, "#b") == found.root.value["components"]["schemas"]["B"]
    assert resolved(found, "#node") == {"$dynamicAnchor": "node"}
    assert (
        resolved(found, "#top", "/components/schemas/A/$defs")
        == found.root.value["components"]["schemas"]["A"]
    )
    assert problem(found, "#never").code == "reference-broken"


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("#/nowhere/x", "the reference `#/nowhere/x` leads nowhere"),
        ("#/list/9", "leads nowhere"),
        ("#/list/-1", "leads nowhere"),
        ("other.yaml#/x", "leads nowhere in "),
        ("missing.yaml", "missing.yaml does not exist"),
        ("broken.yaml#/a", "broken.yaml:1:5 is not valid YAML"),
        ("folder", "is a folder, not a file"),
        ("urn:example:thing", "urn: is not supported"),
        ("#/loop/x", "leads nowhere"),
    ],
)
def test_broken_references_say_why(tree: Make, reference: str, text: str) -> None:
    files = {
        "api.yaml": "list: [1]\nloop: {$ref: '#/loop'}",
        "other.yaml": "a: 1",
        "broken.yaml": "a: [}",
        "folder/x.yaml": "",
    }
    found = problem(tree(files), reference)
    assert found.code == "reference-broken"
    assert reference.partition("#")[0] in found.message
    assert text in found.message


def test_a_failure_is_remembered(tree: Make) -> None:
    found = tree({"api.yaml": "a: 1"})
    first = problem(found, "missing.yaml", "/x")
    second = problem(found, "missing.yaml", "/y")
    assert first.message == second.message


# -- where references may lead


def test_the_folder_beside_is_allowed_and_others_are_not(tree: Make, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("password: x")
    found = tree({"spec/api.yaml": "a: 1", "common/shared.yaml": "b: 2"})
    assert resolved(found, "../common/shared.yaml#/b") == 2
    for reference in (
        "../../secret.yaml",
        str(tmp_path / "secret.yaml"),
        (tmp_path / "secret.yaml").as_uri(),
        "/etc/hostname",
    ):
        refused = problem(found, reference)
        assert refused.code == "reference-refused"
        assert refused.hint is not None
        assert "--allow-outside" in refused.hint


def test_the_user_can_allow_a_place(tree: Make, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "x.yaml").write_text("x: 1")
    found = tree({"spec/api.yaml": "a: 1"}, SourceOptions(allow_outside=(tmp_path / "shared",)))
    assert resolved(found, "../../shared/x.yaml#/x") == 1


def test_links_are_followed_before_the_check(tree: Make, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("password: x")
    found = tree({"spec/api.yaml": "a: 1"})
    (tmp_path / "project" / "spec" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    assert problem(found, "link.yaml").code == "reference-refused"


def test_hidden_files_are_refused(tree: Make) -> None:
    found = tree({"spec/api.yaml": "a: 1", ".env": "x: 1", "spec/.kube/config": "x: 1"})
    assert problem(found, "../.env").code == "reference-refused"
    assert problem(found, ".kube/config").code == "reference-refused"


def test_a_parent_that_is_no_project_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "apis").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    assert not LocalAccess(home / "apis", with_parent=True).allows(home / "notes.yaml")
    assert LocalAccess(home / "apis", with_parent=True).allows(home / "apis" / "notes.yaml")
    assert not LocalAccess(home, with_parent=True).allows(tmp_path / "x.yaml")
    open_to_all = tmp_path / "shared"
    (open_to_all / "mine").mkdir(parents=True)
    open_to_all.chmod(0o777)
    assert not LocalAccess(open_to_all / "mine", with_parent=True).allows(open_to_all / "other.yaml")
    assert not LocalAccess(Path("/"), with_parent=True).allows(Path("/") / ".x")


def test_standard_input_stays_below_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "x.yaml").write_text("x: 1")
    (tmp_path / "y.yaml").write_text("y: 1")
    monkeypatch.chdir(tmp_path / "here")
    found = load("-", diagnostics=Collector(), stdin=b"a: 1")
    assert resolved(found, "x.yaml#/x") == 1
    assert problem(found, "../y.yaml").code == "reference-refused"


def test_all_documents_share_one_bound(tree: Make) -> None:
    found = tree({"api.yaml": "a: 1", "big.yaml": "x: " + "y" * 100}, SourceOptions(max_bytes=60))
    assert "larger than" in problem(found, "big.yaml").message


def test_a_broken_reference_says_what_was_probably_meant(tree: Make) -> None:
    found = tree({"api.yaml": "components: {schemas: {Order: {}, Ship: {}}}"})
    with pytest.raises(Unsupported) as caught:
        found.resolve("#/components/schemas/order", found.node)
    assert caught.value.hint == "Did you mean `#/components/schemas/Order`?"
    with pytest.raises(Unsupported) as caught:
        found.resolve("#/components/schemes/Ship", found.node)
    assert caught.value.hint == "Did you mean `#/components/schemas/Ship`?"
    with pytest.raises(Unsupported) as caught:
        found.resolve("#/components/schemas/Invoice", found.node)
    assert caught.value.hint is None


def test_further_documents_are_recorded_without_paths_of_a_machine(tree: Make, tmp_path: Path) -> None:
    far = tmp_path / "elsewhere" / "deep" / "far.yaml"
    far.parent.mkdir(parents=True)
    far.write_text("f: 1")
    files = {"api/api.yaml": "a: 1", "api/parts/b.yaml": "b: 1", "shared/c.yaml": "c: 1"}
    found = tree(files, SourceOptions(allow_outside=(far.parent,)))
    for reference in ("../shared/c.yaml#/c", "parts/b.yaml#/b", f"{far}#/f", "parts/b.yaml"):
        found.resolve(reference, found.node)
    assert [name for name, _ in found.further()] == ["../shared/c.yaml", "far.yaml", "parts/b.yaml"]
    assert len({digest for _, digest in found.further()}) == 3


def test_anchors_below_keys_that_look_like_data(tree: Make) -> None:
    text = "openapi: 3.1.0\nx: {responses: {default: {content: {value: {schema: {$anchor: deep, type: string}}}}}}"
    found = tree({"api.yaml": text})
    assert found.resolve("#deep", found.node).value["type"] == "string"
