"""Whether a model learns when a tool is the right one, and tools that can be taken for each other say which is which."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.lint.context import Context, found, listed
from mcpgen.lint.model import Finding, Question, Tool
from mcpgen.lint.words import mentions
from mcpgen.plan.effects.verbs import name_verbs
from mcpgen.plan.effects.words import MODIFIERS, lemma
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.places import place_of

_SMALL = frozenset("by for of in from to with the a an all many".split())
_READS = frozenset("get list search find query lookup fetch retrieve read show browse info".split())
_KINDS = {
    **dict.fromkeys(_READS, "read"),
    **dict.fromkeys("create add insert register new post make".split(), "create"),
    **dict.fromkeys("update put patch edit modify set replace change save".split(), "update"),
    **dict.fromkeys("delete remove destroy purge erase".split(), "delete"),
}
"""Verbs that one API uses for the same thing; any other verb says what it does by itself."""
_MANY = 10
_GROUP = 6
"""Alike tools beyond this number are a family (one for each kind of thing), not rivals."""


def check_usage(context: Context) -> Iterator[Finding]:
    groups = _rivals(context.subject.tools)
    silent: list[Tool] = []
    for tool in context.subject.tools:
        if context.elements[tool.name].boundary > 0:
            continue
        rivals = [other.name for other in groups.get(_key(tool), ()) if other.name != tool.name]
        if rivals and len(rivals) < _GROUP and not mentions(tool.description, set(rivals)):
            message = (
                f"`{tool.name}` does nearly what {listed(rivals)} does, and nothing says when to use which"
            )
            asked = f"When is {tool.name} the right tool, and when {', '.join(rivals[:3])}?"
            question = Question(tool.location, "description", asked)
            yield found("boundary-missing", message, tool.location, tool=tool.name, repair=question)
        else:
            silent.append(tool)
    yield from _silent(silent, context)


def _silent(tools: list[Tool], context: Context) -> Iterator[Finding]:
    """Where nearly all tools are silent, once for all of them."""
    if len(tools) > _MANY and len(tools) * 10 > len(context.subject.tools) * 8:
        message = f"{len(tools)} of {len(context.subject.tools)} tools do not say when to use them"
        yield found("usage-missing", message, context.subject.root)
        return
    for tool in tools:
        yield found("usage-missing", f"nothing says when to use `{tool.name}`", tool.location, tool=tool.name)


def _rivals(tools: tuple[Tool, ...]) -> dict[tuple[str, ...], list[Tool]]:
    """Tools that do the same kind of thing to the same kind of thing, one or many of it."""
    groups: dict[tuple[str, ...], list[Tool]] = {}
    for tool in tools:
        groups.setdefault(_key(tool), []).append(tool)
    return groups


def _key(tool: Tool) -> tuple[str, ...]:
    """Effect, kind of verb, one thing or many, and the nouns of the name: list and search of orders are alike, list and get not.

    A noun that only one of two names has tells them apart; a word such as `bulk` or `partially` does not.
    """
    verbs = name_verbs(tool.name)
    verb = verbs[0].word if verbs else tool.method
    item = "{}" in place_of(tool.path)[-1:]
    words = [word for word in split_words(tool.name) if lemma(word) != verb and word not in MODIFIERS]
    nouns = {
        singular(word) for word in words if word not in _SMALL and not (word in _READS and verb in _READS)
    }
    return tool.effect, _KINDS.get(verb, verb), "one" if item else "many", " ".join(sorted(nouns))
