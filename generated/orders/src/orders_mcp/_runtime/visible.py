"""Characters that a reader does not see: a terminal obeys them, a page is reordered by them, a model reads them.

Texts of an API, of a description or of a caller can hold any of them. What this server says in its own voice, and what
it writes where an operator looks, holds none.
"""

from __future__ import annotations

import json


def without_unseen(text: str) -> str:
    """The text on one line, without what is not seen: controls, format characters such as U+202E, fillers.

    Everything that separates (a tab, a line end) becomes a space.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if c.isspace() else c for c in text if c.isspace() or (c.isprintable() and not _blank(c))
    )


def with_unseen_escaped(text: str) -> str:
    """The text on one line, with what is not seen as JSON escapes (`\\u202e`). JSON stays the same JSON by it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() and not _blank(c) else json.dumps(c)[1:-1] for c in text)


def _blank(char: str) -> bool:
    """Printable by their category, yet without a picture: variation selectors, joiners and fillers."""
    code = ord(char)
    return (
        0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
        or 0x180B <= code <= 0x180F
        or code in (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x16FE4, 0x1D159)
    )
