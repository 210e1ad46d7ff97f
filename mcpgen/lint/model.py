"""What the stages of linting hand to each other: what is looked at, what is found, and how good it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from mcpgen.diagnostics import Location, Severity, Unsupported
from mcpgen.ir.api import Api, Operation
from mcpgen.source.model import SourceTree


class Dimension(StrEnum):
    """What a rule is about. The first six judge tools, the seventh their list, the others the contract behind them."""

    PURPOSE = "purpose"
    USAGE = "usage"
    BEHAVIOUR = "behaviour"
    PARAMETERS = "parameters"
    CONCISENESS = "conciseness"
    COMPLETENESS = "completeness"
    COHERENCE = "coherence"
    VALIDITY = "validity"
    READINESS = "readiness"
    UNDERSTANDING = "understanding"
    USABILITY = "usability"
    SECURITY = "security"
    DISCOVERY = "discovery"


class Rule(NamedTuple):
    """What a code means, what to do about it (an imperative), and who says that it matters."""

    severity: Severity
    dimension: Dimension
    meaning: str
    advice: str
    source: str


@dataclass(frozen=True, slots=True)
class Patch:
    """A repair that needs no decision: `update` is merged into the object, or appended to the list, at `target`."""

    target: Location
    update: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What a person has to decide before it can be repaired: the key that is missing at `target`, and why."""

    target: Location
    key: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect. `code` is a key of `mcpgen.lint.codes.RULES` or of `mcpgen.diagnostics.codes.CODES`.

    `tool` is the tool that it is about; a finding about several tools or about the document has none.
    """

    code: str
    severity: Severity
    message: str
    location: Location
    tool: str | None = None
    repair: Patch | Question | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as clients see it, its reference followed, and where it is written."""

    name: str
    schema: Mapping[str, Any]
    required: bool
    location: Location
    where: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its definition in `tools/list`, and what the catalogue knows of the operation behind it.

    `operation` is None where a generated project is looked at: it holds no spec.
    """

    definition: Mapping[str, Any]
    entry: Mapping[str, Any]
    location: Location
    arguments: tuple[Argument, ...] = ()
    operation: Operation | None = None

    @property
    def name(self) -> str:
        return str(self.definition["name"])

    @property
    def description(self) -> str:
        return str(self.definition.get("description") or "")

    @property
    def effect(self) -> str:
        return str(self.entry.get("effect", "write"))

    @property
    def method(self) -> str:
        return str(self.entry.get("method", "")).upper()

    @property
    def path(self) -> str:
        return str(self.entry.get("path", ""))

    @property
    def toolset(self) -> str:
        return str(self.entry.get("toolset", ""))

    @property
    def seen(self) -> dict[str, Any]:
        """What hosts hand to the model: name, description and the schema of the arguments."""
        return {
            key: self.definition[key]
            for key in ("name", "description", "inputSchema")
            if key in self.definition
        }


@dataclass(frozen=True, slots=True)
class Text:
    """A text with the place where it is written, for the rules that read every text."""

    value: str
    location: Location


@dataclass(frozen=True, slots=True)
class Subject:
    """All that is looked at. `api` and `tree` are None for a generated project; `root` is the document or catalogue."""

    target: str
    tools: tuple[Tool, ...]
    root: Location
    documents: tuple[tuple[str, Any], ...]
    api: Api | None = None
    tree: SourceTree | None = None

    def written(self, place: Location) -> Any:
        """The value at a place of the spec as it is written there; None where there is none."""
        if self.tree is None:
            return None
        try:
            return self.tree.at(place.file, place.pointer).value
        except (KeyError, Unsupported):
            return None

    @property
    def first_of_each_operation(self) -> tuple[Tool, ...]:
        """One tool for each operation: what is wrong with an operation is said once, into however many tools it is cut."""
        return tuple({tool.location: tool for tool in reversed(self.tools)}.values())[::-1]


@dataclass(frozen=True, slots=True)
class Elements:
    """How much of each of the five elements a tool's definition says: 0, 0.5 or 1."""

    does: float
    inputs: float
    example: float
    limits: float
    boundary: float

    @property
    def total(self) -> float:
        return self.does + self.inputs + self.example + self.limits + self.boundary


@dataclass(frozen=True, slots=True)
class ToolScore:
    """One tool: 1 to 5 in the dimensions of TDQS, its elements, and its tokens."""

    name: str
    dimensions: Mapping[Dimension, float]
    overall: float
    elements: Elements
    tokens: int
    description_tokens: int


@dataclass(frozen=True, slots=True)
class Score:
    """0 to 100, overall and in each dimension. `tdqs` is the tools' score on the scale 1 to 5 that TDQS has, with its tier.

    `contract` and `level` (JAIRF) are None for a generated project.
    """

    overall: float
    tools: float
    tdqs: float
    tier: str
    dimensions: Mapping[Dimension, float]
    contract: float | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What linting says about a spec or a project, the findings in the order of their places."""

    target: str
    findings: tuple[Finding, ...]
    score: Score
    tools: tuple[ToolScore, ...]
    counted_by: str
