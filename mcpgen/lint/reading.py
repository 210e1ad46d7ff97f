"""What reading and planning a spec had to say, as findings among the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcpgen.diagnostics import Diagnostic, Location
from mcpgen.lint.checks.servers import ADDRESS
from mcpgen.lint.codes import READING
from mcpgen.lint.model import Finding, Question

_SAID_BETTER = frozenset(
    {
        "path-parameter-undeclared",
        "path-parameter-optional",
        "operation-id-duplicate",
        "type-missing",
        "items-missing",
    }
)
"""Findings that a diagnostic at the same place only repeats in other words."""


def findings_of(
    diagnostics: Iterable[Diagnostic], found: Iterable[Finding], root: Location
) -> Iterator[Finding]:
    """The diagnostics that concern the spec, without those that a finding says better, with the place and a repair."""
    known = list(found)
    better = {finding.location for finding in known if finding.code in _SAID_BETTER}
    codes = {finding.code for finding in known}
    repeated = {"server-missing"} if any(code.startswith("server-") for code in codes) else set()
    repeated |= {"security-unsupported"} if "security-undefined" in codes else set()
    for item in diagnostics:
        if item.code not in READING or item.code in repeated:
            continue
        if item.location in better and item.code in ("spec-repaired", "spec-invalid"):
            continue
        hint = f". {item.hint[:1].upper()}{item.hint[1:]}" if item.hint else ""
        repair = Question(root, "servers", ADDRESS) if item.code == "server-missing" else None
        text = f"{item.message.rstrip('.')}{hint}"
        yield Finding(item.code, item.severity, text, item.location or root, repair=repair)
