"""Linting: what makes a spec or a project a poor set of tools, how good it is, and how it could be repaired."""

from mcpgen.lint.engine import lint
from mcpgen.lint.model import Finding, Report, Score, Subject
from mcpgen.lint.prompt import Prompt
from mcpgen.lint.subject import of_project, of_spec

__all__ = ["Finding", "Prompt", "Report", "Score", "Subject", "lint", "of_project", "of_spec"]
