"""What becomes of a client's file: the text with the entry in it, and what is different."""

from __future__ import annotations

import codecs
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpgen.connect import jsonc, toml
from mcpgen.connect.clients import Client
from mcpgen.connect.merging import difference, inputs_used, merged
from mcpgen.connect.model import Entry, FileProblem


@dataclass(frozen=True, slots=True)
class Plan:
    """A change of a file that is not made yet.

    Attributes:
        before: the bytes of the file; None when there is none.
        after: the bytes that it gets.
        replaces: the client has another server of this name, or this one in another form.
        lines: what becomes different in the entry; empty when nothing does.
    """

    path: Path
    before: bytes | None
    after: bytes
    replaces: bool
    lines: Sequence[str]


def snippet(client: Client, name: str, entry: Entry) -> str:
    """The entry as a document of its own, to be pasted."""
    value: dict[str, Any] = {name: entry.value}
    for key in reversed(client.section):
        value = {key: value}
    if client.toml:
        return toml.dumped(value)
    asked = {"inputs": list(entry.inputs)} if entry.inputs else {}
    return json.dumps({**asked, **value}, indent=2, ensure_ascii=False) + "\n"


def plan_change(client: Client, name: str, entry: Entry, path: Path) -> Plan:
    """The file with the entry in it.

    Raises:
        FileProblem: the file is malformed, or cannot be changed without loss.
        OSError: it cannot be read.
    """
    before = path.read_bytes() if path.exists() else None
    bom = codecs.BOM_UTF8 if (before or b"").startswith(codecs.BOM_UTF8) else b""
    try:
        text = (before or b"")[len(bom) :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileProblem(f"It is not UTF-8 (byte {error.start}).") from None
    document = toml.read(text) if client.toml else jsonc.read(text)
    old = _at(document, (*client.section, name))
    value = merged(old, entry)
    if value == old:
        return Plan(path, before, before or b"", False, ())
    after = _changed(client, text, name, value, inputs_used(value, entry), document)
    if not after.endswith("\n") and before is None:
        after += "\n"
    _check(client, name, value, document, after)
    lines = difference(name, old, value, entry)
    return Plan(path, before, bom + after.encode(), old is not None, lines)


def _changed(
    client: Client,
    text: str,
    name: str,
    value: Mapping[str, Any],
    inputs: Sequence[Mapping[str, Any]],
    document: Any,
) -> str:
    keys = (*client.section, name)
    if client.toml:
        return toml.with_member(text, keys, value)
    asked = _at(document, ("inputs",))
    known = {one.get("id") for one in asked if isinstance(one, Mapping)} if isinstance(asked, list) else set()
    for one in inputs:
        if one["id"] not in known:
            text = jsonc.with_item(text, ("inputs",), one)
    return jsonc.with_member(text, keys, value)


def _at(document: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        document = document.get(key) if isinstance(document, Mapping) else None
    return document


def _check(client: Client, name: str, value: Mapping[str, Any], document: Any, after: str) -> None:
    """Reads the new text again: everything but the entry must be as it was.

    Raises:
        FileProblem: it is not. Better not to write than to damage what others rely on.
    """
    try:
        found: Any = tomllib.loads(after) if client.toml else jsonc.read(after)
    except (tomllib.TOMLDecodeError, FileProblem):
        found = None
    same = _at(found, (*client.section, name)) == value
    if not same or _others(found, client, name) != _others(document, client, name):
        hint = "Change it by hand: without --write, this command prints the entry."
        raise FileProblem("It cannot be changed without touching other entries.", hint=hint)


def _others(document: Any, client: Client, name: str) -> Any:
    """A document without the entry, and without what was made for it."""
    if not isinstance(document, Mapping):
        return document
    rest = dict(document)
    servers = rest.pop(client.section[0], None)
    asked = rest.pop("inputs", None) if client.asks else None
    left = {key: item for key, item in (servers or {}).items() if key != name}
    mine = f"{name}-"
    kept = [
        one for one in asked or () if not (isinstance(one, Mapping) and str(one.get("id")).startswith(mine))
    ]
    return rest, left, kept
