"""The language of a document: by its script, else by the small words that it uses most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from mcpgen.ir.api import Api, Operation
from mcpgen.plan.texts.phrases import FALLBACK, catalogues

_ENOUGH = 20_000
"""Characters that tell a language."""
_SHARE = 5
"""One letter in so many is of the script: the rest are names and code, which are in Latin letters anywhere."""
_MIXED = 20
"""The same for a script that stands beside another one: kana among ideograms."""


def language_of(api: Api) -> str:
    """The language that most of the document is in, as a key of the catalogues; English where nothing tells.

    The whole document decides, so that one API speaks one language and a changed sentence does not move it.
    """
    text = _sample(api)
    letters = sum(char.isalpha() for char in text)
    scripts = {
        language: len(re.findall(f"[{told['script']}]", text))
        for language, told in _detection()
        if "script" in told
    }
    best = max(sorted(scripts), key=scripts.__getitem__, default=FALLBACK)
    if scripts.get("ja", 0) * _MIXED >= letters > 0:
        return "ja"  # kana stands only in Japanese, ideograms in both
    if scripts.get(best, 0) * _SHARE >= letters > 0:
        return best
    words = Counter(re.findall(r"[^\W\d_]+", text.lower()))
    counts = {
        language: sum(words[word] for word in told["words"])
        for language, told in _detection()
        if "words" in told
    }
    first = max(counts, key=lambda language: (counts[language], language == FALLBACK))
    return first if counts[first] else FALLBACK


def _detection() -> Iterator[tuple[str, dict[str, Any]]]:
    for language, catalogue in catalogues().items():
        yield language, catalogue.get("language", {})


def _sample(api: Api) -> str:
    """Texts from all over the document, the same for the same document."""
    texts = [api.description[:1000]]
    texts += [f"{one.summary} {one.description[:200]}" for one in _spread(api)]
    if sum(map(len, texts)) < 400:
        texts += [p.description[:200] for one in _spread(api) for p in one.parameters]
    return "\n".join(texts)[:_ENOUGH]


def _spread(api: Api) -> tuple[Operation, ...]:
    """Some operations from all over the document."""
    return api.operations[:: max(1, len(api.operations) // 150)]
