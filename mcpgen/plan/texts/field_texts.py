"""What the document says of a field in one place, for the arguments of the same name that it leaves without words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from mcpgen.ir.api import Api, Schema
from mcpgen.plan.naming.identifiers import fold, split_words
from mcpgen.plan.texts.samples import COMMON
from mcpgen.plan.texts.text import clean_text, first_sentence
from mcpgen.plan.texts.words import repeats

_LONGEST = 180
_AGREED = 0.5
"""The share of the places with words that have to say the same."""
_POINTING = re.compile(
    r"^(?:this|these|it|see|same as|optional|required|deprecated)\b|\$|^https?:", re.IGNORECASE
)
_IDEOGRAM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LABEL = 6
"""Fewer ideograms are a label, not an explanation."""


class FieldTexts:
    """The descriptions of parameters and of the properties of components, by name.

    Common names (`id`, `status`) mean something else in every schema: their words count for the schema that they are of.
    """

    def __init__(self, api: Api) -> None:
        self._of_schema: dict[tuple[str, str], str] = {}
        self._said: dict[str, Counter[str]] = {}
        for operation in api.operations:
            for parameter in operation.parameters:
                self._add(parameter.name, parameter.description)
        for name, schema in api.schemas.items():
            for field, text in _fields(schema):
                self._of_schema.setdefault((fold(name), fold(field)), text)
                self._add(field, text)

    def _add(self, field: str, text: str) -> None:
        if text and field.lower() not in COMMON:
            self._said.setdefault(fold(field), Counter())[text] += 1

    def find(self, name: str, noun: str) -> str:
        """One sentence for an argument, or nothing where the document has none, or several that differ.

        Args:
            noun: what the argument is about: `order` for the fields of a new order.
        """
        own = self._of_schema.get((fold("".join(noun.split())), fold(name)), "")
        counts = self._said.get(fold(name))
        if not own and counts:
            text, count = max(counts.items(), key=lambda item: (item[1], item[0]))
            own = text if count >= _AGREED * counts.total() else ""
        said = _sentence(own) if own else ""
        fits = said and len(said) <= _LONGEST and not _POINTING.search(said)
        return said if fits and not is_label(said, name) else ""


@lru_cache(maxsize=4096)
def _sentence(text: str) -> str:
    """The first sentence, without markup; the same fields come with many tools."""
    return first_sentence(clean_text(text))


def is_label(text: str, name: str) -> bool:
    """Whether a description says no more than the name: `Order id` of `order_id`, or the name in another language."""
    signs = len(_IDEOGRAM.findall(text))
    if not any(char.isalnum() for char in text):
        return True
    if signs:
        return signs < _LABEL and len(text) - signs < _LABEL
    return repeats(text, f"{name} {' '.join(split_words(name))} identifier string value")


def _fields(schema: Schema) -> Iterator[tuple[str, str]]:
    for part in (schema, *(one for one in schema.get("allOf", ()) if isinstance(one, Mapping))):
        properties = part.get("properties")
        for name, inner in properties.items() if isinstance(properties, Mapping) else ():
            text = inner.get("description") if isinstance(inner, Mapping) else None
            if isinstance(text, str) and text.strip():
                yield name, text
