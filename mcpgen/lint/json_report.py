"""A report as JSON: a stable form for programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mcpgen.diagnostics import Severity
from mcpgen.lint.codes import advice_of, dimension_of, meaning_of, source_of
from mcpgen.lint.model import Finding, Report, ToolScore

SCHEMA_VERSION = 1


def report_object(report: Report) -> dict[str, Any]:
    """The whole report. `rules` explains the codes that occur; tokens say how they were counted."""
    severities = Counter(finding.severity for finding in report.findings)
    codes = Counter(finding.code for finding in report.findings)
    score = report.score
    return {
        "schema_version": SCHEMA_VERSION,
        "target": report.target,
        "score": {
            "overall": score.overall,
            "tools": score.tools,
            "tdqs": score.tdqs,
            "tier": score.tier,
            "contract": score.contract,
            "level": score.level,
            "dimensions": {str(dimension): value for dimension, value in score.dimensions.items()},
        },
        "counts": {
            "severities": {str(severity): severities[severity] for severity in Severity},
            "codes": dict(sorted(codes.items())),
        },
        "tokens": {
            "counted_by": report.counted_by,
            "total": sum(tool.tokens for tool in report.tools),
        },
        "findings": [finding_object(finding) for finding in report.findings],
        "tools": [_tool(tool) for tool in report.tools],
        "rules": {
            code: {
                "dimension": str(dimension_of(code)),
                "meaning": meaning_of(code),
                "advice": advice_of(code),
                "source": source_of(code),
            }
            for code in sorted(codes)
        },
    }


def finding_object(finding: Finding) -> dict[str, Any]:
    place = finding.location
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "pointer": place.pointer,
        "severity": str(finding.severity),
        "code": finding.code,
        "message": finding.message,
        "tool": finding.tool,
    }


def _tool(tool: ToolScore) -> dict[str, Any]:
    elements = tool.elements
    return {
        "name": tool.name,
        "tdqs": round(tool.overall, 2),
        "dimensions": {str(dimension): round(value, 2) for dimension, value in tool.dimensions.items()},
        "elements": {
            "does": elements.does,
            "inputs": elements.inputs,
            "example": elements.example,
            "limits": elements.limits,
            "boundary": elements.boundary,
            "total": elements.total,
        },
        "tokens": tool.tokens,
        "description_tokens": tool.description_tokens,
        "elements_per_100_tokens": round(100 * elements.total / tool.tokens, 2) if tool.tokens else 0.0,
    }
