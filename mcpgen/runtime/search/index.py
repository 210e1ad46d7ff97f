"""Ranks tools for a request: by its very name or title, by Okapi BM25 over weighted fields (BM25F: Robertson and Zaragoza,
2009), then by fit.

Counts of a word in the fields are weighted and normalised by the field's length before they saturate, so that a long
list of arguments does not hide a good name. A word is met by itself, by words of the same meaning, and where the
index does not have it, by words that begin alike.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .concepts import Concept, Meaning, lexicon, may_follow
from .documents import FIELDS, Document, read_tool
from .request import Request, Term, read_request
from .verbs import Sense
from .words import IDEOGRAMS, folded, pairs, words

Posting = dict[int, float]
"""Weighted counts by the number of the document."""
Said = tuple[float, str, Posting]
"""One way to say a term: its share, the word, and where it stands."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Found by trying on real specifications and requests; `make search-bench` measures them."""

    fields: Mapping[str, float] = field(
        default_factory=lambda: dict(
            name=4, title=3, path=2.5, toolset=1, head=1.5, rest=0.6, arguments=0.7, values=0.25
        )
    )
    lengths: Mapping[str, float] = field(
        default_factory=lambda: dict(
            name=0.3, title=0.75, path=0.5, toolset=0.3, head=0.3, rest=0.75, arguments=0.6, values=0.6
        )
    )
    """How far the length of a field counts: BM25's `b`."""
    saturation: float = 1.2
    synonym: float = 0.6
    translation: float = 1.0
    second: float = 0.45
    """The share of a translation that is not the first one."""
    alike: float = 0.5
    api: float = 0.3
    """The share of a word that names the API itself."""
    covered: float = 0.3
    same_sense: float = 0.15
    other_sense: float = 0.2
    """The loss of a tool that looks where something is to be done, or the other way round."""
    ends: float = 0.12
    """The loss of a tool that ends things where nothing is to be ended, or the other way round."""
    form: float = 0.075
    """The gain where request and path both name one thing, or neither does."""


WEIGHTS = Weights()
_ALIKE = 30
_LONGEST_CALLED = 300


