"""Which templates there are, what each makes, and which layers have a part in it."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Refused
from mcpgen.render.environment import TemplateEnvironment
from mcpgen.render.failures import failure_of
from mcpgen.render.inheritance import block_names, chain_of
from mcpgen.render.languages import Language
from mcpgen.render.layers import SUFFIX, Layer, read_stack
from mcpgen.render.outputs import BUILT_IN, added_outputs


class UnknownTemplate(Exception):
    """No layer has a template of this name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One template of a stack.

    Attributes:
        template: its path in a layer.
        makes: the path that it makes in a project (`package` stands for the package's name, `*` for several), or None
            for a part that others include.
        layers: the layers that have a part in it, the strongest first: each extends the next one.
        hidden: weaker layers that have it too, but are replaced as a whole.
        blocks: what a stronger layer can override.
    """

    template: str
    makes: str | None
    layers: tuple[str, ...]
    hidden: tuple[str, ...]
    blocks: tuple[str, ...]


def stack_of(config: Config, diagnostics: Collector) -> tuple[Layer, ...]:
    """The layers of a configuration.

    Raises:
        Refused: one cannot be used.
    """
    return read_stack(config.layers, diagnostics, config.locate(("templates", "layers")))


def entries(stack: Sequence[Layer], diagnostics: Collector) -> list[Entry]:
    """All templates, by path.

    Raises:
        Refused: some are malformed (`render-failed`, one diagnostic for each).
    """
    makes = {output.template: output.path for output in (*BUILT_IN, *added_outputs(stack))}
    environment = TemplateEnvironment(stack, Language.OTHER)
    found = []
    for template in sorted({*makes, *(file for layer in stack for file in layer.files)}):
        having = [layer.name for layer in stack if template in layer.files]
        try:
            chain, blocks = _inheritance(environment, template) if template.endswith(SUFFIX) else ([], ())
        except Exception as error:  # whatever Jinja says about a malformed template
            place = next(str(layer.path(template)) for layer in stack if template in layer.files)
            diagnostics.refuse("render-failed", *failure_of(error, place))
            continue
        layers = tuple(dict.fromkeys(chain)) or (having[0],)
        hidden = tuple(name for name in having if name not in layers)
        found.append(Entry(template, makes.get(template), layers, hidden, blocks))
    if len(diagnostics):
        raise Refused("templates are malformed")
    return found


def _inheritance(environment: TemplateEnvironment, template: str) -> tuple[list[str], tuple[str, ...]]:
    loader = environment.loader
    full = loader.find(template) or template
    loader.get_source(environment, full)
    names = chain_of(environment, loader, full)
    blocks = {block: None for name in names for block in block_names(environment, loader.text(name)[0])}
    return [loader.layer_of(name).name for name in names], tuple(blocks)


def find_template(stack: Sequence[Layer], name: str, *, layer: str | None = None) -> tuple[Layer, str]:
    """The layer and path of a template that is called by its path, with or without its suffix, or by what it makes.

    Raises:
        UnknownTemplate: there is none, or the layer does not have it.
    """
    makes = {output.path: output.template for output in (*BUILT_IN, *added_outputs(stack))}
    chosen = [one for one in stack if layer in {None, one.name}]
    if not chosen:
        raise UnknownTemplate(f"no layer is called {layer}; there are {', '.join(one.name for one in stack)}")
    for one in chosen:
        for path in (name, f"{name}{SUFFIX}", makes.get(name, "")):
            if path in one.files:
                return one, path
    known = sorted({file for one in chosen for file in one.files})
    close = difflib.get_close_matches(name, known, n=1)
    where = f" in the layer {layer}" if layer else ""
    hint = f"; did you mean {close[0]}?" if close else "; `mcpgen templates list` shows all"
    raise UnknownTemplate(f"there is no template {name}{where}{hint}")


def text_of(layer: Layer, path: str) -> str:
    """The text of a template as it is.

    Raises:
        OSError, UnicodeDecodeError: it cannot be read.
    """
    return layer.path(path).read_text("utf-8")
