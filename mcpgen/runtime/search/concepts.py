"""What words mean: which others say the same, in the same language and in other ones.

A line of the tables is a concept. `|` separates languages; the first is English. A word that ends in `*` stands for
all words that begin so (inflected languages), `_` joins the words of a phrase, and ideograms are looked for anywhere.
The words are those that names and descriptions of APIs are full of; none is there for the sake of a single API.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from .nouns_people import PEOPLE
from .nouns_systems import SYSTEMS
from .verbs import VERBS, Sense
from .words import IDEOGRAMS, folded, stem

_SHORTEST = 3
"""A shorter beginning begins too much."""
_TAIL = 3
"""How many letters may follow a beginning of three; a longer beginning may be followed by more."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to say a concept; `open` when it only begins the word."""

    text: str
    open: bool = False

    @property
    def ideograms(self) -> bool:
        return bool(IDEOGRAMS.match(self.text))


@dataclass(frozen=True, slots=True, eq=False)
class Concept:
    """Words that mean the same, one group for each language."""

    languages: tuple[tuple[Spelling, ...], ...]
    sense: Sense | None


@dataclass(frozen=True, slots=True)
class Meaning:
    """A concept that a text has named, in the language of this number."""

    concept: Concept
    language: int


@dataclass(slots=True)
class Lexicon:
    """The concepts by how they are said."""

    words: dict[str, list[Meaning]] = field(default_factory=lambda: defaultdict(list))
    beginnings: dict[str, list[Meaning]] = field(default_factory=lambda: defaultdict(list))
    phrases: dict[str, list[tuple[tuple[str, ...], Meaning]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    ideograms: dict[str, list[Meaning]] = field(default_factory=lambda: defaultdict(list))
    _pattern: re.Pattern[str] = re.compile("")

    def of(self, word: str) -> list[Meaning]:
        """What a lower-case word without accents can mean."""
        found = list(self.words.get(stem(word), ()))
        for end in range(_SHORTEST, len(word) + 1):
            if word[:end] in self.beginnings and may_follow(word[:end], word):
                found += self.beginnings[word[:end]]
        return found

    def phrase(self, words: Sequence[str], start: int) -> tuple[int, Meaning] | None:
        """The longest phrase that begins here, and where it ends; one word may stand after its first one."""
        for rest, meaning in self.phrases.get(words[start], ()):
            for gap in (1, 2):
                end = start + gap + len(rest)
                if tuple(words[start + gap : end]) == rest:
                    return end, meaning
        return None

    def within(self, run: str) -> Iterator[tuple[int, str, Meaning]]:
        """The concepts in a run of ideograms, with their places and spellings."""
        for match in self._pattern.finditer(run):
            for meaning in self.ideograms[match[0]]:
                yield match.start(), match[0], meaning

    def add(self, concept: Concept) -> None:
        for language, spellings in enumerate(concept.languages):
            meaning = Meaning(concept, language)
            for spelling in spellings:
                self._add(spelling, meaning)

    def _add(self, spelling: Spelling, meaning: Meaning) -> None:
        if spelling.ideograms:
            self.ideograms[spelling.text].append(meaning)
        elif " " in spelling.text:
            first, *rest = spelling.text.split(" ")
            self.phrases[first].append((tuple(rest), meaning))
        else:
            (self.beginnings if spelling.open else self.words)[spelling.text].append(meaning)

    def close(self) -> None:
        """Makes it ready: longer phrases and ideograms go before shorter ones."""
        for phrases in self.phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))
        longest = sorted(self.ideograms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest)))


def may_follow(beginning: str, word: str) -> bool:
    """Whether a word is a form of what begins so; after three letters only a short ending is."""
    return len(beginning) > _SHORTEST or len(word) - len(beginning) <= _TAIL


@cache
def lexicon() -> Lexicon:
    """All concepts, read when something is searched for the first time."""
    found = Lexicon()
    for sense, table in VERBS.items():
        for line in table.split("\n"):
            if line.strip():
                found.add(_concept(line, sense))
    for line in [*PEOPLE.split("\n"), *SYSTEMS.split("\n")]:
        if line.strip():
            found.add(_concept(line, None))
    found.close()
    return found


def _concept(line: str, sense: Sense | None) -> Concept:
    return Concept(tuple(tuple(map(_spelling, part.split())) for part in line.split("|")), sense)


def _spelling(text: str) -> Spelling:
    if IDEOGRAMS.match(text):
        return Spelling(text)
    plain = folded(text).replace("_", " ")
    if plain.endswith("*"):
        return Spelling(plain[:-1], open=True)
    return Spelling(plain if " " in plain else stem(plain))
