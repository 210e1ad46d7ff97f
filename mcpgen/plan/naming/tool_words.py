"""Candidate names for a tool, from its operation alone: verb first, then what it works on.

The words are the API's own: those of the operationId, else of the path, else of the summary. Only what is missing
or would be false is made up: a verb for an id that has none, or one that says something else than the annotations.
Other operations are not looked at (an API that mixes `get_users` and `list_teams` keeps both), so that a new
operation renames nobody.
"""

from __future__ import annotations

import re

from mcpgen.plan.naming.acting import CARRIED, with_action
from mcpgen.plan.naming.action_words import action_words
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.naming.name_request import NameRequest, evidence_of, made_up, without_echo
from mcpgen.plan.naming.own_words import is_numbered, own_words, verb_first, version_of
from mcpgen.plan.naming.path_words import (
    Words,
    is_item,
    last_words,
    meaningful,
    nouns,
    one,
    placeholders,
    procedure,
    tells_nothing,
)
from mcpgen.plan.naming.verbs import (
    ECHOES,
    Evidence,
    contradicts,
    is_clear,
    is_verb,
    verb_place,
)

_FINAL_VERBS = frozenset(
    "list get create update delete search retrieve destroy patch add remove start stop archive unarchive cancel query".split()
)
__all__ = ["NameRequest", "tool_candidates"]

_METHOD_WORDS = frozenset("post put patch".split())
_GENERIC = frozenset("all page one many multiple bulk batch".split())
_RELATIONS = frozenset("by for with from in to of on at as".split())
_GROUPED = re.compile(r"(?<=\w)[/.](?=\w)")
_BARE = frozenset("by for with from via".split())
_SUMMARY_WORDS = 3


def tool_candidates(request: NameRequest) -> tuple[Words, ...]:
    """The words of a tool's name, best first; the later ones say more, to settle clashes by meaning."""
    base, own, plain = _base(request)
    if request.further:
        base = (*base, "and", *action_words(request.action))
    elif request.action:
        base = with_action(base, request.action, request.operation_id, request.path)
    method = request.method.lower()
    extra = _extra_words(base, "/".join(meaningful(request.path)))
    full = _extra_words(base, request.path)
    named = tuple(word for part in placeholders(request.path) for word in split_words(part))
    by = ("by", *named) if named else ()
    by_last = ("by", *split_words(placeholders(request.path)[-1])) if named else ()
    if request.action:
        # Where the path is "…/actions", its other words tell more than the method.
        telling = tuple(word for word in extra if singular(word) not in CARRIED)
        first: tuple[Words, ...] = (base, (*base, *telling), (*base, method))
    elif own and is_numbered(request.operation_id or "", request.path):
        first = ((*base, *extra[: extra.index("by") if "by" in extra else None]),)
    else:  # a name that is made up gives way to one that the API has
        suffix = _left_out(base, request)
        said = ((*base, *suffix), (*plain, *suffix))
        first = (base, *said) if own or suffix not in ((), (method,)) else (base,)
    false = own or request.action or contradicts(method, request.effect)
    with_method = (*base, method) if false else (method, *base[1:])
    between = ((*base, *extra), with_method) if own or with_method == base else (with_method, (*base, *extra))
    last = (
        (*base, *by_last),
        (*base, *by),
        (*with_method, *extra),
        (*with_method, *full),
        (*with_method, *full, *by),
    )
    return (*first, *between, *last)


def _left_out(base: Words, request: NameRequest) -> Words:
    """The version or the method that ends an id and not its name: it tells two ids apart where nothing else does."""
    words = split_words(request.operation_id or "")
    method = request.method.lower()
    if words[1:] and words[-1] == method and base[-1] != method and base[0] != method:
        return (method,)
    return version_of(request.operation_id or "", request.path)


def _base(request: NameRequest) -> tuple[Words, bool, Words]:
    """The best name, whether its verb is the id's own, and the name with the last noun in the id's number."""
    evidence = evidence_of(request)
    words, starts = own_words(request.operation_id or "", request.method, request.path)
    if not words:
        name, own = _from_path(request, evidence)
        return name, own, name
    if words[0] == "do" and words[1:] and is_verb(words[1]):
        words, starts = words[1:], frozenset()
    words, starts, method = _without_method(words, starts, request, evidence)
    place = None if method else verb_place(words, starts, evidence)
    if place is None:
        first, words = words[0], _without_false_verbs(words, evidence)
        place = verb_place(words, frozenset(), evidence) if not method and words[0] == first else None
    if place is None:
        own = words[0] in ("batch", "bulk") and request.method not in ("GET", "HEAD")
        head = words[:1] if own else (made_up(request, evidence, words),)
        rest = words[1:] if own else without_echo(head[0], words)
        plain = _with_nouns(head, rest, request)
        if method == "last":
            rest = (*rest[:-1], _in_number(rest[-1], head, request))
        return _with_nouns(head, rest, request), own, plain
    said = words[-1] in last_words(request.path) and words[-1] != words[place]
    echo = words[-1] == ECHOES.get(evidence.method) and not said
    if echo and place < len(words) - 1 and words[-2] not in ("and", "or"):
        words = words[:-1]  # `rbac_roles_add_user_create`
    follows = words[place + 1 :]
    if (
        place in starts
        and follows
        and follows[0] not in _RELATIONS
        and _GROUPED.search(request.operation_id or "")
    ):
        return words, True, words  # a group and a name of its own: `actions/list-runners`
    head, rest = verb_first(words, place)
    own = head not in (("put",), ("patch",)) or head[0] != request.method.lower() or head[0] in evidence.told
    if not own:
        head = (made_up(request, evidence, rest),)
    elif head == ("exists",) and rest:
        head, rest = ("check",), (*rest, "exists")  # a predicate is no verb to begin with
    plain = _with_nouns(head, rest, request)
    if rest and rest[-1] != "exists" and (place == len(words) - 1 or head[-1] == "all"):
        rest = (*rest[:-1], _in_number(rest[-1], head, request))
    return _with_nouns(head, rest, request), own, plain


