"""Diagnostics: what mcpgen has to say about the user's input, as data."""

from mcpgen.diagnostics.collector import Collector
from mcpgen.diagnostics.model import Diagnostic, Location, Refused, Severity, Unsupported

__all__ = ["Collector", "Diagnostic", "Location", "Refused", "Severity", "Unsupported"]
