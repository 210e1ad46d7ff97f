"""Working with layers of templates: what comes from where, copies to change, and whether all of it works."""

from mcpgen.templating.checking import Verdict, check_layers
from mcpgen.templating.comparing import Comparison, compare
from mcpgen.templating.ejecting import EjectError, eject
from mcpgen.templating.listing import Entry, UnknownTemplate, entries, find_template, stack_of, text_of
from mcpgen.templating.reference import reference

__all__ = [
    "Comparison",
    "EjectError",
    "Entry",
    "UnknownTemplate",
    "Verdict",
    "check_layers",
    "compare",
    "eject",
    "entries",
    "find_template",
    "reference",
    "stack_of",
    "text_of",
]
