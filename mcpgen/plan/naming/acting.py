"""The name of a tool that is one action of an operation that has several."""

from __future__ import annotations

from mcpgen.plan.naming.action_words import action_words
from mcpgen.plan.naming.identifiers import singular
from mcpgen.plan.naming.path_words import Words, nouns
from mcpgen.plan.naming.verbs import is_verb

_CARRIERS = frozenset(
    "manage handle process execute perform do operate control action actions post run invoke op command".split()
)
CARRIED = frozenset("action operation command status state event".split())
_ACTION_WORDS = frozenset("action operation command".split())
"""Words that only say that something is done."""
_METHOD_WORDS = frozenset("post put patch".split())
_FINAL_VERBS = frozenset(
    "list get create update delete search retrieve destroy patch add remove start stop archive unarchive cancel query".split()
)


def with_action(base: Words, value: str, operation_id: str | None, path: str) -> Words:
    """The fixed action as the verb: `cancel_order` from `manageOrder`, `shutdown_droplet` from `dropletActions_post`.

    Words that only carry the action go, and the verb of the whole operation with them.
    """
    action = action_words(value) or ("other",)
    rest = base
    while rest and (rest[-1] in _CARRIERS or singular(rest[-1]) in CARRIED):
        rest = rest[:-1]
    if _ACTION_WORDS.intersection(map(singular, rest)):
        rest = tuple(word for word in rest if singular(word) not in _ACTION_WORDS | _METHOD_WORDS)
    carried = len(rest) < len(base)
    if carried and len(rest) > 1 and rest[-1] in _FINAL_VERBS:
        rest = rest[:-1]
    echoed = not operation_id or is_verb(action[0])
    if len(rest) > 1 and (rest[0] in _CARRIERS or (is_verb(rest[0]) and (carried or echoed))):
        rest = rest[1:]
    elif rest and rest[0] in _CARRIERS:
        rest = ()
    rest = rest or nouns(path, singular_last=True)
    return (*action, *(rest if set(rest) - set(action) else ()))
