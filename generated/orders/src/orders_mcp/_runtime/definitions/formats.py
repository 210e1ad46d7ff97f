"""The formats, and how a list of tools becomes one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from . import anthropic, gemini, openai
from .model import Definition, Finding, Kind

FORMATS: Final = ("openai", "openai-strict", "anthropic", "gemini")
APIS: Final = ("chat", "responses")
"""OpenAI's two; the other formats have one each."""
MOST_TOOLS: Final[Mapping[str, int]] = {"openai": 128, "openai-strict": 128, "gemini": 512}
"""Tools in one request, where the provider says a number."""

_MAKERS: Mapping[str, Callable[[Mapping[str, Any], str], Definition]] = {
    "openai": openai.plain,
    "openai-strict": openai.strict,
    "anthropic": lambda tool, _: anthropic.tool(tool),
    "gemini": lambda tool, _: gemini.declaration(tool),
}


def define(tools: Iterable[Mapping[str, Any]], format_: str, api: str = "chat") -> list[Definition]:
    """The definition of every tool, in the order given.

    Args:
        tools: wire dicts of `tools/list`.
        format_: one of `FORMATS`.
        api: one of `APIS`.

    Raises:
        ValueError: there is no such format or API.
    """
    if format_ not in FORMATS:
        raise ValueError(f"{format_!r} is not one of {', '.join(FORMATS)}")
    if api not in APIS:
        raise ValueError(f"{api!r} is not one of {', '.join(APIS)}")
    make = _MAKERS[format_]
    return [make(tool, api) for tool in tools]


def request_tools(definitions: Iterable[Definition], format_: str) -> list[dict[str, Any]]:
    """What goes into a request as `tools`."""
    values = [one.value for one in definitions]
    return [{"functionDeclarations": values}] if format_ == "gemini" else values


def too_many(count: int, format_: str) -> Finding | None:
    """A finding when the provider does not take so many tools."""
    most = MOST_TOOLS.get(format_, count)
    if count <= most:
        return None
    return Finding(Kind.REFUSED, "", "", f"the provider takes {most} tools in one request; these are {count}")
