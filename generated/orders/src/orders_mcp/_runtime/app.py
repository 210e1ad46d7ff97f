"""Everything that the calls of one running server share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property

import httpx2

from .catalog import Catalog
from .client import ApiClient
from .credentials import Credentials
from .hooks import Hooks
from .redact import Redactor
from .settings import Settings


class App:
    """The catalogue, the settings and the shared services of one server.

    Attributes:
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
        self.registered = frozenset(catalog.select(self.settings.allow_effects, self.settings.toolsets))
        self.redactor = Redactor()
        self.client = ApiClient(self.settings, user_agent(catalog), transport)
        self.credentials = Credentials(
            catalog.auth,
            environ,
            self.client,
            self.redactor,
            has_client_certificate=bool(self.settings.client_cert),
        )

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
