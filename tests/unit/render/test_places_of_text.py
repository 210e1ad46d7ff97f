"""A team's template can't open the hole that mcpgen's own close: text of the spec stays data, wherever it is printed."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

LAYERS = Path(__file__).parents[2] / "layers"
T = "package.plan.title"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        # no filter, or one for another language
        *(
            (name, f"{{{{ {T} }}}}", f"is printed without an escaping filter ({advice})")
            for name, advice in [
                ("a.py", "for Python: py, docstring, line, names"),
                ("a.toml", "for TOML: toml, line"),
                ("a.md", "for Markdown: markdown, code"),
                ("a.yaml", "for YAML: yaml, json, line"),
                ("a.json", "for JSON: json"),
                ("a.sh", "for shell: sh, line"),
                ("Dockerfile", "for Dockerfile: docker, sh, line"),
                ("Dockerfile.prod", "for Dockerfile: docker, sh, line"),
                (".env.test", "for a file of settings: line, setting"),
                ("a.txt", "for plain text: line"),
                ("a.html", "and there is none for a language that mcpgen does not know"),
                ("Makefile", "and there is none for a language that mcpgen does not know"),
            ]
        ),
        ("a.html", f"{{{{ {T} | markdown }}}}", "the filter markdown does not escape and there is none"),
        ("a.yaml", f"a: {{{{ {T} | toml }}}}", "the filter toml does not escape for YAML"),
        ("a.md", f"{{{{ {T} | upper }}}}", "is printed without an escaping filter"),
        ("a.md", f"{{{{ {T} | tojson }}}}", "is printed without an escaping filter"),
        ("a.md", f"{{{{ {T} | safe }}}}", "is printed without an escaping filter"),
        ("a.md", f"{{{{ ({T} | markdown) ~ {T} }}}}", "is printed without an escaping filter"),
        ("a.md", f"{{% set a %}}x y{{% endset %}}{{{{ a ~ {T} }}}}", "is printed without an escaping filter"),
        ("a.md", f"{{% set a %}}x {{}}{{% endset %}}{{{{ a.format({T}) }}}}", "text has no method format"),
        ("a.md", f"{{{{ package.runtime_requirements[0].string({T}) }}}}", "is unsafe"),
        (
            "a.md",
            f"{{% macro m(x) %}}{{{{ x }}}}{{% endmacro %}}{{{{ m({T}) }}}}",
            "without an escaping filter",
        ),
        # the right filter in the wrong place
        ("a.py", f'A = "{{{{ {T} | py }}}}"', "gives a whole expression"),
        ("a.py", f"A = f{{{{ {T} | py }}}}", "gives a whole expression"),
        ("a.py", f"A = 1 + {{{{ {T} | line }}}}", "the filter line escapes for comments"),
        ("a.py", f'A = "{{{{ {T} | line }}}}"', "the filter line escapes for comments"),
        ("a.py", f'"""{{{{ {T} | line }}}}"""', "the filter line escapes for comments"),
        ("a.py", f"A = '''{{{{ {T} | docstring }}}}'''", "the filter docstring escapes for the inside"),
        ("a.py", f'A = f"""{{{{ {T} | docstring }}}}"""', "the filter docstring escapes for the inside"),
        ("a.py", f"# {{{{ {T} | docstring }}}}", "a comment needs the filter line"),
        ("a.py", f"# {{{{ {T} | line }}}}", "where it could name an encoding"),
        ("a.toml", f'a = "{{{{ {T} | toml }}}}"', "is malformed"),
        ("a.toml", f'a = "{{{{ {T} | line }}}}"', "does not keep it text"),
        ("a.yaml", f"a: {{{{ {T} | line }}}}", "does not keep it text"),
        ("a.yaml", f"a: 'it is {{{{ {T} | yaml }}}}'", "does not keep it text"),
        ("a.json", f'{{"a": "{{{{ {T} | json }}}}"}}', "is malformed"),
        ("a.md", f'<a title="{{{{ {T} | markdown }}}}">', "stands in a tag or an address"),
        ("a.md", f"[link]({{{{ {T} | markdown }}}})", "stands in a tag or an address"),
        ("a.sh", f'echo "{{{{ {T} | sh }}}}"', "cannot stand in double quotes"),
        ("a.sh", f"echo '{{{{ {T} | sh }}}}'", "cannot stand in single quotes"),
        ("a.sh", f"echo {{{{ {T} | line }}}}", "the filter line escapes for comments only"),
        ("a.sh", f"cat <<END\n{{{{ {T} | sh }}}}\nEND\n", "cannot stand in or after a here-document"),
        ("a.sh", f"#{{{{ {T} | line }}}}", "must begin with a word of the template"),
        ("Dockerfile", f"# {{{{ {T} | line }}}}\nFROM a", "must begin with a word of the template"),
        ("Dockerfile", f"FROM a # {{{{ {T} | line }}}}", "the filter line escapes for comments only"),
        ("Dockerfile", f"RUN echo {{{{ {T} | docker }}}}", "the filter docker is for LABEL, ENV and ARG"),
        ("Dockerfile", f"LABEL a=1 \\\n  b={{{{ {T} | sh }}}}", "the filter sh is for commands"),
        ("Dockerfile", f"# escape=`\nLABEL a={{{{ {T} | docker }}}}", "another escape character"),
        (".env.test", f"A={{{{ {T} | line }}}}", "the filter line escapes for comments only"),
    ],
)
def test_holes_are_errors(rendered: Callable[..., Any], name: str, text: str, expected: str) -> None:
    (problem,) = rendered({f"{name}.jinja": text}).problems

    assert problem.startswith(f"layer0/{name}.jinja:")
    assert expected in problem


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.py",
            f'"""x\n\n{{{{ {T} | docstring }}}} y"""\nA = g({{{{ {T} | py }}}})  # {{{{ {T} | line }}}}',
        ),
        ("a.py", f"# one\n# two\n# {{{{ {T} | line }}}}\n"),
        (
            "a.md",
            f"{{% set a %}}x {{{{ {T} | markdown }}}}{{% endset %}}{{{{ a }}}} <b>{{{{ {T} | markdown }}}}</b>",
        ),
        ("a.md", f"{{% macro m(x) %}}{{{{ x | code }}}}{{% endmacro %}}{{{{ m({T}) }}}}"),
        ("a.yaml", f"# {{{{ {T} | line }}}}\na: [{{{{ {T} | yaml }}}}]\n? {{{{ {T} | json }}}}\n: 1"),
        ("a.sh", f'echo "$HOME" {{{{ {T} | sh }}}} # {{{{ {T} | line }}}}'.replace("# {", "# to {")),
        ("Dockerfile", f"FROM a\nENV A={{{{ {T} | docker }}}}\nRUN echo \\\n {{{{ {T} | sh }}}}"),
    ],
)
def test_places_that_are_right(rendered: Callable[..., Any], name: str, text: str) -> None:
    assert rendered({f"{name}.jinja": text}, title='x"; #{}\\').problems == []


NASTY = st.text(max_size=30) | st.sampled_from(
    [
        '"""',
        "'; rm -rf / #",
        "\\",
        "# coding: utf-7",
        "syntax=evil",
        "$(x) `y` ${Z}",
        "a\r\nb: c",
        "]]>\u2028",
        "\ufdd0py\ufdd1x\ufdd2",
    ]
)


