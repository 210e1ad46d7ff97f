"""The words of texts, so far as rules need them: what a text says beyond a name, whatever its language."""

from __future__ import annotations

import functools
import re
from collections.abc import Set

from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.texts.text import clean_text

_SMALL = frozenset("""
    a an the of to for in on by with and or that this these those it its is are be been was were your you their our all any each
    every one given specified specific existing certain some from as at into will can about under this your which what when using via based
    der die das den dem des ein eine einen einer eines und oder zu zum zur von vom für mit auf im in ist wird alle
    le la les un une des du de et ou pour par dans sur est tous toutes el los las una del y o para por en es con todos
    """.split())
_EMPTY = frozenset("""
    operation endpoint api call method request resource object data information info details detail item items entity record
    value field parameter argument property name tool function service
    """.split())
"""Words that add nothing to a name: "the name of the field"."""
_INFLECTION = 3
_REMEMBERED = 8192
IDEOGRAM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\d+"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_MARKUP = re.compile(r"<[^<>]{1,200}>|[*`#|]")


@functools.lru_cache(maxsize=_REMEMBERED)
def cleaned(text: str) -> str:
    """The text without markup. Documents repeat the descriptions of their parameters."""
    return clean_text(text)


@functools.lru_cache(maxsize=_REMEMBERED)
def content(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, in lower case and the singular; ideograms count one by one."""
    found: set[str] = set()
    for word in _WORD.findall(_spread(_MARKUP.sub(" ", text))):
        folded = word.casefold()
        if folded not in _SMALL:
            found.add(_stem(folded))
    return frozenset(found)


@functools.lru_cache(maxsize=_REMEMBERED)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name. Documents repeat the names of their parameters."""
    return split_words(name)


@functools.lru_cache(maxsize=_REMEMBERED)
def name_content(*names: str) -> frozenset[str]:
    """The words of names, so that `content` of the same words is equal."""
    return frozenset(_stem(word) for name in names for word in name_words(name)) | frozenset(
        sign for name in names for sign in name if IDEOGRAM.match(sign)
    )


@functools.lru_cache(maxsize=_REMEMBERED)
def beyond(text: str, *names: str) -> frozenset[str]:
    """What a text says that the names do not."""
    known = name_content(*names)
    fresh = content(text) - known - _EMPTY
    return frozenset(word for word in fresh if not any(_part_of(word, name) for name in known))


def _part_of(word: str, name: str) -> bool:
    """Whether a word only spells a name's word in another way: `id` of `orderid`, `listing` of `list`."""
    inflected = len(name) > 3 and word.startswith(name) and len(word) - len(name) <= _INFLECTION
    return (len(word) > 1 and word in name) or inflected


def count_words(text: str) -> int:
    """The number of words; two ideograms count as one."""
    signs = len(IDEOGRAM.findall(text))
    return len(re.findall(r"[^\W_]+", IDEOGRAM.sub(" ", text))) + (signs + 1) // 2


def english(text: str) -> bool:
    """Whether a text is English, so far as a rule about English words can tell: all letters are plain ones."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and all(char.isascii() for char in letters) and not _FOREIGN.search(text)


_FOREIGN = re.compile(
    r"\b(?:der|die|das|und|oder|eine[rsn]?|für|wird|le|les|une|des|et|pour|dans|el|los|las|una|para|con|del|uma|dos|para|een|het"
    r"|van|voor|di|il|della|che|per)\b",
    re.IGNORECASE,
)


def names_in(text: str) -> frozenset[str]:
    """What in a text can be a name: words in plain letters, with what names are joined by."""
    words = set(_NAME.findall(text))
    return frozenset(words | {word.rstrip(".-") for word in words})


def mentions(text: str, names: Set[str]) -> list[str]:
    """Which of the names stand in the text as words of their own, in order."""
    return sorted(names_in(text) & names)


def _stem(word: str) -> str:
    base = singular(word)
    for tail in ("ing", "ed"):
        if base.endswith(tail) and len(base) > len(tail) + 3:
            return base[: -len(tail)]
    return base[:-1] if base.endswith("e") and len(base) > 4 else base


def _spread(text: str) -> str:
    """`camelCase` and `snake_case` inside a text as words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " ")
