"""Finds the verbs of an operation: in its summary, operationId, path and description."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcpgen.plan.effects.ideograms import ideogram_verbs, is_ideographic
from mcpgen.plan.effects.words import MODIFIERS, NOUNISH, NOUNS, VERBS, Act, Verb, lemma
from mcpgen.plan.effects.words_foreign import stem_act
from mcpgen.plan.naming.identifiers import split_words

_TOKEN = re.compile(r"[^\W\d_][\w'’]*|[,/&|+]", re.UNICODE)
# Two words that are one verb. The left side is a regular expression over lower-case text.
_PHRASES = [
    (re.compile(pattern), word)
    for pattern, word in (
        (r"\b(log|logs|logging|sign|signs|signing)( \w+){0,3}?[ -]out\b", "logout"),
        (r"\b(log|logs|logging|sign|signs)( \w+){0,2}?[ -](in|into|on)\b", "login"),
        (r"\bsigns?[ -]up\b", "signup"),
        (r"\bshuts?[ -]down\b|\bshutting down\b", "shutdown"),
        (r"\b(rolls?|rolling)[ -]back\b", "rollback"),
        (r"\btears?[ -]down\b", "destroy"),
        (r"\bcleans?[ -]up\b", "cleanup"),
        (r"\blooks?[ -]up\b", "lookup"),
        (r"\bchecks?[ -]out\b", "checkout"),
        (r"\bchecks?[ -]in\b", "create"),
        (r"\bsets?[ -]up\b", "setup"),
        (r"\bbacks?[ -]up\b", "backup"),
        (r"\b(pays?|cash(es)?)[ -]out\b", "payout"),
        (r"\bpower(s|ing)?[ -]off\b", "stop"),
        (r"\bdry[ -]?runs?\b", "preview"),
        (r"^block until\b", "wait until"),
        (r"\bmerge[ -]forward\b", "forward"),
        (r"\bkicks?[ -]off\b", "start"),
        (r"\bturns?( \w+)?[ -]off\b|\bopts?[ -](out|in)\b", "disable"),
        (r"\bmov(es?|ing) (\w+ ){0,4}to (the )?(trash|recycling bin|recycle bin|bin)\b", "trash"),
        (r"\b(un|re|de)-(?=[a-z])", r"\1"),
    )
]
_INTRO = frozenset(
    "this use used uses allows allow lets enables endpoint api method operation call resource request function service provides to you can with an the a for route webhook rpc".split()
)
# Words by which a text shows that it is English, so that no stem of another language is looked for.
_ENGLISH = frozenset("the of that this is are with by to which from".split())
# What a title names as its second action even far from the first: "Create a new or update an existing user".
_CORE = frozenset(
    "create update delete remove cancel modify revoke replace destroy disable enable purge void".split()
)


def text_verbs(text: str) -> tuple[Verb, ...]:
    """The verbs that say what an operation does, from its summary or the first sentence of its description.

    More than one only when they are coordinated ("create, update or delete").
    """
    if is_ideographic(text):
        return ideogram_verbs(text)
    lower = text.lower().replace("_", " ").replace("-", "-")
    for pattern, word in _PHRASES:
        lower = pattern.sub(word, lower)
    tokens = _TOKEN.findall(lower)
    return _leading_verbs(tokens) or _foreign_verbs(tokens) or _noun_verbs(tokens)


def _leading_verbs(tokens: Sequence[str]) -> tuple[Verb, ...]:
    start = 0
    while (
        start < len(tokens)
        and (tokens[start] in MODIFIERS or not tokens[start][0].isalpha())
        and lemma(tokens[start]) not in VERBS
    ):
        start += 1
    if start < len(tokens) and tokens[start] in _INTRO and lemma(tokens[start]) not in VERBS:
        start = _after_intro(tokens, start)
    if (
        tokens[start + 1 : start + 2]
        and tokens[start + 1] in ("or", "and", "/", "&")
        and lemma(tokens[start]) not in VERBS
    ):
        start += 2  # "Whitelists or deletes": the first verb is unknown, the second one is not
    if start >= len(tokens):
        return ()
    word = lemma(tokens[start])
    if word not in VERBS or (tokens[start] in NOUNISH and tokens[start] != word):
        return ()
    found = [Verb(word, VERBS[word], _after(tokens, start))]
    return (*found, *_coordinated(tokens, start, found[0]))


def _after_intro(tokens: Sequence[str], start: int) -> int:
    """The place of the verb in "Use this endpoint to delete", "This method creates", "To update X, send"."""
    for place in range(start, min(start + 12, len(tokens))):
        word = lemma(tokens[place])
        if (
            word in VERBS
            and tokens[place] not in _INTRO
            and (word not in NOUNISH or tokens[place - 1] == "to")
        ):
            return place
    return len(tokens)


def _coordinated(tokens: Sequence[str], start: int, head: Verb) -> list[Verb]:
    """Further verbs after the first: next to it, or later after "or"/"and" when the first one changes something."""
    found: list[Verb] = []
    for place in range(start + 1, min(start + 14, len(tokens) - 1)):
        if tokens[place] not in ("or", "and", ",", "/", "&", "|", "+"):
            continue
        word = lemma(tokens[place + 1])
        near = all(
            t in ("or", "and", ",", "/", "&", "|", "+") or lemma(t) in VERBS for t in tokens[start:place]
        )
        clear = word in VERBS and (word not in NOUNISH or (near and tokens[place] in ",/|&"))
        far = (
            head.act is not Act.READ
            and tokens[place] in ("or", "and")
            and word in _CORE
            and not tokens[place + 1].endswith("ing")
        )
        if (clear and near) or far:
            found.append(Verb(word, VERBS[word], _after(tokens, place + 1)))
    return found


def _after(tokens: Sequence[str], place: int) -> tuple[str, ...]:
    return tuple(token for token in tokens[place + 1 : place + 14] if token[0].isalpha())


def _foreign_verbs(tokens: Sequence[str]) -> tuple[Verb, ...]:
    words = [token for token in tokens if token[0].isalpha()]
    if _ENGLISH.intersection(words):
        words = [word for word in words if not word.isascii()]
    places = [0, len(words) - 1, *(i for i, word in enumerate(words) if not word.isascii())] if words else []
    for place in places:
        if (act := stem_act(words[place])) is not None:
            return (
                Verb(
                    words[place],
                    act,
                    tuple(words[place + 1 : place + 10]),
                    leading=place in (0, len(words) - 1),
                ),
            )
    return ()


def _noun_verbs(tokens: Sequence[str]) -> tuple[Verb, ...]:
    """What a title without a verb names: "Webhook deletion", "Coins list with market data"."""
    words = [token for token in tokens if token[0].isalpha()]
    named = [word for word in words if word in NOUNS]
    if named:
        return (Verb(NOUNS[named[0]], VERBS[NOUNS[named[0]]], tuple(words), leading=False),)
    cut = next(
        (i for i, word in enumerate(words) if word in ("with", "by", "for", "of", "from", "in")), len(words)
    )
    if cut > 1 and words[cut - 1] in VERBS and words[cut - 2] not in ("a", "an", "the", "your", "its"):
        return (Verb(words[cut - 1], VERBS[words[cut - 1]], tuple(words[: cut - 1]), leading=False),)
    return ()


def id_verbs(text: str) -> tuple[Verb, ...]:
    """The verb of an operationId, also in other languages (`eliminarUsuario`)."""
    return name_verbs(text) or _foreign_verbs(split_words(text)[:1])


def name_verbs(text: str) -> tuple[Verb, ...]:
    """The verb of a path segment or another name.

    The first word, else the first word of the last group (`Orders_cancelById`), else the last word
    (`orders_list`), else the first clear verb in the middle (`genai_create_test_case`).
    """
    if is_ideographic(text, anywhere=True):
        return ideogram_verbs(text)
    lower = text
    words = [word for word in split_words(lower) if word not in MODIFIERS]
    if not words:
        return ()
    joined = " ".join(words)
    for pattern, word in _PHRASES:
        joined = pattern.sub(word, joined)
    words = joined.split()
    if words[0] in VERBS:
        return (Verb(words[0], VERBS[words[0]], tuple(words[1:])), *_named_more(words))
    groups = [split_words(group) for group in re.split(r"[./:_]", text)]
    tail = [word for word in groups[-1] if word not in MODIFIERS] if groups else []
    if len(tail) > 1 and tail[0] in VERBS and len(groups) > 1:
        return (Verb(tail[0], VERBS[tail[0]], tuple(tail[1:])),)
    if words[-1] in VERBS:
        return (Verb(words[-1], VERBS[words[-1]], tuple(words[:-1]), leading=False),)
    for place, word in enumerate(words):
        if word in VERBS and word not in NOUNISH:
            return (Verb(word, VERBS[word], tuple(words[place + 1 :]), leading=False),)
    return ()


def _named_more(words: Sequence[str]) -> list[Verb]:
    """`createOrUpdate`, `startOrStop`, `addAndRemove`."""
    return [
        Verb(words[i + 1], VERBS[words[i + 1]], tuple(words[i + 2 :]))
        for i in range(1, min(4, len(words) - 1))
        if words[i] in ("or", "and") and words[i + 1] in VERBS
    ]
