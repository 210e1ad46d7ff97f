"""Merging: the last pristine text, the team's and the new one become one text, and nothing is lost without a word."""

from mcpgen.emit.merging.files import merge_file, merge_known_lines
from mcpgen.emit.merging.lines import has_markers, marked_line
from mcpgen.emit.merging.model import Choice, Conflict, Merged

__all__ = ["Choice", "Conflict", "Merged", "has_markers", "marked_line", "merge_file", "merge_known_lines"]
