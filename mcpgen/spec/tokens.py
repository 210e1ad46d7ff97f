"""Tokens: what methods, header names and authentication schemes may consist of (RFC 9110, section 5.6.2)."""

from __future__ import annotations

import re
from typing import Final

CHARACTERS: Final = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_TOKEN = re.compile(CHARACTERS)


def is_token(text: str) -> bool:
    """Whether a text can stand in a request as a name; anything else could end the line that it stands in."""
    return _TOKEN.fullmatch(text) is not None
