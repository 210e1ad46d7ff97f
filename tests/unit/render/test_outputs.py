"""A file that a layer adds never meets one of mcpgen's, nor another one, also where names ignore case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "readme.MD.jinja",
            "It would make readme.MD, as README.md.jinja does. To change that file, call yours README.md.jinja.",
        ),
        (
            ".gitignore",
            "It would make .gitignore, as gitignore.jinja does. To change that file, call yours gitignore.jinja.",
        ),
        ("changelog.md", "It would make changelog.md, which is mcpgen's own and comes from no template."),
        ("mcpgen.lock", "It would make mcpgen.lock, which is mcpgen's own and comes from no template."),
        (
            "src/package/catalog.json.jinja",
            "It would make src/package/catalog.json, which is mcpgen's own and comes from no template.",
        ),
        ("SRC", "It would make SRC, where a folder and a file of one name would be in each other's way."),
        (
            "README.md/x.md",
            "It would make README.md/x.md, where a folder and a file of one name would be in each other's way.",
        ),
        (
            "src/package/_runtime/more.py",
            "It would make src/package/_runtime/more.py, in a folder that is mcpgen's own.",
        ),
        (
            "src/package/tools/A.py.jinja",
            "It would make src/fine_shop_mcp/tools/A.py, which is made for this spec already. Choose another name.",
        ),
        (
            "src/fine_shop_mcp/server.py",
            "It would make src/fine_shop_mcp/server.py, which is made for this spec already. Choose another name.",
        ),
        (
            "src/fine_shop_mcp/_runtime/new.py",
            "It would make src/fine_shop_mcp/_runtime/new.py, which is made for this spec already. Choose another name.",
        ),
        ("a:b", "The name 'a:b' is not one that every system can have."),
    ],
)
def test_names_that_are_taken(rendered: Callable[..., Any], name: str, expected: str) -> None:
    assert rendered({name: ""}).problems == [f"layer0/{name}: {expected}"]


def test_a_template_and_a_file_of_one_name(rendered: Callable[..., Any]) -> None:
    assert rendered({"NOTICE": "a"}, {"NOTICE.jinja": "b"}).problems == [
        "layer1/NOTICE.jinja: It would make NOTICE, as NOTICE does. To change that file, call yours NOTICE."
    ]


def test_a_stronger_layer_replaces_what_a_weaker_one_adds(rendered: Callable[..., Any]) -> None:
    assert rendered({"NOTICE": "a"}, {"NOTICE": "b"}).files["NOTICE"] == "b"


def test_what_is_not_text_is_refused(rendered: Callable[..., Any], tmp_path: Any) -> None:
    (tmp_path / "layer0").mkdir()
    (tmp_path / "layer0/logo.png").write_bytes(b"\x89PNG\xff")

    assert rendered({"NOTICE": ""}).problems == [
        "layer0/logo.png: The file is not UTF-8 text; a layer can add text only."
    ]
