"""What a tool's name is made from, and the verb that it gets when its own words have none."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.plan.effects.words import NOUNS
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.naming.own_words import is_readable
from mcpgen.plan.naming.path_words import Words, called_word, is_item, is_plural, last_words, meaningful
from mcpgen.plan.naming.verbs import CALL_VERBS, PLAIN_READS, SAFE, Evidence, made_up_verb, told_verbs


@dataclass(frozen=True, slots=True)
class NameRequest:
    """A tool to name.

    `key` identifies the tool (also as the key of pinned names). `action` is the fixed value of a tool that is
    one of the actions of its operation; `further` says that it does this besides what the operation does. `effect`
    is `read`, `write` or `destructive`, or empty; `answers` is `list`, `maybe` or `one` (see `made_up_verb`), or empty.
    """

    key: str
    method: str
    path: str
    operation_id: str | None = None
    action: str = ""
    further: bool = False
    summary: str = ""
    effect: str = ""
    answers: str = ""


def evidence_of(request: NameRequest) -> Evidence:
    """What tells which word is the verb. What the whole operation does says nothing about one of its actions."""
    method = request.method.upper()
    called = called_word(method, request.path, request.effect)
    last = last_words(request.path)
    calls = last[:1] if len(last) > 1 and not is_plural(last) else ()  # `/exportChatInviteLink`
    if method not in SAFE and len(meaningful(request.path)) > 1 and len(last) == 1:
        own = split_words(request.operation_id or "")
        calls = last if own[1:] and own[:1] == last else ()  # `submitTaskForm` of `/task/form/submit`
    words = (word for word in split_words(request.path) if word not in calls)
    things = frozenset(form for word in words for form in (word, singular(word)))
    if request.action:
        return Evidence((), called, "", method, things)
    told = request.summary.strip() or request.operation_id or ""
    if not request.summary.strip() and is_readable(told):
        told = ""  # an id that can't be shown still says what is done
    return Evidence(told_verbs(told), called, request.effect, method, things)


def made_up(request: NameRequest, evidence: Evidence, words: Words) -> str:
    return made_up_verb(
        evidence, item=is_item(request.path), answers=request.answers, last=words[-1] if words else ""
    )


def without_echo(verb: str, words: Words) -> Words:
    """The words without one that only says the verb again: `imports`, `deactivated`, `validation`."""
    if verb in PLAIN_READS:
        return words
    forms = () if verb in CALL_VERBS else (verb, f"{verb}s", f"{verb}d", f"{verb}ed")
    for end in (-1, 0):
        word = words[end]
        echo = NOUNS.get(word) == verb or word in forms
        if echo and len(words) > 1:
            words = words[:-1] if end else words[1:]
    return words
