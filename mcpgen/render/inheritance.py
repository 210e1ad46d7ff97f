"""What a team's template must keep to, so that nothing in it is lost without a word.

Jinja passes over a block that the template below does not have, and over text outside of blocks in a template that
extends another one. Here both are errors: a block that a new version of mcpgen no longer has is found by its name.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError, nodes

if TYPE_CHECKING:
    from mcpgen.render.layers import Layer


class Templates(Protocol):
    """What the checks need of a loader."""

    def resolve(self, name: str, parent: str) -> str: ...
    def text(self, name: str) -> tuple[str, str]: ...
    def layer_of(self, name: str) -> Layer: ...


@dataclass(frozen=True, slots=True)
class _Source:
    """One template of a chain, parsed."""

    name: str
    filename: str
    tree: nodes.Template

    def fail(self, message: str, line: int) -> TemplateSyntaxError:
        return TemplateSyntaxError(message, line, self.name, self.filename)


def check_source(environment: Environment, templates: Templates, name: str) -> None:
    """Checks one template of a layer.

    Raises:
        TemplateSyntaxError: it is malformed, filters finished text, extends what is not there, overrides a block that
            is not there, or has text that would never be printed.
    """
    source = _parse(environment, templates, name)
    for block in source.tree.find_all(nodes.FilterBlock):
        raise source.fail("{% filter %} would change text that is escaped already", block.lineno)
    below = _below(source, templates)
    if below is None:
        return
    _check_top_level(source)
    chain = list(_chain(environment, templates, below, source))
    known = {block for one in chain for block in _blocks(one.tree)}
    _check_blocks(source, known, templates.layer_of(below).name)


def block_names(environment: Environment, source: str) -> tuple[str, ...]:
    """The blocks of a template, in their order.

    Raises:
        TemplateSyntaxError: it is malformed.
    """
    return tuple(_blocks(environment.parse(source)))


def chain_of(environment: Environment, templates: Templates, name: str) -> tuple[str, ...]:
    """The full names of a template and of all that it extends.

    Raises:
        TemplateSyntaxError: one is malformed or not there.
    """
    source = _parse(environment, templates, name)
    below = _below(source, templates)
    rest = () if below is None else tuple(one.name for one in _chain(environment, templates, below, source))
    return (name, *rest)


def _parse(environment: Environment, templates: Templates, name: str) -> _Source:
    text, filename = templates.text(name)
    return _Source(name, filename, environment.parse(text, name, filename))


def _blocks(tree: nodes.Node) -> Iterator[str]:
    return (block.name for block in tree.find_all(nodes.Block))


def _below(source: _Source, templates: Templates) -> str | None:
    """What a template extends."""
    found = list(source.tree.find_all(nodes.Extends))
    if not found:
        return None
    extends = found[0]
    if len(found) > 1 or extends not in source.tree.body or not isinstance(extends.template, nodes.Const):
        raise source.fail("a template can extend one other, and must name it by its text", found[-1].lineno)
    try:
        below = templates.resolve(str(extends.template.value), source.name)
    except TemplateNotFound as error:
        raise source.fail(str(error.message), extends.lineno) from error
    if below == source.name:
        path = source.name.rpartition("@")[0]
        raise source.fail(f'the template extends itself; write "super:{path}"', extends.lineno)
    return below


def _chain(
    environment: Environment, templates: Templates, name: str | None, first: _Source
) -> Iterator[_Source]:
    seen = {first.name}
    while name is not None:
        if name in seen:
            raise first.fail("templates extend each other in a circle", 1)
        seen.add(name)
        source = _parse(environment, templates, name)
        yield source
        name = _below(source, templates)


def _check_top_level(source: _Source) -> None:
    for node in _outside_blocks(source.tree):
        for part in node.nodes if isinstance(node, nodes.Output) else ():
            if not isinstance(part, nodes.TemplateData) or part.data.strip():
                line = part.lineno
                if isinstance(part, nodes.TemplateData):
                    line += part.data[: len(part.data) - len(part.data.lstrip())].count("\n")
                raise source.fail("text outside of blocks is not printed in a template that extends", line)


def _outside_blocks(node: nodes.Node) -> Iterator[nodes.Node]:
    """Outputs and blocks that stand by themselves, also inside of conditions and loops."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Output | nodes.Block):
            yield child
        elif isinstance(child, nodes.If | nodes.For | nodes.With | nodes.Scope):
            yield from _outside_blocks(child)


def _check_blocks(source: _Source, known: set[str], layer: str) -> None:
    """Blocks inside a block that overrides one are the template's own."""
    for node in _outside_blocks(source.tree):
        if isinstance(node, nodes.Block) and node.name not in known:
            close = difflib.get_close_matches(node.name, sorted(known), n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise source.fail(
                f"the template below, of {layer}, has no block {node.name}; "
                f"{hint}it has {', '.join(sorted(known)) or 'none'}",
                node.lineno,
            )
