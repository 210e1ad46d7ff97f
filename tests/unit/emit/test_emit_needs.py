"""What a definition takes along into another module."""

from __future__ import annotations

import pytest

from mcpgen.emit.merging.needs import Module, imports_for, names_used, with_imports

GENERATED = "from .shared import Order\n\n\ndef f(): ...\n\n\ndef g(): ...\n"
LATER = "from .shared import Order\n\n\ndef g(): ...\n"


def needed(
    text: str, head: str, *, there: str = "", new: str = "", moved: dict[str, str] | None = None
) -> list[str] | None:
    source = Module("a", GENERATED, head + GENERATED, LATER)
    return imports_for(text, source, Module("b", "", there, new or there), moved)


@pytest.mark.parametrize(
    ("text", "head", "expected"),
    [
        ("def f(): json.dumps(1)", "import json\n", ["import json"]),
        ("def f(): j.dumps(1)", "import json as j, os\n", ["import json as j"]),
        (
            "def f(): a.b.x(a.c.y)",
            "import a.b\nimport a.c\nimport a.d\n",
            ["import a.b", "import a.c", "import a.d"],
        ),
        (
            "def f(x: 'D | None'): ...",
            "from decimal import Decimal as D\n",
            ["from decimal import Decimal as D"],
        ),
        ("def f(x: D): ...", "if TYPE_CHECKING:\n    from d import D\n", ["from d import D"]),
        (
            "def f(): j",
            "try:\n    import o as j\nexcept ImportError:\n    import j\n",
            ["import o as j", "import j"],
        ),
        ("def f(): quote", "from urllib.parse import *\n", ["from urllib.parse import *"]),
        (
            "def f(): LIMIT + own()",
            "LIMIT = 1\ndef own(): ...\n",
            ["from .a import LIMIT", "from .a import own"],
        ),
        ("def f(): g()", "", ["from .a import g"]),
        ("def f(json): json", "import json\n", []),
        ("def f(): Order", "", ["from .shared import Order"]),
        ("def f(): 'json'", "import json\n", []),
        ("def f(): nothing + len(x)", "import json\n", []),
    ],
)
def test_what_a_definition_uses_is_imported(text: str, head: str, expected: list[str]) -> None:
    assert needed(text, head) == expected


def test_what_is_there_already_is_not_imported_again() -> None:
    assert needed("def f(): json", "import json\n", there="import json\n") == []
    assert needed("def f(): Order", "", there="class Order: ...\n") == []


@pytest.mark.parametrize(
    ("head", "there"),
    [
        ("def own(): ...\n", "def own(): ...\n"),
        ("own = 1\n", "own = 2\n"),
        ("import own\n", "from x import own\n"),
        ("from .b import own\n", ""),
        ("from . import b as own\n", ""),
    ],
)
def test_where_a_name_means_something_else_nothing_goes(head: str, there: str) -> None:
    assert needed("def f(): own", head, there=there) is None


def test_what_moves_as_well_is_found_where_it_goes() -> None:
    """A class that is generated elsewhere now is not in its old module any more."""
    moved = {"own_g": "b", "own_h": "c"}
    assert needed("def f(): own_g() + own_h()", "def own_g(): ...\n", moved=moved) == ["from .c import own_h"]
    source = Module("a", "class Item: ...\nclass Big: ...\n", "class Item: ...\nclass Big: ...\n", "")
    target = Module("shared", "", "", "class Item: ...\nclass Big: ...\n")
    assert imports_for("class Big:\n    one: Item\n", source, target) == []


def test_names_of_its_own_are_not_used_from_around() -> None:
    assert names_used("@d\ndef f(a: A, *b) -> 'R[Q]':\n    c = a + x\n    def g(): c\n") == {
        "d",
        "A",
        "R",
        "Q",
        "x",
    }
    assert names_used("def (") == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", "import j\nfrom .a import y\nx = 1\n"),
        ('"""T."""\n\nx = 1\n', '"""T."""\n\nimport j\nfrom .a import y\n\nx = 1\n'),
        (
            '"""T."""\n\nfrom __future__ import annotations\n\nfrom .r import (\n    C,\n)\n\n\ndef f(): ...\n\n\nimport z\n',
            '"""T."""\n\nfrom __future__ import annotations\n\nimport j\n\nfrom .r import (\n    C,\n)\nfrom .a import y\n'
            "\n\ndef f(): ...\n\n\nimport z\n",
        ),
        ('X = """\n"""; import os\n', 'import j\nfrom .a import y\nX = """\n"""; import os\n'),
        ("def (\n", "def (\n"),
        ("", ""),
    ],
)
def test_imports_go_to_the_beginning(text: str, expected: str) -> None:
    assert with_imports(text, ["from .a import y", "import j"]) == expected
    assert with_imports(text, []) == text
