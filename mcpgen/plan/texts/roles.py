"""What kind of thing a tool does, so far as its name and place tell: it lists, gets, creates, changes, deletes, or acts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from mcpgen.ir.api import Operation
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.places import FINDERS, Place, nouns_of


class Role(Enum):
    """The part that a tool plays among those for the same things."""

    LIST = auto()
    SEARCH = auto()
    GET = auto()
    CREATE = auto()
    UPDATE = auto()
    REPLACE = auto()
    DELETE = auto()
    ACT = auto()


_VERBS: Mapping[str, Role] = {
    **dict.fromkeys(("list", "browse", "index"), Role.LIST),
    **dict.fromkeys(("search", "find", "query", "filter", "lookup"), Role.SEARCH),
    **dict.fromkeys(("get", "read", "fetch", "retrieve", "show", "describe", "inspect", "view"), Role.GET),
    **dict.fromkeys(("create", "add", "new", "insert", "post", "register"), Role.CREATE),
    **dict.fromkeys(("update", "edit", "modify", "patch", "change"), Role.UPDATE),
    **dict.fromkeys(("replace", "put", "overwrite"), Role.REPLACE),
    **dict.fromkeys(("delete", "remove", "destroy"), Role.DELETE),
}
_MANY = frozenset({"batch", "bulk", "many", "multiple", "multi", "all"})
_NO_THING = re.compile(r"\d+|v\d+(?:(?:alpha|beta)\d*)?|(?:alpha|beta)\d*")
_FILLING = frozenset("a an the by of for in on to with and or from as via".split())
_OPPOSITES = (
    ("lock", "unlock"), ("archive", "unarchive"), ("archive", "restore"), ("enable", "disable"), ("start", "stop"),
    ("pause", "resume"), ("pause", "unpause"), ("mute", "unmute"), ("follow", "unfollow"), ("block", "unblock"),
    ("ban", "unban"), ("pin", "unpin"), ("star", "unstar"), ("subscribe", "unsubscribe"), ("attach", "detach"),
    ("mount", "unmount"), ("connect", "disconnect"), ("assign", "unassign"), ("publish", "unpublish"),
    ("activate", "deactivate"), ("like", "unlike"), ("hide", "unhide"), ("link", "unlink"), ("join", "leave"),
    ("suspend", "unsuspend"), ("suspend", "resume"), ("suspend", "activate"), ("open", "close"), ("freeze", "unfreeze"),
    ("approve", "decline"), ("approve", "reject"), ("accept", "decline"), ("accept", "reject"), ("watch", "unwatch"),
)  # fmt: skip
_REVERSES = frozenset({*_OPPOSITES, *((right, left) for left, right in _OPPOSITES)})


@dataclass(frozen=True, slots=True)
class Trait:
    """What a tool does (`verb`, `role`), to what (`nouns`, in the singular), to how many; and the words for things in its name."""

    role: Role
    verb: str
    nouns: tuple[str, ...]
    many: bool
    things: frozenset[str]

    def names(self, argument: str) -> bool:
        """Whether an argument identifies the thing that the tool is about: `id`, `name`, `order_id`."""
        words = split_words(argument)
        if words in (("id",), ("name",), ("key",), ("slug",), ("uuid",), ("ids",)):
            return True
        return bool(words) and words[-1] in ("id", "ids", "key", "uuid") and words[-2:-1] == self.nouns[-1:]

    def reverses(self, other: Trait) -> bool:
        """Whether the other tool takes back what this one does: lock and unlock, start and stop."""
        return self.nouns == other.nouns and (self.verb, other.verb) in _REVERSES


def trait_of(name: str, operation: Operation, reads: bool, place: Place) -> Trait:
    """Reads a tool's name. Where it has no verb that we know, method and place decide."""
    words = split_words(name)
    verb = next((word for word in words[:2] if word in _VERBS), words[0] if words else "")
    rest = [word for word in words if word != verb and word not in _FILLING]
    many = bool(_MANY & set(rest)) and not reads
    nouns = tuple(singular(word) for word in rest if word not in _MANY)
    role = _role(verb, words, operation, reads, place)
    if role in (Role.LIST, Role.SEARCH) and _works_on_one(nouns, place):
        role = Role.ACT
    return Trait(role, verb, nouns, many, frozenset(word for word in nouns if not _NO_THING.fullmatch(word)))


def _works_on_one(nouns: tuple[str, ...], place: Place) -> bool:
    """Whether the path names the one thing that the tool is about: `query_order` of `/orders/{}/manage` finds no orders."""
    return any(part == "{}" and nouns_of(place[:index]) == nouns for index, part in enumerate(place))


def _role(verb: str, words: tuple[str, ...], operation: Operation, reads: bool, place: Place) -> Role:
    role = _VERBS.get(verb, Role.ACT)
    if reads:
        if place[-1:] and place[-1] in FINDERS - {"list"}:
            return Role.SEARCH
        if role is Role.GET and place[-1:] != ("{}",) and singular(words[-1]) != words[-1]:
            return Role.LIST
        return role if role in (Role.LIST, Role.SEARCH, Role.GET) else Role.ACT
    if operation.method == "PUT" and role is Role.UPDATE and place[-1:] == ("{}",):
        return Role.REPLACE
    return role if role not in (Role.LIST, Role.SEARCH, Role.GET) else Role.ACT
