"""Opens the sockets of an HTTP server, so that its address is known, or known to be taken, before it starts."""

from __future__ import annotations

import argparse
import socket

_HIGHEST_PORT = 65_535


def port_number(text: str) -> int:
    """A TCP port from the command line; 0 stands for any that is free.

    Raises:
        argparse.ArgumentTypeError: the text is no port.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= _HIGHEST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a number from 0 to {_HIGHEST_PORT}")
    return int(text)


def listen(host: str, port: int) -> list[socket.socket]:
    """Listens on every address of the host, all with the same port.

    Raises:
        OSError: the host has no address of this machine, or the port is taken or not allowed.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except UnicodeError as error:  # a name that no host can have
        raise OSError(f"{host!r} is no host") from error
    opened: list[socket.socket] = []
    for family, address in dict.fromkeys((entry[0], str(entry[4][0])) for entry in found):
        if family not in (socket.AF_INET, socket.AF_INET6):
            continue
        try:
            opened.append(socket.create_server((address, port), family=family))
        except OSError:
            if not opened:
                raise
            continue  # `localhost` names both families, and a machine may have one of them only
        port = port_of(opened)
    return opened


def port_of(sockets: list[socket.socket]) -> int:
    """The port that they listen on."""
    return int(sockets[0].getsockname()[1])
