"""Which operation a request is for: path templates matched against raw request targets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from mcpgen.ir.api import Operation

_PLACEHOLDER = re.compile(r"\{[^{}/]*\}")


@dataclass(frozen=True, slots=True)
class Route:
    """One operation and the form of its paths. `literals` counts the characters that are not placeholders."""

    operation: Operation
    form: re.Pattern[str]
    query: frozenset[tuple[str, str]]
    literals: int


class Router:
    """Finds operations. A concrete path wins over a template (OpenAPI 3.2, Paths Object)."""

    def __init__(self, operations: Iterable[Operation], base_path: str) -> None:
        self._base_path = base_path.rstrip("/")
        self._routes = sorted(map(_route, operations), key=lambda route: (-route.literals, -len(route.query)))

    def find(self, method: str, target: str) -> Operation | None:
        """The operation for a method and a raw request target; None when there is none."""
        raw_path, _, raw_query = target.partition("?")
        if not raw_path.startswith(self._base_path):
            return None
        # A slash that belongs to a value is still `%2F` here, and stays out of the way of the template's own.
        path = "/".join(
            unquote(part).replace("/", "%2F") for part in raw_path[len(self._base_path) :].split("/")
        )
        query = set(parse_qsl(raw_query, keep_blank_values=True))
        for route in self._routes:
            fits = route.form.fullmatch(path) is not None and route.query <= query
            if fits and route.operation.method.upper() == method.upper():
                return route.operation
        return None


def _route(operation: Operation) -> Route:
    """Some documents write a fixed query or a fragment into their paths; the fragment never reaches a server."""
    path, _, query = operation.path.partition("#")[0].partition("?")
    literals = _PLACEHOLDER.split(path)
    form = "[^/]*".join(re.escape(unquote(literal)) for literal in literals)
    pairs = frozenset(parse_qsl(query, keep_blank_values=True))
    return Route(operation, re.compile(form, re.DOTALL), pairs, sum(map(len, literals)))


def base_path_of(url: str | None) -> str:
    """The path of a server's URL, without the slash at its end."""
    return urlsplit(url or "").path.rstrip("/")
