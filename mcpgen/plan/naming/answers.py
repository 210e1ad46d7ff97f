"""Whether an operation answers with a list, so far as a name can say it."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.ir.api import Operation, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.naming.identifiers import fold, singular
from mcpgen.plan.naming.path_words import last_words
from mcpgen.plan.responses import success_of

_ENVELOPES = frozenset(
    "content contents data elements entries hits items list objects records resources results rows value values".split()
)


def answers_of(operation: Operation, schemas: Mapping[str, Schema]) -> str:
    """`list` for an array, or an object around one; `maybe` for an object that has lists too; `one` for another object.

    Empty for what has no JSON answer or no documented one.
    """
    if operation.method.upper() not in ("GET", "QUERY", "POST"):
        return ""
    flat = flatten(success_of(operation, schemas).schema, schemas)[0]
    if flat.get("type") == "array":
        return "list"
    properties = flat.get("properties")
    if not isinstance(properties, Mapping):
        return ""
    lists = [name for name, child in properties.items() if _is_list(child, schemas)]
    return kind_of_answer(lists, operation.path)


def kind_of_answer(lists: list[str], path: str) -> str:
    """What an object with these lists in it is: an envelope has one, called like the things or like an envelope."""
    about = {fold("".join(last_words(path))), fold("".join(last_words(path)[-1:]))}
    names = {fold(name) for name in lists}
    wrapped = len(lists) == 1 and (
        names & _ENVELOPES or {singular(name) for name in names} & set(map(singular, about))
    )
    return "list" if wrapped else "maybe" if lists else "one"


def _is_list(child: object, schemas: Mapping[str, Schema]) -> bool:
    return isinstance(child, Mapping) and flatten(child, schemas)[0].get("type") == "array"
