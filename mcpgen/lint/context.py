"""What all checks share: the subject, and what is worked out once for each tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mcpgen.diagnostics import Location, Severity
from mcpgen.lint.codes import severity_of
from mcpgen.lint.elements import score_elements
from mcpgen.lint.model import Elements, Finding, Patch, Question, Subject
from mcpgen.lint.tokens import Counter, counter


@dataclass(frozen=True, slots=True)
class Context:
    """The subject with the elements and the token counts of its tools, by name."""

    subject: Subject
    elements: Mapping[str, Elements]
    tokens: Mapping[str, int]
    description_tokens: Mapping[str, int]
    counter: Counter


_LONGEST = 500
"""Characters of a message: names and values in it come from the document."""

Check: TypeAlias = Callable[[Context], Iterator[Finding]]


def context_of(subject: Subject) -> Context:
    """Works out what the checks and the scores need of every tool."""
    counting = counter()
    names = frozenset(tool.name for tool in subject.tools)
    return Context(
        subject,
        {tool.name: score_elements(tool.definition, names) for tool in subject.tools},
        {tool.name: counting.of(tool.seen) for tool in subject.tools},
        {tool.name: counting.count(tool.description) for tool in subject.tools},
        counting,
    )


def found(
    code: str,
    message: str,
    location: Location,
    *,
    tool: str | None = None,
    severity: Severity | None = None,
    repair: Patch | Question | None = None,
) -> Finding:
    """One finding, with the severity of its rule unless another one is given.

    Raises:
        KeyError: the code is in no table, which is a bug.
    """
    return Finding(code, severity or severity_of(code), message[:_LONGEST], location, tool, repair)


def listed(names: list[str], shown: int = 3) -> str:
    """The first names of a list, and how many more there are."""
    text = ", ".join(f"`{name[:80]}`" for name in names[:shown])
    return text if len(names) <= shown else f"{text} and {len(names) - shown} more"
