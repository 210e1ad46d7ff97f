"""The values that an argument admits, each with the name and the words that the document gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.naming.identifiers import split_words

_NAMES = ("varnames", "names", "keys", "labels", "members")
_TEXTS = ("descriptions", "description", "desc", "docs")
_MOST = 64
_MOST_WORDS = 6
_OPENING = r"(?<![\w.+-])[`'\"“‘(（\[【<{]?"
_BETWEEN = r"[`'\"”’)）\]】>}]?\s*(?:[:：=＝→]|[-–—](?=\s|[^\W\d_])|[、.．](?=\s*[^\W\d_]))\s*"
_MEANS = r"[`'\"”’)）\]】>}]?\s*(?:means|is|为|表示|代表)\s*"
_STOP = re.compile(r"[\n,，;；、|。/)）]|\.(?=\s|$)")
_UNFINISHED = re.compile(r"\betc\b|\band (?:so on|others|more)\b|\.\.\.|…|等等|等$|など", re.IGNORECASE)
_PAIR = re.compile(_OPENING + r"(\d{1,3})" + _BETWEEN)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value. `label` is what it is called: the value itself, or the name that a coded one has; `text` describes it."""

    value: str | int | float | bool
    label: str
    text: str = ""

    @property
    def key(self) -> str:
        """The value as text: `true`, `2`, `cancel`."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return str(self.value)

    @property
    def coded(self) -> bool:
        """Whether the value itself is no word."""
        return self.label != self.key


def choices_of(schema: Any, schemas: Mapping[str, Schema], description: str = "") -> tuple[Choice, ...]:
    """The values that a schema admits, from `enum`, `const`, or a union of them; none if it admits others.

    Args:
        schema: the schema of an argument, with references.
        schemas: `Api.schemas`.
        description: what the document says about the argument, where that is not in the schema.
    """
    flat = _flat(schema, schemas)
    said = "\n".join(
        dict.fromkeys(text for text in (description, str(flat.get("description") or "")) if text)
    )
    found = _listed(flat, schemas, 0) or _booleans(flat)
    if not found and flat.get("type") in ("integer", "number", "string") and not _UNFINISHED.search(said):
        found = _told_only(said, flat["type"])
    unique = {choice.key: choice for choice in found}
    if len(unique) != len({(type(choice.value), choice.key) for choice in found}) or len(unique) > _MOST:
        return ()
    return _named(list(unique.values()), said)


def fixed_value(schema: Any, schemas: Mapping[str, Schema]) -> Any:
    """The only value that a schema admits, None where there are more or none."""
    listed = _listed(_flat(schema, schemas), schemas, 0)
    return listed[0].value if len(listed) == 1 else None


def partly_listed(schema: Any, schemas: Mapping[str, Schema]) -> tuple[Choice, ...]:
    """The values that a schema names, where it may admit others as well."""
    flat = _flat(schema, schemas)
    found = list(_listed(flat, schemas, 0))
    for key in ("oneOf", "anyOf"):
        for part in flat.get(key, ()):
            found += _listed(_flat(part, schemas), schemas, 1)
    return tuple({choice.key: choice for choice in found}.values())


def named_after(choice: Choice, title: str, text: str) -> Choice:
    """The choice with the title and the description of what it leads to, where it has none of its own."""
    label = _short(title) if title and not choice.coded and _is_code(choice.value) else choice.label
    return replace(choice, label=label, text=choice.text or text)


def _flat(schema: Any, schemas: Mapping[str, Schema]) -> Schema:
    return flatten(schema, schemas)[0] if isinstance(schema, Mapping) else {}


def _listed(flat: Schema, schemas: Mapping[str, Schema], depth: int) -> tuple[Choice, ...]:
    text = str(flat.get("description") or "") if depth else ""
    if _scalar(flat.get("const")):
        # The title of a constant is its name; a description says more.
        return (_choice(flat["const"], str(flat.get("title") or ""), text),)
    if isinstance(listed := flat.get("enum"), list | tuple):
        values = [item for item in listed if item is not None]
        if not all(_scalar(item) for item in values):
            return ()
        names, texts = _extended(flat, values)
        told = texts if len(values) > 1 else tuple(one or text for one in texts)
        return tuple(_choice(*item) for item in zip(values, names, told, strict=True))
    for key in ("oneOf", "anyOf"):
        if isinstance(parts := flat.get(key), list | tuple) and depth < 4:
            each = [_listed(_flat(part, schemas), schemas, depth + 1) for part in parts if not _is_null(part)]
            return tuple(choice for group in each for choice in group) if all(each) else ()
    return ()


def _booleans(flat: Schema) -> tuple[Choice, ...]:
    return (_choice(False, "", ""), _choice(True, "", "")) if flat.get("type") == "boolean" else ()


def _choice(value: Any, name: str, text: str) -> Choice:
    choice = Choice(value, "")
    # A name counts only where the value says nothing itself.
    return replace(choice, label=name if name and _is_code(value) else choice.key, text=text.strip())


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and value != ""


def _is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "null"


def _is_code(value: Any) -> bool:
    """A number, or letters and digits that are no word."""
    if isinstance(value, bool):
        return False
    if not isinstance(value, str):
        return True
    return re.fullmatch(r"[A-Za-z]{0,3}[-_]?\d+|[A-Za-z]{1,2}|0x[0-9a-fA-F]+", value) is not None


def _extended(flat: Schema, values: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and descriptions of the values of an enum from `x-enum-varnames`, `x-enumDescriptions` and their likes."""
    names, texts = [""] * len(values), [""] * len(values)
    for key, told in flat.items():
        kind = key.lower().removeprefix("x-").removeprefix("enum").lstrip("-_")
        if not key.lower().startswith("x-enum") or not (kind in _NAMES or kind in _TEXTS):
            continue
        found = [_told(told, place, value) for place, value in enumerate(values)]
        target = names if kind in _NAMES else texts
        target[:] = [old or new for old, new in zip(target, found, strict=True)]
    return tuple(names), tuple(texts)


