"""What is measured of a tool list, by one rule for whoever made it: the list as clients get it, and what a search finds.

Scores, likeness and tokens are those of `mcpgen lint`. Whatever a list does not say counts as the protocol says: without
annotations a tool may write, destroy, and is not idempotent (MCP, ToolAnnotations).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from mcpgen.lint.elements import explained, score_elements
from mcpgen.lint.similar import similar_pairs
from mcpgen.lint.subject import arguments_of
from mcpgen.lint.tokens import counter

ALIKE = 0.9
"""Jaccard index of character trigrams from which two descriptions are nearly the same."""
DEFAULTS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}
PLACES = (1, 5)
_SEEN = ("name", "description", "inputSchema")
"""What hosts hand to a model."""

Operation = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Listed:
    """A tool list.

    Attributes:
        tools: as `tools/list` gives them.
        operations: tool -> method and path.
        found: for each request the names of tools, best first.
    """

    tools: Sequence[Mapping[str, Any]]
    operations: Mapping[str, Operation]
    found: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of an operation: its effect by hand, and requests for which it is the right one."""

    operation: Operation
    effect: str
    additive: bool
    idempotent: bool
    queries: tuple[str, ...]

    @property
    def hints(self) -> dict[str, bool]:
        """The annotations that are right. Two of them mean something for tools that write only."""
        if self.effect == "read":
            return {"readOnlyHint": True}
        destroys = self.effect == "destructive" or not self.additive
        return {"readOnlyHint": False, "destructiveHint": destroys, "idempotentHint": self.idempotent}


@dataclass(frozen=True, slots=True)
class Measures:
    """The figures of one list. Shares are (how many, of how many)."""

    tools: int
    annotated: tuple[int, int]
    hints: tuple[int, int]
    unsafe: int
    elements: tuple[float, ...]
    parameters: tuple[int, int]
    alike: int
    tokens: int
    description_tokens: int
    hits: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The mean of the five elements' sum: 0 to 5."""
        return sum(self.elements)


def measure(listed: Listed, labels: Sequence[Label]) -> Measures:
    """Measures a list; what needs labels is (0, 0) without any."""
    names = {str(tool["name"]) for tool in listed.tools}
    scores = [astuple(score_elements(tool, names - {tool["name"]})) for tool in listed.tools]
    count = counter()
    texts = [" ".join(str(tool.get("description") or "").casefold().split()) for tool in listed.tools]
    pairs = similar_pairs(texts, ALIKE)
    explained_, parameters = _parameters(listed.tools)
    right, asked, unsafe = _hints(listed, labels)
    return Measures(
        tools=len(listed.tools),
        annotated=(sum("readOnlyHint" in _annotations(tool) for tool in listed.tools), len(listed.tools)),
        hints=(right, asked),
        unsafe=unsafe,
        elements=tuple(sum(column) / len(scores) for column in zip(*scores, strict=True)),
        parameters=(explained_, parameters),
        alike=len({place for pair in pairs for place in pair}),
        tokens=sum(count.of({key: tool[key] for key in _SEEN if key in tool}) for tool in listed.tools),
        description_tokens=sum(count.count(str(tool.get("description") or "")) for tool in listed.tools),
        hits={places: _hits(listed, labels, places) for places in PLACES},
    )


def _parameters(tools: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """How many arguments are described by more than their names, in their schema or in the description of the tool."""
    told = [
        explained(name, schema, str(tool.get("description") or ""))
        for tool in tools
        for name, schema, _ in arguments_of(tool)
    ]
    return sum(told), len(told)


def _annotations(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    found = tool.get("annotations")
    return found if isinstance(found, Mapping) else {}


def _hints(listed: Listed, labels: Sequence[Label]) -> tuple[int, int, int]:
    """Right hints, all hints, and unsafe ones: a write that is called a read, or a destructive call that is called harmless.

    An operation that was cut into several tools is as dangerous as the worst of them; one without a tool is all wrong.
    """
    right = asked = unsafe = 0
    for label in labels:
        tools = [tool for tool in listed.tools if listed.operations.get(tool["name"]) == label.operation]
        said = [DEFAULTS | dict(_annotations(tool)) for tool in tools]
        wanted = label.hints
        asked += len(wanted)
        if not said:
            continue
        together = {
            "readOnlyHint": all(one["readOnlyHint"] for one in said),
            "destructiveHint": any(one["destructiveHint"] for one in said),
            "idempotentHint": all(one["idempotentHint"] for one in said),
        }
        right += sum(together[name] == value for name, value in wanted.items())
        writes = label.effect != "read"
        harmless = label.effect == "destructive" and not together["destructiveHint"]
        unsafe += (writes and together["readOnlyHint"]) or harmless
    return right, asked, unsafe


def _hits(listed: Listed, labels: Sequence[Label], places: int) -> tuple[int, int]:
    """Requests whose operation has a tool among the first ones that a search finds."""
    wanted = [label.operation for label in labels for _ in label.queries]
    hit = [
        right in {listed.operations.get(name) for name in names[:places]}
        for right, names in zip(wanted, listed.found, strict=True)
    ]
    return sum(hit), len(hit)


def share(part: tuple[int, int]) -> float | None:
    """A share in percent; None of nothing."""
    return 100 * part[0] / part[1] if part[1] else None


def together(measures: Sequence[Measures]) -> Measures:
    """All lists as one: counts are added up; the elements are the mean over all tools."""
    tools = sum(one.tools for one in measures)

    def added(parts: Iterator[tuple[int, int]]) -> tuple[int, int]:
        columns = list(zip(*parts, strict=True))
        return sum(columns[0]), sum(columns[1])

    return Measures(
        tools=tools,
        annotated=added(one.annotated for one in measures),
        hints=added(one.hints for one in measures),
        unsafe=sum(one.unsafe for one in measures),
        elements=tuple(
            sum(one.elements[place] * one.tools for one in measures) / tools
            for place in range(len(measures[0].elements))
        ),
        parameters=added(one.parameters for one in measures),
        alike=sum(one.alike for one in measures),
        tokens=sum(one.tokens for one in measures),
        description_tokens=sum(one.description_tokens for one in measures),
        hits={places: added(one.hits[places] for one in measures) for places in PLACES},
    )
