"""The words of an operationId, without what frameworks and grammar put there."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from mcpgen.plan.effects.words import VERBS
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.naming.path_words import Words, meaningful
from mcpgen.plan.naming.verbs import is_verb
from mcpgen.plan.toolsets import is_prefix

_NOISE = frozenset("controller handler using".split())
_AFTER_API = frozenset("controller handler routes".split())
_ARTICLES = frozenset("a an the".split())
_GROUP = re.compile(r"[./:]+|(?<=[a-z0-9])_(?=[A-Za-z]*[a-z][A-Z])|(?<=[a-z])_(?=[a-z]+[A-Z])")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?(?![A-Za-z])")
_NUMBER = re.compile(r"(?<=[A-Za-z])(?:[_-]\d{1,2}|\[\d{1,2}\])\Z")
_GLUED = 14
_UNREADABLE = 21
_METHODS = ("get", "post", "put", "patch", "delete")


def own_words(operation_id: str, method: str, path: str) -> tuple[Words, frozenset[int]]:
    """The words of an operationId, and at which of them a later group begins (`users.setPhoto`: 1).

    No words where the id only repeats method and path, or has no letters that we can read.
    """
    text = _without_route(_POSSESSIVE.sub("", operation_id), method, path)
    if not is_readable(text):
        return (), frozenset()
    text = text[: len(text) - _number(text, path)]
    groups = [split_words(group) for group in _GROUP.split(text)]
    if groups and _echoes_route(tuple(word for group in groups for word in group), method, path):
        return (), frozenset()
    groups = [words for group in groups if (words := _plain(group, path))]
    groups = [
        words[:-1] if words[-1] == "resource" and words[1:] and place < len(groups) - 1 else words
        for place, words in enumerate(groups)
    ]
    spelt = "".join(split_words(path))
    if any(len(word) > _UNREADABLE and word not in spelt for words in groups for word in words):
        return (), frozenset()
    return _joined(groups)


def version_of(operation_id: str, path: str) -> Words:
    """The version at the end of an id, which its words leave out where the path has it too: `disk_list_v1`."""
    words = split_words(operation_id)
    return words[-1:] if len(words) > 1 and is_prefix(words[-1]) and words[-1] in split_words(path) else ()


def is_numbered(operation_id: str, path: str) -> bool:
    """Whether an id only has a number to tell it from another one: `createSubscription_2`."""
    return _number(operation_id, path) > 0


def _number(text: str, path: str) -> int:
    found = _NUMBER.search(text)
    return len(found.group()) if found and found.group().strip("_-[]") not in split_words(path) else 0


def is_readable(text: str) -> bool:
    """Whether the letters are mostly Latin: a transliteration says nothing to most readers."""
    letters = [char for char in text if char.isalpha()]
    return sum(char < "\u0250" for char in letters) * 2 > len(letters)


def _plain(group: Words, path: str) -> Words:
    """The words of a group without articles, words of frameworks, and versions that the path has."""
    known = split_words(path)
    words = [part for word in group for part in _torn(word, known)]
    kept: list[str] = []
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        before = words[place - 1] if place else ""
        if word in _ARTICLES and (following or not before):
            continue
        if word in _NOISE:
            continue
        if word == "api" and (
            not words[1:] or following in _AFTER_API or (following and is_prefix(following))
        ):
            continue
        if is_prefix(word) and word in known and (before == "api" or (not following and before)):
            continue
        if word == "routes" and before == "api":
            continue
        if kept and kept[-1] == word and word in known:
            continue
        kept.append(word)
    return tuple(kept)


def _torn(word: str, known: Sequence[str]) -> Words:
    """The words of `updateprojectspendlimit`, where all of them but the verb are in the path; else the word."""
    if len(word) < _GLUED:
        return (word,)
    verb = next(
        (text for text in sorted(VERBS, key=len, reverse=True) if len(text) > 2 and word.startswith(text)), ""
    )
    parts = _cover(word.removeprefix(verb), {form for text in known for form in (text, singular(text))})
    found = (*((verb,) if verb else ()), *parts)
    return found if parts and len(found) > 2 else (word,)


def _cover(text: str, options: Set[str]) -> Words:
    """The words of a list that a text is made of, one after the other; none where it is not."""
    for size in range(len(text), 2, -1):
        if text[:size] in options:
            if size == len(text):
                return (text,)
            if rest := _cover(text[size:], options):
                return (text[:size], *rest)
    return ()


def _joined(groups: Sequence[Words]) -> tuple[Words, frozenset[int]]:
    """The groups of an id as one name, without those that the last one repeats."""
    if not groups:
        return (), frozenset()
    known = {singular(word) for word in groups[-1]}
    kept = [group for group in groups[:-1] if not known.issuperset(singular(word) for word in group)]
    words: list[str] = []
    starts = set()
    for group in (*kept, groups[-1]):
        if words:
            starts.add(len(words))
        words.extend(group)
    return tuple(words), frozenset(starts)


def _echoes_route(words: Words, method: str, path: str) -> bool:
    """Whether an id is only method and path again (`get_api_v1_users__id_`, `GetTokensToken`).

    `getUsers` for `GET /users` does not: that is how a person writes too.
    """
    verb = next((word for word in _METHODS if words[:1] == (word,)), method.lower())
    full = [word for part in re.split(r"[/:#?&]", path) for word in split_words(part)]
    short = [word for part in meaningful(path) for word in split_words(part)]
    named = words[:1] == (verb,) and verb not in ("get", "delete")
    routes = {tuple(full), tuple(short)} if named or "{" in path else {tuple(full)} - {tuple(short)}
    spelt = {"".join(route) for route in routes}
    own = "".join(words)
    return bool(own) and (own in spelt or own.removeprefix(verb) in spelt or own.removesuffix(verb) in spelt)


def _without_route(text: str, method: str, path: str) -> str:
    """FastAPI's default ids are `name` + path + method; others start with method and path."""
    route = re.sub(r"\W", "_", path)
    tail = f"{route}_{method.lower()}"
    if route.strip("_") and text.lower().endswith(tail.lower()):
        return text[: -len(tail)]
    for head in (f"{method.lower()}-{path}_", f"{method.lower()}_{route}_"):
        if text.lower().startswith(head.lower()) and route.strip("_"):
            return text[len(head) :]
    return text


def verb_first(words: Words, place: int) -> tuple[Words, Words]:
    """The verb with the words that belong to it, and the other words in their order, none of them twice.

    `im_chat_tab_delete_tabs` gives `delete` and `im_chat_tabs`; `cables_bulk_update` gives `bulk_update` and `cables`.
    """
    start, end = place, place + 1
    while start and words[start - 1] in _MANNERS:
        start -= 1
    if start > 1 and words[start - 1] in ("and", "or") and is_verb(words[start - 2]):
        start -= 2
    if words[end : end + 1] in (("and",), ("or",)) and words[end + 1 : end + 2] and is_verb(words[end + 1]):
        end += 2
    before, after = list(words[:start]), list(words[end:])
    if before:
        while after and after[0] in _AMOUNTS:
            end += 1
            after = after[1:]
        if after[1:] and after[0] == before[0] and after[0] not in before[1:]:
            after = after[1:]
        known = {singular(word) for word in after}
        rest = [word for word in before if singular(word) not in known]
        if after and len(rest) < len(before) and rest and singular(rest[-1]) == "action":
            rest = rest[:-1]
        before = rest
    return words[start:end], (*before, *after)


_MANNERS = frozenset("bulk batch partial partially multi mass force soft hard async".split())
_AMOUNTS = frozenset("all multiple many one new own current".split())
