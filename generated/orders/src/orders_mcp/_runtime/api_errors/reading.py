"""Reads an error body: RFC 9457 problems and everyone else's shapes, by the names that they share.

There is no list of formats: an object says something under a key for texts, names a place, has a code, or holds
further errors. Keys are compared without case and separators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .bodies import embedded
from .keys import (
    BURIED,
    CONTAINERS,
    DATA_CONTAINERS,
    GENERAL,
    KNOWN,
    LOCATED_TEXTS,
    SHOWN_CODES,
    TEXTS,
    UNTOLD_DETAILS,
    codes_of,
    is_names,
    places_of,
    wait_of,
)
from .model import ErrorBody, Place, Statement, squashed

_DEEPEST = 7
_MOST_ITEMS = 30
_MOST_VISITS = 400
_LONGEST_EMBEDDED = 64 << 10
_NO_NEWS = frozenset("error errors fail failed failure false true ok success".split())
"""Codes that say no more than that it failed."""


def read(content: Any, is_argument: Callable[[str], bool]) -> ErrorBody:
    """What an error body says.

    Args:
        content: a JSON value; for texts, pages and everything unreadable the words alone.
        is_argument: whether a name is that of an argument: some formats have field names as their only keys.
    """
    reader = _Reader(is_argument)
    reader.root(content)
    statements = tuple(dict.fromkeys(reader.statements))
    return ErrorBody(statements, tuple(dict.fromkeys(reader.codes)), reader.wait)


class _Reader:
    def __init__(self, is_argument: Callable[[str], bool]) -> None:
        self.statements: list[Statement] = []
        self.codes: list[str] = []
        self.wait: float | None = None
        self._is_argument = is_argument
        self._visits = 0

    def root(self, content: Any) -> None:
        if isinstance(content, dict) and self._is_bare_map(content):
            self._map(content, None, 0)
            return
        self._visit(content, 0, None, listed=False)
        if isinstance(content, dict) and not self.statements:
            for inner in list(content.values())[:_MOST_ITEMS]:  # an envelope under a name of its own
                if isinstance(inner, (dict, list)):
                    self._visit(inner, 1, None, listed=False)
        if not any(statement.place for statement in self.statements):
            self._dig(content, 0)

    def _visit(self, value: Any, depth: int, base: Place | None, *, listed: bool) -> None:
        self._visits += 1
        if depth > _DEEPEST or self._visits > _MOST_VISITS:
            return
        if isinstance(value, str):
            self._say(value, base, depth)
        elif isinstance(value, list):
            for item in value[:_MOST_ITEMS]:
                self._visit(item, depth + 1, base, listed=True)
        elif isinstance(value, dict):
            self._object(value, depth, base, listed=listed)

    def _say(self, text: str, place: Place | None, depth: int) -> None:
        inner = embedded(text) if len(text) <= _LONGEST_EMBEDDED else None
        if inner is not None:  # a gateway that quotes the answer of another
            before = len(self.statements)
            self._visit(inner, depth + 1, place, listed=False)
            if len(self.statements) > before:
                return
        if text.strip():
            self.statements.append(Statement(text, place))

    def _object(self, value: dict[str, Any], depth: int, base: Place | None, *, listed: bool) -> None:
        known = _by_key(value)
        kind = str(value.get("@type", "")).rpartition(".")[2]
        if kind in UNTOLD_DETAILS:
            return
        if not known.keys() & KNOWN:
            if depth and _is_map(value):
                self._map(value, base, depth)
            return
        codes = codes_of(known, detail=kind)
        self.codes += codes
        if self.wait is None:
            self.wait = wait_of(known)
        places = places_of(known, base, root=depth == 0, listed=listed)
        before = len(self.statements)
        self._texts(known, places, depth)
        for key in CONTAINERS:
            if known.get(key) and not (key == "fields" and is_names(known[key])):
                self._container(key, known[key], depth, places[0] if places and key == "children" else None)
        if known.get("status") == "fail" and isinstance(known.get("data"), dict):  # JSend
            self._map(known["data"], None, depth)
        if len(self.statements) == before and not kind:
            self._say_code(codes, places)

    def _say_code(self, codes: list[str], places: list[Place]) -> None:
        """For an error without words: its code, and at least where it is."""
        news = [code for code in codes if squashed(code) not in _NO_NEWS and not code.isdigit()]
        sure = [place for place in places if place.sure]
        if news:
            self.statements += [Statement(news[0], place) for place in sure] or [Statement(news[0])]
        else:
            self.statements += [Statement("is not accepted", place) for place in sure]

    def _texts(self, known: Mapping[str, Any], places: list[Place], depth: int) -> None:
        """The object's own words. Where it names a place, only its best ones: they are about that place."""
        own: list[str] = []
        for key in TEXTS:
            told = known.get(key)
            if isinstance(told, str) and told.strip():
                own.append(told)
            elif isinstance(told, list) and told and all(isinstance(item, str) for item in told):
                own += [item for item in told[:_MOST_ITEMS] if item.strip()]
            elif isinstance(told, (dict, list)):
                self._visit(told, depth + 1, None, listed=isinstance(told, list))
        if isinstance(known.get("constraints"), dict):  # class-validator: the rule and its words
            own += [text for text in known["constraints"].values() if isinstance(text, str)]
        if not own:
            return
        sure = [place for place in places if place.sure]
        best = next(
            (known[key] for key in LOCATED_TEXTS if isinstance(known.get(key), str) and known[key] in own),
            own[0],
        )
        coded = _with_code(best, known, own)
        own = [coded] if sure else [coded if text is best else text for text in own]
        for text in own:
            if places:
                self.statements += [Statement(text, place) for place in places]
            else:
                self._say(text, None, depth)

    def _container(self, key: str, inner: Any, depth: int, base: Place | None) -> None:
        if not isinstance(inner, dict):
            if depth or key not in DATA_CONTAINERS or not isinstance(inner, str):
                self._visit(inner, depth + 1, base, listed=True)
        elif self._is_error(inner):
            self._object(inner, depth + 1, base, listed=True)
        elif key in DATA_CONTAINERS and _holds_errors(inner):
            self._object(inner, depth + 1, base, listed=False)
        elif (
            key not in DATA_CONTAINERS
            or _is_map(inner, lists=True)
            or all(map(self._is_argument, list(inner)[:_MOST_ITEMS]))
        ):
            self._map(inner, base, depth)

    def _map(self, members: Mapping[str, Any], base: Place | None, depth: int) -> None:
        """Field names to what is wrong with them: `{"days": ["too many"]}`."""
        for key, told in list(members.items())[:_MOST_ITEMS]:
            name = str(key)
            general = squashed(name) in GENERAL and not self._is_argument(name)
            place = base if general else base.inner(name) if base is not None else Place((name,))
            self._told(told, place, depth + 1)

    def _told(self, told: Any, place: Place | None, depth: int) -> None:
        """What stands under the name of a field: words, lists of them, and the same for the fields inside it."""
        self._visits += 1
        if depth > _DEEPEST or self._visits > _MOST_VISITS:
            return
        if isinstance(told, str):
            self._say(told, place, depth)
        elif isinstance(told, dict):
            if self._is_error(told):
                self._object(told, depth, place, listed=True)
            else:
                self._map(told, place, depth)
        elif isinstance(told, list):
            for position, item in enumerate(told[:_MOST_ITEMS]):
                inside = isinstance(item, dict) and not self._is_error(item) and place is not None
                self._told(item, place.inner(position) if inside and place else place, depth + 1)

    def _is_error(self, value: Mapping[str, Any]) -> bool:
        """Whether an object is one error, and not a map of field names to errors."""
        if len(value) > _MOST_ITEMS:
            return False
        known = _by_key(value)
        arguments = sum(map(self._is_argument, value))
        if arguments and (arguments == len(value) or not known.keys() & {*SHOWN_CODES, "msg", "message"}):
            return False
        told = any(isinstance(known.get(key), str) for key in (*TEXTS, *SHOWN_CODES))
        told = told or "error" in known or isinstance(known.get("fault"), dict)
        further = known.keys() <= set(CONTAINERS) and all(map(_holds_objects, known.values()))
        return (told or further or "constraints" in known) and bool(known) and known.keys() <= KNOWN

    def _is_bare_map(self, value: Mapping[str, Any]) -> bool:
        """Whether an object is nothing but field names and texts (Django REST framework)."""
        if len(value) > _MOST_ITEMS:
            return False
        fields = [key for key in value if squashed(key) not in GENERAL]
        if not fields:
            return False
        ours = all(map(self._is_argument, fields))
        if any(squashed(key) in KNOWN for key in fields):
            return ours and _is_map(value, lists=True)
        return _is_map(value, lists=True) or (ours and _is_map(value))

    def _dig(self, value: Any, depth: int) -> None:
        """Finds lists of errors that stand inside of something else, such as the records that were refused."""
        self._visits += 1
        if depth > _DEEPEST or self._visits > _MOST_VISITS:
            return
        if isinstance(value, list):
            for item in value[:_MOST_ITEMS]:
                self._dig(item, depth + 1)
        elif isinstance(value, dict):
            for key, inner in list(value.items())[:_MOST_ITEMS]:
                if squashed(key) in BURIED and depth:
                    self._container(squashed(key), inner, depth, None)
                elif isinstance(inner, (dict, list)):
                    self._dig(inner, depth + 1)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, dict) for item in value)
    )


