"""Who is meant: the sections of the configuration find their operations, and go over what the document says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Api, Operation
from mcpgen.plan.overrides.faults import Faults, Locate, close_to
from mcpgen.plan.overrides.merging import merged
from mcpgen.plan.overrides.model import Override, Said
from mcpgen.plan.overrides.reading import read_extension, read_section

_OF_ONE_TOOL = (
    *("name", "title", "description", "purpose", "inputs", "example", "limits", "when_to_use"),
    *("effect", "additive", "idempotent"),
)
"""What several tools can't share."""


class Overrides:
    """What is said about each operation of one API.

    Attributes:
        faults: where all that is wrong is told.
    """

    def __init__(
        self,
        api: Api,
        sections: Mapping[str, Any] | None = None,
        diagnostics: Collector | None = None,
        locate: Locate = lambda place: None,
    ) -> None:
        self.faults = Faults(diagnostics if diagnostics is not None else Collector(), locate)
        found = {operation.key: read_extension(operation, self.faults) for operation in api.operations}
        for key, section in self._sections(api, sections or {}).items():
            found[key] = merged(found[key], section)
        self._found = found

    def of(self, operation: Operation) -> Override:
        """What is said about an operation."""
        return self._found.get(operation.key, Override())

    def per_tool(self, operation: Operation, values: Sequence[str]) -> list[Override]:
        """What is said about the tools of an operation: one for each value of the action, or the only one."""
        whole = self.of(operation)
        for value, action in whole.actions.items():
            if value not in values:
                what = close_to(value, values) if values else " The operation is one tool; `split` cuts it."
                place = next(iter(action.said.values()), None)
                self.faults.add(place, f"{operation.key}: actions.{value}: there is no such action.{what}")
        if not values:
            return [replace(whole, actions={})]
        for key in _OF_ONE_TOOL:
            if key in whole.said:
                self.faults.add(
                    whole.said[key],
                    f"{operation.key}: {key} is about one tool, but the operation becomes {len(values)}: say it in "
                    f"`actions` ({', '.join(values[:8])}), or set `split` to false",
                )
        shared = replace(whole, name=None, actions={})
        return [merged(shared, whole.actions.get(value, Override())) for value in values]

    def _sections(self, api: Api, sections: Mapping[str, Any]) -> dict[str, Override]:
        """The sections of the configuration, by the key of their operation."""
        named = _names(api.operations)
        found: dict[str, Override] = {}
        by: dict[str, str] = {}
        for name, told in sections.items():
            place = Said(place=("operations", name))
            matching = named.get(name) or named.get(_upper(name)) or []
            if not matching and (quoted := _in_quotes(name, told, named)):
                self.faults.add(
                    place, f"[operations.{name}]: a name with dots is written in quotes: {quoted}."
                )
                continue
            override = read_section(name, told, self.faults)
            if len(matching) > 1:
                keys = " or ".join(operation.key for operation in matching)
                self.faults.add(place, f"[operations.{name}] is the id of several operations: say {keys}.")
            elif not matching:
                self.faults.add(place, self._unknown(name, api, named))
            elif (key := matching[0].key) in by:
                self.faults.add(
                    place, f"[operations.{name}] is about the same operation as [operations.{by[key]}]."
                )
            else:
                by[key] = name
                found[key] = override or Override()
        return found

    def _unknown(self, name: str, api: Api, named: Mapping[str, Any]) -> str:
        skipped = [item for item in api.skipped if f"{item.method} {item.path}" == _upper(name)]
        if skipped:
            return f"[operations.{name}] is an operation that is skipped: {skipped[0].reason}."
        close = close_to(name, [one for one in named if (" /" in one) == (" /" in name)])
        return f"[operations.{name}]: the document has no such operation.{close}"


def _names(operations: Iterable[Operation]) -> dict[str, list[Operation]]:
    """Operations by id and by method and path."""
    found: dict[str, list[Operation]] = {}
    for operation in operations:
        found[operation.key] = [operation]
    for operation in operations:
        if operation.operation_id:
            found.setdefault(operation.operation_id, []).append(operation)
    return found


def _in_quotes(name: str, told: Any, named: Mapping[str, Any]) -> str | None:
    """The section that is meant by `[operations.orders.get]`, which TOML reads as one section inside another."""
    inner = told if isinstance(told, Mapping) else {}
    return next((f'[operations."{name}.{key}"]' for key in inner if f"{name}.{key}" in named), None)


def _upper(name: str) -> str:
    """`get /orders` as `GET /orders`."""
    method, space, path = name.strip().partition(" ")
    return f"{method.upper()}{space}{path.strip()}"