def _told(told: Any, place: int, value: Any) -> str:
    if isinstance(told, list | tuple):
        found = told[place] if place < len(told) else ""
    else:
        found = told.get(str(value), "") if isinstance(told, Mapping) else ""
    return found if isinstance(found, str) else ""


def _named(choices: list[Choice], said: str) -> tuple[Choice, ...]:
    """The choices with what the argument's description says about each value: "1: query, 2: cancel"."""
    texts = _explained([choice.key for choice in choices], said)
    named = []
    for choice in choices:
        text = choice.text or texts.get(choice.key, "")
        label = choice.label
        if (
            not choice.coded
            and _is_code(choice.value)
            and text
            and (choice.text or len(texts) == len(choices))
        ):
            label = _short(text)
        named.append(replace(choice, label=label or choice.key, text=text))
    return tuple(named)


def _short(text: str) -> str:
    """The first words of a text, as a name."""
    first = re.split(r"[\n.。;；,，:：(（]", text.strip(), maxsplit=1)[0].strip(" `\"'“”‘’")
    words = split_words(first)
    return first if len(words) <= _MOST_WORDS or not first.isascii() else " ".join(words[:_MOST_WORDS])


def _explained(keys: Sequence[str], said: str) -> dict[str, str]:
    """What a description says after each value, as in `1 - query; 2 - cancel`.

    Codes are explained all together or not at all: one number alone can be any number.
    """
    marks: list[tuple[int, int, str]] = []
    codes = all(_is_code(key) for key in keys)
    for key in keys if said else ():
        spelt = re.escape(key)
        loose = f"[(（\\[【`]{spelt}[)）\\]】`]\\s*" if codes else f"`{spelt}`\\s*[(（]"
        between = f"(?:{_BETWEEN}|{_MEANS})" if codes else _BETWEEN
        found = re.search(f"{_OPENING}{spelt}{between}|{loose}", said)
        if found is not None:
            marks.append((found.start(), found.end(), key))
        elif codes:
            return {}
    marks.sort()
    ends = [*(start for start, _, _ in marks[1:]), len(said)][: len(marks)]
    texts = {key: _cut(said[start:end]) for (_, start, key), end in zip(marks, ends, strict=True)}
    return texts if all(texts.values()) or not codes else {}


def _cut(text: str) -> str:
    text = text.lstrip(" `\"'“‘")
    stop = _STOP.search(text)
    return (text[: stop.start()] if stop else text).strip(" \t-–—*•`\"'”’)）]】(（")


def _told_only(said: str, kind: str) -> tuple[Choice, ...]:
    """Codes that no schema lists, but the description explains: `1: query, 2: cancel`."""
    return tuple(_typed(said, kind)) if kind != "number" else ()


def _typed(said: str, kind: str) -> Iterator[Choice]:
    codes = list(dict.fromkeys(found.group(1) for found in _PAIR.finditer(said)))
    if len(codes) < 2:
        return
    for code in codes:
        yield Choice(code if kind == "string" else int(code), code)
