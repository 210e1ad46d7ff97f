"""The arguments of a tool by which its answer gets smaller or goes on, to tell a model how to get what was left out."""

from __future__ import annotations

from dataclasses import dataclass

from ..inputs.arguments import repaired
from ..operation import Operation
from ..outcomes.failures import CallFailed
from ..paging.page_view import number
from ..pointers import argument_at, argument_steps, with_argument
from ..schemas import SchemaReader
from ..values import JsonObject, Unset
from .trimming import Cut, Kind

_SIZE = (
    "limit pagesize perpage maxresults count top take size maxitems maxrecords rows pagelimit first num results max n"
).split()
_OFFSET = "offset skip startindex startat start startoffset startposition firstresult from".split()
_PAGE = "page pagenumber pageno pageindex".split()
_FIELDS = (
    "fields select includefields fieldmask responsefields properties projection columns attributes".split()
)


@dataclass(frozen=True, slots=True)
class Ways:
    """Names of arguments; None where the tool has no such one.

    Attributes:
        size: how many items are given.
        move: where the list goes on: an offset or a page.
        fields: which fields are given.
        others: there are further optional arguments in the query: most of them filter.
    """

    size: str | None
    move: str | None
    fields: str | None
    others: bool

    def advice(self, *, items: bool, fields: bool) -> str | None:
        """What to ask for instead.

        Args:
            items: items of a list are missing.
            fields: what is there has fields, of which fewer would do.
        """
        told = []
        if items and self.size is not None:
            told.append(f"for fewer items with `{self.size}`")
        if items and self.move is not None:
            told.append(f"for the rest with `{self.move}`")
        if fields and self.fields is not None:
            told.append(f"for fewer fields with `{self.fields}`")
        if told:
            return f"Ask {', or '.join(told)}."
        return "Optional arguments of this tool may narrow it down." if items and self.others else None


def ways_of(operation: Operation, own_fields: str | None = None) -> Ways:
    """What the tool has; `own_fields` is the argument that this server has added for choosing fields."""
    reader = SchemaReader(operation.input_schema)
    types = {
        _folded(a.name): (a.name, reader.types(reader.property_schema(operation.input_schema, a.name)))
        for a in operation.arguments
        if a.where in ("query", "body")
    }

    def named(words: list[str], *wanted: str) -> str | None:
        found = (types[word] for word in words if word in types)
        return next((name for name, kinds in found if kinds & set(wanted)), None)

    paging = operation.paging
    size = paging.size if paging is not None else None
    move = paging.argument if paging is not None and paging.kind in ("offset", "page") else None
    required = reader.required(operation.input_schema)
    return Ways(
        size=_named(size) or named(_SIZE, "integer"),
        move=_named(move) or named(_OFFSET, "integer") or named(_PAGE, "integer"),
        fields=own_fields or named(_FIELDS, "string", "array"),
        others=any(a.where == "query" and a.name not in required for a in operation.arguments),
    )


def _folded(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _named(argument: str | None) -> str | None:
    """An argument as it is told: a field inside of one has its name with dots."""
    return None if argument is None else ".".join(argument_steps(argument))


def first_left_out(operation: Operation, arguments: JsonObject, cuts: tuple[Cut, ...]) -> JsonObject | None:
    """The arguments that lead to the first item that was left out; None where it can't be said exactly."""
    paging = operation.paging
    if operation.effect != "read" or paging is None or paging.argument is None:
        return None
    cut = next((c for c in cuts if c.kind is Kind.ITEMS and c.pointer == paging.items), None)
    at = _given(arguments, paging.argument, paging.base)
    if cut is None or cut.kept == 0 or at is None or at < paging.base:
        return None
    found = None
    if paging.kind == "offset":
        found = with_argument(arguments, paging.argument, at + cut.kept)
    elif paging.kind == "page" and paging.size is not None:
        size = _given(arguments, paging.size, paging.limit)
        before = (at - paging.base) * (size or 0)
        # Pages can be made smaller where as many of the small ones stand before this one, and it was full.
        if before % cut.kept == 0 and (at == paging.base or size == cut.total):
            found = with_argument(arguments, paging.argument, paging.base + before // cut.kept + 1)
            found = with_argument(found, paging.size, cut.kept)
    if found is None:
        return None
    try:
        return repaired(operation.tool, operation.argument_check, found).arguments
    except CallFailed:
        return None


def _given(arguments: JsonObject, argument: str, default: int | None) -> int | None:
    given = argument_at(arguments, argument)
    return default if isinstance(given, Unset) or given is None else number(given)
