"""What a row of the tables is: a rule of oasdiff, and a change of our own that it is about.

oasdiff (https://github.com/oasdiff/oasdiff) publishes its rules with a level each. A row names the rule and its level, the
place of the snippet, and the snippet before and after. All rows together make two documents with one operation each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

BREAKS, WARNS, INFORMS = "breaking", "warning", "info"
"""ERR, WARN and INFO of oasdiff, and the severities of a change."""


@dataclass(frozen=True, slots=True)
class Row:
    """`slot` is where the snippets go, see `operation`. `ours` and `why` are set where we differ on purpose."""

    rule: str
    level: str
    slot: str
    old: Any
    new: Any
    ours: str = ""
    why: str = ""

    @property
    def expected(self) -> str:
        return self.ours or self.level


def operation(row: Row, snippet: Any, number: int) -> dict[str, Any]:
    """The operation with a snippet in its place.

    Slots: `parameter` (schema of a query parameter), `parameters` (all of them), `property` (of the request's body),
    `body` (its schema), `fields` (its whole schema, an object), `request` (the Request Body Object), `answer` (a required
    property of the result), `result` (its schema), `responses`, and `operation` (any keys of the operation).
    """
    made: dict[str, Any] = {
        "operationId": f"case{number}",
        "summary": "Create a thing.",
        "responses": {"200": {"description": "Done.", **_json({"type": "object"})}},
    }
    if row.slot == "parameter":
        made["parameters"] = [{"name": "p", "in": "query", "schema": snippet}]
    elif row.slot == "parameters":
        made["parameters"] = snippet
    elif row.slot == "property":
        made["requestBody"] = {"required": True, **_json({"type": "object", "properties": {"p": snippet}})}
    elif row.slot in ("body", "fields"):
        made["requestBody"] = {"required": True, **_json(snippet)}
    elif row.slot == "request" and snippet is not None:
        made["requestBody"] = snippet
    elif row.slot == "answer":
        made["responses"]["200"] |= _json({"type": "object", "properties": {"p": snippet}, "required": ["p"]})
    elif row.slot == "result":
        made["responses"]["200"] |= _json(snippet)
    elif row.slot == "responses":
        made["responses"] = snippet
    elif row.slot == "operation":
        made |= snippet
    return made


def _json(schema: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def obj(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """An object schema."""
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
WHOLE: dict[str, Any] = {"type": "integer"}


def whole(**limits: Any) -> dict[str, Any]:
    return {"type": "integer", **limits}


def text(**limits: Any) -> dict[str, Any]:
    return {"type": "string", **limits}


def array(**limits: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, **limits}
