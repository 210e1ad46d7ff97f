"""The faults that a generated project must not let pass, by name: what goes wrong between a tool and its API.

Each is one kind of mistake, and where in a project it can be made. The set is small on purpose: each of its faults changes
what is sent, what is told, or what may be called. `operators` has the general ones.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from .operators import (
    Operator,
    arithmetic,
    boolean,
    comparison,
    condition,
    constant,
    early,
    keyword,
    location,
    returned,
    statement,
    unwrapped,
    word,
)
from .places import Place

_METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"})
_LOCATIONS = ("path", "query", "header", "cookie", "body")
_CATEGORIES = ("VALIDATION", "PERMISSION", "NOT_FOUND", "BUSINESS", "TRANSIENT", "INTERNAL")
_EFFECTS = frozenset({"read", "write", "destructive"})
_ENCODING = frozenset("encode encode_name quote quote_plus b64encode dumps json_text escape".split())
_MASKING = frozenset("text log_text quotation value mask".split())
_SWITCHES = frozenset({"ok", "isError", "is_error"})
_HINT_FIELDS = frozenset({"arguments", "same", "values", "again", "when", "text"})
_HINTING = frozenset(
    "hint_for first_possible filled _planned planned read_hints _hint _after direct follow_up".split()
)
_CREDENTIAL_PARTS = ("headers", "query", "cookies")


def _only(operator: Operator, words: Iterable[str]) -> Operator:
    """An operator on some words."""
    known = frozenset(words)

    def made(place: Place) -> Iterator[ast.AST]:
        if isinstance(place.node, ast.Constant) and place.node.value in known:
            yield from operator(place)

    return made


def _any(*operators: Operator) -> Operator:
    def made(place: Place) -> Iterator[ast.AST]:
        for operator in operators:
            yield from operator(place)

    return made


def _credential_place(place: Place) -> Iterator[ast.AST]:
    """A credential in the query in place of a header, and so on."""
    match place.node:
        case ast.Attribute(value=ast.Name(id="parts" | "credential") as of, attr=name) if (
            name in _CREDENTIAL_PARTS
        ):
            other = _CREDENTIAL_PARTS[(_CREDENTIAL_PARTS.index(name) + 1) % len(_CREDENTIAL_PARTS)]
            yield ast.Attribute(of, other, ast.Load())


def _sent(place: Place) -> Iterator[ast.AST]:
    """A tool that leaves out one of the arguments that it has to send, or all of one place."""
    match place.node:
        case ast.Dict(keys=keys, values=values) if place.in_function:
            for at in range(len(keys)):
                yield ast.Dict(keys[:at] + keys[at + 1 :], values[:at] + values[at + 1 :])
        case ast.Call(func=ast.Attribute(attr="send")):
            yield from keyword(place)


def _collected(place: Place) -> Iterator[ast.AST]:
    """A part of a request that is not put there: a loop that never runs, a statement that adds something."""
    yield from early(place)
    match place.node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append" | "extend" | "update" | "add"))):
            yield from statement(place)
        case ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
            yield from statement(place)


def _applied(place: Place) -> Iterator[ast.AST]:
    """A credential that is not put into the request."""
    yield from _collected(place)
    match place.node:
        case ast.Expr(value=ast.Await()) | ast.Assign(targets=[ast.Attribute(value=ast.Name(id="parts"))]):
            yield from statement(place)
        case ast.Call(func=ast.Name(id="Credential")):
            yield from keyword(place)
        case ast.Attribute(value=ast.Name(id="credential"), attr="headers" | "query" | "cookies"):
            yield ast.Tuple([], ast.Load())


def _plain(place: Place) -> Iterator[ast.AST]:
    """What is not encoded, not masked: the value itself, where a function should have made something of it."""
    match place.node:
        case ast.Call(func=ast.Attribute(attr="hide"), args=[_, *_]):
            yield ast.Constant(False)
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=[first, *_]) if name in _MASKING:
            if "redactor" in ast.unparse(of):
                yield first
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _ENCODING:
            yield from unwrapped(place)


def _turned(place: Place) -> Iterator[ast.AST]:
    """A failure told as a success, and the other way round."""
    match place.parent:
        case ast.Dict(keys=keys) if place.field == "values" and place.index is not None:
            name = keys[place.index]
            if isinstance(name, ast.Constant) and name.value in _SWITCHES:
                yield from constant(place)
        case ast.keyword(arg=str(arg)) if arg in _SWITCHES and isinstance(place.node, ast.expr):
            yield ast.UnaryOp(ast.Not(), place.node)
    if place.function.endswith(".ok") and isinstance(place.node, ast.Compare):
        yield from comparison(place)


def _status(place: Place) -> Iterator[ast.AST]:
    """A refusal taken for a success."""
    node = place.node
    if isinstance(node, ast.expr) and "status" in ast.unparse(node):
        yield from _any(condition, comparison)(place)


def _no_hint(place: Place) -> Iterator[ast.AST]:
    """A hint that gets lost on its way."""
    match place.node:
        case ast.Call(func=func, args=args, keywords=keywords):
            told = _HINT_FIELDS if isinstance(func, ast.Name) and func.id == "Hint" else {"hint", "hints"}
            for at, given in enumerate(keywords):
                if given.arg in told:
                    yield ast.Call(func, args, keywords[:at] + keywords[at + 1 :])
        case ast.Dict(keys=keys, values=values):
            for at, name in enumerate(keys):
                if isinstance(name, ast.Constant) and name.value == "hint":
                    yield ast.Dict(keys[:at] + keys[at + 1 :], values[:at] + values[at + 1 :])
    if place.function.split(".")[-1] in _HINTING:
        yield from _any(returned, early)(place)


def _category(place: Place) -> Iterator[ast.AST]:
    """Another category."""
    match place.node:
        case ast.Attribute(value=ast.Name(id="Category") as of, attr=name) if name in _CATEGORIES:
            yield ast.Attribute(of, _CATEGORIES[(_CATEGORIES.index(name) + 1) % len(_CATEGORIES)], ast.Load())


def _selected(place: Place) -> Iterator[ast.AST]:
    """A condition, or a set of effects, that decides which tools there are and who may call them."""
    yield from _any(condition, boolean, arithmetic)(place)


def _in_select(place: Place) -> Iterator[ast.AST]:
    if place.function == "Catalog.select":
        yield from _any(condition, boolean, comparison)(place)


_Made = tuple[tuple[Operator, re.Pattern[str]], ...]
"""What is done in which files: patterns of their paths below the package."""


def _made(*pairs: tuple[Operator, str]) -> _Made:
    return tuple((operator, re.compile(files)) for operator, files in pairs)


LISTED: Mapping[str, _Made] = {
    "swapped method": _made((_only(word, _METHODS), r"")),
    "wrong location": _made(
        (_only(word, _LOCATIONS), r"^(tools/|_runtime/(requests|auth|inputs|operation|call|paging))"),
        (location, r"^tools/"),
        (_credential_place, r"^_runtime/(auth|requests)/"),
    ),
    "dropped parameter": _made(
        (_sent, r"^tools/"), (_collected, r"^_runtime/(requests/|inputs/arguments|operation)")
    ),
    "skipped encoding": _made(
        (_plain, r"^_runtime/(requests|auth|transport|secrecy|answers|outcomes|inputs|chain|api_errors)/")
    ),
    "dropped credential": _made(
        (_applied, r"^_runtime/(auth/(credentials|schemes|security|certificates)|requests/request)")
    ),
    "flipped isError": _made((_turned, r"^_runtime/"), (_status, r"^_runtime/answers/outcome")),
    "dropped hint": _made((_no_hint, r"^_runtime/(outcomes|answers|chain|paging|call\.)")),
    "wrong category": _made(
        (_category, r""),
        (
            _only(word, map(str.lower, _CATEGORIES)),
            r"^_runtime/(outcomes|api_errors/classify|call|setup|chain)",
        ),
    ),
    "opened gate": _made(
        (_selected, r"^_runtime/(setup/registration|dispatch|chain/(confirming|authorizing))"),
        (_in_select, r"^_runtime/catalog"),
        (
            _only(word, _EFFECTS),
            r"^_runtime/(setup|chain|dispatch|catalog|operation|paging|bounds|answers|outcomes)",
        ),
    ),
}
"""By name. The places of a fault are those where the mistake can be made: methods and categories anywhere, credentials where
they are put into a request, the gate where it is decided which tools there are and whether a call needs consent."""


def listed_operator(name: str, file: str) -> Operator:
    """What a kind of fault does in one file."""
    return _any(*(operator for operator, files in LISTED[name] if files.search(file)))
