"""The reference of what templates see, written from the types that make it: `templates/REFERENCE.md`."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from mcpgen.render.environment import TemplateEnvironment
from mcpgen.render.filters import FILTERS
from mcpgen.render.inheritance import block_names
from mcpgen.render.languages import FILTERS_FOR, Language
from mcpgen.render.layers import default_layer
from mcpgen.render.layout import LAYOUT
from mcpgen.render.outputs import BUILT_IN, Once
from mcpgen.render.views import CONTEXT_VERSION, FunctionView, PackageView, ToolModuleView

_CONTEXT = {
    Once.PROJECT: "`package`: PackageView",
    Once.TOOLSET: "`package`: PackageView, `module`: ToolModuleView; in the block `function`: `function`: FunctionView",
    Once.MODELS: "`package`: PackageView, `title`: SpecText, `body`: Code",
}
_HEAD = f"""\
# Reference of the templates

Written by `mcpgen templates reference` from the types in `mcpgen/render/views.py`; a test holds it up to date.

The context has version {CONTEXT_VERSION}, which templates see as `context_version`. Within a version, names and blocks of this page
only get more.
"""


def reference() -> str:
    """The page, as Markdown."""
    parts = [_HEAD, _templates(), "## Types\n", *map(_type, _types()), _filters()]
    return "\n".join(parts)


def _templates() -> str:
    layer = default_layer()
    environment = TemplateEnvironment((layer,), Language.OTHER)
    lines = ["## Templates", "", "| template | makes | sees | blocks |", "|---|---|---|---|"]
    for output in BUILT_IN:
        text = layer.path(output.template).read_text("utf-8")
        blocks = ", ".join(f"`{name}`" for name in dict.fromkeys(block_names(environment, text)))
        lines.append(f"| `{output.template}` | `{output.path}` | {_CONTEXT[output.once]} | {blocks} |")
    parts = ", ".join(f"`{file}`" for file in layer.files if file not in {one.template for one in BUILT_IN})
    lines += ["", f"Included by others: {parts}. Files that a layer adds see `package`: PackageView.", ""]
    return "\n".join(lines)


def _types() -> list[type]:
    """The classes that templates can reach, in the order in which they are met."""
    found: dict[str, type] = {}
    waiting: list[type] = [PackageView, ToolModuleView, FunctionView]
    while waiting:
        cls = waiting.pop(0)
        if cls.__name__ in found:
            continue
        found[cls.__name__] = cls
        names = vars(sys.modules[cls.__module__])
        for _, annotation in _members(cls):
            for word in re.findall(r"[A-Z]\w+", annotation):
                other = names.get(word)
                if isinstance(other, type) and is_dataclass(other) and word not in found:
                    waiting.append(other)
    return list(found.values())


def _members(cls: type) -> Iterator[tuple[str, str]]:
    """Fields and properties with their annotations; what begins with an underscore is not for templates."""
    if is_dataclass(cls):
        yield from ((one.name, str(one.type)) for one in fields(cls) if not one.name.startswith("_"))
    for name, value in vars(cls).items():
        if isinstance(value, property) and value.fget is not None and not name.startswith("_"):
            yield name, str(inspect.get_annotations(value.fget).get("return", "Any"))


def _type(cls: type) -> str:
    lines = [f"### {cls.__name__}", "", _prose(inspect.getdoc(cls)), "", "| name | type |", "|---|---|"]
    lines += [
        f"| `{name}` | `{annotation.replace('|', chr(92) + '|')}` |" for name, annotation in _members(cls)
    ]
    return "\n".join([*lines, ""])


def _filters() -> str:
    lines = [
        "## Filters",
        "",
        "`SpecText` is text of the document: it is printed through one of these, chosen by the language of the file. `Code` is",
        "mcpgen's own, and is printed as it is. Of other texts only single words are.",
        "",
        "| filter | for | gives |",
        "|---|---|---|",
    ]
    for name, function in FILTERS.items():
        languages = ", ".join(str(one) for one, names in FILTERS_FOR.items() if name in names)
        lines.append(f"| `{name}` | {languages} | {_prose(inspect.getdoc(function))} |")
    for name, layout in LAYOUT.items():
        lines.append(f"| `{name}` | {Language.PYTHON} | {_prose(inspect.getdoc(layout))} |")
    lines += [
        "",
        "Jinja's own filters are there too, without `random`; what they give must still be escaped.",
        "",
    ]
    return "\n".join(lines)


def _prose(doc: str | None) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((doc or "").split("\n\n")[0].split()).replace("|", "\\|")
