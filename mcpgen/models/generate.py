"""Pydantic models of the answers, from datamodel-code-generator: the only module that knows it.

One module per toolset, and `shared` for what several of them use. Class names have one authority: the metadata
that datamodel-code-generator reports, never a guess of ours.
"""

from __future__ import annotations

import json
import re
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datamodel_code_generator import InputFileType, LiteralType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType

from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten
from mcpgen.ir.references import closure, component_of
from mcpgen.models.model import Models, ResultType
from mcpgen.models.schemas import Cleaner
from mcpgen.plan.model import Code, PackagePlan, ToolPlan

SHARED = "shared"
_WORD = re.compile(r"[0-9A-Za-z]+")
_HEADER = re.compile(r"\A(?:#[^\n]*\n|\s*\n)*(?:from __future__ import annotations\n)?")


@dataclass(slots=True)
class _Draft:
    """Definitions on their way to datamodel-code-generator."""

    homes: dict[str, str]
    keys: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    definitions: dict[str, Any] = field(default_factory=dict)

    def key(self, identity: str, module: str, words: str) -> str:
        """A legal, unique class name for a definition, with its module."""
        if identity not in self.keys:
            name = _class_name(words)
            number = 2
            unique = name
            while f"{module}.{unique}".lower() in self.taken:
                unique = f"{name}{number}"
                number += 1
            self.taken.add(f"{module}.{unique}".lower())
            self.keys[identity] = f"{module}.{unique}"
        return self.keys[identity]


def generate_models(plan: PackagePlan, schemas: Mapping[str, Schema], *, diagnostics: Collector) -> Models:
    """Makes the models of all tools. Where they can't be made, the data stays `JsonValue` and a diagnostic says so."""
    draft = _Draft(_homes(plan, schemas))
    cleaner = Cleaner(schemas, lambda name: f"#/$defs/{draft.key(name, draft.homes[name], name)}")
    for name in sorted(name for name in draft.homes if not cleaner.is_plain(name)):
        draft.definitions[draft.key(name, draft.homes[name], name)] = cleaner.definition(schemas[name])
    for tool in plan.tools:
        if _needs_class(tool):
            assert tool.result is not None
            key = draft.key(f"tool {tool.name}", tool.module, f"{tool.function}_result")
            draft.definitions[key] = cleaner.definition(tool.result.schema)
    if not draft.definitions:
        return Models(types={tool.name: _plain_type(tool, schemas) for tool in plan.tools})
    try:
        modules, names = _run(draft.definitions, plan.package)
    except Exception as error:  # its failures have no common type; the tools work without models
        diagnostics.add(
            "schema-simplified", f"no models could be made of the schemas: {type(error).__name__}: {error}"
        )
        return Models(types={tool.name: ResultType() for tool in plan.tools})
    return _table(plan, schemas, draft, modules, names)


def _homes(plan: PackagePlan, schemas: Mapping[str, Schema]) -> dict[str, str]:
    """The module of each component: its toolset's, or `shared` when several toolsets reach it.

    What a shared component refers to is reached by the same toolsets, so `shared` never imports a toolset.
    """
    users: dict[str, set[str]] = {}
    for toolset in plan.toolsets:
        results = [tool.result.schema for tool in toolset.tools if tool.result is not None]
        for name in closure(results, schemas):
            users.setdefault(name, set()).add(toolset.module)
    return {name: next(iter(modules)) if len(modules) == 1 else SHARED for name, modules in users.items()}


def _class_name(words: str) -> str:
    name = "".join(part[:1].upper() + part[1:] for part in _WORD.findall(words)) or "Model"
    return f"Model{name}" if name[0].isdigit() else name


def _needs_class(tool: ToolPlan) -> bool:
    if tool.result is None or component_of(tool.result.schema) is not None:
        return False
    schema = tool.result.schema
    return bool(schema.keys() & {"properties", "anyOf", "oneOf", "allOf"}) or (
        schema.get("type") == "array" and "items" in schema and bool(schema["items"])
    )


def _plain_type(tool: ToolPlan, schemas: Mapping[str, Schema]) -> ResultType:
    """The annotation of data that no class describes."""
    kind = flatten(tool.result.schema, schemas)[0].get("type") if tool.result is not None else None
    plain = {"string": "str", "null": "None", "integer": "int", "number": "float", "boolean": "bool"}
    if isinstance(kind, str):
        return ResultType(Code(plain.get(kind, "JsonObject" if kind == "object" else "JsonValue")))
    return ResultType()


def _run(definitions: Mapping[str, Any], package: str) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """The module texts, and for each definition its module and class."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = Path(folder) / "metadata.json"
        made = generate(
            json.dumps({"$defs": definitions}),
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.PydanticV2BaseModel,
            target_python_version=PythonVersion.PY_311,
            base_class=f"{package}.models.base.ApiModel",
            enum_field_as_literal=LiteralType.All,
            emit_model_metadata=report,
            disable_timestamp=True,
            formatters=[],
            use_union_operator=True,
            use_standard_collections=True,
            use_double_quotes=True,
            skip_root_model=True,
        )
        entries = json.loads(report.read_text(encoding="utf-8"))["models"]
    texts = made if isinstance(made, Mapping) else {}
    modules = {
        path[0].removesuffix(".py"): _body(text, package)
        for path, text in texts.items()
        if path[0] != "__init__.py"
    }
    names: dict[str, tuple[str, str]] = {}
    for entry in entries:
        prefix, _, key = entry["source_ref"].partition("#/$defs/")
        if not prefix and "/" not in key:
            names.setdefault(key, (entry["module"], entry["class_name"]))
    return modules, names


def _body(text: Any, package: str) -> str:
    """The module without its header (ours says where it comes from), its imports in order and relative."""
    source = _HEADER.sub("", str(getattr(text, "body", text)), count=1)
    return _sorted_imports(source.replace(f"from {package}.models.base import", "from .base import"))


def _sorted_imports(text: str) -> str:
    """The imports at the top in the usual order: standard library, packages, this package."""
    imports, _, rest = text.lstrip("\n").partition("\n\n")
    groups: dict[int, list[str]] = {}
    for line in imports.split("\n"):
        place = 2 if line.startswith("from .") else 1 if line.startswith("from pydantic") else 0
        groups.setdefault(place, []).append(line)
    return (
        "\n\n".join("\n".join(sorted(groups[place])) for place in sorted(groups)) + f"\n\n\n{rest.lstrip()}"
    )


def _table(
    plan: PackagePlan,
    schemas: Mapping[str, Schema],
    draft: _Draft,
    modules: dict[str, str],
    names: dict[str, tuple[str, str]],
) -> Models:
    types: dict[str, ResultType] = {}
    for tool in plan.tools:
        types[tool.name] = _plain_type(tool, schemas)
        if tool.result is None:
            continue
        component = component_of(tool.result.schema)
        found = names.get(draft.keys.get(component[0] if component else f"tool {tool.name}", ""))
        if found is not None:
            types[tool.name] = ResultType(
                module=found[0], class_name=found[1], many=bool(component and component[1])
            )
    return Models(modules, types)
