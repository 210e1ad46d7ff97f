"""A request in plain words: what it is about, and what is to be done with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .concepts import Lexicon, Meaning
from .verbs import ASKING, QUESTIONS, Sense
from .words import STOP, pairs, runs, stem, tokens, words

LONGEST = 1000
"""Characters of a request that are read."""
_TERMS = 60
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|«[^»]*»|(?<!\w)'[^']+'(?!\w)")
_VALUE = re.compile(r"\d|@|://")


@dataclass(frozen=True, slots=True)
class Term:
    """Something to look for: a word as it stands in the index, what else it can be called, how much it counts."""

    word: str | None
    meanings: tuple[Meaning, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Request:
    """A request. `named`: it holds a value (a number, an address, something quoted), so it is about a certain thing."""

    terms: tuple[Term, ...]
    sense: Sense | None
    named: bool


@dataclass(frozen=True, slots=True)
class Shares:
    """How much the parts of a request count against a plain word."""

    quoted: float = 0.3
    pair: float = 0.65
    ideogram: float = 0.25
    joined: float = 0.8


SHARES = Shares()


def read_request(query: str, lexicon: Lexicon, shares: Shares = SHARES) -> Request:
    """Reads a request; what is quoted is a value far more often than what the request is about."""
    query = query[:LONGEST]
    plain = _QUOTED.sub(" ", query)
    quoted = [Term(word, weight=shares.quoted) for part in _QUOTED.findall(query) for word in words(part)]
    spoken = tokens(plain)
    senses: list[Sense] = []
    terms = [
        *_spoken_terms(spoken, lexicon, senses, shares),
        *_ideogram_terms(plain, lexicon, senses, shares),
        *quoted,
    ]
    return Request(
        terms=tuple(dict.fromkeys(terms))[:_TERMS],
        sense=senses[0] if senses else None,
        named=bool(quoted or _VALUE.search(plain)),
    )


def _spoken_terms(spoken: list[str], lexicon: Lexicon, senses: list[Sense], shares: Shares) -> Iterator[Term]:
    """The terms of words between spaces. The senses of verbs are added to `senses` in the order of the text."""
    place, before = 0, ""
    while place < len(spoken):
        phrase = lexicon.phrase(spoken, place)
        if phrase:
            place, meaning = phrase
            before = ""
            _note(senses, [meaning])
            yield Term(None, (meaning,))
            continue
        word = spoken[place]
        place += 1
        meanings = lexicon.of(word)
        if word in QUESTIONS:
            senses.append(Sense.LOOK)
        _note(senses, meanings)
        if word in STOP or word.isdecimal():
            before = ""
            continue
        yield Term(stem(word), tuple(meanings))
        if before:
            yield Term(stem(before + word), weight=shares.joined)
        before = word


def _ideogram_terms(text: str, lexicon: Lexicon, senses: list[Sense], shares: Shares) -> Iterator[Term]:
    """The terms of unspaced scripts: known words, and what lies between them as pairs and single characters."""
    for run in runs(text):
        known: set[int] = set()
        for start, spelling, meaning in lexicon.within(run):
            known.update(range(start, start + len(spelling)))
            _note(senses, [meaning])
            yield Term(spelling, (meaning,))
        for place, pair in enumerate(pairs(run)):
            if not {place, place + 1} <= known:
                yield Term(pair, weight=shares.pair)
        for place, ideogram in enumerate(run):
            if place not in known and len(run) > 1:
                yield Term(ideogram, weight=shares.ideogram)
        if any(word in run for word in ASKING):
            senses.append(Sense.LOOK)


def _note(senses: list[Sense], meanings: list[Meaning]) -> None:
    senses += [meaning.concept.sense for meaning in meanings if meaning.concept.sense]
