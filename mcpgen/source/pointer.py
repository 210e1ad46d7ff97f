"""JSON pointers (RFC 6901) as text and as tokens."""

from __future__ import annotations

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
