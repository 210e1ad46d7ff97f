"""Lays out tool functions as black would.

Formatting was most of the time of a large project, and black needs one pass to find that there is nothing to do and
two to do something. What is laid out here goes round black altogether (`emit.format`), except for functions with
something that can't be broken here, such as one very long annotation. A test holds this module against black.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from mcpgen.plan.model import Code
from mcpgen.render.filters import py
from mcpgen.render.views import FunctionView, GroupView, ImportView

WIDTH = 100
_STEP = 4


@dataclass(frozen=True, slots=True)
class _Bracket:
    """`head`, items, `tail`: `head` ends with the opening bracket, `tail` begins with the closing one.

    When it does not fit on one line, the items get a line for all of them (`together`), else one each. A trailing
    comma stays away from a single item unless `comma` says otherwise.
    """

    head: str
    items: tuple[str | _Bracket, ...]
    tail: str
    together: bool
    comma: bool


def signature(function: FunctionView) -> Code:
    """The `async def` line of a tool function, on as many lines as it needs."""
    items = ["call: Call"]
    if function.parameters:
        items.append("*")
    for parameter in function.parameters:
        default = "" if parameter.default is None else f" = {parameter.default}"
        items.append(f"{parameter.name}: {parameter.annotation}{default}")
    head, tail = f"async def {function.name}(", f") -> {function.returns}:"
    return _code(_Bracket(head, tuple(items), tail, together=True, comma=True), 0)


def send(function: FunctionView) -> Code:
    """The only statement of a tool function."""
    groups = tuple(map(_group, function.groups))
    return _code(_Bracket("return await call.send(", groups, ")", together=True, comma=False), _STEP)


def imports(module: ImportView) -> Code:
    """One import of model classes, inside `if TYPE_CHECKING:`."""
    head = f"from ..models.{module.module} import "
    one = f"{head}{', '.join(module.names)}"
    if _STEP + len(one) <= WIDTH:
        return Code(one)
    return _code(_Bracket(f"{head}(", tuple(module.names), ")", together=False, comma=True), _STEP)


def _group(group: GroupView) -> str | _Bracket:
    if group.value is not None:
        return f"{group.keyword}={group.value}"
    entries = tuple(f"{py(entry.wire)}: {entry.value}" for entry in group.entries)
    return _Bracket(f"{group.keyword}={{", entries, "}", together=False, comma=False)


def _code(bracket: _Bracket, indent: int) -> Code:
    return Code("\n".join(_laid_out(bracket, indent, "")).lstrip())


def _laid_out(node: str | _Bracket, indent: int, end: str) -> list[str]:
    pad = " " * indent
    one = f"{pad}{_flat(node)}{end}"
    if isinstance(node, str) or _fits(one):
        return [one]
    return [f"{pad}{node.head}", *_inside(node, indent + _STEP), f"{pad}{node.tail}{end}"]


def _inside(node: _Bracket, indent: int) -> list[str]:
    """The items of a bracket that is broken."""
    comma = "," if node.comma or len(node.items) > 1 else ""
    one = f"{' ' * indent}{', '.join(map(_flat, node.items))}"
    if node.together and len(node.items) > 1 and _fits(one):
        return [one]
    return [line for item in node.items for line in _laid_out(item, indent, comma)]


def _flat(node: str | _Bracket) -> str:
    return node if isinstance(node, str) else f"{node.head}{', '.join(map(_flat, node.items))}{node.tail}"


def _fits(line: str) -> bool:
    """Whether black would leave it on one line; wide characters count twice, as in a terminal."""
    if line.isascii():
        return len(line) <= WIDTH
    return sum(_columns(character) for character in line) <= WIDTH


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


LAYOUT = {"signature": signature, "send": send, "import_line": imports}
"""The filters for `FunctionView` and `ImportView`."""
