"""Dates of unknown form, page sizes without a limit, quantities without a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Argument, Finding, Question, Tool
from mcpgen.lint.words import name_words

_TIMES = frozenset("date time datetime timestamp since until at".split())
_TIME_FORM = re.compile(
    r"\d|\biso\b|\brfc\b|\bformat|yyyy|\bunix\b|\bepoch\b|\butc\b|\btimestamp|\be\.?g\.|\bexample|\bdate-?time\b|例|格式|形式",
    re.IGNORECASE,
)
_SIZES = frozenset("limit page_size pagesize per_page perpage max_results maxresults page_limit".split())
_QUANTITIES = frozenset(
    "timeout duration delay interval ttl lifetime weight height width depth distance radius amount price cost fee speed temperature bandwidth".split()
)
_NAMED_UNIT = frozenset(
    "seconds second secs sec ms millis milliseconds us ns minutes minute mins min hours hour days day weeks months years bytes byte kb mb gb"
    " tb kib mib gib kg g mg t cm mm m km miles mile feet ft inch inches px pixels percent percentage pct cents cent usd eur gbp id ids"
    " count type unit units ratio factor name code".split()
)
_UNIT = re.compile(
    r"\bhow many\b|\bnumber of\b|\b(?:seconds?|secs?|ms|milli\w*|micro\w*|nano\w*|minutes?|mins?|hours?|days?|weeks?|months?|years?|bytes?|[kmgt]i?b|kilo\w*|mega\w*"
    r"|giga\w*|pixels?|px|met(?:er|re)s?|km|grams?|kg|pounds?|lbs?|ounces?|inch(?:es)?|feet|miles?|cm|mm|percent\w*|cents?|dollars?"
    r"|euros?|currency|currencies|usd|eur|gbp|rub|cny|units?|degrees?|celsius|fahrenheit|kelvin|hz|bits?|characters?|tokens?|lovelaces?"
    r"|wei|satoshis?|sekunden?|minuten?|stunden?|tagen?|секунд\w*|минут\w*|копе\w*|ISO[- ]?8601)\b|%|[秒分时時日天元円克米]|毫秒|字节|像素|\dm?s\b",
    re.IGNORECASE,
)


def check_quantities(context: Context) -> Iterator[Finding]:
    for tool in context.subject.tools:
        names = {word for argument in tool.arguments for word in name_words(argument.name)}
        for argument in tool.arguments:
            yield from _time(tool, argument)
            yield from _page_size(tool, argument)
            yield from _quantity(tool, argument, names)


def _kind(argument: Argument) -> str:
    kind = argument.schema.get("type")
    return (
        str(next((one for one in kind if one != "null"), "")) if isinstance(kind, list) else str(kind or "")
    )


def _text(argument: Argument) -> str:
    return str(argument.schema.get("description") or "")


def _time(tool: Tool, argument: Argument) -> Iterator[Finding]:
    words = name_words(argument.name)
    stated = {"format", "pattern", "enum", "examples", "example", "default", "const"} & argument.schema.keys()
    if _kind(argument) != "string" or stated or not words or words[-1] not in _TIMES or words == ("at",):
        return
    if not _TIME_FORM.search(_text(argument)):
        asked = f"Which form does `{argument.name}` have: `date`, `date-time`, or another one?"
        repair = Question(argument.location, "format", asked)
        message = f"`{argument.name}` is a text of unknown form"
        yield found("format-missing", message, argument.location, tool=tool.name, repair=repair)


def _page_size(tool: Tool, argument: Argument) -> Iterator[Finding]:
    if "_".join(name_words(argument.name)) not in _SIZES or tool.effect != "read":
        return
    bounded = {"maximum", "exclusiveMaximum", "enum", "const", "default"} & argument.schema.keys()
    if _kind(argument) in ("integer", "number", "") and not bounded and not re.search(r"\d", _text(argument)):
        asked = f"How much can `{argument.name}` be, and what is it by default?"
        repair = Question(argument.location, "maximum", asked)
        message = f"`{argument.name}` has no maximum and no default"
        yield found("limit-missing", message, argument.location, tool=tool.name, repair=repair)


def _quantity(tool: Tool, argument: Argument, names: set[str]) -> Iterator[Finding]:
    words = name_words(argument.name)
    if _kind(argument) not in ("integer", "number") or not words or words[-1] not in _QUANTITIES:
        return
    if _NAMED_UNIT.intersection(words) or {"currency", "unit", "units"} & names or "enum" in argument.schema:
        return
    if not _UNIT.search(f"{_text(argument)} {argument.schema.get('format') or ''}"):
        repair = Question(argument.location, "description", f"In which unit is `{argument.name}`?")
        message = f"`{argument.name}` has no unit"
        yield found("unit-missing", message, argument.location, tool=tool.name, repair=repair)
