"""The team's own tools of one package, as the catalogue holds tools."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from ..outcomes.failures import invalid
from ..outcomes.result import Result
from ..setup.variables import EFFECTS
from ..values import UNSET
from .decorator import MARK, OwnFunction, Told
from .schemas import OwnToolError, Signature, signature_of

MODULE = "hooks"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_SEARCHING = frozenset({"find_tools", "describe_tool", *(f"call_{effect}_tool" for effect in EFFECTS)})


@dataclass(frozen=True, slots=True)
class OwnTool:
    """One tool of the team."""

    name: str
    function: OwnFunction
    told: Told
    signature: Signature
    description: str

    async def run(self, call: Any, arguments: Mapping[str, Any]) -> Result[Any]:
        """Calls the function with arguments that keep the published schema.

        Raises:
            CallFailed: a check of the function's own types fails.
            pydantic.ValidationError: the function gives something else than it promises, which is a bug.
        """
        try:
            given = self.signature.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
            raise invalid(f"Wrong arguments for {self.name}: {'; '.join(faults)}.") from error
        values = {name: getattr(given, name) for name in type(given).model_fields}
        result = await self.function(call, **values)
        if not isinstance(result, Result):
            data = self.signature.data
            return Result(data=data.dump_python(data.validate_python(result), mode="json", by_alias=True))
        if (
            result.ok
            and result.data is not UNSET
            and call.operation.data_check.error(result.data) is not None
        ):
            raise OwnToolError(f"{self.name}: the data of its result is not what the function promises")
        return result

    def wire(self) -> dict[str, Any]:
        """The tool as `tools/list` gives it."""
        title = self.told.title or self.name.replace("_", " ").capitalize()
        reads = self.told.effect == "read"
        return {
            "name": self.name,
            "title": title,
            "description": self.description,
            "inputSchema": self.signature.input_schema,
            "outputSchema": self.signature.output_schema,
            "annotations": {
                "title": title,
                "readOnlyHint": reads,
                "destructiveHint": not reads
                and (self.told.effect == "destructive" or not self.told.additive),
                "idempotentHint": self._idempotent,
                "openWorldHint": self.told.open_world,
            },
        }

    def entry(self) -> dict[str, Any]:
        """The tool as the catalogue's `operations` have it; it has no request of its own."""
        names = list(self.signature.input_schema.get("properties", {}))
        return {
            "module": MODULE,
            "function": self.function.__name__,
            "toolset": self.told.toolset,
            "effect": self.told.effect,
            "additive": None if self.told.effect == "read" else self.told.additive,
            "idempotent": self._idempotent,
            "reason": "The team says so.",
            "method": "",
            "path": "",
            "operation_id": None,
            "arguments": [{"name": name, "python": name, "in": "function"} for name in names],
            "hints": {key: dict(hint) for key, hint in self.told.hints.items()},
        }

    @property
    def _idempotent(self) -> bool:
        told = self.told.idempotent
        return self.told.effect == "read" if told is None else told


def own_tools(module: ModuleType, generated: Iterable[str]) -> dict[str, OwnTool]:
    """The tools that a module defines or imports, by name.

    Raises:
        OwnToolError: one of them can't be a tool, or has the name of another one.
    """
    taken = dict.fromkeys(generated, "a generated tool") | dict.fromkeys(
        _SEARCHING, "a tool of the search mode"
    )
    found: dict[str, OwnTool] = {}
    for function in {id(value): value for value in vars(module).values()}.values():
        told = getattr(function, MARK, None)
        if not isinstance(told, Told):
            continue
        name = told.name or function.__name__
        try:
            if name in taken:
                raise OwnToolError(f"has the name of {taken[name]}; choose another one with name=")
            found[name] = _tool(name, function, told)
        except OwnToolError as error:
            raise OwnToolError(f"the tool {name} {error}") from error
        taken[name] = "another tool of hooks.py"
    _check_hints(found.values(), taken)
    return found


def _tool(name: str, function: OwnFunction, told: Told) -> OwnTool:
    if not _NAME.fullmatch(name):
        raise OwnToolError("has a name that clients refuse: use letters, digits and _, at most 64 of them")
    if told.effect not in EFFECTS:
        raise OwnToolError(f"has the effect {told.effect!r}, which is none of {', '.join(EFFECTS)}")
    if told.additive and told.effect != "write":
        raise OwnToolError("can't be additive: only a write can")
    description = told.description or inspect.getdoc(function)
    if not description:
        raise OwnToolError("needs a description: a docstring, or description=")
    return OwnTool(name, function, told, signature_of(function), description)


def _check_hints(tools: Iterable[OwnTool], known: Mapping[str, str]) -> None:
    for tool in tools:
        for key, hint in tool.told.hints.items():
            if hint.get("tool") not in known:
                raise OwnToolError(
                    f"the tool {tool.name} has a hint ({key}) to {hint.get('tool')!r}, which is no tool"
                )
