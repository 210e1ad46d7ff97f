"""Which network addresses a document may lead to: those that everybody can reach, or those that the user allowed.

A description from somewhere else must not make the reader's machine talk to the reader's own network (server-side request
forgery). Names are resolved here, once, and the connection goes to the address that was looked at, so that a name cannot
change its address between the check and the connection (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def resolve(url: str) -> list[str]:
    """The addresses of the URL's host, as the system orders them; none where the name is unknown."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        found = socket.getaddrinfo(parts.hostname or "", port, type=socket.SOCK_STREAM)
    except (OSError, ValueError, UnicodeError):
        return []
    return list(dict.fromkeys(str(item[4][0]) for item in found))


def is_global(text: str) -> bool:
    """Whether everybody reaches an address, looking inside the forms that carry an IPv4 address (RFC 4291, 6052, 3056)."""
    address: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            address = inner
    return address.is_global and not address.is_multicast


def is_private(url: str) -> bool:
    """Whether the URL's host is known to have an address that not everyone reaches."""
    return not all(map(is_global, resolve(url)))


def uses_proxy(url: str) -> bool:
    """Whether a proxy makes the connection, and so resolves the name (`HTTP_PROXY`, `NO_PROXY`)."""
    parts = urlsplit(url)
    return parts.scheme in getproxies() and not proxy_bypass(parts.hostname or "")
