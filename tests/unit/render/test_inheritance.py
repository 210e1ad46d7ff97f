"""What a team's template says is never lost without a word, and every fault points at its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

SERVER = "src/package/server.py.jinja"
EXTENDS = f'{{% extends "super:{SERVER}" %}}\n'
BLOCKS = "build, docstring, footer, header, imports, run"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{EXTENDS}\n{{% block bild %}}{{% endblock %}}",
            f"3: the template below, of default, has no block bild; did you mean build? it has {BLOCKS}.",
        ),
        (
            f"{EXTENDS}{{% block x %}}{{% endblock %}}",
            f"2: the template below, of default, has no block x; it has {BLOCKS}.",
        ),
        (
            f"{EXTENDS}{{% block run %}}A = 1\n{{% endblock %}}\n\nLOST = 1\n",
            "5: text outside of blocks is not printed in a template that extends.",
        ),
        (
            f"{EXTENDS}{{% if true %}}\nLOST = 1\n{{% endif %}}",
            "3: text outside of blocks is not printed in a template that extends.",
        ),
        (
            f'{{% extends "{SERVER}" %}}',
            f'1: the template extends itself; write "super:{SERVER}".',
        ),
        (
            '{# x #}\n{% extends "super:src/package/no.jinja" %}',
            "2: no layer below layer0 has the template src/package/no.jinja.",
        ),
        (
            "{% extends package.plan.package %}",
            "1: a template can extend one other, and must name it by its text.",
        ),
        (
            "A = 1\n{% filter upper %}x{% endfilter %}",
            "2: {% filter %} would change text that is escaped already.",
        ),
        (
            "A = 1\n{{ package.titel }}",
            "2: 'mcpgen.render.views.PackageView object' has no attribute 'titel'.",
        ),
        ("A = 1\n\nB = {{ unknown | py }}", "3: 'unknown' is undefined."),
        (
            "{% if package.plan.no_such %}{% endif %}",
            "1: 'mcpgen.plan.model.PackagePlan object' has no attribute 'no_such'.",
        ),
        ("A = 1\n{% for x in %}", "2: Expected an expression, got 'end of statement block'."),
        ("{{ 1 | nofilter }}", "1: No filter named 'nofilter'."),
        ("A = 1\n{{ 1 // 0 }}", "2: integer division or modulo by zero."),
        (
            "A = 1\n{{ package.__class__ }}",
            "2: access to attribute '__class__' of 'PackageView' object is unsafe.",
        ),
        ("A = 1\nB = (\n", "2: In src/fine_shop_mcp/server.py, '(' was never closed in `B = (`."),
        (
            '{% include "_parts/no.jinja" %}',
            "1: no layer has the template _parts/no.jinja.",
        ),
        (
            f"{EXTENDS}{{% block run %}}\nX = 1\n{{% if true %}}\ndef f(:\n{{% endif %}}\n{{% endblock %}}",
            "5: In src/fine_shop_mcp/server.py, invalid syntax in `def f(:`.",
        ),
    ],
)
def test_faults_point_at_the_line(rendered: Callable[..., Any], text: str, expected: str) -> None:
    problems = rendered({SERVER: text}).problems

    assert [_short(problem) for problem in problems] == [f"layer0/{SERVER}:{expected}"]


def _short(problem: str) -> str:
    """The folder of the test is not part of what is expected."""
    return re.sub(r"(below )/\S*/(layer0)", r"\1\2", problem)


def test_a_fault_in_a_part_points_at_the_part(rendered: Callable[..., Any]) -> None:
    problems = rendered({"_parts/header.jinja": "# fine\n{{ oops }}"}).problems

    assert problems == ["layer0/_parts/header.jinja:2: 'oops' is undefined."]


def test_a_fault_below_is_one_of_the_layer_that_has_it(rendered: Callable[..., Any]) -> None:
    lower = {SERVER: f"{EXTENDS}{{% block run %}}\n{{{{ oops }}}}\n{{% endblock %}}"}
    upper = {SERVER: f"{EXTENDS}{{% block run %}}\n{{{{ super() }}}}\n{{% endblock %}}"}

    assert rendered(lower, upper).problems == [f"layer0/{SERVER}:3: 'oops' is undefined."]


def test_all_faults_are_said_at_once(rendered: Callable[..., Any]) -> None:
    problems = rendered({SERVER: "{{ a }}", "README.md.jinja": "{{ b }}"}).problems

    assert problems == [
        "layer0/README.md.jinja:1: 'b' is undefined.",
        f"layer0/{SERVER}:1: 'a' is undefined.",
    ]


def test_what_is_drawn_by_chance_is_not_there(rendered: Callable[..., Any]) -> None:
    assert "No filter named 'random'" in rendered({"x.txt.jinja": "{{ [1, 2] | random }}"}).problems[0]
    assert "'lipsum' is undefined" in rendered({"x.txt.jinja": "{{ lipsum() }}"}).problems[0]
