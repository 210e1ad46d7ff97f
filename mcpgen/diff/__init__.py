"""What changed for callers between two catalogues, at the level of tools.

How to use it::

    report = compare(old_catalogue, new_catalogue)   # the dictionaries of two `catalog.json`
    report.level                                     # Level.MAJOR, MINOR, PATCH or NONE
    report.bump("1.4.2")                             # "2.0.0", by semantic versioning
    changelog_entry(report)                          # Markdown lines without a heading or a date; "" for no changes

`successors(old_catalogue, new_catalogue)` gives the old name of each tool that is still there, and its new name: also of
operations that moved to another path or method. Nothing here reads or writes files; `mcpgen.comparison` does.
"""

from mcpgen.diff.changelog import UNRELEASED, changelog_entry, with_entry
from mcpgen.diff.compare import compare
from mcpgen.diff.matching import successors
from mcpgen.diff.model import Change, Level, Report, Severity

__all__ = [
    "UNRELEASED",
    "Change",
    "Level",
    "Report",
    "Severity",
    "changelog_entry",
    "compare",
    "successors",
    "with_entry",
]
