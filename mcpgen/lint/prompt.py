"""Wording in a host's system prompt that decides for a model which tool it takes, against what the tools say of themselves."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcpgen.diagnostics import Location
from mcpgen.lint.context import found, listed
from mcpgen.lint.model import Finding, Tool
from mcpgen.lint.words import content, mentions
from mcpgen.plan.effects.verbs import name_verbs
from mcpgen.plan.naming.identifiers import singular, split_words

_PULL = re.compile(
    r"\b(?:always|must|prefer(?:red|ably)?|only use|use only|first|by default|whenever possible|in (?:all|any|every) cases?|at all times|favou?r"
    r"|every time|before anything else)\b|始终|总是|必须|优先|务必|首先|\b(?:immer|bevorzug\w*|zuerst|unbedingt)\b|必ず|常に|優先|まず|\b(?:toujours|siempre|всегда)\b",
    re.IGNORECASE,
)
_AWAY = re.compile(r"\b(?:never|do not|don['’]?t|avoid|without)\b|不要|切勿|niemals|使わない", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|for|to|once|unless|where|about|before|after)\b(.{3,200})|(?:如果|当|需要|查询|wenn|falls|für|um|場合|とき)(.{2,100})",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:always|must|should|need to|please|use|call)\b|必须|应|请|bitte|ください", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^\n.!?。！？]+[.!?。！？]?")
_TOOL_LIKE = re.compile(r"(?<![\w./$-])[a-z][a-z0-9]*(?:_[a-z0-9]+){1,8}(?![\w/(-])")
_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system prompt and the name of the file that it is from."""

    file: str
    text: str

    def at(self, offset: int) -> Location:
        before = self.text[:offset]
        line = before.count("\n") + 1
        return Location(self.file, "", line, offset - (before.rfind("\n") + 1) + 1)


def check_prompt(prompt: Prompt, tools: Sequence[Tool]) -> Iterator[Finding]:
    """The findings about a prompt, in its order."""
    by_name = {tool.name: tool for tool in tools}
    echoes = _Echoes(tools)
    arguments = {argument.name for tool in tools for argument in tool.arguments}
    for match in _SENTENCE.finditer(prompt.text[:_LONGEST]):
        sentence = match.group().strip()
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        named = mentions(sentence, by_name.keys())
        for name in named:
            if len(named) == 1 and _pulls(sentence, by_name[name]):
                message = f"`{sentence[:120]}` pulls towards `{name}` for any task"
                yield found("prompt-pulls", message, prompt.at(start), tool=name)
        if not named and _ORDER.search(sentence):
            yield from echoes.findings(sentence, prompt.at(start))
        yield from _unknown(sentence, start, prompt, by_name, arguments)


def _pulls(sentence: str, tool: Tool) -> bool:
    """Whether a sentence makes a tool the choice, without a case in which the tool's own description agrees."""
    if not _PULL.search(sentence) or _AWAY.search(sentence):
        return False
    condition = _CONDITION.search(sentence.replace(tool.name, " "))
    if condition is None:
        return True
    case = content(next(part for part in condition.groups() if part))
    own = content(f"{tool.description} {tool.name} {' '.join(argument.name for argument in tool.arguments)}")
    return not case & own


class _Echoes:
    """Verbs that one tool alone has in its name, though others work on the same things to the same effect."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        verbs = {tool.name: {verb.word for verb in name_verbs(tool.name)[:1]} for tool in tools}
        frequency = Counter(word for words in verbs.values() for word in words)
        self._by_word = {word: tool for tool in tools for word in verbs[tool.name] if frequency[word] == 1}
        self._rivals = {
            word: [other.name for other in tools if other is not tool and _rival(tool, other)]
            for word, tool in self._by_word.items()
        }

    def findings(self, sentence: str, place: Location) -> Iterator[Finding]:
        words = {word.lower() for word in re.findall(r"[A-Za-z]+", sentence)}
        for word in sorted(words & self._by_word.keys()):
            rivals, tool = self._rivals[word], self._by_word[word]
            nouns = {singular(part) for part in split_words(tool.name) if part != word}
            if rivals and nouns & {singular(other) for other in words}:
                message = (
                    f"`{word}` is in the name of `{tool.name}` only, while {listed(rivals)} may fit as well"
                )
                yield found("prompt-echoes", message, place, tool=tool.name)


def _rival(first: Tool, second: Tool) -> bool:
    """Whether two tools have the same effect and the same nouns in their names."""
    nouns = [
        {singular(word) for word in split_words(tool.name)} - {verb.word for verb in name_verbs(tool.name)}
        for tool in (first, second)
    ]
    return first.effect == second.effect and bool(nouns[0]) and nouns[0] == nouns[1]


def _unknown(
    sentence: str, start: int, prompt: Prompt, tools: dict[str, Tool], arguments: set[str]
) -> Iterator[Finding]:
    for match in _TOOL_LIKE.finditer(sentence):
        name = match.group()
        if name in tools or name in arguments or not name_verbs(name.split("_")[0]):
            continue
        close = difflib.get_close_matches(name, tools, n=1, cutoff=0.6)
        meant = f"; did you mean `{close[0]}`?" if close else ""
        message = f"there is no tool `{name}`{meant}"
        yield found("prompt-unknown-tool", message, prompt.at(start + match.start()))
