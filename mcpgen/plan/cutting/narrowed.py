"""What is left of an operation when its action is known: the arguments that apply, required where they must be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcpgen.ir.api import MediaType, Operation, Parameter, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.cutting.alternatives import alternatives
from mcpgen.plan.cutting.belonging import belonging
from mcpgen.plan.cutting.bodies import body_media, properties_of, with_body
from mcpgen.plan.cutting.choices import Choice
from mcpgen.plan.cutting.specialised import Specialiser


@dataclass(frozen=True, slots=True)
class _Settled:
    schema: dict[str, Any]
    touched: frozenset[str]

    @property
    def required(self) -> frozenset[str]:
        return frozenset(self.schema.get("required", ()))


class Narrower:
    """Narrows one operation to each value of its action argument (`within`: the body field that has it, if any)."""

    def __init__(
        self,
        operation: Operation,
        where: str,
        name: str,
        choices: Sequence[Choice],
        schemas: Mapping[str, Schema],
        within: str = "",
    ) -> None:
        self._operation, self._where, self._name, self._within = operation, where, name, within
        self._choices, self._schemas = choices, schemas
        self._media = body_media(operation, schemas)
        self._settled = (
            {choice.key: self._settle(self._media, choice) for choice in choices}
            if where == "body" and self._media is not None
            else {}
        )

    def narrowed(self, choice: Choice) -> Operation:
        """The operation for one value. The action argument stays in it, for the request; the tool has no argument of it."""
        operation = replace(self._operation, parameters=tuple(self._parameters(choice)))
        media = self._media
        if media is None or media.schema is None:
            return operation
        if self._where == "nested":
            return with_body(operation, media, self._with_command(media.schema, choice))
        if self._where == "body":
            schema = self._own_fields(self._settled[choice.key], choice)
            return with_body(operation, media, self._worded(schema, choice), required=True)
        flat, _ = flatten(media.schema, self._schemas)
        worded = self._worded(flat, choice)
        return operation if worded == flat else with_body(operation, media, worded)

    def _settle(self, media: MediaType, choice: Choice) -> _Settled:
        specialiser = Specialiser(self._name, choice, self._schemas)
        schema = specialiser.settle(media.schema or {})
        return _Settled(schema, frozenset(specialiser.touched))

    def _own_fields(self, settled: _Settled, choice: Choice) -> dict[str, Any]:
        """Without the fields that the schema asks for with other values only, and says nothing of with this one."""
        asked = {
            field for key, other in self._settled.items() if key != choice.key for field in other.required
        }
        foreign = asked - settled.required - settled.touched
        properties = {
            name: value for name, value in properties_of(settled.schema).items() if name not in foreign
        }
        return {**settled.schema, "properties": properties} if foreign and properties else settled.schema

    def _worded(self, schema: Mapping[str, Any], choice: Choice) -> dict[str, Any]:
        """Without the fields that by their words belong to other actions; required are those that must be given."""
        properties: dict[str, Any] = {}
        required = list(schema.get("required", ()))
        for name, child in properties_of(schema).items():
            told = self._belonging(str(flatten(child, self._schemas)[0].get("description") or ""))
            if name == self._name or name in required or told.applies(choice.key):
                properties[name] = child
                if choice.key in told.required and name not in required and name != self._name:
                    required.append(name)
        out = {key: value for key, value in schema.items() if key not in ("properties", "required")}
        if properties:
            out["properties"] = properties
        return {**out, "required": required} if required else out

    def _belonging(self, text: str) -> Any:
        return belonging(text, self._name, self._choices)

    def _parameters(self, choice: Choice) -> list[Parameter]:
        found = []
        for item in self._operation.parameters:
            own = self._where == "query" and item.where is ParameterIn.QUERY and item.name == self._name
            text = item.description or str(flatten(item.schema, self._schemas)[0].get("description") or "")
            told = self._belonging(text)
            if own or item.required or item.where is ParameterIn.PATH:
                found.append(item)
            elif told.applies(choice.key):
                found.append(replace(item, required=choice.key in told.required))
        return found

    def _with_command(self, schema: Schema, choice: Choice) -> dict[str, Any]:
        """The body whose field `within` is the one alternative; there the value is a constant that the caller repeats."""
        flat, _ = flatten(schema, self._schemas)
        field = properties_of(flat)[self._within]
        whole, _ = flatten(field, self._schemas)
        found = [
            one for one in alternatives(field, whole, self._schemas) if one.admits(self._name, choice.key)
        ]
        inner = Specialiser(self._name, choice, self._schemas).settle(field)
        if found:
            inner["required"] = list(dict.fromkeys([self._name, *inner.get("required", ())]))
            told = inner.get("properties", {}).get(self._name, {})
            inner["properties"] = {**inner.get("properties", {}), self._name: {**told, "const": choice.value}}
        return {**flat, "properties": {**properties_of(flat), self._within: inner}}
