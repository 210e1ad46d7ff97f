"""The forms in which a credential can come back: as it is, escaped, percent-encoded, in hexadecimal, inside base64."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

_SHORTEST_CORE = 8
"""Bytes from which on a credential can be told inside longer base64 text."""
_SAFE = ("", "/", "!$&'()*+,/:;=?@", "!#$&'()*+/:<=>?@[]^`{|}")
"""What percent-encoding leaves as it is: everywhere, in paths, in whole addresses, in cookies (RFC 3986, 2; RFC 6265)."""


def forms(credential: str) -> frozenset[str]:
    """Every text to look for, the credential itself included."""
    found = _forms(credential)
    misread = credential.encode("utf-8", "surrogatepass").decode("latin-1")
    return (
        found if misread == credential else found | _forms(misread)
    )  # as most frameworks read header fields


def _forms(credential: str) -> frozenset[str]:
    found = {credential, html.escape(credential), html.escape(credential, quote=False)}
    found |= {json.dumps(credential, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False)}
    for ascii_only in (True, False):  # JSON inside a JSON text
        found |= {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in tuple(found)}
    written = {quote(credential, safe=safe, errors="surrogatepass") for safe in _SAFE}
    written |= {quote_plus(credential, errors="surrogatepass"), credential}
    found |= written | set(map(_lower_hex, written)) | {quote(form, safe="") for form in written}
    digits = credential.encode("utf-8", "surrogatepass").hex()
    found |= {digits, digits.upper()}
    for form in written:
        found.update(_base64(form.encode("utf-8", "surrogatepass")))
    return frozenset(found)


def _lower_hex(encoded: str) -> str:
    """`%2F` as `%2f` (RFC 3986, 2.1: they are the same)."""
    first, *rest = encoded.split("%")
    return "%".join([first, *(part[:2].lower() + part[2:] for part in rest)])


def _base64(raw: bytes) -> Iterator[str]:
    """The base64 of the credential, and its part that does not depend on what stands before and after it.

    `user:password` in base64 is found by its password this way, wherever that begins.
    """
    for write in (base64.b64encode, base64.urlsafe_b64encode):
        yield write(raw).decode("ascii").rstrip("=")
        if len(raw) < _SHORTEST_CORE:
            continue
        for before, first in ((0, 0), (1, 2), (2, 3)):  # characters that the bytes before have a share in
            text = write(b"\0" * before + raw).decode("ascii")
            last = {0: 0, 1: 3, 2: 2}[(before + len(raw)) % 3]
            yield text[first : len(text) - last]