def _holds_errors(value: Mapping[str, Any]) -> bool:
    return any(_holds_objects(inner) for key, inner in _by_key(value).items() if key in CONTAINERS)


def _by_key(value: Mapping[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for key, inner in list(value.items())[: 3 * _MOST_ITEMS]:
        known.setdefault(squashed(key), inner)
    more = known.get("extensions")
    if isinstance(more, dict):  # GraphQL, 7.1.2: everything beside the message stands there
        for key, inner in list(more.items())[:_MOST_ITEMS]:
            if squashed(key) not in TEXTS:
                known.setdefault(squashed(key), inner)
    return known


def _is_map(value: Any, *, lists: bool = False, depth: int = 0) -> bool:
    """Whether all members are texts, lists of texts, or objects of such.

    Args:
        lists: texts must stand in lists: a single text can be anything.
    """
    if depth > _DEEPEST or not isinstance(value, dict) or not value:
        return False
    return all(
        (isinstance(told, str) and not lists)
        or (
            isinstance(told, list)
            and bool(told)
            and all(
                isinstance(item, str) or item == {} or _is_map(item, lists=lists, depth=depth + 1)
                for item in told
            )
        )
        or _is_map(told, lists=lists, depth=depth + 1)
        for told in value.values()
    )


def _with_code(text: str, known: Mapping[str, Any], said: list[str]) -> str:
    """The text with the most precise code, unless the words say the same."""
    words = squashed(" ".join(said)[:2000])
    for code in codes_of({key: known[key] for key in SHOWN_CODES if key in known}):
        plain = squashed(code)
        if plain in words or plain in _NO_NEWS or (plain.isdigit() and len(plain) < 4):
            continue
        return f"{text.rstrip()} ({code})"
    return text
