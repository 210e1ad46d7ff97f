"""Layers lie over each other: each file overrides, extends or adds; what is not there comes from below."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diagnostics import Collector, Refused
from mcpgen.render.layers import default_layer, read_stack, template_digest

SERVER = "src/package/server.py.jinja"


def said(*names: str) -> list[str]:
    diagnostics = Collector()
    with pytest.raises(Refused):
        read_stack(names, diagnostics)
    return [item.message for item in diagnostics]


def test_a_file_overrides_another_adds_and_the_rest_stays(rendered: Callable[..., Any]) -> None:
    plain = rendered().files
    files = rendered(
        {"gitignore.jinja": "*.tmp\n", "src/package/extra.py.jinja": "A = {{ package.plan.package | py }}\n"}
    ).files

    assert files.pop(".gitignore") == "*.tmp\n"
    assert files.pop("src/fine_shop_mcp/extra.py") == 'A = "fine_shop_mcp"\n'
    del plain[".gitignore"]
    assert files == plain


def test_layers_stack_and_super_leads_one_down(rendered: Callable[..., Any]) -> None:
    extend = '{{% extends "super:{0}" %}}{{% block header %}}{{{{ super() }}}}# {1}\n{{% endblock %}}'
    files = rendered(*({SERVER: extend.format(SERVER, name)} for name in ("one", "two", "three"))).files

    assert files["src/fine_shop_mcp/server.py"].startswith("# one\n# two\n# three\n")
    assert "def build(" in files["src/fine_shop_mcp/server.py"]


def test_a_layer_between_that_replaces_is_what_is_extended(rendered: Callable[..., Any]) -> None:
    whole = "{% block only %}A = 1\n{% endblock %}"
    more = f'{{% extends "super:{SERVER}" %}}{{% block only %}}{{{{ super() }}}}B = 2\n{{% endblock %}}'

    assert (
        rendered({SERVER: whole}, {}, {SERVER: more}).files["src/fine_shop_mcp/server.py"] == "A = 1\nB = 2\n"
    )


def test_one_part_is_the_header_of_every_file_with_such_comments(rendered: Callable[..., Any]) -> None:
    files = rendered({"_parts/header.jinja": "# Acme\n"}).files
    with_header = {path for path, text in files.items() if text.startswith("# Acme\n")}

    runtime = {path for path in files if "/_runtime/" in path}
    others = {"README.md", "src/fine_shop_mcp/catalog.json"}
    assert with_header == files.keys() - runtime - others


def test_what_is_no_template_is_copied(rendered: Callable[..., Any]) -> None:
    workflow = "run: ${{ secrets.TOKEN }} {% raw"

    assert rendered({".github/ci.yml": workflow}).files[".github/ci.yml"] == workflow


def test_leftovers_of_tools_make_no_files(rendered: Callable[..., Any]) -> None:
    leftovers = [".git/config", "a.txt~", "__pycache__/x.pyc", ".mcpgen/origins/a", "layer.toml"]
    files = rendered(dict.fromkeys(leftovers, "")).files

    assert files == rendered().files


def test_a_layer_can_lie_in_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "acme_layer_test/templates/sub").mkdir(parents=True)
    (tmp_path / "acme_layer_test/__init__.py").write_text("raise RuntimeError('it is not imported')")
    (tmp_path / "acme_layer_test/templates/sub/NOTICE").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))

    stack = read_stack(["package:acme_layer_test", "package:acme_layer_test/templates/sub"], Collector())

    assert [layer.files for layer in stack[:2]] == [("NOTICE",), ("sub/NOTICE",)]
    assert "acme_layer_test" not in sys.modules
    assert said("package:acme_layer_test/no") == [
        "The template layer package:acme_layer_test/no cannot be used: the package acme_layer_test has no folder no."
    ]


def test_what_cannot_be_a_layer_is_said_for_each(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/layer.toml").write_text("context = 99")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd/layer.toml").write_text("contxt = 1")
    (tmp_path / "links").mkdir()
    (tmp_path / "links/secret").symlink_to("/etc/hostname")
    names = [str(tmp_path / name) for name in ("none", "old", "odd", "links")]

    reasons = [
        message.partition("cannot be used: ")[2] for message in said(*names, "package:no_such_package_")
    ]

    assert reasons == [
        "there is no such folder.",
        "it was written for version 99 of the template context, and this mcpgen has version 1.",
        "layer.toml has an unknown key contxt; known is: context.",
        "secret is a link that leads out of it.",
        "no package no_such_package_ is installed beside mcpgen.",
    ]


def test_the_digest_knows_names_contents_and_order(tmp_path: Path) -> None:
    for name, text in (("a", "1"), ("b", "2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "NOTICE").write_text(text)
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    digests = [template_digest(), template_digest([a]), template_digest([a, b]), template_digest([b, a])]
    (tmp_path / "a/NOTICE").rename(tmp_path / "a/LICENSE")

    assert len({*digests, template_digest([a])}) == 5
    assert template_digest([b, a]) != digests[3]
    with pytest.raises(OSError, match="no such folder"):
        template_digest([str(tmp_path / "none")])


def test_every_built_in_template_has_a_header_and_a_footer() -> None:
    layer = default_layer()
    for file in layer.files:
        text = layer.path(file).read_text()
        assert file == "_parts/header.jinja" or (
            "{% block header %}" in text and "{% block footer %}" in text
        )
