"""Descriptions that say the same of different tools."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.lint.context import Context, found, listed
from mcpgen.lint.model import Finding, Tool
from mcpgen.lint.similar import similar_pairs
from mcpgen.plan.texts.hostile import plain
from mcpgen.plan.texts.text import clean_text, first_sentence

THRESHOLD = 0.9
_SHORTEST = 20
"""Characters: shorter texts are alike by chance."""


def check_likeness(context: Context) -> Iterator[Finding]:
    tools = context.subject.tools
    texts = {tool.name: " ".join(plain(tool.description).casefold().split()) for tool in tools}
    same: dict[str, list[Tool]] = {}
    for tool in tools:
        if texts[tool.name]:
            same.setdefault(texts[tool.name], []).append(tool)
    for group in same.values():
        if len(group) > 1:
            message = f"{listed([tool.name for tool in group])} have the same description"
            yield found("description-duplicate", message, group[0].location)
    unique = [group[0] for group in same.values() if len(texts[group[0].name]) >= _SHORTEST]
    for left, right in similar_pairs([texts[tool.name] for tool in unique], THRESHOLD):
        first, second = unique[left], unique[right]
        if not _told_apart(first, second):
            message = f"`{first.name}` and `{second.name}` have nearly the same description"
            yield found("description-near-duplicate", message, first.location, tool=first.name)


def _told_apart(first: Tool, second: Tool) -> bool:
    """Whether the first sentences differ in a word: "Lists open orders" and "Lists paid orders" need no more."""
    words = [set(first_sentence(clean_text(tool.description)).casefold().split()) for tool in (first, second)]
    return bool(words[0] - words[1]) and bool(words[1] - words[0])
