"""The sections of `mcpgen.toml`, each with what finds its faults.

A fault is where (section, key, …) and what is wrong. What `[server]` and `[tools.NAME]` can hold is said by the
run-time library (`runtime.setup.variables`, `runtime.setup.policy`), which reads the same sections from a policy file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, TypeAlias

from mcpgen.config.keys import KEYS, problem_with, suggestion
from mcpgen.config.places import PROJECTS, WORKSPACE
from mcpgen.runtime.setup.parsing import close_to
from mcpgen.runtime.setup.policy import PolicyError, ToolPolicies, server_texts

Fault: TypeAlias = tuple[tuple[str, ...], str]


def faults(document: Mapping[str, Any]) -> Iterator[Fault]:
    """All faults of a configuration file."""
    for section, content in document.items():
        if section not in SECTIONS:
            yield (
                section,
            ), f"Unknown section [{section}].{suggestion(section, (*SECTIONS, WORKSPACE, PROJECTS))}"
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


_NAMING = ("tools", "deny_tools", "toolsets")


def server_faults(
    settings: Mapping[str, str], tools: Collection[str], toolsets: Collection[str]
) -> list[Fault]:
    """What `[server]` names and the API does not have. Patterns that match no tool are the same kind of slip.

    The server itself only warns of them: it may be started with the settings of many servers.
    """
    found: list[Fault] = []
    for setting in _NAMING:
        kind, known = ("toolset", toolsets) if setting == "toolsets" else ("tool", tools)
        for name in filter(None, (part.strip() for part in settings.get(setting, "").split(","))):
            if not any(fnmatchcase(one, name) for one in known):
                message = f"{setting}: no {kind} is called {name}{close_to(name, known)}."
                found.append((("server", setting), message))
    return found


def _tools_faults(content: Mapping[str, Any]) -> Iterator[Fault]:
    for name, section in content.items():
        if not isinstance(section, dict):
            yield ("tools", name), f"[tools] holds sections: [tools.{name}]."
            return
        if not isinstance(section.get("paging", False), dict) and section.get("paging", False) is not False:
            yield ("tools", name, "paging"), "paging must be false or a table."
    for place, problem in ToolPolicies(tool_sections(content)[0]).problems():
        yield ("tools", *place), f"{'.'.join(place[1:])}: {problem}."


def _operations_faults(content: Mapping[str, Any]) -> Iterator[Fault]:
    """What the sections hold is checked when the operations are known (`plan.overrides`)."""
    for name, section in content.items():
        if not isinstance(section, dict):
            yield ("operations", name), f"[operations] holds sections: [operations.{name}]."


SECTIONS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[Fault]]] = {
    **{section: partial(_section_faults, section) for section in KEYS},
    "server": _server_faults,
    "operations": _operations_faults,
    "tools": _tools_faults,
}
