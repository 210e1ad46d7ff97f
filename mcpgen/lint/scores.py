"""How good the tools are, by the Tool Definition Quality Score (TDQS, glama-ai): its dimensions, weights, gates and sums.

TDQS lets a model judge the six dimensions of a tool from 1 to 5; here rules stand for the model: the five elements, what the
schema covers, and the findings. The gates (no description, the name again, a contradiction), the weights, "0.6 mean + 0.4
minimum" and "0.7 definitions + 0.3 coherence" are those of the published specification. 1 to 5 is shown as 0 to 100.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from mcpgen.lint.context import Context
from mcpgen.lint.contract_scores import ContractScore
from mcpgen.lint.model import Dimension as D
from mcpgen.lint.model import Finding, Score, Tool, ToolScore
from mcpgen.lint.words import count_words
from mcpgen.plan.effects.verbs import name_verbs
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.places import nouns_of, place_of

WEIGHTS: Mapping[D, float] = {
    D.PURPOSE: 0.25,
    D.USAGE: 0.20,
    D.BEHAVIOUR: 0.20,
    D.PARAMETERS: 0.15,
    D.CONCISENESS: 0.10,
    D.COMPLETENESS: 0.10,
}
TIERS = (("A", 3.5), ("B", 3.0), ("C", 2.0))
_LARGE, _HUGE = 750, 2_000


def tool_scores(context: Context, findings: Iterable[Finding]) -> tuple[ToolScore, ...]:
    """The score of each tool, in the order of the list."""
    codes: dict[str, set[str]] = {}
    places: dict[object, set[str]] = {}
    for finding in findings:
        if finding.tool is not None:
            codes.setdefault(finding.tool, set()).add(finding.code)
            places.setdefault(finding.location, set()).add(finding.code)
    return tuple(
        _tool_score(tool, context, codes.get(tool.name, set()) | places.get(tool.location, set()))
        for tool in context.subject.tools
    )


def _tool_score(tool: Tool, context: Context, codes: set[str]) -> ToolScore:
    dimensions = {
        D.PURPOSE: _purpose(tool, context, codes),
        D.USAGE: _usage(tool, context, codes),
        D.BEHAVIOUR: _behaviour(tool, context, codes),
        D.PARAMETERS: _parameters(tool, context),
        D.CONCISENESS: _conciseness(tool, context, codes),
        D.COMPLETENESS: _completeness(tool, context),
    }
    if not tool.description.strip():
        dimensions = dict.fromkeys(dimensions, 1.0)
    overall = sum(WEIGHTS[dimension] * value for dimension, value in dimensions.items())
    elements = context.elements[tool.name]
    return ToolScore(
        tool.name,
        dimensions,
        overall,
        elements,
        context.tokens[tool.name],
        context.description_tokens[tool.name],
    )


def _purpose(tool: Tool, context: Context, codes: set[str]) -> float:
    if "purpose-missing" in codes:
        return 1.0
    if codes & {"purpose-repeats-name", "purpose-boilerplate"}:
        return 2.0
    value = 3.0 + 2.0 * context.elements[tool.name].does
    return min(value, 3.5) if "purpose-no-verb" in codes else value


def _usage(tool: Tool, context: Context, codes: set[str]) -> float:
    boundary = context.elements[tool.name].boundary
    return 1.0 if boundary == 0 and "boundary-missing" in codes else 2.0 + 3.0 * boundary


def _behaviour(tool: Tool, context: Context, codes: set[str]) -> float:
    """Judged relative to the annotations: with all four hints, a text has less to say."""
    if "effect-contradiction" in codes:
        return 1.0
    hints = tool.definition.get("annotations") or {}
    known = len({"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} & hints.keys())
    value = 1.5 + known / 4 + 2.5 * context.elements[tool.name].limits
    return max(1.0, value - ("effect-method-mismatch" in codes))


def _parameters(tool: Tool, context: Context) -> float:
    """No parameters: 4. Over 80 % described: 3, and more for what the descriptions say and for examples."""
    if not tool.arguments:
        return 4.0
    described = sum(bool(argument.schema.get("description")) for argument in tool.arguments)
    share = described / len(tool.arguments)
    base = 3.0 if share > 0.8 else 2.0 if share >= 0.5 else 1.0
    elements = context.elements[tool.name]
    return min(5.0, base + elements.inputs + elements.example)


def _conciseness(tool: Tool, context: Context, codes: set[str]) -> float:
    words, cost = count_words(tool.description), context.tokens[tool.name]
    value = 5.0 if 4 <= words <= 150 else 3.0 if words <= 300 else 2.0
    value -= 1.5 if cost > _HUGE else 0.5 if cost > _LARGE else 0.0
    return min(value, 2.0) if "cost-without-worth" in codes else value


def _completeness(tool: Tool, context: Context) -> float:
    elements = context.elements[tool.name]
    output = tool.definition.get("outputSchema") or {}
    data = (output.get("properties") or {}).get("data", output)
    telling = {"type", "$ref", "anyOf", "oneOf", "allOf", "properties", "enum", "const"}
    nothing = tool.effect == "read" and data.get("type") == "null"
    specific = bool(telling & data.keys()) and not nothing
    return 2.0 + specific + elements.inputs + elements.limits


def overall_score(
    context: Context, findings: Sequence[Finding], tools: Sequence[ToolScore], contract: ContractScore | None
) -> Score:
    """Everything together. A spec's score is the mean of its tools and its contract; a project has tools only."""
    coherence = _coherence(context, findings)
    values = [tool.overall for tool in tools] or [1.0]
    tdqs = 0.7 * (0.6 * fmean(values) + 0.4 * min(values)) + 0.3 * coherence
    dimensions: dict[D, float] = {
        dimension: _percent(fmean(tool.dimensions[dimension] for tool in tools) if tools else 1.0)
        for dimension in WEIGHTS
    }
    dimensions[D.COHERENCE] = _percent(coherence)
    tier = next((name for name, least in TIERS if tdqs >= least), "D")
    if contract is None:
        return Score(_percent(tdqs), _percent(tdqs), round(tdqs, 2), tier, dimensions)
    dimensions |= contract.dimensions
    overall = round((_percent(tdqs) + contract.overall) / 2, 1)
    return Score(overall, _percent(tdqs), round(tdqs, 2), tier, dimensions, contract.overall, contract.level)


