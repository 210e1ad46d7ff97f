"""Which address requests go to: the description's servers, as the operator chose and filled them in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..catalog import Catalog
from ..operation import Operation
from ..setup.parsing import base_url
from ..setup.settings import Settings, SettingsError

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class ServerVariable:
    """One variable of a server's URL (OpenAPI 3.2, Server Variable Object); no default means it must be set."""

    env: str
    default: str | None
    enum: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """One server: its URL with `{variables}`, and the name that the operator can choose it by."""

    url: str
    name: str = ""
    variables: Mapping[str, ServerVariable] = field(default_factory=dict)


class Servers:
    """The address of every operation's requests.

    `P_BASE_URL` replaces them all. Otherwise an operation has its own servers or the document's, and `P_SERVER`
    chooses among them: by name, or by number from 1. Of an operation's own servers the one of the same name is
    taken, else the one in the same place of an equally long list, else the first.
    """

    def __init__(self, catalog: Catalog, settings: Settings, environ: Mapping[str, str]) -> None:
        """Checks the choice and the variables of every server that it leads to.

        Raises:
            SettingsError: there is no such server, or a variable has a value that the description does not allow.
        """
        self._fixed = settings.base_url
        self._prefix = catalog.server.env_prefix
        self._environ = environ
        self._document = read_servers(catalog.servers) or read_servers(
            [catalog.server.base_url] if catalog.server.base_url else []
        )
        own = [read_servers(told) for told in catalog.own_servers()]
        self._index, self._name = self._choose(settings.server, own)
        if self._fixed is None:
            self._check([self._document, *own])

    def url(self, operation: Operation) -> str | None:
        """Where the operation's requests go; None when nobody has said."""
        return self._fixed or self._filled(self._pick(read_servers(operation.servers) or self._document))

    @property
    def default(self) -> str | None:
        """Where requests go that belong to no operation: the base of an authorization server's relative URLs."""
        return self._fixed or self._filled(self._pick(self._document))

    @property
    def wanted(self) -> str:
        """What the operator can set when there is no address. For the log only."""
        entry = self._pick(self._document)
        unset = [
            variable.env
            for variable in (entry.variables.values() if entry is not None else ())
            if variable.default is None and not self._environ.get(variable.env, "").strip()
        ]
        return " or ".join([f"{self._prefix}_BASE_URL", *([" and ".join(unset)] if unset else [])])

    def _choose(self, wanted: str | None, own: Sequence[tuple[ServerEntry, ...]]) -> tuple[int | None, str]:
        """The place in the document's list and the folded name of the server that the operator wants."""
        if wanted is None:
            return None, ""
        name = wanted.casefold()
        for index, entry in enumerate(self._document):
            if entry.name.casefold() == name:
                return index, name
        if any(entry.name.casefold() == name for entries in own for entry in entries):
            return None, name
        number = int(wanted) if wanted.isascii() and wanted.isdigit() else 0
        if 1 <= number <= len(self._document):
            return number - 1, self._document[number - 1].name.casefold()
        known = [
            f"{place} ({entry.name or entry.url})" for place, entry in enumerate(self._document, start=1)
        ]
        raise SettingsError(
            [f"{self._prefix}_SERVER: there is no server {wanted!r}; known are {', '.join(known) or 'none'}"]
        )

    def _pick(self, entries: tuple[ServerEntry, ...]) -> ServerEntry | None:
        if not entries:
            return None
        named = [entry for entry in entries if self._name and entry.name.casefold() == self._name]
        if named:
            return named[0]
        if self._index is not None and len(entries) == len(self._document):
            return entries[self._index]
        return entries[0]

    def _filled(self, entry: ServerEntry | None) -> str | None:
        """The server's URL with the operator's values, else the defaults; None when one is missing."""
        if entry is None:
            return None
        values: dict[str, str] = {}
        for name, variable in entry.variables.items():
            value = self._environ.get(variable.env, "").strip() or variable.default
            if value is None:
                return None
            values[name] = value
        url = _PLACEHOLDER.sub(lambda match: values.get(match.group(1), match.group(0)), entry.url)
        return url if url.startswith(("http://", "https://")) else None

    def _check(self, lists: Sequence[tuple[ServerEntry, ...]]) -> None:
        problems: dict[str, None] = {}
        for entry in filter(None, map(self._pick, lists)):
            given = {
                variable.env: self._environ[variable.env].strip()
                for variable in entry.variables.values()
                if self._environ.get(variable.env, "").strip()
            }
            for variable in entry.variables.values():
                value = given.get(variable.env)
                if value and variable.enum and value not in (*variable.enum, variable.default):
                    problems[f"{variable.env}: {value!r} is not one of {', '.join(variable.enum)}"] = None
            url = self._filled(entry)
            if given and url is not None:
                try:
                    base_url(url)
                except ValueError as error:
                    problems[f"{', '.join(given)}: {url} is {error}"] = None
        if problems:
            raise SettingsError(problems)


def read_servers(told: Sequence[Any]) -> tuple[ServerEntry, ...]:
    """Servers as the catalogue holds them: a URL, or an object when there is more to say."""
    return tuple(ServerEntry(one) if isinstance(one, str) else _entry(one) for one in told)


def _entry(told: Mapping[str, Any]) -> ServerEntry:
    variables = {
        name: ServerVariable(one["env"], one.get("default"), tuple(one.get("enum") or ()))
        for name, one in (told.get("variables") or {}).items()
    }
    return ServerEntry(told["url"], told.get("name") or "", variables)