def _without_method(
    words: Words, starts: frozenset[int], request: NameRequest, evidence: Evidence
) -> tuple[Words, frozenset[int], str]:
    """The words without the method at their start or end, where it says no more than the method does.

    `post_job_dispatch` has a better verb, `post_page` needs another one (then the last value says at which end the
    method stood); `post_message` of an operation that posts a message has the right one.
    """
    method = request.method.lower()
    if len(words) < 2 or request.action or method in evidence.told:
        return words, starts, ""
    last = words[-1]
    called = is_verb(last) and last == evidence.called and last not in _METHOD_WORDS
    if words[0] == method and called and (is_clear(last) or last in evidence.told or not evidence.told):
        return words[1:], frozenset(place - 1 for place in starts if place > 1), ""
    if method in _METHOD_WORDS and words[0] == method:
        return words[1:], frozenset(), "first"
    if last == method and len(words) > 2 and verb_place(words[:-1], starts, evidence) is not None:
        return words[:-1], starts, ""
    if method in _METHOD_WORDS and last == method and verb_place(words[:-1], starts, evidence) is None:
        return words[:-1], frozenset(), "last"
    return words, starts, ""


def _in_number(word: str, head: Words, request: NameRequest) -> str:
    """The last noun before a verb in the number that fits: `orders.get` gets one order, `container_list` lists containers."""
    parts = meaningful(request.path)
    acts = len(parts) > 1 and "{" in parts[-2] and split_words(parts[-1])[:1] == head[:1]
    creates = request.method == "POST" and head == ("create",) and request.answers != "list"
    if len(head) == 1 and (is_item(request.path) or acts or creates):
        return one(word)
    if head == ("list",) or head[-1] == "all":
        return next((text for text in split_words(request.path) if text != word and one(text) == word), word)
    return word


def _without_false_verbs(words: Words, evidence: Evidence) -> Words:
    """The words without a verb at their start or end that says something else than the annotations."""
    for end in (-1, 0):
        word = words[end]
        verb = (end == 0 and is_clear(word)) or word in _FINAL_VERBS or word in _METHOD_WORDS
        if len(words) > 1 and is_verb(word) and verb and contradicts(word, evidence.effect):
            words = words[:-1] if end else words[1:]
    return words


def _with_nouns(head: Words, rest: Words, request: NameRequest) -> Words:
    """The name; where the id says nothing but the verb (`getById`, `list`), with what the path is about."""
    known = {one(word) for word in split_words(re.sub(r"\{[^{}]*\}", " ", request.path))}
    generic = all(word in _GENERIC for word in rest) and not known & set(rest)
    bare = rest[:1] and rest[0] in _BARE and not known & {one(word) for word in rest[1:]}
    if rest and not generic and not bare:
        return (*head, *rest)
    amounts = tuple(word for word in rest if word == "all")
    parts = meaningful(request.path)
    path = "/".join(parts[:-1] if len(parts) > 1 and split_words(parts[-1]) == head else parts)
    about = nouns(path, singular_last="{" in path and not amounts)
    left = tuple(word for word in rest if word != "all")
    return tuple(dict.fromkeys((*head, *amounts, *about, *left)))


def _from_path(request: NameRequest, evidence: Evidence) -> tuple[Words, bool]:
    """`list_desk_drawers` for `GET /desks/{id}/drawers`; a verb in the last segment is kept as the verb.

    Also whether the verb is one of the path's own.
    """
    parts = meaningful(request.path)
    if not parts:
        return _from_summary(request, evidence) or (made_up(request, evidence, ()), "root"), False
    if tells_nothing(request.path) and (said := _from_summary(request, evidence)):
        return said, False
    called = procedure(request.path, evidence)
    if called is not None:
        words, owner = called
        head, rest = verb_first(
            words, (verb_place(words, frozenset(), evidence) or 0) if len(words) > 1 else 0
        )
        known = {singular(word) for word in rest}
        return (*head, *(word for word in owner if singular(word) not in known), *rest), True
    about = nouns(request.path, singular_last=False)
    verb = made_up(request, evidence, about)
    many = verb == "list" or (request.method != "POST" and not is_item(request.path))
    about = about if many else nouns(request.path, singular_last=True)
    return (verb, *without_echo(verb, about)), False


def _from_summary(request: NameRequest, evidence: Evidence) -> Words:
    """The first words of an English summary, for a path that has none of its own."""
    words = [word for word in split_words(request.summary.split("\n")[0]) if word not in ("a", "an", "the")]
    if not request.summary.isascii() or len(words) < 2:
        return ()
    made = made_up(request, evidence, ())
    head, rest = (words[0], words[1:]) if is_verb(words[0]) else (made, words)
    if contradicts(head, evidence.effect):
        head = made
    cut = next((place for place, word in enumerate(rest) if word in _RELATIONS), len(rest))
    return (head, *rest[: min(cut, _SUMMARY_WORDS)]) if cut else ()


def _extra_words(base: Words, path: str) -> Words:
    """Words of the path that the name does not have yet, with `by` and the parameter for a path to one item."""
    known = {one(word) for word in base}
    parts = [part for part in re.split(r"[/:#?&]", path) if part]
    extra = [
        word for part in parts if "{" not in part for word in split_words(part) if one(word) not in known
    ]
    tail = split_words(parts[-1]) if parts and "{" in parts[-1] else ()
    if tail and "by" not in known:
        extra += ["by", *tail]
    return tuple(dict.fromkeys(extra))
