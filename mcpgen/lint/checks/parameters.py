"""Arguments that a model has to guess: no description, the name again, codes without meaning, bodies without a schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.diagnostics import Severity
from mcpgen.ir.merging import flatten
from mcpgen.lint.context import Context, found
from mcpgen.lint.elements import explained
from mcpgen.lint.model import Argument, Finding, Question, Subject, Tool
from mcpgen.lint.words import IDEOGRAM, name_words

_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z")
_CONVENTIONAL = frozenset(
    "limit offset page per_page page_size pagesize perpage cursor page_token next_token sort sort_by order order_by direction q query search"
    " keyword fields expand include filter name title description email password username phone url lang language locale country city"
    " first_name last_name id ids enabled body page_number skip take top count tags labels".split()
)
"""Names that say what they are in any API: worth a word, but nobody is lost without it."""
_CODED = frozenset(
    "lang language locale country currency region unit units size limit page version year month day hour rating scale port precision digits decimals decimal days hours minutes seconds window interval period duration count quantity percent".split()
)
_STATE = frozenset("type mode status state level kind category class code result action role".split())
_SPAN = re.compile(r"\d+(?:ms|[smhdwyM]|mo)\Z")
_LONG_TEXT = 36
"""Words: so long a description surely explains the values in a way of its own."""


def check_parameters(context: Context) -> Iterator[Finding]:
    for tool in context.subject.tools:
        for argument in tool.arguments:
            yield from _described(tool, argument)
            yield from _enumeration(tool, argument, context.subject)
            if not _KEY.match(argument.name):
                message = f"clients refuse the argument `{argument.name[:80]}` of `{tool.name}`"
                yield found("argument-refused", message, argument.location, tool=tool.name)
    yield from _opaque_bodies(context.subject)


def _described(tool: Tool, argument: Argument) -> Iterator[Finding]:
    text = str(argument.schema.get("description") or "").strip()
    if argument.where == "body" and _is_whole(tool, argument):
        return
    if not text:
        if explained(argument.name, {}, tool.description):
            return
        easy = (
            "_".join(name_words(argument.name)) in _CONVENTIONAL or argument.schema.get("type") == "boolean"
        )
        asked = f"What is `{argument.name}`: its meaning, its format, and what happens without it?"
        yield found(
            "parameter-undescribed",
            f"`{argument.name}` has no description",
            argument.location,
            tool=tool.name,
            severity=Severity.INFO if easy else None,
            repair=None if easy else Question(argument.location, "description", asked),
        )
    elif (
        not IDEOGRAM.search(text)
        and len(text) < 200
        and not explained(argument.name, argument.schema, tool.description)
    ):
        message = f"`{text[:60]}` says no more than the name `{argument.name}`"
        yield found("parameter-repeats-name", message, argument.location, tool=tool.name)


def _is_whole(tool: Tool, argument: Argument) -> bool:
    """Whether an argument is the whole body: the description of the operation stands for it."""
    return any(
        one["name"] == argument.name and one.get("pointer") == "" for one in tool.entry.get("arguments", ())
    )


def _enumeration(tool: Tool, argument: Argument, subject: Subject) -> Iterator[Finding]:
    schema = argument.schema
    items = schema.get("items")
    holder = items if isinstance(items, Mapping) and "enum" in items else schema
    values = [value for value in holder.get("enum") or () if value is not None]
    name = name_words(argument.name)
    if len(values) < 2 or _CODED.intersection(name):
        return
    codes = [value for value in values if _is_code(value)]
    switch = {str(value) for value in values} <= {"0", "1"} and not _STATE.intersection(name)
    if (
        switch
        or len(codes) * 2 < len(values)
        or _explains(f"{schema.get('description')} {holder.get('description')}", codes)
        or _explained_beside(subject.written(argument.location))
    ):
        return
    shown = ", ".join(str(value)[:40] for value in values[:6]) + (", …" if len(values) > 6 else "")
    asked = f"What does each value of `{argument.name}` mean: {shown}?"
    yield found(
        "enum-unexplained",
        f"nothing says what the values of `{argument.name}` mean: {shown}",
        argument.location,
        tool=tool.name,
        repair=Question(argument.location, "description", asked),
    )


def _explained_beside(written: Any) -> bool:
    """Whether the spec explains the values in an extension (`x-enum-descriptions`, `x-enumNames`, `x-enum-varnames`)."""
    schema = written.get("schema", written) if isinstance(written, Mapping) else {}
    holders = (written, schema, schema.get("items") if isinstance(schema, Mapping) else None)
    return any(
        str(key).lower().startswith("x-enum")
        for holder in holders
        if isinstance(holder, Mapping)
        for key in holder
    )


def _is_code(value: Any) -> bool:
    """A number, or letters that are no word."""
    if isinstance(value, bool):
        return False
    if not isinstance(value, str):
        return True
    return re.fullmatch(
        r"[A-Za-z]{0,3}[-_]?\d+[A-Za-z]?|[A-Za-z]|[^a-zA-Z]{0,2}", value
    ) is not None and not _SPAN.match(value)


def _explains(text: str, codes: list[Any]) -> bool:
    told = sum(re.search(rf"(?<!\w){re.escape(str(code))}(?!\w)", text) is not None for code in codes[:40])
    return told * 2 >= len(codes[:40]) or len(text.split()) > _LONG_TEXT


def _opaque_bodies(subject: Subject) -> Iterator[Finding]:
    """Bodies whose schema says nothing: a model has to invent their fields."""
    if subject.api is None:
        return
    for tool in subject.first_of_each_operation:
        body = tool.operation.body if tool.operation is not None else None
        media = (
            [item for item in body.media if "json" in item.bare or "form" in item.bare]
            if body is not None
            else []
        )
        if body is None or not media or not all(_is_opaque(item.schema, subject) for item in media):
            continue
        message = f"the body of {tool.method} {tool.path} has no schema that says what goes into it"
        question = Question(
            body.origin, "content", f"Which fields does the body of {tool.method} {tool.path} have?"
        )
        yield found("body-opaque", message, body.origin, tool=tool.name, repair=question)


def _is_opaque(schema: Mapping[str, Any] | None, subject: Subject) -> bool:
    if subject.api is None or not schema:
        return True
    whole = flatten(schema, subject.api.schemas)[0]
    if whole.get("type") not in (None, "object") or whole.get("examples"):
        return False
    telling = ("patternProperties", "oneOf", "anyOf", "enum", "const", "$ref", "items")
    extra = whole.get("additionalProperties")
    return (
        "properties" not in whole
        and not any(whole.get(key) for key in telling)
        and not (isinstance(extra, Mapping) and extra)
    )
