"""The verb of a tool's name: where a name has one, and which one it gets when it has none that is true."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from mcpgen.plan.effects.verbs import text_verbs
from mcpgen.plan.effects.words import NOUNISH, VERBS, Act
from mcpgen.plan.naming.action_words import action_words
from mcpgen.plan.naming.identifiers import singular, split_words

_MORE = frozenset("""
    activate acquire alter announce autoscale beautify blend bury chat cleanse click combine commit compile compress
    consume correlate crop decompress deduplicate deescalate defer deposit detect disburse distinguish distribute drill
    dump embed enrich escalate exclude expand explore extract fail feature garble give grab grade guess hash hibernate inject
    inspect install interrupt invert jump localize mask measure monitor mutate negotiate neutralize ocr offboard onboard
    park partition persist place plan poke populate prefetch print probe prompt protect pull reassess reconcile
    reconnect recover redeem refine reformat regrade rehydrate relaunch relay remap remix rent rephrase replicate reprint
    rerank reschedule rescore resegment respond restrict resubscribe reveal revise rewind sanitise sanitize scrape scrobble seal
    seek segment shorten shred signal silence slice speak splice split stage stash stitch stream stretch strip subtract
    summarise supply swap synthesize tell tokenize train trans transact transcode transcribe translate transliterate
    transmit trust unescalate unpack unscrobble unsilence unstage unzip vacate verify watch whitelist wrap zip
    """.split()) - frozenset(VERBS)
"""Verbs that only names need: what they do to the API is left to the other evidence."""
_MORE_NOUNS = frozenset("""
    chat click commit crop deposit dump embed fail feature grade guess hash install jump mask measure monitor park
    partition place plan poke print probe prompt pull rent relay seal segment signal silence slice split stage stash stream
    strip supply swap trust watch wrap zip""".split())
_NO_VERBS = frozenset("info status options detail details".split())
PLAIN_READS = frozenset(
    "get list read fetch retrieve find query show view describe browse return see display obtain provide".split()
)
"""Verbs that only say that something is read."""
_FALSE_FOR_WRITES = PLAIN_READS | frozenset("search lookup count head".split())
_SPECIFIC_READS = frozenset(
    "export download verify test generate convert translate render resolve match".split()
)
_TRUE_FOR_READS = _SPECIFIC_READS | frozenset(
    "select define request compose sort rank track answer load discover identify detect analyze collect".split()
)
_CHANGES = frozenset(
    {Act.CREATE, Act.SEND, Act.LINK, Act.UPDATE, Act.SAVE, Act.TOGGLE, Act.DESTROY, Act.ROTATE, Act.PAYOUT}
)
_TAG = re.compile(r"<[^<>]{1,60}>|[*`]")
_EMPTY = frozenset(
    "do make use put post patch perform process handle apply work manage operate execute call".split()
)
# Verbs that start the names of procedures even where they are nouns too: `set_group_name`, `conversations_start_stream`.
CALL_VERBS = frozenset(
    "set get list check is has can find show send upload download update fetch search query read count start stop watch"
    " delete create add remove watch".split()
)
_FINAL_VERBS = CALL_VERBS | frozenset(
    "retrieve destroy patch archive unarchive cancel view login logout restore reset".split()
)
_FRAMEWORK_VERBS = frozenset("list get create update delete retrieve destroy".split())
_ENDING = frozenset({Act.DESTROY, Act.TOGGLE, Act.ROTATE, Act.PAYOUT})
_MANNERS = frozenset("bulk batch partial partially multi mass force soft hard async".split())
_BEFORE_NOUNS = frozenset("after before by for of to with on in from as at via and or".split())
_MASSES = frozenset(
    "history chart data stats statistics usage log summary status report stream metadata info settings config state".split()
)
"""Nouns that are one thing, also where the answer is a list of its parts."""
_BY_ACT = {
    Act.READ: "get", Act.CREATE: "create", Act.SEND: "send", Act.UPDATE: "update", Act.SAVE: "save", Act.START: "start",
    Act.DESTROY: "delete", Act.LINK: "add",
}  # fmt: skip
_DEFAULTS = {"PUT": "update", "PATCH": "update", "DELETE": "delete", "HEAD": "check", "POST": "create"}
ECHOES = {"POST": "create", "PUT": "update", "DELETE": "destroy"}
"""Verbs that frameworks put at the end of an id for its method."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What tells which word is the verb.

    Attributes:
        told: the verbs of the summary, in English; the first one counts most.
        called: the first word of the last path segment without placeholder, where it can be what is called.
        effect: `read`, `write`, `destructive`; empty when nobody has decided.
        method: the HTTP method in capitals.
        things: the words of the path, which are mostly nouns.
    """

    told: tuple[str, ...]
    called: str
    effect: str
    method: str
    things: frozenset[str] = frozenset()


def is_clear(word: str) -> bool:
    """Whether a verb can hardly be anything else."""
    return word not in NOUNISH and word not in _MORE_NOUNS


def _certain(word: str) -> bool:
    return is_verb(word) and is_clear(word)


def is_verb(word: str) -> bool:
    """Whether a word of a name can be its verb."""
    undone = word[2:] if word.startswith("un") else word
    return (word in VERBS or word in _MORE or (undone != word and undone in VERBS)) and word not in _NO_VERBS


def contradicts(verb: str, effect: str) -> bool:
    """Whether a name with this verb would say something else than the annotations of the tool."""
    if effect == "read":
        return VERBS.get(verb) in _CHANGES and verb not in _TRUE_FOR_READS
    return bool(effect) and verb in _FALSE_FOR_WRITES


def told_verbs(summary: str) -> tuple[str, ...]:
    """The verbs of a summary as English words; of other languages only what their verbs do."""
    first = _TAG.sub(" ", summary).strip().split("\n")[0][:300]
    words = [word.lower().strip(".,:") for word in first.split()]
    if words and words[0] in _MORE:
        return (words[0],)
    # A word that only stands somewhere is no verb ("Feature Post"); a noun for an action ("Webhook deletion") is.
    verbs = [verb for verb in text_verbs(first) if verb.leading or verb.word not in words]
    return tuple(found for verb in verbs if (found := _english(verb.word, verb.act)))


def _english(word: str, act: Act) -> str:
    if word.isascii() and (word in VERBS or word in _MORE):
        return word
    known = action_words(word) if not word.isascii() else ()
    spelt = split_words(word)  # only a transliteration: `ping` for 评
    return known[0] if known and known != spelt and known[0] in VERBS else _BY_ACT.get(act, "")


def verb_place(words: Sequence[str], starts: Set[int], evidence: Evidence) -> int | None:
    """The index of the verb among the words of a name; None when there is none that is true.

    Args:
        words: the words of an operationId or of a path segment.
        starts: where groups begin after the first one (`users.setPhoto`: 1).
        evidence: what else the operation says.
    """
    first = next((place for place, word in enumerate(words) if word not in _MANNERS), 0)
    if first < len(words) and is_clear(words[first]) and contradicts(words[first], evidence.effect):
        # `getMoveTemplate` of an operation that writes: its other words are nouns, but for what the summary says too.
        told = [
            word
            for word in evidence.told
            if not contradicts(word, evidence.effect) or evidence.effect == "read"
        ]
        return next((place for place, word in enumerate(words) if word in told and is_verb(word)), None)
    phrase = words[0] in ("log", "sign") and words[1:] and words[1] in ("in", "out", "on", "up")
    if phrase and not contradicts(words[0], evidence.effect) and not any(map(_certain, words[2:])):
        return 0
    if len(words) == 1 and is_verb(words[0]) and _alone(words[0], evidence):
        return 0
    scores = {
        place: _score(words, place, first, starts, evidence)
        for place, word in enumerate(words)
        if is_verb(word)
    }
    best = max(scores, key=lambda place: (scores[place], -place), default=None)
    return best if best is not None and scores[best] > 0 else None


def _alone(word: str, evidence: Evidence) -> bool:
    """Whether a name of one word is a verb: `login`, not `order` of an operation that creates one."""
    if contradicts(word, evidence.effect) or evidence.effect == "read":
        return False
    told = [verb for verb in evidence.told if verb not in _EMPTY]
    return not told or word in told or is_clear(word)


def _score(words: Sequence[str], place: int, first: int, starts: Set[int], evidence: Evidence) -> int:
    """How sure it is that the word is the verb; 0 where it is none."""
    word = words[place]
    told, called, clear = word in evidence.told, word == evidence.called, is_clear(word)
    before = words[place - 1] if place else ""
    if contradicts(word, evidence.effect) and not (told and evidence.effect == "read"):
        return 0
    if (before in _BEFORE_NOUNS and word not in _FRAMEWORK_VERBS) or (word == "back" and place):
        return 0
    echoed = ECHOES.get(evidence.method, "") == words[-1] and place not in (first, len(words) - 1)
    if echoed and not (told or called):
        return 0  # `stages_user_delete_update` updates a stage that is called so
    own = word == evidence.method.lower()
    reads = own or word in CALL_VERBS | _FINAL_VERBS | _SPECIFIC_READS | _TRUE_FOR_READS
    if evidence.effect == "read" and not (clear or told or called or reads):
        return 0
    score = 4 * told + 2 * clear + 3 * (place in starts) + 3 * called
    score += 6 * (own and word in ("put", "patch", "head"))
    if place == first:
        if clear or (word in CALL_VERBS and not starts):
            score += 10
        elif not starts and not (word in evidence.things and not called):
            score += 3 if evidence.told else 6  # `save_synonym`, not `order_items` of `/orders/{id}/items`
    elif place == len(words) - 1:
        ending = evidence.effect != "read" and VERBS.get(word) in _ENDING
        score += 3 if word in _FINAL_VERBS or ending else 1
    elif word in CALL_VERBS and (clear or singular(before) != before):
        score += 3
    return score if score >= 3 or clear else 0


def made_up_verb(evidence: Evidence, *, item: bool, answers: str, last: str) -> str:
    """The verb of an operation whose own words have none: of its summary, else of its method.

    All plain reads are `get` and `list`, whichever of the many words for that the summary has.

    Args:
        evidence: what the operation says.
        item: whether the path leads to one thing.
        answers: `list`, `maybe` (some list among other things), `one`, or empty where the document does not say.
        last: the last word for the thing.
    """
    if evidence.effect == "read" or (not evidence.effect and evidence.method in SAFE):
        return _reading(evidence, item, answers, last)
    default = _DEFAULTS.get(evidence.method, "")
    told = [
        verb
        for verb in evidence.told
        if verb not in _EMPTY and not contradicts(verb, evidence.effect or "write")
    ]
    if evidence.called in ("new", "create") and not told:
        return "create"
    if default in evidence.told and not (evidence.method == "POST" and item):
        return default
    if told and not (evidence.method == "DELETE" and VERBS.get(told[0]) in (Act.CREATE, Act.START)):
        return told[0]
    if evidence.method == "POST" and item:
        return "post"
    return default or evidence.called or "call"


def _reading(evidence: Evidence, item: bool, answers: str, last: str) -> str:
    if evidence.method == "HEAD":
        return "check"
    told = next(iter(evidence.told), "")
    specific = told and (VERBS.get(told) is Act.READ or told in _SPECIFIC_READS) and told not in PLAIN_READS
    if specific and told not in _NO_VERBS and is_verb(told):
        return told
    many = answers == "list" or (singular(last) != last and answers in ("", "maybe"))
    return "list" if many and not item and last not in _MASSES else "get"
