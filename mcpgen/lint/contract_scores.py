"""How ready the contract behind the tools is, in the dimensions of the Jentic API AI-Readiness Framework (JAIRF 0.2).

Names, weights, the weighted harmonic mean and the levels are JAIRF's. Its signals come from node tools and a model; here each
signal is the share of operations, parameters or responses that no finding of the named kinds concerns, so that a signal rises when
its findings go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from mcpgen.diagnostics import Severity
from mcpgen.ir.api import Api
from mcpgen.lint.codes import dimension_of
from mcpgen.lint.context import Context
from mcpgen.lint.model import Dimension as D
from mcpgen.lint.model import Finding

WEIGHTS: Mapping[D, float] = {
    D.VALIDITY: 0.16,
    D.READINESS: 0.18,
    D.UNDERSTANDING: 0.24,
    D.USABILITY: 0.20,
    D.SECURITY: 0.12,
    D.DISCOVERY: 0.10,
}
"""JAIRF's foundational compliance, developer experience, AI-readiness and agent experience, agent usability, security, discoverability."""
LEVELS = (40.0, 60.0, 75.0, 90.0)
_LEAST = 1.0
"""A dimension at zero would make the harmonic mean zero, whatever the others are."""
_COMFORTABLE_TOKENS = 750
_PENALTY = {Severity.ERROR: 0.4, Severity.WARNING: 0.2, Severity.INFO: 0.05}


@dataclass(frozen=True, slots=True)
class ContractScore:
    """0 to 100, overall and in each dimension, and the level 0 to 4."""

    overall: float
    level: int
    dimensions: Mapping[D, float]


def contract_scores(context: Context, findings: Sequence[Finding]) -> ContractScore:
    api = context.subject.api
    if api is None:
        raise ValueError("only a spec has a contract")
    counted = _Counted(findings, max(1, len(api.operations)))
    signals = {
        D.VALIDITY: _validity(counted, api),
        D.READINESS: _readiness(counted, context, api),
        D.UNDERSTANDING: _understanding(counted, context, api),
        D.USABILITY: _usability(counted, context),
        D.SECURITY: (_security(findings), counted.free("security-none-on-write")),
        D.DISCOVERY: _discovery(context, api),
    }
    dimensions = {dimension: round(100 * fmean(values), 1) for dimension, values in signals.items()}
    total = sum(WEIGHTS.values())
    overall = total / sum(
        weight / max(_LEAST, dimensions[dimension]) for dimension, weight in WEIGHTS.items()
    )
    level = sum(overall >= least for least in LEVELS) if dimensions[D.VALIDITY] >= LEVELS[0] else 0
    return ContractScore(round(overall, 1), level, dimensions)


class _Counted:
    """How many places each code has, against the number of operations."""

    def __init__(self, findings: Sequence[Finding], operations: int) -> None:
        self._places: dict[str, int] = {}
        for finding in findings:
            self._places[finding.code] = self._places.get(finding.code, 0) + 1
        self._operations = operations

    def free(self, *codes: str, of: int | None = None) -> float:
        """The share without any of the codes; `of` is what it is a share of, else the operations."""
        number = sum(self._places.get(code, 0) for code in codes)
        return 1.0 - min(1.0, number / max(1, of if of is not None else self._operations))

    def none(self, *codes: str) -> float:
        """1 without any of the codes; one half with one or more."""
        return 0.5 if any(code in self._places for code in codes) else 1.0


def _validity(counted: _Counted, api: Api) -> tuple[float, ...]:
    return (
        counted.free("spec-invalid"),
        counted.free("reference-broken", "reference-refused", "reference-cycle"),
        counted.free("operation-skipped", "parameter-skipped", of=len(api.operations) + len(api.skipped)),
        counted.free("spec-repaired", "path-parameter-undeclared", "path-parameter-optional"),
    )


def _readiness(counted: _Counted, context: Context, api: Api) -> tuple[float, ...]:
    shown = [elements.example > 0 for elements in context.elements.values()] or [False]
    failing = [any(item.status[:1] in "45" for item in operation.responses) for operation in api.operations]
    address = ("server-missing", "server-relative", "server-malformed", "server-placeholder")
    return (
        counted.free("operation-id-missing", "operation-id-duplicate"),
        counted.none(*address),
        counted.none("header-undeclared"),
        fmean(failing or [False]),
        fmean(shown),
        counted.free("example-invalid"),
    )


def _understanding(counted: _Counted, context: Context, api: Api) -> tuple[float, ...]:
    arguments = [argument for tool in context.subject.tools for argument in tool.arguments]
    described = [bool(argument.schema.get("description")) for argument in arguments] or [True]
    errors = [bool(r.media) for op in api.operations for r in op.responses if r.status[:1] in "45"] or [False]
    return (
        counted.free("purpose-missing", "purpose-repeats-name", "purpose-boilerplate"),
        fmean(described),
        counted.free("type-missing", "items-missing", "body-opaque", "enum-unexplained"),
        counted.free("response-schema-missing"),
        fmean(errors),
    )


def _usability(counted: _Counted, context: Context) -> tuple[float, ...]:
    light = [tokens <= _COMFORTABLE_TOKENS for tokens in context.tokens.values()] or [True]
    return (
        fmean(light),
        counted.free("list-unbounded", "limit-missing"),
        counted.free("effect-method-mismatch", "method-body", "effect-contradiction"),
        counted.free("media-not-json"),
        counted.free("boundary-missing", "description-duplicate", "description-near-duplicate"),
    )


def _security(findings: Sequence[Finding]) -> float:
    """Each kind of defect counts once, by how bad it is; hidden text is here too."""
    worst: dict[str, float] = {}
    for finding in findings:
        if finding.code != "security-none-on-write" and dimension_of(finding.code) is D.SECURITY:
            worst[finding.code] = max(worst.get(finding.code, 0.0), _PENALTY[finding.severity])
    return max(0.0, 1.0 - sum(worst.values()))


def _discovery(context: Context, api: Api) -> tuple[float, ...]:
    used = dict.fromkeys(tag for operation in api.operations for tag in operation.tags[:1])
    described = {tag.name for tag in api.tags if tag.description or tag.summary}
    tagged = [bool(operation.tags) for operation in api.operations] or [False]
    richness = [elements.total / 5 for elements in context.elements.values()] or [0.0]
    return (
        min(1.0, len(api.description) / 100),
        fmean(tagged),
        fmean([tag in described for tag in used] or [False]),
        fmean(richness),
    )
