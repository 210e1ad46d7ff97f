"""Candidate names for a tool, from its operation alone: verb first, then what it works on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcpgen.plan.effects.words import MODIFIERS, NOUNISH, is_verb
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.toolsets import is_prefix

Words = tuple[str, ...]

_METHOD_VERBS = {
    "GET": "get", "HEAD": "head", "POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete",
    "OPTIONS": "options", "TRACE": "trace", "QUERY": "query",
}  # fmt: skip
_METHODS = frozenset("get post put patch delete head options trace query".split())
_FINAL_VERBS = frozenset(
    "list get create update delete search retrieve destroy patch add remove start stop archive unarchive cancel query".split()
)
_CARRIERS = frozenset(
    "manage handle process execute perform do operate control action actions post run invoke op command".split()
)
# Verbs that start the names of remote procedures even where they are nouns too: `/set_group_name`.
_CALL_VERBS = frozenset("set get list check is has can find show send upload download update fetch".split())
_NOISE = frozenset("controller api endpoint handler using".split())
_GROUP = re.compile(r"[./:]+|(?<=[a-z0-9])_(?=[A-Za-z]*[a-z][A-Z])|(?<=[a-z])_(?=[a-z]+[A-Z])")


@dataclass(frozen=True, slots=True)
class NameRequest:
    """A tool to name.

    `key` identifies the tool (also as the key of pinned names). `action` is the fixed value of a tool that is
    one of the actions of its operation.
    """

    key: str
    method: str
    path: str
    operation_id: str | None = None
    action: str = ""


def tool_candidates(request: NameRequest) -> tuple[Words, ...]:
    """The words of a tool's name, best first; the later ones say more, to settle clashes by meaning."""
    own = _own_words(request)
    base = own or _from_path(request)
    if request.action:
        base = _with_action(base, request)
    method = request.method.lower()
    verb = () if own and is_verb(base[0]) else (method if own else _PUT_PATCH.get(method, method),)
    rest = base if own else base[1:]
    with_method = (*base, method) if not verb else (*verb, *rest)
    extra = _extra_words(base, "/".join(_meaningful(request.path)))
    full = _extra_words(base, request.path)
    placeholders = tuple(word for part in _placeholders(request.path) for word in split_words(part))
    by = ("by", *placeholders) if placeholders else ()
    return (
        base,
        with_method,
        (*base, *extra),
        (*with_method, *extra),
        (*with_method, *full),
        (*with_method, *full, *by),
    )


_PUT_PATCH = {"put": "put", "patch": "patch"}


def _own_words(request: NameRequest) -> Words:
    """The words of the operationId, without what frameworks put there from method and path; maybe none."""
    text = _without_route(request.operation_id or "", request.method, request.path)
    groups = [split_words(group) for group in _GROUP.split(text)]
    if groups and _echoes_route(tuple(word for group in groups for word in group), request):
        return ()
    groups = [words for group in groups if (words := tuple(word for word in group if word not in _NOISE))]
    words = _joined(groups)
    if not words:
        return ()
    if len(words) > 1 and is_prefix(words[-1]) and words[-1] in split_words(request.path):
        words = words[:-1]
    if len(words) == 1 and is_verb(words[0]):
        return tuple(dict.fromkeys((words[0], *_nouns(request.path, singular_last="{" in request.path))))
    return words


def _echoes_route(words: Words, request: NameRequest) -> bool:
    """Whether an id is only method and path again (`get_api_v1_users__id_`, `GetTokensToken`).

    `getUsers` for `GET /users` does not: that is how a person writes too.
    """
    method = request.method.lower()
    full = [word for part in re.split(r"[/:#?&]", request.path) for word in split_words(part)]
    short = [word for part in _meaningful(request.path) for word in split_words(part)]
    named = words[:1] == (method,) and method not in ("get", "delete")
    routes = {tuple(full), tuple(short)} if named or "{" in request.path else {tuple(full)} - {tuple(short)}
    spelt = {"".join(route) for route in routes}
    own = "".join(words)
    return bool(own) and (
        own in spelt or own.removeprefix(method) in spelt or own.removesuffix(method) in spelt
    )


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


