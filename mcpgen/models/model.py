"""What the model stage gives: module texts, and the type of each tool's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mcpgen.plan.model import Code

JSON_VALUE = Code("JsonValue")


@dataclass(frozen=True, slots=True)
class ResultType:
    """The type of a tool's data: a plain annotation, or a class of a model module (or a list of it)."""

    plain: Code = JSON_VALUE
    module: str | None = None
    class_name: str = ""
    many: bool = False


@dataclass(frozen=True, slots=True)
class Models:
    """The model modules (module name -> source text) and the type of each tool's data."""

    modules: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, ResultType] = field(default_factory=dict)
    """Tool name -> the type of its data."""
