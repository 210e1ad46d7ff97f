"""The descriptions of arguments: what the document says, and where it says nothing, what its schema says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.texts.field_texts import is_label
from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.samples import is_short
from mcpgen.plan.texts.words import ended

_SHOWN = 60
_FIELDS = 4
_LONG = 1000
"""Characters from which on a limit tells a caller nothing."""

_IDS = frozenset({"id", "ids", "uuid", "guid", "gid", "pk"})
_PARTS = frozenset("""
    name title description status state type kind category code slug email phone address price amount currency quantity url color
    size width height weight language country city label labels tags version author owner notes note comment content key value
    path format priority id ids text message body image icon password username role roles number date time start end duration
    """.split())
"""Fields that things have, whatever the things are."""


def argument_text(
    name: str,
    schema: Mapping[str, Any],
    *,
    example: Any,
    identifies: str,
    finder: str,
    phrases: Phrases,
    elsewhere: str = "",
    owner: str = "",
) -> str:
    """The description of one argument.

    Args:
        schema: as it is published; its own `description` comes first and stays as it is.
        example: a value that the document gives for it, or None.
        identifies: what the argument identifies, "" where it is not known to do so.
        finder: the tool that finds it, "" where there is none.
        elsewhere: what the document says of the same field in another place.
        owner: the thing whose field it is, in a word or two; "" where that is not known.
    """
    told = str(schema.get("description") or "")
    if told and not is_label(told, name):
        return _with_example(told, schema, example, phrases)
    identity = _identifies(name, identifies, finder, phrases)
    facts = [
        told if told and not (told.strip().lower() == name.lower() or identity or elsewhere) else "",
        identity,
        "" if identity else elsewhere,
        "" if identity or elsewhere or told else _part(name, owner, phrases),
        _format(schema, phrases),
        _range(schema, phrases),
        _default(schema, phrases),
        _fields(schema, phrases),
    ]
    text = phrases["gap"].join(ended(fact, phrases["stop"]) for fact in facts if fact)
    return _with_example(text, schema, example, phrases)


def _with_example(text: str, schema: Mapping[str, Any], example: Any, phrases: Phrases) -> str:
    """An example where nothing else shows the form of a value."""
    if example is None:
        return text
    shows = {"enum", "const", "default", "examples"} & schema.keys() or schema.get("type") == "boolean"
    if shows or not is_short(example) or str(example) in text:
        return text
    shown = json.dumps(example, ensure_ascii=False)
    added = ended(phrases.say("arguments.example", text=shown), phrases["stop"])
    return f"{ended(text, phrases['stop'])}{phrases['gap']}{added}" if text else added


def _part(name: str, owner: str, phrases: Phrases) -> str:
    """`Name of the order`: only for plain names of one word, longer ones say themselves what they are of."""
    words = split_words(name)
    known = len(words) == 1 and words[0] in _PARTS and words[0] not in owner.split()
    return phrases.say("arguments.part", field=words[0].capitalize(), what=owner) if owner and known else ""


def _identifies(name: str, what: str, finder: str, phrases: Phrases) -> str:
    words = split_words(name)
    known = bool(words) and words[-1] in _IDS
    if finder and what and known:
        return phrases.say("arguments.identifies_from", what=what, name=finder)
    if finder:
        return phrases.say("arguments.one_from", what=what or " ".join(words), name=finder)
    if not what or not known or set(what.split()) <= set(words):
        return ""
    return phrases.say("arguments.identifies", what=what)


def _format(schema: Mapping[str, Any], phrases: Phrases) -> str:
    known = phrases.get(f"formats.{schema.get('format')}")
    return phrases.say("arguments.format", text=known) if known else ""


def _range(schema: Mapping[str, Any], phrases: Phrases) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return phrases.say("arguments.range", low=low, high=high)
    if high is not None:
        return phrases.say("arguments.most", high=high)
    if low is not None:
        return phrases.say("arguments.least", low=low)
    if schema.get("maxLength", _LONG) < _LONG:
        exact = schema.get("minLength") == schema["maxLength"]
        return phrases.say("arguments.exact" if exact else "arguments.longest", high=schema["maxLength"])
    if "maxItems" in schema:
        return phrases.say("arguments.items_most", high=schema["maxItems"])
    return ""


def _fields(schema: Mapping[str, Any], phrases: Phrases) -> str:
    """The fields of an object, or of the objects in a list: those that have to be there, else the first ones."""
    if (
        schema.get("type") == "object"
        and not schema.get("properties")
        and schema.get("additionalProperties") is False
    ):
        return phrases["arguments.empty"]
    items = schema.get("items")
    inner = items if isinstance(items, Mapping) else schema
    named = inner.get("required") or list(inner.get("properties") or ())
    if not named:
        return ""
    shown = phrases["comma"].join(f"`{name}`" for name in named[:_FIELDS])
    more = f"{phrases['comma'].rstrip()} …" if len(named) > _FIELDS else ""
    return phrases.say("arguments.objects" if inner is items else "arguments.object", text=shown + more)


def _default(schema: Mapping[str, Any], phrases: Phrases) -> str:
    value = schema.get("default")
    if value is None:
        return ""
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return phrases.say("arguments.default", text=shown) if len(shown) <= _SHOWN else ""
