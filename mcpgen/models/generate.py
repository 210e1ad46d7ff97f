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
from pathlib import Path
from typing import Any

from datamodel_code_generator import InputFileType, LiteralType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType

from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten
from mcpgen.models.drafting import Draft, draft_models
from mcpgen.models.model import Models, ResultType
from mcpgen.plan.model import Code, PackagePlan, ToolPlan

_REBUILD = re.compile(r"^\w+\.model_rebuild\(\)\n?", re.MULTILINE)
"""Calls that would build all models when one is imported: the base class defers that to first use."""
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?P<plain>[^"\'\\\n]*)\'|\'(?:[^\'\\\n]|\\.)*\'')
_ALIASES = {"Field": "field_"}
"""A property called `Field` would hide pydantic's function from the fields after it; other names of its own it keeps apart."""
_MOST_REFERENCES = 20_000
"""Between the definitions of one API. The library that makes models takes minutes for more."""
_HEADER = re.compile(r"\A(?:#[^\n]*\n|\s*\n)*(?:from __future__ import annotations\n)?")


def generate_models(plan: PackagePlan, schemas: Mapping[str, Schema], *, diagnostics: Collector) -> Models:
    """Makes the models of all tools. Where they can't be made, the data stays `JsonValue` and a diagnostic says so."""
    draft = draft_models(plan, schemas)
    if not draft.definitions:
        return Models(types={tool.name: _plain_type(tool, schemas) for tool in plan.tools})
    references = _references(draft.definitions)
    if references > _MOST_REFERENCES:
        found = f"they refer to each other {references:,} times, and {_MOST_REFERENCES:,} is the most"
        diagnostics.add(
            "models-missing", f"no models were made of the schemas: {found}; answers are plain JSON values"
        )
        return Models(types={tool.name: ResultType() for tool in plan.tools})
    try:
        modules, names = _run(draft.definitions, plan.package)
    except Exception as error:  # its failures have no common type; the tools work without models
        diagnostics.add(
            "models-missing", f"no models could be made of the schemas: {type(error).__name__}: {error}"
        )
        return Models(types={tool.name: ResultType() for tool in plan.tools})
    return Models(modules, {tool.name: _type(tool, schemas, draft, names) for tool in plan.tools})


def _references(node: Any) -> int:
    """How many references there are below a node of the definitions, which are no deeper than documents may be."""
    if isinstance(node, Mapping):
        return ("$ref" in node) + sum(map(_references, node.values()))
    return sum(map(_references, node)) if isinstance(node, list) else 0


def _type(
    tool: ToolPlan, schemas: Mapping[str, Schema], draft: Draft, names: Mapping[str, tuple[str, str]]
) -> ResultType:
    """The type of a tool's data: its class, or a plain annotation."""
    answer = draft.answers.get(tool.name)
    found = names.get(answer.key) if answer is not None else None
    if answer is None or found is None:
        return _plain_type(tool, schemas)
    return ResultType(module=found[0], class_name=found[1], many=answer.many)


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
            aliases=_ALIASES,
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
    source = _REBUILD.sub("", _STRING.sub(_double_quoted, source)).rstrip() + "\n"
    return _sorted_imports(source.replace(f"from {package}.models.base import", "from .base import"))


def _double_quoted(match: re.Match[str]) -> str:
    return match[0] if match["plain"] is None else f'"{match["plain"]}"'


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
