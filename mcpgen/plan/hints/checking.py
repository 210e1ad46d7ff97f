"""Which tool shows the state of what another one changes: after a conflict, and when nobody knows if a call took effect."""

from __future__ import annotations

from mcpgen.plan.following import HintPlan
from mcpgen.plan.hints.tools import HintTool, HintTools
from mcpgen.plan.places import FINDERS, Place

_ONE = ("info", "get", "retrieve", "show", "read")


def checking_hint(tool: HintTool, tools: HintTools) -> HintPlan | None:
    """The tool that reads what this one writes, with the same path arguments; None for tools that read."""
    if tool.reads:
        return None
    found = _reader(tool, tools)
    return (
        None
        if found is None
        else HintPlan(found.name, same={name: name for name in sorted(tools.needs(found))})
    )


def _reader(tool: HintTool, tools: HintTools) -> HintTool | None:
    """The item itself; the item that an action is done to; else the list that it is in."""
    place = tool.place
    while place:
        if place[-1] == "{}":
            found = _at(place, tool, tools)
            if found is not None:
                return found
        elif place == tool.place or place[-1] not in FINDERS:
            found = _at(place, tool, tools) or _finder_at(place, tool, tools)
            if found is not None:
                return found
        place = place[:-1]
        if place.count("{}") < tool.place.count("{}") - 1:
            break  # a list of what the whole belongs to shows nothing of it
    return None


def _at(place: Place, tool: HintTool, tools: HintTools) -> HintTool | None:
    return next(
        (
            one
            for one in tools.at(place, tool)
            if one.reads and one.operation.method == "GET" and tools.serves(one, tool)
        ),
        None,
    )


def _finder_at(place: Place, tool: HintTool, tools: HintTools) -> HintTool | None:
    """A tool below a place that reads one thing of it, else one that lists it: `users.info`, `users.list`, `orders/search`."""
    for words in (_ONE, sorted(FINDERS)):
        for word in words:
            for one in tools.at((*place, word), tool):
                if one.reads and tools.serves(one, tool) and (words is not _ONE or tools.needs(one)):
                    return one
    return None