def _percent(value: float) -> float:
    return round((value - 1) / 4 * 100, 1)


def _coherence(context: Context, findings: Sequence[Finding]) -> float:
    """Of the list as a whole: can tools be told apart, are names made alike, are there too many, is anything missing."""
    tools = context.subject.tools
    if not tools:
        return 1.0
    confusing = {
        "boundary-missing",
        "description-duplicate",
        "description-near-duplicate",
        "name-look-alike",
        "name-clash",
    }
    mixed = sum(finding.code in confusing for finding in findings)
    apart = 5.0 - 4.0 * min(1.0, mixed / len(tools))
    verbs = sum(bool(name_verbs(tool.name)) and _begins_with_verb(tool.name) for tool in tools)
    alike = 1.0 + 4.0 * verbs / len(tools)
    return fmean((apart, alike, _count(len(tools)), _coverage(tools)))


def _begins_with_verb(name: str) -> bool:
    verbs = name_verbs(name)
    return bool(verbs) and split_words(name)[:1] == (verbs[0].word,)


def _count(number: int) -> float:
    """3 to 15 tools are ideal, 50 and more are worst."""
    if number < 3:
        return 4.0
    return 5.0 if number <= 15 else max(1.0, 5.0 - (number - 15) / 35 * 4)


def _coverage(tools: Sequence[Tool]) -> float:
    """Whether what can be changed can be looked at too."""
    kinds: dict[str, set[bool]] = {}
    for tool in tools:
        kinds.setdefault(" ".join(nouns_of(place_of(tool.path))), set()).add(tool.effect == "read")
    changed = [reads for reads in kinds.values() if False in reads]
    return 1.0 + 4.0 * sum(True in reads for reads in changed) / len(changed) if changed else 5.0
