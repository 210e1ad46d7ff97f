"""The words of an operation's path: what it is about, and the procedure that it names (`/orders/{id}/cancel`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from mcpgen.plan.effects.words import MODIFIERS, VERBS, Act
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.naming.verbs import (
    CALL_VERBS,
    PLAIN_READS,
    SAFE,
    Evidence,
    contradicts,
    is_clear,
    is_verb,
    verb_place,
)
from mcpgen.plan.toolsets import is_prefix

Words = tuple[str, ...]

_METHODS = frozenset("post put patch delete head options trace".split())
_FINDERS = frozenset(
    "search query find lookup validate verify check preview autocomplete suggest download export calculate compare show"
    " list get fetch".split()
)
_ENDS = frozenset({Act.DESTROY, Act.ROTATE, Act.PAYOUT})
# Words whose last letter is no plural: the general rule would tear it off.
_NO_PLURALS = frozenset(
    "alias atlas bias canvas gas kubernetes postgres news series species analytics settings details credentials statistics"
    " stats metadata windows ipfs nfs status access address process redis kerberos cosmos chaos".split()
)
_THINGS = frozenset("check list show view count read search query start stop watch".split())
_GLUED = re.compile(r"(get|list|set|add|delete|update|create|send|remove|search)([a-z]{3,})")


def one(word: str) -> str:
    """The singular for a name."""
    if word in _NO_PLURALS:
        return word
    return word[:-2] if word.endswith(("uses", "iases")) and len(word) > 5 else singular(word)


def meaningful(path: str) -> list[str]:
    """The segments that say something; all of them where none does."""
    parts = [part for part in re.split(r"[/:#?&]", path) if part]
    kept = [
        part
        for place, part in enumerate(parts)
        if "{" in part or not is_prefix(part) or _latest(parts, place)
    ]
    return kept if any("{" not in part for part in kept) else parts


def _latest(parts: Sequence[str], place: int) -> bool:
    """Whether `latest` is which of the things (`/blocks/latest`), not a version of the API."""
    return place > 0 and parts[place].lower() == "latest" and not is_prefix(parts[place - 1])


def tells_nothing(path: str) -> bool:
    """Whether a path has placeholders and prefixes only: `/v0/{baseId}/{tableName}`."""
    parts = [part for part in re.split(r"[/:#?&]", path) if part]
    return bool(parts) and all("{" in part or is_prefix(part) for part in parts)


def placeholders(path: str) -> list[str]:
    return re.findall(r"\{([^{}]*)\}", path)


def is_item(path: str) -> bool:
    """Whether a path leads to one thing of a collection."""
    parts = meaningful(path)
    return bool(parts) and "{" in parts[-1]


def is_plural(words: Sequence[str]) -> bool:
    return bool(words) and one(words[-1]) != words[-1]


def nouns(path: str, *, singular_last: bool) -> Words:
    """The static segments as a noun phrase, all but the last in the singular."""
    parts = [split_words(part) for part in meaningful(path) if "{" not in part]
    parts = [part for part in parts if part] or [
        tuple(word for name in placeholders(path) for word in split_words(name))
    ]
    words: list[str] = []
    for part, following in pairwise(parts):
        named = (*part[:-1], one(part[-1]))
        words += named[:-1] if named[-1] == following[:1][0] and len(following) > 1 else named
    last = list(parts[-1]) or ["root"]
    return (*words, *last[:-1], one(last[-1]) if singular_last else last[-1])


def last_words(path: str) -> Words:
    """The words of the last segment without placeholder; of `/chat.postEphemeral` those after the point."""
    static = [part for part in meaningful(path) if "{" not in part]
    pieces = [piece for piece in re.split(r"[.]", static[-1]) if piece] if static else []
    words = split_words(pieces[-1]) if pieces else ()
    glued = _GLUED.fullmatch(words[0]) if len(words) == 1 and not is_verb(words[0]) else None
    return (glued[1], glued[2]) if glued else words


def called_word(method: str, path: str, effect: str) -> str:
    """The word of the path that can be a verb: the first one of its last static segment; else empty."""
    words = [word for word in last_words(path) if word not in MODIFIERS or is_verb(word)]
    if not words or not is_verb(words[0]):
        return ""
    word, act = words[0], VERBS.get(words[0])
    if method in SAFE and act is Act.READ:
        return word if word in _FINDERS else ""
    if method == "DELETE" and act not in _ENDS:
        return ""
    rpc = "." in path.rpartition("/")[2]  # `/auth.test`
    if method in SAFE and effect == "read" and word not in _FINDERS and not rpc:
        return ""
    if is_clear(word) or word in CALL_VERBS or word == "new":
        return word
    before, _, _ = path.rstrip("/").rpartition("/")
    under = "{" in before or is_plural(split_words(before)) or rpc
    several = len(words) > 1 and (effect == "read" or (is_plural(words) and "{" not in before))
    return word if under and not several else ""


def procedure(path: str, evidence: Evidence) -> tuple[Words, Words] | None:
    """The words of the procedure that a path ends with, and those of what it belongs to; None when it names none."""
    parts = meaningful(path)
    static = [index for index, part in enumerate(parts) if "{" not in part]
    if not static or static[-1] < len(parts) - 2:
        return None
    words, before = last_words(path), parts[: static[-1]]
    owner = nouns("/".join(before), singular_last="{" in before[-1]) if before else ()
    trailing = static[-1] < len(parts) - 1
    if len(words) == 1:
        if not _called_alone(words[0], evidence, trailing):
            return None
        if trailing and not owner:
            owner = tuple(word for name in placeholders(parts[-1])[-1:] for word in split_words(name))
        return words, owner
    if trailing or not words:
        return None
    place = verb_place(words, frozenset(), evidence)
    if place is None or not _starts_a_call(words, place, evidence, not before):
        return None
    bare = all(is_verb(word) or word in MODIFIERS for word in words)
    return words, owner if bare or "{" in "".join(before) else ()


def _called_alone(word: str, evidence: Evidence, trailing: bool) -> bool:
    """Whether a segment of one word is a verb: `/cancel`, not `/comment` of `PUT /posts/{id}/comment`."""
    if not is_verb(word) or word in _METHODS or contradicts(word, evidence.effect):
        return False
    told, clear, act = word in evidence.told, is_clear(word), VERBS.get(word)
    if act is Act.READ and (evidence.effect == "read" or evidence.method in SAFE):
        plain = word in PLAIN_READS and word != "query"
        return word in _FINDERS and (not trailing or not plain) and (told or word != "list" or not trailing)
    if evidence.method in SAFE:
        return evidence.effect != "read" and (clear or told or evidence.effect != "")
    if evidence.method == "DELETE":
        return act in _ENDS
    agreed = any(VERBS.get(verb) is act for verb in evidence.told[:1])
    if trailing:
        return (
            told or word in ("add", "remove", "create", "update") or (clear and (agreed or not evidence.told))
        )
    return told or clear or agreed or (evidence.method == "POST" and "create" not in evidence.told[:1])


def _starts_a_call(words: Words, place: int, evidence: Evidence, alone: bool) -> bool:
    """Whether a segment of several words is a procedure (`/send_group_msg`) and no compound noun (`/order_items`)."""
    word = words[place]
    clear = is_clear(word) or word in CALL_VERBS
    if word in _METHODS and word == evidence.method.lower() and word != "delete":
        return False
    if place > 0:
        return evidence.method == "POST" and (clear or word in evidence.told)
    if evidence.method in SAFE and evidence.effect in ("read", ""):
        return word in evidence.told or (word in _FINDERS and not (word in _THINGS and is_plural(words)))
    if word in evidence.told or (clear and not (word in _THINGS and is_plural(words))):
        return True
    return not is_plural(words) and (alone or "create" not in evidence.told)
