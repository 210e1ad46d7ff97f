"""The sections of `mcpgen.toml`, each with what finds its faults.

A fault is where (section, key, …) and what is wrong. What `[server]` and `[tools.NAME]` can hold is said by the
run-time library (`runtime.variables`, `runtime.policy`), which reads the same sections from a policy file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from mcpgen.config.keys import KEYS, problem_with, suggestion
from mcpgen.runtime.policy import PolicyError, ToolPolicies, server_texts

Fault: TypeAlias = tuple[tuple[str, ...], str]


def faults(document: Mapping[str, Any]) -> Iterator[Fault]:
    """All faults of a configuration file."""
    for section, content in document.items():
        if section not in SECTIONS:
            yield (section,), f"Unknown section [{section}].{suggestion(section, SECTIONS)}"
        elif not isinstance(content, dict):
            yield (section,), f"{section} must be a section: [{section}]."
        else:
            yield from SECTIONS[section](content)


def tool_sections(sections: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """The sections `[tools.NAME]`, and out of them how tools page, which only the generator reads."""
    policies = {
        name: {k: v for k, v in section.items() if k != "paging"} for name, section in sections.items()
    }
    paging = {name: section["paging"] for name, section in sections.items() if "paging" in section}
    return {name: section for name, section in policies.items() if section}, paging


def _section_faults(section: str, content: Mapping[str, Any]) -> Iterator[Fault]:
    for key, value in content.items():
        if key not in KEYS[section]:
            yield (section, key), f"Unknown key {key} in [{section}].{suggestion(key, KEYS[section])}"
        elif (problem := problem_with(section, key, value)) is not None:
            yield (section, key), f"{key} {problem}."


def _server_faults(content: Mapping[str, Any]) -> Iterator[Fault]:
    for key, value in content.items():
        try:
            server_texts({key: value})
        except PolicyError as error:
            for problem in error.problems:
                yield ("server", key), f"{problem}."


def _tools_faults(content: Mapping[str, Any]) -> Iterator[Fault]:
    for name, section in content.items():
        if not isinstance(section, dict):
            yield ("tools", name), f"[tools] holds sections: [tools.{name}]."
            return
        if not isinstance(section.get("paging", False), dict) and section.get("paging", False) is not False:
            yield ("tools", name, "paging"), "paging must be false or a table."
    for place, problem in ToolPolicies(tool_sections(content)[0]).problems():
        yield ("tools", *place), f"{'.'.join(place[1:])}: {problem}."


SECTIONS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[Fault]]] = {
    **{section: partial(_section_faults, section) for section in KEYS},
    "server": _server_faults,
    "tools": _tools_faults,
}
