"""Texts that carry more than people see: hidden characters, and sentences that speak to the model (OWASP MCP03)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpgen.diagnostics import Location, Severity
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Patch, Text
from mcpgen.plan.texts.hostile import hidden_in, instruction_in
from mcpgen.plan.texts.text import visible
from mcpgen.source.model import escape

_KEYS = frozenset({"summary", "description", "title", "name", "operationId", "instructions"})
_EXAMPLES = frozenset({"example", "examples", "x-codeSamples", "x-code-samples", "x-examples"})


def check_texts(context: Context) -> Iterator[Finding]:
    for file, document in context.subject.documents:
        for text in texts_of(file, document):
            yield from _hidden(text)
            instruction = instruction_in(text.value)
            if instruction is not None:
                message = f"`{instruction.shown}` {instruction.what}"
                severity = Severity.ERROR if instruction.certain else None
                yield found("text-instructs", message, text.location, severity=severity)


def texts_of(file: str, document: Any) -> Iterator[Text]:
    """The texts of a document that reach a model: those of the known keys, and the values of enumerations."""
    stack: list[tuple[Any, str]] = [(document, "")]
    while stack:
        value, pointer = stack.pop()
        if isinstance(value, dict):
            for key, item in value.items():
                below = f"{pointer}/{escape(str(key))}"
                if isinstance(item, str) and key in _KEYS:
                    yield Text(item, Location(file, below))
                elif isinstance(item, dict | list) and item and key not in _EXAMPLES:
                    stack.append((item, below))
        else:
            for index, item in enumerate(value):
                if isinstance(item, str) and pointer.endswith("/enum"):
                    yield Text(item, Location(file, f"{pointer}/{index}"))
                elif isinstance(item, dict | list) and item:
                    stack.append((item, f"{pointer}/{index}"))


def _hidden(text: Text) -> Iterator[Finding]:
    hidden = hidden_in(text.value)
    if hidden is None:
        return
    parent, _, key = text.location.pointer.rpartition("/")
    repair = (
        Patch(Location(text.location.file, parent), {key: visible(text.value)}) if not key.isdigit() else None
    )
    severity = Severity.ERROR if hidden.hostile else None
    yield found(
        "text-hidden", f"the text holds {hidden.what}", text.location, severity=severity, repair=repair
    )
