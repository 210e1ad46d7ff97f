"""What tools cost: single ones, descriptions, the whole list, and groups that are too large to choose from."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.diagnostics import Severity
from mcpgen.lint.context import Context, found
from mcpgen.lint.grouping import suggested_groups
from mcpgen.lint.model import Finding, Tool
from mcpgen.lint.words import count_words

LARGE_TOOL = 750
HUGE_TOOL = 2_000
LONG_DESCRIPTION = 150
LONG_LIST = 10_000
MANY = 15
TOO_MANY = 30
_FEW_ELEMENTS = 2.0
_SHOWN = 6


def check_sizes(context: Context) -> Iterator[Finding]:
    for tool in context.subject.tools:
        yield from _tool(tool, context)
    total = sum(context.tokens.values())
    if total > LONG_LIST:
        message = f"{len(context.subject.tools)} tools cost {total:,} tokens in every conversation"
        yield found("list-oversized", message, context.subject.root)
    yield from _toolsets(context)


def _tool(tool: Tool, context: Context) -> Iterator[Finding]:
    cost, elements = context.tokens[tool.name], context.elements[tool.name]
    if cost > LARGE_TOOL and elements.total <= _FEW_ELEMENTS:
        message = f"`{tool.name}` costs {cost:,} tokens and tells {elements.total:g} of 5 elements"
        yield found("cost-without-worth", message, tool.location, tool=tool.name)
    elif cost > LARGE_TOOL:
        severity = Severity.WARNING if cost > HUGE_TOOL else None
        message = f"`{tool.name}` costs {cost:,} tokens"
        yield found("tool-oversized", message, tool.location, tool=tool.name, severity=severity)
    words = count_words(tool.description)
    if words > LONG_DESCRIPTION:
        message = f"the description of `{tool.name}` has {words} words, {context.description_tokens[tool.name]} tokens"
        yield found("description-long", message, tool.location, tool=tool.name)


def _toolsets(context: Context) -> Iterator[Finding]:
    sets: dict[str, list[Tool]] = {}
    for tool in context.subject.tools:
        sets.setdefault(tool.toolset, []).append(tool)
    for label, tools in sorted(sets.items()):
        if len(tools) <= MANY:
            continue
        groups = suggested_groups(tools)
        shown = ", ".join(f"{name} ({size})" for name, size in groups[:_SHOWN])
        more = f" and {len(groups) - _SHOWN} more" if len(groups) > _SHOWN else ""
        advice = f"; by their paths they fall into {shown}{more}" if len(groups) > 1 else ""
        message = f"the toolset `{label}` has {len(tools)} tools{advice}"
        severity = Severity.WARNING if len(tools) > TOO_MANY else Severity.INFO
        yield found("toolset-overloaded", message, tools[0].location, severity=severity)
