"""Everything that the calls of one running server share."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cached_property

import httpx2

from .catalog import Catalog
from .client import ApiClient
from .credentials import Credentials
from .hooks import Hooks
from .redact import Redactor
from .security import SchemeFactory
from .servers import Servers
from .settings import Settings

IDENTITY_SECONDS = 15.0
IDENTITY_BYTES = 1 << 20


class App:
    """The catalogue, the settings and the shared services of one server.

    Attributes:
        client: for the API.
        identity: for authorization servers: other connections, tighter limits.
        registered: names of the tools that the operator's settings allow; no other one can be called.
    """

    def __init__(
        self,
        catalog: Catalog,
        environ: Mapping[str, str],
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.catalog = catalog
        self.settings = Settings.read(catalog, environ)
        if self.settings.files_dir is not None:
            catalog.admit_paths()
        self.registered = frozenset(catalog.select(self.settings.allow_effects, self.settings.toolsets))
        self.redactor = Redactor()
        self.servers = Servers(catalog, self.settings, environ)
        self.client = ApiClient(self.settings, user_agent(catalog), transport)
        self.identity = ApiClient(
            replace(self.settings, timeout=IDENTITY_SECONDS, max_download_bytes=IDENTITY_BYTES),
            user_agent(catalog),
            transport,
        )
        if self.settings.client_key_password:
            self.redactor.add(self.settings.client_key_password)
        factory = SchemeFactory(
            catalog, self.settings, environ, self.identity, self.redactor, self.servers.default
        )
        self.credentials = Credentials(
            factory.all(), self.redactor, forwarding=self.settings.forward_authorization
        )

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Keeps connections open for as long as any MCP connection is."""
        async with self.client.session(), self.identity.session():
            yield

    @classmethod
    def start(
        cls,
        package: str,
        environ: Mapping[str, str] | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> App:
        """Loads the package's catalogue and reads the settings.

        Raises:
            CatalogError: the catalogue can't be read.
            SettingsError: the environment has wrong values.
        """
        return cls(Catalog.load(package), os.environ if environ is None else environ, transport)

    @cached_property
    def hooks(self) -> Hooks:
        """The team's own code, imported with the first call."""
        return Hooks.load(self.catalog.package)


def user_agent(catalog: Catalog) -> str:
    name = f"{catalog.server.name}/{catalog.server.version or '0'}"
    return "".join(c for c in name if c.isascii() and c.isprintable() and c != " ")
