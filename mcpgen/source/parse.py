"""From text to a value with positions: JSON where it is JSON, else YAML."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcpgen.source.decode import decode
from mcpgen.source.document import Position, Positions
from mcpgen.source.json_reader import JsonPositions, JsonReader
from mcpgen.source.problem import SourceProblem
from mcpgen.source.yaml_reader import YamlReader


class Parsed(NamedTuple):
    """A value, the finder of its places, and what was odd but readable."""

    value: Any
    positions: Positions
    notes: list[tuple[Position | None, str]]


def parse(data: bytes, *, prefer_yaml: bool = False) -> Parsed:
    """Reads a document; `prefer_yaml` says whose error to show when the text is neither.

    Raises:
        SourceProblem: it is empty, binary, neither JSON nor YAML, or goes over a limit.
    """
    text = decode(data)
    start = text.lstrip()[:1]
    if not start:
        raise SourceProblem("source-syntax", "is empty")
    if start == "<":
        raise SourceProblem(
            "source-syntax",
            "looks like a web page or XML, not JSON or YAML",
            hint="Give the address of the OpenAPI document itself, not of the page that shows it.",
        )
    if start not in "{[":
        return _yaml(text)
    try:
        reader = JsonReader()
        return Parsed(reader.read(text), JsonPositions(text), reader.notes)
    except SourceProblem as json_problem:
        if json_problem.code != "source-syntax":
            raise
        try:  # JSON with comments, trailing commas or unquoted keys is often readable as YAML
            parsed = _yaml(text)
            parsed.notes.append(
                (json_problem.position, f"the document {json_problem.message}; it is read as YAML")
            )
            return parsed
        except SourceProblem as yaml_problem:
            raise (
                yaml_problem if prefer_yaml or yaml_problem.code != "source-syntax" else json_problem
            ) from None


def _yaml(text: str) -> Parsed:
    reader = YamlReader()
    value = reader.read(text)
    if value is None:
        raise SourceProblem("source-syntax", "is empty")
    return Parsed(value, reader.positions, list(reader.notes))
