"""Which classes there will be, and where: what the answers of the tools reach, each part in one module."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Schema
from mcpgen.ir.references import closure, component_of, components_of
from mcpgen.models.schemas import Cleaner
from mcpgen.plan.model import PackagePlan

SHARED = "shared"
_WORD = re.compile(r"[0-9A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Answer:
    """The data of one tool: the definition that it is, or lists (`many`)."""

    key: str
    many: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """Definitions for datamodel-code-generator by key (`module.Class`), and the tools whose data has one."""

    definitions: Mapping[str, Any]
    answers: Mapping[str, Answer]


@dataclass(slots=True)
class _Keys:
    """Legal, unique class names, each with its module."""

    taken: set[str] = field(default_factory=set)

    def make(self, module: str, words: str) -> str:
        name = "".join(part[:1].upper() + part[1:] for part in _WORD.findall(words)) or "Model"
        name = f"Model{name}" if name[0].isdigit() else name
        unique, number = name, 2
        while f"{module}.{unique}".lower() in self.taken:
            unique, number = f"{name}{number}", number + 1
        self.taken.add(f"{module}.{unique}".lower())
        return f"{module}.{unique}"


def draft_models(plan: PackagePlan, schemas: Mapping[str, Schema]) -> Draft:
    """The definitions that the tools' answers need.

    A component is a definition only when an answer still leads to it after simplification: plain values are written
    where they stand, and the parts of a composed object are in its own class.
    """
    cleaner = Cleaner(schemas)
    roots = {tool.name: cleaner.nested(tool.result.schema) for tool in plan.tools if tool.result is not None}
    components = _reached(roots, cleaner)
    homes = _homes(plan, roots, components)
    keys = _Keys()
    names = {name: keys.make(homes[name], name) for name in sorted(components)}
    definitions = {names[name]: _pointed(components[name], names) for name in sorted(components)}
    answers: dict[str, Answer] = {}
    for tool in plan.tools:
        root = roots.get(tool.name, {})
        component = component_of(root)
        if component is not None:
            answers[tool.name] = Answer(names[component[0]], component[1])
        elif _has_class(root):
            key = keys.make(tool.module, f"{tool.function}_result")
            definitions[key] = _pointed(root, names)
            answers[tool.name] = Answer(key, False)
    return Draft(definitions, answers)


def _reached(roots: Mapping[str, Any], cleaner: Cleaner) -> dict[str, dict[str, Any]]:
    """The components that the roots lead to, cleaned."""
    found: dict[str, dict[str, Any]] = {}
    waiting = list(components_of(list(roots.values())))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = cleaner.definition(name)
            waiting.extend(components_of(found[name]))
    return found


def _homes(plan: PackagePlan, roots: Mapping[str, Any], components: Mapping[str, Schema]) -> dict[str, str]:
    """The module of each component: its toolset's, or `shared` when several toolsets reach it.

    What a shared component refers to is reached by the same toolsets, so `shared` never imports a toolset.
    """
    users: dict[str, set[str]] = {}
    for toolset in plan.toolsets:
        for name in closure([roots.get(tool.name) for tool in toolset.tools], components):
            users.setdefault(name, set()).add(toolset.module)
    return {name: next(iter(modules)) if len(modules) == 1 else SHARED for name, modules in users.items()}


def _has_class(root: Mapping[str, Any]) -> bool:
    """Whether data that is no component has parts that are worth a class."""
    return bool(root.keys() & {"properties", "anyOf"}) or bool(
        root.get("type") == "array" and root.get("items")
    )


def _pointed(node: Any, names: Mapping[str, str]) -> Any:
    """A cleaned schema with its references in terms of the definitions' keys."""
    if isinstance(node, list):
        return [_pointed(item, names) for item in node]
    if not isinstance(node, Mapping):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith(SCHEMA_PREFIX):
        return {"$ref": f"#/$defs/{names[reference[len(SCHEMA_PREFIX):]]}"}
    return {key: _pointed(value, names) for key, value in node.items()}
