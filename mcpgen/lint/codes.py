"""The rules of `mcpgen lint`: what each finding means, what to do about it, and where the rule comes from.

Sources: TDQS (Tool Definition Quality Score, glama-ai), its dimensions and gates; "smells" (the six components of tool
descriptions in arXiv 2602.14878); JAIRF (Jentic API AI-Readiness Framework 0.2); Hermes (documentation and REST smells, arXiv
2605.14312); AutoMCP (what made generated calls fail, arXiv 2507.16044); tool-tax and LAP (token budgets); OWASP (MCP Top 10
2025, API Security Top 10 2023); the limits that hosts document; MCP and OpenAPI themselves.
"""

from __future__ import annotations

from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.codes import CODES
from mcpgen.lint.contract_rules import CONTRACT_RULES
from mcpgen.lint.model import Dimension as D
from mcpgen.lint.model import Rule
from mcpgen.lint.tool_rules import TOOL_RULES

RULES: dict[str, Rule] = {**TOOL_RULES, **CONTRACT_RULES}

READING = {
    "overlay-no-effect": D.VALIDITY,
    "overlay-extends": D.VALIDITY,
    "spec-invalid": D.VALIDITY,
    "spec-repaired": D.VALIDITY,
    "reference-refused": D.VALIDITY,
    "reference-broken": D.VALIDITY,
    "reference-cycle": D.VALIDITY,
    "operation-skipped": D.VALIDITY,
    "parameter-skipped": D.VALIDITY,
    "extension-invalid": D.VALIDITY,
    "security-unsupported": D.SECURITY,
    "server-missing": D.READINESS,
    "effect-lowered": D.BEHAVIOUR,
}
"""What reading and planning a spec say that is a finding too, with its dimension. The rest is about mcpgen, not the spec."""


def meaning_of(code: str) -> str:
    return RULES[code].meaning if code in RULES else CODES[code].meaning


def advice_of(code: str) -> str:
    return RULES[code].advice if code in RULES else ""


def source_of(code: str) -> str:
    return RULES[code].source if code in RULES else "OpenAPI"


def dimension_of(code: str) -> D:
    return RULES[code].dimension if code in RULES else READING[code]


def severity_of(code: str) -> Severity:
    return RULES[code].severity if code in RULES else CODES[code].severity
