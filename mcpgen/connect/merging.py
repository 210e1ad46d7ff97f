"""An entry that a client already has, and the new one: what is kept, what changes, and how that is shown."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.connect.entries import PATH
from mcpgen.connect.model import Entry

_OURS = frozenset({"type", "command", "args", "env", "env_vars", "url", "httpUrl", "serverUrl"})
"""The keys that say how the server is reached. Everything else in an entry is the user's."""
_PLAIN = frozenset({"type", "command", PATH})
_HIDDEN = "(not shown)"


def merged(old: Any, new: Entry) -> dict[str, Any]:
    """The new entry with what the user has set in the old one: further keys, further variables, and values in place of
    references. Nothing is taken over from an entry that reaches its server in the other way."""
    if not isinstance(old, Mapping) or ("command" in old) != ("command" in new.value):
        return dict(new.value)
    value = {
        key: new.value.get(key, item) for key, item in old.items() if key in new.value or key not in _OURS
    }
    value |= {key: item for key, item in new.value.items() if key not in value}
    value |= {key: old[key] for key in new.value if key in old and key not in _OURS}
    if "command" in new.value:
        env, forwarded = _variables(old, new)
        value = _with(_with(value, "env", env), "env_vars", forwarded)
    return value


def _variables(old: Mapping[str, Any], new: Entry) -> tuple[dict[str, Any], list[Any]]:
    """`env` and `env_vars` of the merged entry. A value that the user has filled in stays where a reference would stand."""
    before: Mapping[str, Any] = old["env"] if isinstance(old.get("env"), Mapping) else {}
    fresh = {
        name: before.get(name) or text if name in new.open else text
        for name, text in new.value.get("env", {}).items()
    }
    env = {name: fresh.get(name, text) for name, text in before.items() if name in fresh or name != PATH}
    env |= {name: text for name, text in fresh.items() if name not in env}
    listed: list[Any] = old["env_vars"] if isinstance(old.get("env_vars"), list) else []
    forwarded = [*listed]
    forwarded += [name for name in new.value.get("env_vars", ()) if name not in forwarded and name not in env]
    return env, forwarded


def _with(value: dict[str, Any], key: str, item: Any) -> dict[str, Any]:
    if item:
        return {**value, key: item}
    return {name: one for name, one in value.items() if name != key}


def inputs_used(value: Mapping[str, Any], entry: Entry) -> tuple[dict[str, Any], ...]:
    """The inputs that the merged entry refers to."""
    texts = [text for text in value.get("env", {}).values() if isinstance(text, str)]
    return tuple(one for one in entry.inputs if f"${{input:{one['id']}}}" in texts)


def difference(name: str, old: Any, new: Mapping[str, Any], entry: Entry) -> list[str]:
    """What becomes different, in lines with `+` and `-`. Texts that are not ours can be secrets: they are not shown."""
    known = set(_texts(entry.value))
    before = [] if old is None else _lines(name, _shown(old, known))
    return [
        line
        for line in difflib.unified_diff(before, _lines(name, _shown(new, known)), lineterm="", n=99)
        if not line.startswith(("---", "+++", "@@"))
    ]


def _lines(name: str, value: Any) -> list[str]:
    return f"{json.dumps(name)}: {json.dumps(value, indent=2, ensure_ascii=False, default=str)}".split("\n")


def _shown(value: Any, known: set[str], key: str = "") -> Any:
    if isinstance(value, Mapping):
        return {name: _shown(item, known, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_shown(item, known) for item in value]
    plain = not isinstance(value, str) or value in known or value == "" or key in _PLAIN
    return value if plain else _HIDDEN


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
