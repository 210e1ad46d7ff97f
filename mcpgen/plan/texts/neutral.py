"""Takes out of an API's texts what is meant for a model and not for people, and says where it stood.

Sentences that give orders to a model are dropped, a marked block with all that it holds; characters that nobody sees are
removed. What a value on the wire says (an enumeration) stays as it is, because the API expects it, and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mcpgen.diagnostics import Collector, Location, Severity
from mcpgen.ir.api import Api, MediaType, Operation, Parameter, RequestBody, Response, Schema
from mcpgen.plan.texts.hostile import hidden_in, instruction_in
from mcpgen.plan.texts.text import sentences, visible

_BLOCK = re.compile(
    r"<\s{0,3}(important|system|instructions?|secret|hidden|admin)\s{0,3}>.{0,20000}?(?:<\s{0,3}/\s{0,3}\1\s{0,3}>|\Z)"
    r"|<\|im_start\|>.{0,20000}?(?:<\|im_end\|>|\Z)|<!--.{0,20000}?-->",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPES = re.compile(r"\x1b\[[0-9;?]{0,16}[A-Za-z]")
_KEYS = ("description", "title")


@dataclass(frozen=True, slots=True)
class _Found:
    """A text after the work, and what was wrong with it; `said` is "" where nothing was."""

    text: str
    said: str
    severity: Severity = Severity.WARNING


def neutral_text(text: str) -> tuple[str, str]:
    """A text without what is meant for a model, and what was taken out, "" for nothing."""
    found = _worked(text)
    return found.text, found.said


def _worked(text: str) -> _Found:
    instruction, hidden = instruction_in(text), hidden_in(text)
    if instruction is None and hidden is None:
        return _Found(text, "")
    if instruction is None:
        severity = Severity.WARNING if hidden is not None and hidden.hostile else Severity.INFO
        return _Found(_shown(text), f"held {hidden.what if hidden else ''}; they are removed", severity)
    said = f"`{instruction.shown}` {instruction.what}; it is left out"
    rest = _BLOCK.sub(lambda block: "" if instruction_in(block.group()) else block.group(), _shown(text))
    lines = (
        " ".join(piece for piece in sentences(line) if instruction_in(piece) is None)
        for line in rest.split("\n")
    )
    rest = "\n".join(lines).strip()
    # An order that goes over several sentences: nothing of the text can be told apart from it.
    return _Found(rest if instruction_in(rest) is None else "", said)


def _shown(text: str) -> str:
    """The text as people see it: without invisible characters, and without what colours a terminal."""
    return visible(_ESCAPES.sub("", text))


@dataclass(slots=True)
class Neutralizer:
    """Works on the texts of one document; each finding becomes a diagnostic at its place."""

    diagnostics: Collector
    _known: dict[str, _Found] = field(default_factory=dict)

    def api(self, api: Api) -> Api:
        """The API with all its texts neutralised; what holds nothing to take out stays the same object."""
        schemas = {name: self._component(api, name, schema) for name, schema in api.schemas.items()}
        return replace(
            api,
            title=self._text(api.title, _at(api.origin, "/info/title")),
            description=self._text(api.description, _at(api.origin, "/info/description")),
            tags=tuple(
                replace(tag, summary=self._text(tag.summary, api.origin), description=self._text(tag.description, api.origin))
                for tag in api.tags
            ),
            operations=tuple(self._operation(one) for one in api.operations),
            schemas=schemas,
        )  # fmt: skip

    def _text(self, text: str, place: Location) -> str:
        if not text:
            return text
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = _worked(text)
        if found.said:
            self.diagnostics.add(
                "text-neutralised", f"The text {found.said}.", place, severity=found.severity
            )
        return found.text

    def _component(self, api: Api, name: str, schema: Schema) -> Schema:
        group = "definitions" if api.spec_version.startswith("2") else "components/schemas"
        escaped = name.replace("~", "~0").replace("/", "~1")
        return self._schema(schema, _at(api.origin, f"/{group}/{escaped}"))

    def _schema(self, schema: Schema, place: Location) -> Schema:
        changed = self._inside(schema, place)
        return changed if isinstance(changed, Mapping) else schema

    def _inside(self, value: Any, place: Location) -> Any:
        """The value with its texts worked on, or the same object where nothing was wrong."""
        if isinstance(value, Mapping):
            changes = {}
            for key, item in value.items():
                if isinstance(item, str):
                    new: Any = self._text(item, place) if key in _KEYS else item
                elif key == "enum":
                    self._values(item, place)
                    continue
                else:
                    new = (
                        self._inside(item, place)
                        if isinstance(item, Mapping | list) and key not in _DATA
                        else item
                    )
                if new is not item:
                    changes[key] = new
            return {**value, **changes} if changes else value
        if isinstance(value, list):
            items = [self._inside(item, place) for item in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else items
        return value

    def _values(self, values: Any, place: Location) -> None:
        for value in values if isinstance(values, list) else ():
            found = instruction_in(value) if isinstance(value, str) else None
            if found is not None:
                message = f"A value of an enumeration, `{found.shown}`, {found.what}; it stays, because the API expects it."
                self.diagnostics.add("text-neutralised", message, place)

    def _operation(self, operation: Operation) -> Operation:
        summary = self._text(operation.summary, _at(operation.origin, "/summary"))
        description = self._text(operation.description, _at(operation.origin, "/description"))
        return replace(
            operation,
            summary=summary,
            description=description,
            parameters=tuple(self._parameter(one) for one in operation.parameters),
            body=self._body(operation.body) if operation.body is not None else None,
            responses=tuple(self._response(one) for one in operation.responses),
            extensions={
                key: self._told(value, operation.origin) if key.startswith("x-mcp") else value
                for key, value in operation.extensions.items()
            },
        )

    def _told(self, value: Any, place: Location) -> Any:
        """What the document itself says about a tool: all its texts reach the model."""
        if isinstance(value, str):
            return self._text(value, place)
        if isinstance(value, Mapping):
            return {key: self._told(item, place) for key, item in value.items()}
        return [self._told(item, place) for item in value] if isinstance(value, list) else value

    def _parameter(self, parameter: Parameter) -> Parameter:
        text = self._text(parameter.description, _at(parameter.origin, "/description"))
        schema = self._schema(parameter.schema, parameter.origin)
        if text is parameter.description and schema is parameter.schema and not parameter.extensions:
            return parameter
        told = {key: self._told(value, parameter.origin) for key, value in parameter.extensions.items()}
        return replace(parameter, description=text, schema=schema, extensions=told)

    def _body(self, body: RequestBody) -> RequestBody:
        text = self._text(body.description, _at(body.origin, "/description"))
        return replace(
            body, description=text, media=tuple(self._media(one, body.origin) for one in body.media)
        )

    def _response(self, response: Response) -> Response:
        text = self._text(response.description, _at(response.origin, "/description"))
        media = tuple(self._media(one, response.origin) for one in response.media)
        links = tuple(
            replace(link, description=self._text(link.description, response.origin))
            for link in response.links
        )
        return replace(response, description=text, media=media, links=links)

    def _media(self, media: MediaType, place: Location) -> MediaType:
        schema = self._schema(media.schema, place) if media.schema is not None else None
        items = self._schema(media.item_schema, place) if media.item_schema is not None else None
        if schema is media.schema and items is media.item_schema:
            return media
        return replace(media, schema=schema, item_schema=items)


_DATA = frozenset({"default", "const", "example", "examples"})
"""Keys whose values are data of the API."""


def _at(origin: Location, pointer: str) -> Location:
    return Location(origin.file, f"{origin.pointer}{pointer}")
