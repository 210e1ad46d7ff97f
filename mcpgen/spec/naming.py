"""Names for schema definitions: legal, unique, readable, the same in every run."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from anyascii import anyascii

from mcpgen.source.model import tokens

LEGAL = re.compile(r"[A-Za-z0-9._-]+\Z")
"""Legal keys of `components` (OpenAPI 3.2, Components Object)."""

_STRUCTURE = frozenset(
    {
        "properties", "items", "schema", "schemas", "allOf", "anyOf", "oneOf", "not", "additionalProperties", "components",
        "definitions", "$defs", "patternProperties", "prefixItems", "content", "responses", "requestBody", "parameters",
    }
)  # fmt: skip


def legal(text: str) -> str:
    """The text in ASCII letters of any script, everything illegal turned into `_`; `Schema` where nothing is left."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", anyascii(text)).strip("_.-") or "Schema"


def stem(file: str) -> str:
    """A file's or URL's own name without folder and suffixes."""
    name = PurePosixPath(unquote(urlsplit(file).path if "://" in file else file)).name
    return legal(name.split(".")[0] or name)


def proposal(file: str, pointer: str) -> str:
    """A name for the schema at a place: its key, with the key around it where the key only says structure."""
    keys = tokens(pointer)
    if not keys:
        return stem(file)
    named = [key for key in keys if key not in _STRUCTURE and not key.isdecimal()]
    if not named:
        return stem(file)
    last = keys[-1]
    return legal(last) if last == named[-1] else legal(f"{named[-1]}_{last}")


class Names:
    """Hands out names; each only once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def reserve(self, name: str) -> None:
        self._taken.add(name)

    def take(self, wanted: str, file: str) -> str:
        """The wanted name, else with the file's name before it, else with a number after it."""
        name, number = wanted, 1
        if name in self._taken:
            wanted = name = wanted if stem(file) == wanted else f"{stem(file)}_{wanted}"
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name
