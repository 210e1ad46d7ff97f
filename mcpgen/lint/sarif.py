"""A report as SARIF 2.1.0 (OASIS), which code hosts show beside the lines."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

from mcpgen.diagnostics import Severity
from mcpgen.lint.codes import advice_of, dimension_of, meaning_of, severity_of, source_of
from mcpgen.lint.model import Finding, Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def sarif_object(report: Report, version: str) -> dict[str, Any]:
    """One run of the tool `mcpgen` of the given version."""
    codes = sorted({finding.code for finding in report.findings})
    index = {code: number for number, code in enumerate(codes)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "mcpgen",
                        "version": version,
                        "semanticVersion": version,
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "properties": {"score": report.score.overall, "tdqs": report.score.tdqs},
                "results": [_result(finding, index[finding.code]) for finding in report.findings],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    advice = advice_of(code)
    return {
        "id": code,
        "shortDescription": {"text": meaning_of(code)},
        "fullDescription": {"text": f"{meaning_of(code)} {advice}".strip()},
        "help": {"text": f"{advice} (Rule from: {source_of(code)}.)".strip()},
        "defaultConfiguration": {"level": _LEVELS[severity_of(code)]},
        "properties": {"tags": [str(dimension_of(code))]},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    place = finding.location
    region = {"region": {"startLine": place.line, "startColumn": place.column or 1}} if place.line else {}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": _uri(place.file)}, **region},
    }
    if finding.tool is not None:
        location["logicalLocations"] = [{"name": finding.tool, "kind": "function"}]
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {"place/v1": _fingerprint(finding)},
    }


def _uri(file: str) -> str:
    """A file's name as a URI reference; one that is a URL stays what it is."""
    if file.startswith(("http://", "https://")):
        return file
    return "stdin" if file == "-" else quote(file.replace("\\", "/"))


def _fingerprint(finding: Finding) -> str:
    """The same as long as the finding is about the same thing, wherever it moves in the file."""
    text = "\0".join((finding.code, finding.tool or "", finding.location.pointer, finding.message))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
