"""RFC 6570's expansion of one variable, with the operators that OpenAPI's styles stand for (OpenAPI 3.2, Appendix C).

Choices: an item's own delimiter is escaped where reserved characters pass; an item that would hold a delimiter which escaping
can't tell from a real one has no spelling (Appendix E, Illegal or Reserved Delimiters).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mcpgen.cases.wire.texts import NoSpelling, escaped, plain

Writer = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Operator:
    """A row of the table in RFC 6570, 3.2.1: what begins, what separates, whether names are written, `=` after an empty one."""

    first: str
    separator: str
    named: bool
    if_empty: str


OPERATORS = {
    "simple": Operator("", ",", False, ""),
    "label": Operator(".", ".", False, ""),
    "matrix": Operator(";", ";", True, ""),
    "form": Operator("", "&", True, "="),  # what begins a query is not the parameter's
}
DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}


def defined(value: Any, inner: Sequence[str] = ()) -> Any:
    """The value without members that are null; None where nothing is left (RFC 6570, 2.3).

    Args:
        inner: the delimiters of lists in a list, outermost first (OpenAPI 2.0, Items Object, `collectionFormat`).
    """
    if isinstance(value, dict):
        return {key: member for key, member in value.items() if member is not None} or None
    if isinstance(value, list):
        members = [member for member in value if member is not None]
        return [_inner(member, inner) for member in members] or None
    return value


def _inner(member: Any, delimiters: Sequence[str]) -> Any:
    if not delimiters or not isinstance(member, list):
        return member
    texts = [plain(_inner(one, delimiters[1:])) for one in member]
    if any(delimiters[0] in text for text in texts):
        raise NoSpelling(f"an item of an inner list holds its delimiter {delimiters[0]!r}")
    return delimiters[0].join(texts)


def expanded(
    operator: Operator, name: str, value: Any, explode: bool, write: Writer, write_key: Writer
) -> str | None:
    """The expansion; None for an undefined value.

    Args:
        name: as it is to be written.
        write: spells a text as value, `write_key` as the name of a member.
    """
    if value is None:
        return None
    if isinstance(value, dict | list) and explode:
        return operator.first + operator.separator.join(_exploded(operator, name, value, write, write_key))
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    one = ",".join(_apart(plain(item), ",", write) for item in value) if isinstance(value, list) else None
    text = write(plain(value)) if one is None else one
    if operator is OPERATORS["matrix"]:
        text = text.replace(";", "%3B")
    return operator.first + (_named(operator, name, text) if operator.named else text)


def _exploded(operator: Operator, name: str, value: Any, write: Writer, write_key: Writer) -> list[str]:
    if isinstance(value, list):
        texts = [_apart(plain(item), operator.separator, write) for item in value]
        return [_named(operator, name, text) if operator.named else text for text in texts]
    found = []
    for key, member in value.items():
        own, text = (
            _apart(key, operator.separator, write_key),
            _apart(plain(member), operator.separator, write),
        )
        found.append(_named(operator, own, text) if operator.named else f"{own}={text}")
    return found


def _named(operator: Operator, name: str, text: str) -> str:
    return f"{name}={text}" if text else f"{name}{operator.if_empty}"


def _apart(text: str, separator: str, write: Writer) -> str:
    """One member, its own separators escaped. A dot is unreserved: escaped it means the same (RFC 3986, 2.3)."""
    if separator == "." and "." in text:
        raise NoSpelling("an item holds the dot that separates items")
    return write(text).replace(separator, escaped(separator))


def delimited(items: Sequence[Any], delimiter: str, write: Writer) -> str:
    """Items between delimiters that have to be escaped themselves (OpenAPI 3.2, Style Examples)."""
    texts, joint = [write(plain(item)) for item in items], escaped(delimiter)
    if any(joint in text.upper() for text in texts):
        raise NoSpelling("an item holds the delimiter of its list")
    return joint.join(texts)
