"""Finds templates in a stack of layers.

Inside Jinja a template is called `PATH@NUMBER`, so that everything that it names can be looked up from its own layer:
`super:PATH` is the file in the next weaker layer that has it, a bare path is that of the strongest layer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import BaseLoader, TemplateNotFound, TemplateSyntaxError

from mcpgen.render.inheritance import check_source
from mcpgen.render.layers import Layer

SUPER = "super:"


class StackLoader(BaseLoader):
    """Loads from layers, the strongest first. What the checks of `inheritance` refuse does not load."""

    def __init__(self, stack: Sequence[Layer]) -> None:
        self.stack = tuple(stack)
        self._files = [frozenset(layer.files) for layer in self.stack]

    def find(self, path: str, start: int = 0) -> str | None:
        """The full name of a template, from the layer `start` on; None where no layer has it."""
        for number in range(start, len(self.stack)):
            if path in self._files[number]:
                return f"{path}@{number}"
        return None

    def resolve(self, name: str, parent: str) -> str:
        """The full name of what the template `parent` calls `name`.

        Raises:
            TemplateNotFound: no layer has it, or none below.
        """
        below = name.startswith(SUPER)
        path = name.removeprefix(SUPER)
        found = self.find(path, number_of(parent) + 1 if below else 0)
        if found is None:
            where = f"below {self.stack[number_of(parent)].name} " if below else ""
            raise TemplateNotFound(name, f"no layer {where}has the template {path}")
        return found

    def layer_of(self, name: str) -> Layer:
        return self.stack[number_of(name)]

    def text(self, name: str) -> tuple[str, str]:
        """The text of a template and the file that it is in.

        Raises:
            TemplateSyntaxError: it is no UTF-8 text.
        """
        path = self.layer_of(name).path(path_of(name))
        try:
            return path.read_text("utf-8"), str(path)
        except UnicodeDecodeError as error:
            raise TemplateSyntaxError("the file is not UTF-8 text", 1, name, str(path)) from error

    def get_source(self, environment: Any, template: str) -> tuple[str, str, Callable[[], bool]]:
        """What Jinja asks for.

        Raises:
            TemplateSyntaxError: the template is malformed, or breaks a rule of `inheritance`.
        """
        source, filename = self.text(template)
        if number_of(template) < len(self.stack) - 1:
            check_source(environment, self, template)
        return source, filename, lambda: True


def path_of(name: str) -> str:
    return name.rpartition("@")[0]


def number_of(name: str) -> int:
    return int(name.rpartition("@")[2])
