"""Values that the document gives as examples anywhere, by the names of their fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcpgen.ir.api import Api, Operation, Schema
from mcpgen.plan.naming.identifiers import fold, split_words
from mcpgen.plan.places import last_noun

_LONGEST = 40
_READ, _VISITED = 2, 60
"""Examples of one body, and objects in them, that are looked at."""
COMMON = frozenset({"id", "name", "type", "key", "value", "status", "code", "title", "text", "description"})
"""Fields that mean another thing in every schema."""
_QUOTED = re.compile(
    r"(?:\be\.?g\.?|\bfor (?:example|instance)|\bexamples?|\bsuch as|例如|比如|示例|如|例えば|z\. ?B\.|por ejemplo|например)"
    r"\s{0,3}[:,：]?\s{0,3}([`\"'“])([^`\"'”\n]{1,40})[`\"'”]",
    re.IGNORECASE,
)


class FieldSamples:
    """The examples of fields and parameters of one document; the first of each name counts."""

    def __init__(self, api: Api) -> None:
        self._of_field: dict[str, Any] = {}
        self._of_schema: dict[tuple[str, str], Any] = {}
        for operation in api.operations:
            for parameter in operation.parameters:
                for value in (*parameter.examples, *_examples(parameter.schema)):
                    self._add(parameter.name, value)
            self._read(operation)
        for name, schema in api.schemas.items():
            for field, value in _field_examples(schema):
                self._of_schema.setdefault((fold(name), fold(field)), value)
                self._add(field, value)

    def _read(self, operation: Operation) -> None:
        """The fields of the examples of bodies, the caller's before the API's."""
        noun = fold("".join(last_noun(operation.path).split()))
        asked = operation.body.media if operation.body is not None else ()
        good = [response.media for response in operation.responses if response.status[:1] == "2"]
        for media in (*asked, *(one for many in good for one in many)):
            for field, value in _fields_of(media.examples[:_READ]):
                self._of_schema.setdefault((noun, fold(field)), value)
                self._add(field, value)

    def _add(self, field: str, value: Any) -> None:
        if field.lower() not in COMMON and is_short(value):
            self._of_field.setdefault(fold(field), value)

    def find(self, name: str, noun: str, description: str) -> Any:
        """A value for an argument: one that its description quotes, else that of the field it is named after.

        Args:
            noun: what the argument is about: `order` for `id` in `/orders/{id}`.

        Returns:
            The value, or None.
        """
        quoted = _QUOTED.search(description)
        if quoted is not None:
            return quoted[2]
        owner = fold("".join(noun.split()))
        words = split_words(name)
        own = (fold("".join(words[:-1])), fold("".join(words[-1:])))
        for schema, field in ((owner, fold(name)), (owner, fold(name).removeprefix(owner)), own):
            if field and (schema, field) in self._of_schema:
                return self._of_schema[schema, field]
        return self._of_field.get(fold(name))


def _fields_of(examples: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Fields with plain values in objects and lists, the outer ones first, in bounded number."""
    queue: list[Any] = list(examples)
    visited = 0
    while queue and visited < _VISITED:
        value = queue.pop(0)
        visited += 1
        if isinstance(value, Mapping):
            yield from ((str(name), one) for name, one in value.items() if is_short(one))
            queue += [one for one in value.values() if isinstance(one, Mapping | list)]
        elif isinstance(value, list):
            queue += value[:1]


def is_short(value: Any) -> bool:
    """Whether a value is a plain one that fits into an example."""
    return isinstance(value, int | float) or (isinstance(value, str) and 0 < len(value) <= _LONGEST)


def _examples(schema: Any) -> list[Any]:
    found = schema.get("examples") if isinstance(schema, Mapping) else None
    return found if isinstance(found, list) else []


def _field_examples(schema: Schema) -> Iterator[tuple[str, Any]]:
    """Fields of a schema, and of the parts that it is made of, with their examples and those of the whole."""
    for part in (schema, *(one for one in schema.get("allOf", ()) if isinstance(one, Mapping))):
        properties = part.get("properties")
        for name, inner in properties.items() if isinstance(properties, Mapping) else ():
            yield from ((name, value) for value in _examples(inner) if is_short(value))
        for whole in _examples(part):
            if isinstance(whole, Mapping):
                yield from ((str(name), value) for name, value in whole.items() if is_short(value))
