"""Joining URI references (RFC 3986, section 5) that come from documents, and so can be anything."""

from __future__ import annotations

from urllib.parse import SplitResult, urljoin, urlsplit


def joined(base: str, reference: str) -> str | None:
    """`reference` seen from `base`; None where one of them is no URI, such as `http://[`."""
    try:
        found = urljoin(base, reference)
        urlsplit(found)
    except ValueError:
        return None
    return found


def split(address: str) -> SplitResult | None:
    """The parts of an address; None where it is no URI."""
    try:
        return urlsplit(address)
    except ValueError:
        return None