class Index:
    """An index over the wire dicts of tools; `entries` are their operations in the catalogue, `api` its title."""

    def __init__(
        self,
        tools: Iterable[Mapping[str, Any]],
        entries: Mapping[str, Mapping[str, Any]] | None = None,
        api: str = "",
        weights: Weights = WEIGHTS,
    ) -> None:
        tools, entries = list(tools), entries or {}
        names = {tool["name"] for tool in tools}
        self._weights = weights
        self._documents = [read_tool(tool, entries.get(tool["name"], {}), names) for tool in tools]
        self._postings = _postings(self._documents, weights)
        self._vocabulary = sorted(self._postings)
        self._labels = [self._label(document) for document in self._documents]
        self._names, self._titles = _called(tools, "name"), _called(tools, "title")
        self._api = frozenset(words(api)) - {"api", "rest"}
        self._said: dict[tuple[Concept, int, bool], list[Said]] = {}

    def search(self, query: str, limit: int) -> list[str]:
        """Names of the tools that fit, best first; equal ones by name.

        A request that is a tool's name, or its title, means that tool: words alone don't tell it from others that
        are called almost the same, and a short one among them can fit better.
        """
        called = _plain(query)
        named = sorted(self._names.get(called, ()), key=lambda name: name != query.strip())
        meant = dict.fromkeys([*named, *self._titles.get(called, ())])
        return list({**meant, **dict.fromkeys(self._ranked(query))})[:limit]

    def _ranked(self, query: str) -> list[str]:
        request = read_request(query, lexicon())
        scores: defaultdict[int, float] = defaultdict(float)
        covered: defaultdict[int, dict[str, float]] = defaultdict(dict)
        for term in request.terms:
            for number, score in self._met(term, covered).items():
                scores[number] += score
        found = [
            (-score * self._fit(request, number, covered[number]), self._documents[number].name)
            for number, score in scores.items()
        ]
        return [name for _, name in sorted(found)]

    def _met(self, term: Term, covered: Mapping[int, dict[str, float]]) -> Posting:
        """The documents that have a term in any of its spellings: its best score in each of them."""
        tiers: defaultdict[float, Posting] = defaultdict(dict)
        for share, word, posting in self._spellings(term):
            tier = tiers[share]
            for number, count in posting.items():
                tier[number] = tier.get(number, 0.0) + count
                if word in self._labels[number]:
                    best = covered[number]
                    best[word] = max(best.get(word, 0.0), min(share, 1.0))
        holders = len({number for tier in tiers.values() for number in tier})
        weight = term.weight * (self._weights.api if term.word in self._api else 1.0)
        found: Posting = {}
        for share, tier in tiers.items():
            rarity = self._rarity(len(tier) if share == 1.0 else holders)
            for number, count in tier.items():
                score = weight * share * rarity * count / (count + self._weights.saturation)
                found[number] = max(found.get(number, 0.0), score)
        return found

    def _spellings(self, term: Term) -> Iterator[Said]:
        """A term as it can be said. The same text is met once, by its greatest share."""
        best: dict[str, Said] = {}
        for said in self._unsorted(term):
            known = best.get(said[1])
            if known is None or known[0] < said[0]:
                best[said[1]] = said
        yield from best.values()

    def _unsorted(self, term: Term) -> Iterator[Said]:
        if term.word is not None:
            yield 1.0, term.word, self._posting(term.word)
            if term.weight == 1.0 and term.word not in self._postings:
                yield from self._alike(term.word)
        for meaning in term.meanings:
            key = (meaning.concept, meaning.language, term.word is None)
            if key not in self._said:
                self._said[key] = list(self._concept(meaning, self._weights, term.word is None))
            yield from self._said[key]

    def _concept(self, meaning: Meaning, weights: Weights, phrase: bool) -> Iterator[Said]:
        """What a concept is called in this index, in all languages."""
        for language, spellings in enumerate(meaning.concept.languages):
            own = language == meaning.language
            for place, spelling in enumerate(spellings):
                share = weights.synonym if own and not phrase else weights.translation
                if place and not own:
                    share *= weights.second
                found = self._beginning(spelling.text) if spelling.open else (spelling.text,)
                yield from ((share, word, self._posting(word)) for word in found)

    def _alike(self, word: str) -> Iterator[Said]:
        """Words that begin like one that the index does not have: other forms of it, mostly."""
        if len(word) < 4:
            return
        near = (w for w in self._beginning(word[: max(4, len(word) - 3)]) if len(w) <= len(word) + 4)
        for _, found in zip(range(_ALIKE), near, strict=False):
            yield self._weights.alike, found, self._postings[found]

    def _beginning(self, beginning: str) -> Iterator[str]:
        place = bisect_left(self._vocabulary, beginning)
        while place < len(self._vocabulary) and self._vocabulary[place].startswith(beginning):
            if may_follow(beginning, self._vocabulary[place]):
                yield self._vocabulary[place]
            place += 1

    def _posting(self, word: str) -> Posting:
        """Where a word stands; ideograms that are longer than a pair stand where all their pairs do."""
        if word in self._postings or word.isascii() or not IDEOGRAMS.match(word):
            return self._postings.get(word, {})
        first, *others = (self._postings.get(pair, {}) for pair in pairs(word))
        return {
            number: min([count, *(other[number] for other in others)])
            for number, count in first.items()
            if all(number in other for other in others)
        }

    def _rarity(self, holders: int) -> float:
        """Inverse document frequency, as in BM25."""
        return math.log(1 + (len(self._documents) - holders + 0.5) / (holders + 0.5))

    def _label(self, document: Document) -> dict[str, float]:
        """The words that name a tool, with how much each tells."""
        named = {*document.fields["name"], *document.fields["title"]}
        return {word: self._rarity(len(self._postings[word])) for word in named}

    def _fit(self, request: Request, number: int, covered: Mapping[str, float]) -> float:
        """What tells siblings apart: how much of its name was asked for, and whether it does what was asked."""
        weights, document, label = self._weights, self._documents[number], self._labels[number]
        named = sum(label[word] * share for word, share in covered.items())
        fit = 1 + weights.covered * named / (sum(label.values()) or 1.0)
        if request.sense:
            wanted = Sense.ADD if request.sense is Sense.RUN else request.sense
            fit *= 1 + _agreement(wanted, document.sense, weights)
        return fit * (1 + weights.form) if request.named == document.one else fit


def _called(tools: Iterable[Mapping[str, Any]], key: str) -> dict[str, list[str]]:
    """The names of the tools by what they are called, in order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for tool in tools:
        if called := _plain(str(tool.get(key) or "")):
            found[called].append(tool["name"])
    return {called: sorted(names) for called, names in found.items()}


def _plain(text: str) -> str:
    """What a tool is called, without the marks and cases in which callers differ: `getOrder` is `get_order`."""
    return "".join(c for c in folded(text[:_LONGEST_CALLED]) if c.isalnum())


def _agreement(wanted: Sense, does: Sense, weights: Weights) -> float:
    if wanted is does:
        return weights.same_sense
    if Sense.LOOK in (wanted, does):
        return -weights.other_sense
    return -weights.ends if Sense.END in (wanted, does) else 0.0


def _postings(documents: list[Document], weights: Weights) -> dict[str, Posting]:
    """Where every word stands: its counts in the fields, weighted and normalised by their lengths."""
    total = max(len(documents), 1)
    average = {name: sum(len(d.fields[name]) for d in documents) / total or 1.0 for name in FIELDS}
    found: defaultdict[str, Posting] = defaultdict(dict)
    for number, document in enumerate(documents):
        for name, content in document.fields.items():
            share = weights.lengths[name]
            count = weights.fields[name] / (1 - share + share * len(content) / average[name])
            for word in content:
                posting = found[word]
                posting[number] = posting.get(number, 0.0) + count
    return dict(found)
