"""Names of tools that clients refuse, that clash, or that a model can mix up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mcpgen.lint.context import Context, found, listed
from mcpgen.lint.model import Finding, Tool
from mcpgen.plan.naming.identifiers import fold, singular, split_words
from mcpgen.plan.places import place_of

_LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_COMFORTABLE = 56
_GENERIC = frozenset(
    "get list create update delete search query run execute call process handle do action request fetch read write send post put patch"
    " tool test api data info".split()
)


def check_naming(context: Context) -> Iterator[Finding]:
    tools = context.subject.tools
    for tool in tools:
        if not _LEGAL.match(tool.name):
            yield found(
                "name-refused", f"clients refuse the name `{tool.name[:100]}`", tool.location, tool=tool.name
            )
        elif len(tool.name) > _COMFORTABLE:
            message = f"`{tool.name}` has {len(tool.name)} characters"
            yield found("name-long", message, tool.location, tool=tool.name)
        if tool.name.lower() in _GENERIC:
            yield found("name-generic", f"`{tool.name}` fits any server", tool.location, tool=tool.name)
    clashing = _alike(tools, fold)
    for group in clashing:
        message = f"{listed([tool.name for tool in group])} are the same name to clients that ignore case"
        yield found("name-clash", message, group[0].location)
    taken = {tool.name for group in clashing for tool in group}
    for group in _alike(tools, _shape):
        if _one_and_many(group):
            continue
        if not taken.issuperset(tool.name for tool in group):
            message = f"{listed([tool.name for tool in group])} differ in an ending, a number or the order of words only"
            yield found("name-look-alike", message, group[0].location)


def _alike(tools: tuple[Tool, ...], key: Callable[[str], str]) -> list[list[Tool]]:
    groups: dict[str, list[Tool]] = {}
    for tool in tools:
        groups.setdefault(key(tool.name), []).append(tool)
    return [group for group in groups.values() if len(group) > 1]


def _one_and_many(group: list[Tool]) -> bool:
    """`get_order` and `get_orders`: what is got is one of what is listed, as everywhere."""
    shapes = {"{}" in place_of(tool.path)[-1:] for tool in group}
    return len(group) == 2 and len(shapes) == 2 and {tool.effect for tool in group} == {"read"}


def _shape(name: str) -> str:
    """The name without what is easily overlooked: plurals, numbers at the end, the order of its words."""
    words = [re.sub(r"(?<=[a-z])\d+$", "", singular(word)) for word in split_words(name)]
    return " ".join(sorted(word for word in words if not word.isdigit()))
