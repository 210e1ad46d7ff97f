"""JSON pointers (RFC 6901) as text and as tokens."""

from __future__ import annotations

import difflib
from typing import Any
from urllib.parse import unquote


def escape(token: str) -> str:
    """One reference token, escaped (RFC 6901, section 3)."""
    if "~" in token or "/" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


def unescape(token: str) -> str:
    """The key that an escaped reference token stands for (RFC 6901, section 4: `~1` before `~0`)."""
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def tokens(pointer: str) -> list[str]:
    """The keys along a pointer; none for the empty pointer."""
    return [unescape(token) for token in pointer.split("/")[1:]]


def join(pointer: str, *keys: str | int) -> str:
    """The pointer that goes on from `pointer` through `keys`."""
    return pointer + "".join("/" + escape(str(key)) for key in keys)


def spellings(fragment: str) -> list[str]:
    """A URI fragment as pointers to try: percent-decoded (RFC 6901, section 6), then as written.

    Some documents hold keys with a literal `%`, and refer to them without encoding it.
    """
    decoded = unquote(fragment)
    return [decoded] if decoded == fragment else [decoded, fragment]


def meant(value: Any, pointer: str) -> str | None:
    """What a pointer that leads nowhere was probably meant to say: the last key that exists, and a similar one below it."""
    keys = tokens(pointer)
    for index, key in enumerate(keys):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            names = [name for name in value if isinstance(name, str)] if isinstance(value, dict) else []
            folded = {name.casefold(): name for name in names}
            close = difflib.get_close_matches(key.casefold(), folded, n=1, cutoff=0.75)
            found = join("", *keys[:index], folded[close[0]], *keys[index + 1 :]) if close else None
            return f"Did you mean `#{found}`?" if found else None
    return None
