"""A small reader of Overlay 1.0 for tests: exactly the paths that mcpgen writes, and the merge that the specification describes."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

_STEP = re.compile(
    r"\['(?P<key>(?:[^'\\]|\\.)*)'\]|\[(?P<index>\d+)\]"
    r"|\[\?@\.name == '(?P<name>(?:[^'\\]|\\.)*)' && @\.in == '(?P<place>(?:[^'\\]|\\.)*)'\]",
    re.DOTALL,
)
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "'": "'", "\\": "\\", "/": "/"}


def find(document: Any, path: str) -> Any:
    """The one value that a path finds (RFC 9535)."""
    assert path.startswith("$")
    value, at = document, 1
    while at < len(path):
        step = _STEP.match(path, at)
        assert step is not None, path[at:]
        at = step.end()
        if step["key"] is not None:
            value = value[plain(step["key"])]
        elif step["index"] is not None:
            value = value[int(step["index"])]
        else:
            wanted = plain(step["name"]), plain(step["place"])
            (value,) = [entry for entry in value if (entry.get("name"), entry.get("in")) == wanted]
    return value


def plain(text: str) -> str:
    return re.sub(
        r"\\(?:u([0-9a-f]{4})|(.))",
        lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPES[m[2]],
        text,
        flags=re.DOTALL,
    )


def applied(document: Any, overlay: Mapping[str, Any]) -> Any:
    """The document with all updates merged in."""
    result = copy.deepcopy(document)
    for action in overlay["actions"]:
        target = find(result, action["target"])
        update = copy.deepcopy(action["update"])
        if isinstance(target, list):
            target.append(update)
        else:
            merge(target, update)
    return result


def merge(into: dict[str, Any], update: Mapping[str, Any]) -> None:
    for key, value in update.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        elif isinstance(value, list) and isinstance(into.get(key), list):
            into[key] += value
        else:
            into[key] = value
