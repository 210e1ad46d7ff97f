"""What a verb means with its object: "stop a job" ends it, "stop a server" does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mcpgen.ir.api import Operation
from mcpgen.plan.effects.words import (
    ACCOUNTS,
    CONTENT,
    CREDENTIALS,
    JOBS,
    MEMBERS,
    MONEY,
    NOUNS,
    PEOPLE,
    VERBS,
    WHOLES,
    Act,
    Verb,
)
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.toolsets import static_segments

# Nouns of removal that are as often things: a circuit termination, an address deletion list.
_STATES = frozenset({"termination", "deactivation", "suspension"})
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
_STOPS = frozenset("to for of from by in on with into at via using and or that which as when within".split())
_FILLERS = frozenset("a an the one more existing specified given specific this your".split())
_CHECKED = frozenset(
    "signature signatures address addresses availability checksum integrity data if whether that payload".split()
)
_MESSAGES = frozenset(
    "message messages event events notification notifications comment post update metric data".split()
)
_ENDED = frozenset({"session", "sessions", "token", "tokens"})
_TOKENS = frozenset({"token", "jwt", "session"})


def sense(operation: Operation, verb: Verb, source: str) -> Act:
    """The act of a verb, where its object or the rest of the operation changes it."""
    decide = _SENSES.get(verb.word)
    if decide is not None:
        return decide(operation, verb, source)
    if verb.act in (Act.CREATE, Act.SEND):
        return _made(operation, verb, object_words(verb.after))
    return verb.act


def _made(operation: Operation, verb: Verb, words: Sequence[str]) -> Act:
    """Creating a refund moves money; creating an eviction evicts."""
    named = words[-1] if words else ""
    last = _last_segment(operation)
    if named in MONEY or (last and last[-1] in MONEY and (not named or verb.act is Act.SEND)):
        return Act.PAYOUT
    return (
        Act.DESTROY if VERBS.get(NOUNS.get(named, "")) is Act.DESTROY and named not in _STATES else verb.act
    )


def object_words(after: Sequence[str]) -> list[str]:
    """The words up to the first preposition, without articles: the last one is what the verb acts on."""
    cut = next((i for i, word in enumerate(after) if word in _STOPS), len(after))
    return [word for word in after[:cut] if word not in _FILLERS]


def _path_words(operation: Operation) -> set[str]:
    return {word for part in static_segments(operation.path) for word in split_words(part)}


def _last_segment(operation: Operation) -> tuple[str, ...]:
    parts = [part for part in re.split(r"[/:]", operation.path) if part]
    return split_words(parts[-1]) if parts and "{" not in parts[-1] else ()


def _before_last(operation: Operation) -> list[str]:
    """The words of the segment before the last: what an action segment acts on."""
    return [word for part in static_segments(operation.path)[-2:-1] for word in split_words(part)]


def _stop(operation: Operation, verb: Verb, source: str) -> Act:
    words = object_words(verb.after) or _before_last(operation)
    return Act.DESTROY if words and words[-1] in JOBS else Act.TOGGLE


def _start(operation: Operation, verb: Verb, source: str) -> Act:
    """Starting a stored thing sets its state; starting a job makes one."""
    words = object_words(verb.after)
    if "garbage" in words:
        return Act.DESTROY
    stored = "{" in operation.path and (not words or words[-1] not in JOBS)
    return Act.TOGGLE if stored and _last_segment(operation) == ("start",) else Act.START


def _restore(operation: Operation, verb: Verb, source: str) -> Act:
    around = set(verb.after) | _path_words(operation)
    return Act.DESTROY if around & WHOLES else Act.TOGGLE


def _archive(operation: Operation, verb: Verb, source: str) -> Act:
    """Archiving is a soft delete in some APIs; then their descriptions speak of deletion."""
    return (
        Act.DESTROY
        if re.search(r"\bdelet|删除|supprim|elimin", operation.description, re.IGNORECASE)
        else Act.TOGGLE
    )


def _close(operation: Operation, verb: Verb, source: str) -> Act:
    words = object_words(verb.after) or _before_last(operation)
    return Act.DESTROY if ACCOUNTS.intersection(words[-1:]) else Act.TOGGLE


def _reset(operation: Operation, verb: Verb, source: str) -> Act:
    return (
        Act.ROTATE if CREDENTIALS.intersection(verb.after) and "password" not in verb.after else Act.DESTROY
    )


def _publish(operation: Operation, verb: Verb, source: str) -> Act:
    words = object_words(verb.after)
    return Act.SEND if not words or _MESSAGES.intersection(words[-1:]) else Act.TOGGLE


def _add(operation: Operation, verb: Verb, source: str) -> Act:
    """Adding what exists already to a set is a relation; adding something new creates it."""
    words = object_words(verb.after)
    member = bool(words) and (words[-1] in PEOPLE or (words[-1] in MEMBERS and "to" in verb.after))
    new = {"new", "additional", "another"}.intersection(verb.after)
    return Act.LINK if member and "{" in operation.path and not new else _made(operation, verb, words)


def _update(operation: Operation, verb: Verb, source: str) -> Act:
    """Replacing the bytes of a file leaves nothing of the old ones."""
    media = operation.body.media if operation.body else ()
    raw = bool(media) and all(
        item.bare == "application/octet-stream" or item.bare.startswith("image/") for item in media
    )
    return Act.DESTROY if raw and CONTENT.intersection(verb.after) else Act.UPDATE


def _verify(operation: Operation, verb: Verb, source: str) -> Act:
    reads = (
        operation.method.upper() in _SAFE
        or _CHECKED.intersection(verb.after)
        or {"verify", "signature"} <= _path_words(operation)
    )
    return Act.READ if reads else Act.UPDATE


def _obtain(operation: Operation, verb: Verb, source: str) -> Act:
    """Getting a token by POST makes one."""
    words = object_words(verb.after)
    made = bool(words and words[-1] in _TOKENS) or bool(_TOKENS.intersection(_last_segment(operation)))
    issued = operation.method.upper() == "POST" and made
    return Act.CREATE if issued and source != "path" else Act.READ


def _export(operation: Operation, verb: Verb, source: str) -> Act:
    """An export or download that answers with the data only reads; one that answers with a job starts it."""
    good = [response for response in operation.responses if response.status.startswith("2")]
    data = [item.bare for response in good for item in response.media]
    direct = (
        {response.status for response in good} == {"200"}
        and data
        and not any("json" in bare for bare in data)
    )
    return Act.READ if direct or operation.method.upper() in _SAFE else Act.START


def _safe_read(operation: Operation, verb: Verb, source: str) -> Act:
    return Act.READ if operation.method.upper() in _SAFE else verb.act


def _disable(operation: Operation, verb: Verb, source: str) -> Act:
    """A session or a token that is switched off stays off."""
    return Act.DESTROY if _ENDED.intersection(verb.after) else Act.TOGGLE


def _generate(operation: Operation, verb: Verb, source: str) -> Act:
    """Generating by PUT makes again what is there."""
    return Act.RENEW if operation.method.upper() == "PUT" else Act.CREATE


def _analyze(operation: Operation, verb: Verb, source: str) -> Act:
    """Without a stored thing in the path an analysis only computes."""
    return Act.RENEW if "{" in operation.path else verb.act


_SENSES: dict[str, Callable[[Operation, Verb, str], Act]] = {
    "stop": _stop,
    "halt": _stop,
    "start": _start,
    "restore": _restore,
    "archive": _archive,
    "close": _close,
    "reset": _reset,
    "publish": _publish,
    "add": _add,
    "update": _update,
    "replace": _update,
    "verify": _verify,
    "get": _obtain,
    "obtain": _obtain,
    "fetch": _obtain,
    "retrieve": _obtain,
    "export": _export,
    "download": _export,
    "下载": _export,
    "resolve": _safe_read,
    "convert": _safe_read,
    "match": _safe_read,
    "select": _safe_read,
    "discover": _safe_read,
    "disable": _disable,
    "deactivate": _disable,
    "generate": _generate,
    "analyze": _analyze,
    "analyse": _analyze,
}
