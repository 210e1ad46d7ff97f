"""A tool as what it is found by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from .verbs import Sense
from .words import words

FIELDS = ("name", "title", "path", "toolset", "head", "rest", "arguments", "values")

_TITLE = 200
_HEAD = 500
_DESCRIPTION = 4000
_REST_WORDS = 150
_ARGUMENTS = 200
_ARGUMENT = 200
_VALUE_WORDS = 300
_ENUM = 20
_TEMPLATE = re.compile(r"\{[^{}]*\}")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s|[。！？\n]")
_LABEL = re.compile(r"\s*[^\W\d_]{2,20}[:：]")
_NAME = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Document:
    """One tool: the words of its fields, what it does to things, and whether its path names one certain thing."""

    name: str
    fields: Mapping[str, list[str]]
    sense: Sense
    one: bool


def read_tool(tool: Mapping[str, Any], entry: Mapping[str, Any], others: Set[str]) -> Document:
    """A tool from its wire dict and its operation's entry in the catalogue; the names of `others` are not its words."""
    path = str(entry.get("path") or "")
    head, *more = _sentences((tool.get("description") or "")[:_DESCRIPTION])
    rest = " ".join(sentence for sentence in more if not _aside(sentence, others))
    arguments = list(_arguments(tool["inputSchema"]))
    fields = {
        "name": list(dict.fromkeys(words(f"{tool['name']} {entry.get('operation_id') or ''}"))),
        "title": words((tool.get("title") or "")[:_TITLE]),
        "path": words(_TEMPLATE.sub(" ", path)),
        "toolset": words(str(entry.get("toolset") or "")),
        "head": words(head[:_HEAD]),
        "rest": words(rest)[:_REST_WORDS],
        "arguments": words(" ".join(name for name, _ in arguments))[:_VALUE_WORDS],
        "values": [word for _, text in arguments for word in _words(text)][:_VALUE_WORDS],
    }
    return Document(tool["name"], fields, _sense(entry), "{" in path)


@lru_cache(maxsize=2000)
def _words(text: str) -> tuple[str, ...]:
    """The words of what is said about an argument: many tools say the same about theirs."""
    return tuple(words(text))


def _sense(entry: Mapping[str, Any]) -> Sense:
    effect, method = entry.get("effect", "read"), str(entry.get("method") or "").upper()
    if effect == "read":
        return Sense.LOOK
    if effect == "destructive" or method == "DELETE":
        return Sense.END
    return Sense.CHANGE if method in ("PUT", "PATCH") or entry.get("additive") is False else Sense.ADD


def _sentences(text: str) -> list[str]:
    return _SENTENCE_END.split(text)


def _aside(sentence: str, names: Set[str]) -> bool:
    """Whether a sentence is not about what the tool does: it has a label ("Fails: ..."), or tells of another tool."""
    return bool(_LABEL.match(sentence)) or any(
        "_" in word and word in names for word in _NAME.findall(sentence)
    )


def _arguments(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The names of arguments, each with what is said about it and the values that it can have."""
    for name, argument in islice((schema.get("properties") or {}).items(), _ARGUMENTS):
        if not isinstance(argument, dict):
            yield name, ""
            continue
        items = argument.get("items")
        values = argument.get("enum") or (items.get("enum") if isinstance(items, dict) else None) or ()
        told = [str(argument.get("description") or ""), *map(str, values[:_ENUM])]
        yield name, " ".join(text[:_ARGUMENT] for text in told)