def example_layers() -> list[dict[str, str]]:
    return [
        {
            path.relative_to(LAYERS / name).as_posix(): path.read_text("utf-8")
            for path in (LAYERS / name).rglob("*")
            if path.is_file()
        }
        for name in ("house_style", "extra_files")
    ]


@settings(
    max_examples=settings.default.max_examples // 5,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(NASTY)
def test_whatever_the_text_is_files_have_the_same_shape(rendered: Callable[..., Any], title: str) -> None:
    result = rendered(*example_layers(), title=title)

    assert result.problems == []
    files = result.files
    for path, text in files.items():
        if path.endswith(".py") and "_runtime" not in path:
            ast.parse(text)
    health = ast.parse(files["src/fine_shop_mcp/health.py"])
    assert [type(node).__name__ for node in health.body] == [
        "Expr",
        "ImportFrom",
        "Assign",
        "AnnAssign",
        "FunctionDef",
    ]
    assert ast.literal_eval(health.body[2].value) == title  # type: ignore[attr-defined]
    assert list(json.loads(files["deploy/owners.json"])) == ["api", "tools"]
    assert list(yaml.safe_load(files["deploy/values.yaml"])) == ["title", "version", "tools"]
    assert tomllib.loads(files["pyproject.toml"])["project"]["keywords"][0] == "mcp"
    assert (
        len(re.findall(r"^(FROM|LABEL|WORKDIR|COPY|RUN|USER|ENTRYPOINT) ", files["Dockerfile"], re.MULTILINE))
        == 7
    )
    assert shlex.split(files["scripts/run.sh"].splitlines()[2])[2] == ">&2"
