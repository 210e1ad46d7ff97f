"""How much of the five elements of a good description a tool's definition says: each 0, 0.5 or 1.

does      what it does, and what comes back: 1 both, 0.5 one of them. Repeating the name counts for nothing.
inputs    1: every required argument and four of five of all say more than their names; 0.5: two of five do.
example   1: at least half of the values that a call needs have an example or show their form (an enumeration, a default, a date
          format), one of them an example; or the description has one. 0.5: some example, forms or marks only.
limits    limits of what it does or takes (how many, who may, what can't be undone) and failures: 1 both, 0.5 one of them. Limits
          that only the schema has (`maximum`, `pattern`) count as one half, once.
boundary  1: for which case this tool is and for which a sibling, or what for it is and what not; 0.5: one side of it.

The elements are those of the product's own aim; TDQS and the smell papers name the same ones. The scorer is deterministic and is
calibrated on tools scored by hand (`tests/calibration`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Set
from typing import Any

from mcpgen.lint.model import Elements
from mcpgen.lint.phrases import ELSE, EXAMPLE, FAILURE, LIMIT, NO_RETURN, RETURNS, WHEN
from mcpgen.lint.subject import arguments_of, followed
from mcpgen.lint.words import IDEOGRAM, beyond, cleaned, content, mentions, names_in
from mcpgen.plan.effects.verbs import text_verbs
from mcpgen.plan.texts.text import sentences

_DEPTH = 4
_VISITED = 400
_REMEMBERED = 8192
"""Texts of arguments: documents repeat them."""
_LIMITS = frozenset(
    {
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "maxItems",
        "pattern",
        "multipleOf",
    }
)
_INNER = frozenset(
    {"$ref", "properties", "patternProperties", "items", "additionalProperties", "anyOf", "oneOf", "allOf"}
)
_FORMS = frozenset({"enum", "const", "default", "pattern"})
_SHAPED = frozenset({"date", "date-time", "time", "duration", "uuid", "email", "uri", "url", "ipv4", "ipv6"})
_TITLE_SIGNS = 8
_LABEL_SIGNS = 6
"""Fewer ideograms than these are a title or a label: the name in another language."""
_HYPE = frozenset(
    "allow powerful flexible purpos used many very easy best fast way anyth everyth try now ai variou todo add description tbd".split()
)
_RESULTS = frozenset(
    "success successful respons ok content application json 200 201 204 type status code valu".split()
)
_FILLING = frozenset(
    "read return get fetch retriev delet updat creat uniqu identifier string integer boolean array number".split()
)
_ARGUMENT = re.compile(
    r"[\s•-]{0,20}([\w.\[\]$-]{1,80})\s{0,4}(?:\([^()]{0,60}\)\s{0,4})?[:：–-]\s{0,4}(\S.*)"
)
_NO_MARKS = str.maketrans("", "", "*`")
_HEADING = re.compile(
    r"^(?:[A-Z][\w ]{2,40}:|(?:args|arguments|parameters|returns?|raises|responses?)\W*)$", re.IGNORECASE
)
_RESPONSES = re.compile(r"^(?:responses?|returns?)\W*$", re.IGNORECASE | re.MULTILINE)
_TOOL = re.compile(r"(?<![\w`])(?:get|list|search|find|query|fetch)_[a-z0-9_]{2,64}(?![\w`])")
_CALL = re.compile(r"\{[^{}]{0,300}\}")
_MARKED = re.compile(r":\s{0,4}\[?\s{0,4}\"<[^<>\"]{1,100}>\"\s{0,4}\]?(?=\s{0,4}[,}])")
_DIRECTION = re.compile(r"(?:use (?:this|it)|useful)\b", re.IGNORECASE)
_CALL_LINE = re.compile(
    r"\((?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY) \S+\)|^(?:GET|POST|PUT|PATCH|DELETE) /\S*\.?$"
)


def score_elements(definition: Mapping[str, Any], siblings: Set[str] = frozenset()) -> Elements:
    """Scores a tool as `tools/list` gives it. `siblings` are the names of the other tools of its server."""
    text = cleaned(str(definition.get("description") or ""))
    arguments = list(arguments_of(definition))
    return Elements(
        _does(str(definition.get("name", "")), text),
        _inputs(arguments, str(definition.get("description") or "")),
        _example(definition, arguments, text),
        _limits(definition, arguments, _without_directions(text, siblings)),
        _boundary(str(definition.get("name", "")), text, siblings),
    )


def prose(text: str) -> list[str]:
    """The sentences of a description, without the sections that generators append: headings, and the points under them."""
    found: list[str] = []
    for line in text.split("\n"):
        if _HEADING.match(line):
            break
        if not line.startswith(("- ", "{", "}", "[", "]")):
            found += sentences(_CALL_LINE.sub("", line))
    return found


def says_what(name: str, text: str) -> bool:
    """Whether a description says what the tool does, beyond its name."""
    for piece in prose(text)[:3]:
        words, fresh = content(piece), beyond(piece, name) - _HYPE
        signs = sum(bool(IDEOGRAM.match(sign)) for sign in fresh)
        spelt = len(fresh) - signs
        if signs >= _TITLE_SIGNS or (len(words) >= 3 and (spelt >= 2 or (spelt and text_verbs(piece)))):
            return True
    return False


def _does(name: str, text: str) -> float:
    does = says_what(name, text)
    returns = any(
        RETURNS.search(NO_RETURN.sub("", piece)) and (beyond(piece, name) - _HYPE - _RESULTS)
        for line in text.split("\n")
        for piece in sentences(line)
    )
    return (does + returns) / 2


def explained(name: str, schema: Mapping[str, Any], text: str = "") -> bool:
    """Whether an argument's description, or the `text` about its tool, says more of it than its name."""
    own = cleaned(str(schema.get("description") or ""))
    if own and ("example" in schema or schema.get("examples") or _has_form(schema) or re.search(r"\d", own)):
        return True
    return (
        _points(own, name)
        or _informs(own, name)
        or any(_informs(said, name) for said in _said_of(name, text))
    )


