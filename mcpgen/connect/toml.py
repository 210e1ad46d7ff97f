"""The TOML file of a client, changed in one place; tomlkit keeps comments, order and style of everything else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from mcpgen.connect.model import FileProblem


def read(text: str) -> dict[str, Any]:
    """The value of a TOML document.

    Raises:
        FileProblem: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # The place is an attribute from Python 3.14 on only.
        message, _, place = str(error).rpartition(" (at ")
        found = re.fullmatch(r"line (\d+), column (\d+)\)", place)
        line, column = map(int, found.groups()) if found else _end(text)
        raise FileProblem(f"It is not TOML: {message[:1].lower()}{message[1:]}.", line, column) from None


def with_member(text: str, keys: Sequence[str], value: Mapping[str, Any]) -> str:
    """The text with the table at `keys` set to `value`; tables that are missing on the way are added.

    Raises:
        FileProblem: it cannot be changed: something on the way is no table.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    table = tomlkit.table()
    _update(table, value)
    newline = "\r\n" if "\r\n" in text else "\n"
    own = _document(keys, table).replace("\n", newline)
    whole = f"{text.rstrip()}{newline}{newline}{own}" if text.strip() else own
    try:
        tomllib.loads(whole)
        return whole
    except tomllib.TOMLDecodeError:
        pass  # the table is there already, or the one around it is written in another form
    try:
        document = tomlkit.parse(text)
        place: Any = document
        for key in keys[:-1]:
            place = place[key]
        if isinstance(place.get(keys[-1]), Mapping):
            _update(place[keys[-1]], value)
        else:
            place[keys[-1]] = value
    except (TOMLKitError, KeyError, TypeError, AttributeError):
        raise FileProblem(f"`{'.'.join(keys[:-1])}` cannot be changed.") from None
    return tomlkit.dumps(document)


def dumped(value: Mapping[str, Any]) -> str:
    """A document of its own, for showing: the one table in the one section of `value`."""
    [(section, servers)] = value.items()
    [(name, entry)] = servers.items()
    return with_member("", (section, name), entry)


def _document(keys: Sequence[str], table: Any) -> str:
    import tomlkit

    for key in reversed(keys[1:]):
        outer = tomlkit.table(is_super_table=True)
        outer[key] = table
        table = outer
    document = tomlkit.document()
    document[keys[0]] = table
    return tomlkit.dumps(document)


def _end(text: str) -> tuple[int, int]:
    """Line and column behind the last character that says something."""
    kept = text.rstrip()
    return kept.count("\n") + 1, len(kept) - kept.rfind("\n")


def _update(table: Any, value: Mapping[str, Any]) -> None:
    """Changes only what is different, so that comments beside other keys stay."""
    for key in [key for key in table if key not in value]:
        del table[key]
    for key, item in value.items():
        old = table.get(key)
        if isinstance(old, Mapping) and isinstance(item, Mapping):
            _update(old, item)
        elif key not in table or old != item:
            table[key] = _item(item)


def _item(value: Any) -> Any:
    import tomlkit

    if not isinstance(value, Mapping):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table