def _joined(groups: Sequence[Words]) -> Words:
    """The groups of an id as one name: no group that the last one repeats, and the verb before its noun."""
    if not groups:
        return ()
    last = groups[-1]
    known = {singular(word) for word in last}
    before = [
        word for group in groups[:-1] if not known.issuperset(singular(w) for w in group) for word in group
    ]
    if (
        before
        and is_verb(last[0])
        and (len(last) == 1 or last[1] in ("by", "for", "with", "from", "in", "to"))
    ):
        return (last[0], *before, *last[1:])
    words = (*before, *last)
    if len(groups) == 1 and len(words) > 1 and words[-1] in _FINAL_VERBS and not is_verb(words[0]):
        return _verb_first(words)
    return words


def _verb_first(words: Words) -> Words:
    size = 2 if words[-2:-1] in (("partial",), ("bulk",), ("batch",)) and len(words) > 2 else 1
    return (*words[-size:], *words[:-size])


def _from_path(request: NameRequest) -> Words:
    """`list_desk_drawers` for `GET /desks/{id}/drawers`; a verb in the last segment is kept as the verb."""
    parts = _meaningful(request.path)
    if not parts:
        return (request.method.lower(), "root")
    called = _called(parts, request.method)
    if called:
        return called
    item = "{" in parts[-1]
    return (
        _path_verb(request.method, parts[-1]),
        *_nouns("/".join(parts), singular_last=item or request.method == "POST"),
    )


def _called(parts: Sequence[str], method: str) -> Words:
    """The words of a path that names a procedure: `/send_group_msg`, `/orders/{id}/cancel`; else none."""
    words = split_words(parts[-1]) if "{" not in parts[-1] else ()
    verbs = [
        w
        for w in words
        if is_verb(w) and w not in _METHODS - {"get"} and (w not in NOUNISH or w in _CALL_VERBS)
    ]
    if len(words) > 1 and verbs and (verbs[0] == words[0] or method == "POST"):
        bare = all(is_verb(word) or word in MODIFIERS for word in words)
        return (
            *words,
            *(_nouns("/".join(parts[:-1]), singular_last=False) if bare and len(parts) > 1 else ()),
        )
    if len(words) == 1 and is_verb(words[0]) and words[0] not in _METHODS and (verbs or method == "POST"):
        before = parts[:-1]
        return (words[0], *(_nouns("/".join(before), singular_last="{" in before[-1]) if before else ()))
    return ()


def _path_verb(method: str, last: str) -> str:
    item = "{" in last
    if method == "GET" and not item and _plural(split_words(last)):
        return "list"
    if method == "POST" and item:
        return "post"
    return _METHOD_VERBS.get(method.upper(), (split_words(method) or ("call",))[0])


def _plural(words: Words) -> bool:
    return bool(words) and singular(words[-1]) != words[-1]


def _meaningful(path: str) -> list[str]:
    parts = [part for part in re.split(r"[/:#?&]", path) if part]
    kept = [part for part in parts if "{" in part or not is_prefix(part)]
    return kept if any("{" not in part for part in kept) else parts


def _placeholders(path: str) -> list[str]:
    return re.findall(r"\{([^{}]*)\}", path)


def _nouns(path: str, singular_last: bool) -> Words:
    """The static segments as a noun phrase, all but the last in the singular."""
    parts = [split_words(part) for part in _meaningful(path) if "{" not in part]
    parts = [part for part in parts if part] or [
        tuple(word for name in _placeholders(path) for word in split_words(name))
    ]
    words = [word for part in parts[:-1] for word in (*part[:-1], singular(part[-1]))]
    last = list(parts[-1]) or ["root"]
    return (*words, *last[:-1], singular(last[-1]) if singular_last else last[-1])


def _with_action(base: Words, request: NameRequest) -> Words:
    """The fixed action as the verb: `cancel_order` from `manageOrder`; without a carrier verb it comes last."""
    action = split_words(request.action) or ("other",)
    if base[0] in _CARRIERS or (not request.operation_id and is_verb(base[0])):
        rest = base[1:]
    elif base[-1] in _CARRIERS:
        rest = base[:-1]
    else:
        rest = base[1:] if is_verb(base[0]) and len(base) > 1 and is_verb(action[0]) else base
    return (*action, *(rest or _nouns(request.path, singular_last=True)))


def _extra_words(base: Words, path: str) -> Words:
    """Words of the path that the name does not have yet, with `by` and the parameter for a path to one item."""
    known = {singular(word) for word in base}
    parts = [part for part in re.split(r"[/:#?&]", path) if part]
    extra = [
        word for part in parts if "{" not in part for word in split_words(part) if singular(word) not in known
    ]
    tail = split_words(parts[-1]) if parts and "{" in parts[-1] else ()
    if tail and "by" not in known:
        extra += ["by", *tail]
    return tuple(dict.fromkeys(extra))