def _points(text: str, name: str) -> bool:
    """Whether a description says from which tool the value comes: `Id of the task, from get_tasks`."""
    return any(word != name for word in _TOOL.findall(text))


def _informs(text: str, name: str) -> bool:
    fresh = beyond(text, name) - _FILLING
    signs = sum(bool(IDEOGRAM.match(sign)) for sign in fresh)
    return len(fresh) > signs or signs >= _LABEL_SIGNS


def _said_of(name: str, text: str) -> Iterator[str]:
    """What a description says of an argument: after `name:` in a list of arguments, or around a name that is no plain word."""
    if not text:
        return
    listed, told = _arguments_in(text)
    if name in listed:
        yield listed[name]
    if not (name.isalpha() and name.islower()):
        yield from (piece for piece, words in told if name in words)


@functools.lru_cache(maxsize=64)
def _arguments_in(text: str) -> tuple[dict[str, str], list[tuple[str, frozenset[str]]]]:
    """What a description lists as `name: text` or `name (type): text`, and its other sentences with their words."""
    listed: dict[str, str] = {}
    told = []
    for line in text.translate(_NO_MARKS).split("\n"):
        match = _ARGUMENT.match(line)
        if match:
            listed.setdefault(match[1], match[2])
        elif not line.lstrip().startswith("- "):
            told += [(piece, names_in(piece)) for piece in sentences(line)]
    return listed, told


def _inputs(arguments: list[tuple[str, Mapping[str, Any], bool]], text: str) -> float:
    if not arguments:
        return 1.0
    known = [explained(name, schema, text) for name, schema, _ in arguments]
    share = sum(known) / len(known)
    needed = all(told for told, (_, _, required) in zip(known, arguments, strict=True) if required)
    return 1.0 if needed and share >= 0.8 else 0.5 if share >= 0.4 else 0.0


