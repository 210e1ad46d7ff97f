"""Which data a tool's published output schema admits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from jsonschema import Draft202012Validator
from referencing.exceptions import Unresolvable

from mcpgen.runtime.patterns.keywords import bounded_validator


class DataSchema:
    """The schema of `data`, checked as any client would check it, but that patterns take bounded time."""

    def __init__(self, output_schema: Mapping[str, Any]) -> None:
        self._whole = output_schema

    def admits(self, value: Any) -> bool | None:
        """Whether the value is valid; None where the schema leads nowhere or in a circle."""
        try:
            return self._validator.is_valid({"data": value})
        except (Unresolvable, RecursionError, OverflowError):
            return None

    @cached_property
    def _validator(self) -> Draft202012Validator:
        data = self._whole.get("properties", {}).get("data", {})
        schema: dict[str, Any] = {"properties": {"data": data}}
        if "$defs" in self._whole:
            schema["$defs"] = self._whole["$defs"]
        return bounded_validator()(schema)