def _example(
    definition: Mapping[str, Any], arguments: list[tuple[str, Mapping[str, Any], bool]], text: str
) -> float:
    asked = _RESPONSES.split(text, maxsplit=1)[0]
    if not arguments or (EXAMPLE.search(asked) and not only_marks(asked)):
        return 1.0
    root = definition.get("inputSchema") or {}
    if root.get("examples"):
        return 1.0
    needed = [item for item in arguments if item[2]] or arguments
    shown = [_has_example(schema, root) for _, schema, _ in needed]
    optional = (
        [schema for _, schema, required in arguments if not required] if needed is not arguments else []
    )
    formed = [example or _has_form(schema) for example, (_, schema, _) in zip(shown, needed, strict=True)]
    half = sum(formed) * 2 >= len(needed)
    if half and any(shown):
        return 1.0
    shown += [_has_example(schema, root) for schema in optional]
    return 0.5 if half or any(shown) or EXAMPLE.search(text) else 0.0


def only_marks(text: str) -> bool:
    """Whether an example call has marks only: `{"name": "<name>"}` says what goes where, but shows no value."""
    said = EXAMPLE.search(text)
    call = said and _CALL.search(text, said.start())
    return call is not None and ":" in call[0] and ":" not in _MARKED.sub("", call[0])


@functools.lru_cache(maxsize=_REMEMBERED)
def _exemplifies(text: str) -> bool:
    return EXAMPLE.search(text) is not None


@functools.lru_cache(maxsize=_REMEMBERED)
def _limits_something(text: str) -> bool:
    return LIMIT.search(text) is not None


def _has_example(schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    return any(
        "example" in part or part.get("examples") or _exemplifies(str(part.get("description") or ""))
        for part in parts(schema, root)
    )


def _has_form(schema: Mapping[str, Any]) -> bool:
    items = schema.get("items")
    inner = items if isinstance(items, Mapping) else schema
    return (
        schema.get("type") == "boolean"
        or bool(_FORMS & inner.keys())
        or bool(_FORMS & schema.keys())
        or str(inner.get("format", "")) in _SHAPED
    )


def _limits(
    definition: Mapping[str, Any], arguments: list[tuple[str, Mapping[str, Any], bool]], text: str
) -> float:
    root = definition.get("inputSchema") or {}
    told = [text, *(str(schema.get("description") or "") for _, schema, _ in arguments)]
    limit, failure = any(_limits_something(one) for one in told), bool(FAILURE.search(text))
    if limit and failure:
        return 1.0
    if limit or failure:
        return 0.5 if limit or not _bounded(arguments, root) else 1.0
    return 0.5 if _bounded(arguments, root) else 0.0


def _without_directions(text: str, siblings: Set[str]) -> str:
    """The text without what says when to use this or another tool: conditions there are no limits of this one."""
    kept = [
        piece
        for line in text.split("\n")
        for piece in sentences(line)
        if not _DIRECTION.match(piece) and not (ELSE.search(piece) and mentions(piece, siblings))
    ]
    return "\n".join(kept)


def _bounded(arguments: list[tuple[str, Mapping[str, Any], bool]], root: Mapping[str, Any]) -> bool:
    return any(_LIMITS & part.keys() for _, schema, _ in arguments for part in parts(schema, root))


def _boundary(name: str, text: str, siblings: Set[str]) -> float:
    others = {sibling for sibling in mentions(text, siblings) if sibling != name}
    pieces = sentences(text)
    when = any(
        WHEN.search(piece) and (not FAILURE.search(piece) or mentions(piece, others)) for piece in pieces
    )
    apart = any(ELSE.search(piece) for piece in pieces)
    if others:
        return 1.0 if when or apart else 0.5
    return (when + apart) / 2


def parts(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema and what is inside it, to a bounded depth and number."""
    if not _INNER & schema.keys():
        yield schema
        return
    queue: list[tuple[Any, int]] = [(schema, 0)]
    visited = 0
    while queue and visited < _VISITED:
        value, depth = queue.pop(0)
        part = followed(value, root)
        visited += 1
        yield part
        if depth >= _DEPTH:
            continue
        for key in ("properties", "patternProperties"):
            inner = part.get(key)
            queue += [(item, depth + 1) for item in inner.values()] if isinstance(inner, Mapping) else []
        for key in ("items", "additionalProperties"):
            if isinstance(part.get(key), Mapping):
                queue.append((part[key], depth + 1))
        for key in ("anyOf", "oneOf", "allOf"):
            queue += [(item, depth + 1) for item in part.get(key) or ()]
