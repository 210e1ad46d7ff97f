"""Everything that the calls of one running server share."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cached_property

import httpx2

from .auth.credentials import Credentials
from .auth.security import SchemeFactory
from .catalog import Catalog
from .hooks import Hooks
from .memory.store import MemoryStore, Store
from .observe.observers import observers_for
from .operation import Operation
from .requests.servers import Servers
from .secrecy.redact import Redactor
from .serving.traffic import Traffic
from .setup.policy import ToolPolicy
from .setup.registration import registered_tools
from .setup.settings import Settings
from .setup.variables import VARIABLES
from .transport.client import ApiClient
from .transport.upstream import Upstreams

log = logging.getLogger(__name__)

IDENTITY_SECONDS = 15.0
IDENTITY_BYTES = 1 << 20


class App:
    """The catalogue, the settings and the shared services of one server.

    Attributes:
        client: for the API.
        upstreams: the hosts of the API, and what each of them gets at a time.
        identity: for authorization servers: other connections, tighter limits.
        observers: who is told about calls: audit, statistics, metrics.
        hooks: the team's own code.
        registered: names of the tools that the operator's settings allow; no other one can be called.
        traffic: what is in flight, and whether the server is about to end.
        at_end: what is to be done when serving is over.
    """

    def __init__(
        self,
        catalog: Catalog,
        environ: Mapping[str, str],
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.catalog = catalog
        self.hooks = Hooks.load(catalog.package, frozenset(catalog.tool_by_name))
        if self.hooks.tools:
            own = self.hooks.tools
            catalog.add(
                [tool.wire() for tool in own.values()], {name: tool.entry() for name, tool in own.items()}
            )
        self.settings = Settings.read(catalog, environ)
        if self.settings.files_dir is not None:
            catalog.admit_paths()
        self.registered = registered_tools(catalog, self.settings)
        self._policies: dict[str, ToolPolicy] = {}
        if self.settings.policies.sections:
            catalog.tailor(self.policy, self.registered)
        self.traffic = Traffic()
        self.at_end: list[Callable[[], None]] = []
        self.redactor = Redactor(self.settings.redact_names)
        for variable in VARIABLES:
            if variable.secret:
                self._learn(getattr(self.settings, variable.field))
        self.observers = observers_for(catalog, self.settings, self.redactor)
        self.at_end.append(self.observers.close)
        self.servers = Servers(catalog, self.settings, environ)
        self.client = ApiClient(self.settings, user_agent(catalog), transport)
        self.upstreams = Upstreams(self.settings)
        self.identity = ApiClient(
            replace(self.settings, read_timeout=IDENTITY_SECONDS, max_download_bytes=IDENTITY_BYTES),
            user_agent(catalog),
            transport,
        )
        factory = SchemeFactory(
            catalog, self.settings, environ, self.identity, self.redactor, self.servers.default
        )
        self.credentials = Credentials(
            factory.all(), self.redactor, forwarding=self.settings.forward_authorization
        )

    def _learn(self, secret: str | tuple[str, ...] | None) -> None:
        for credential in (secret,) if isinstance(secret, str) else secret or ():
            self.redactor.add(credential)

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
            HooksError: the team's own code can't be used.
            SettingsError: the environment has wrong values.
        """
        return cls(Catalog.load(package), os.environ if environ is None else environ, transport)

    def finished(self) -> None:
        """Serving is over: does what is left to do (`at_end`), each thing once, whatever becomes of the others."""
        while self.at_end:
            last = self.at_end.pop(0)
            try:
                last()
            except Exception:
                log.exception("what was left to do at the end failed")

    def operation(self, tool: str) -> Operation:
        """The catalogue's view of a registered tool, with what the operator says about the API's refusals."""
        found, told = self.catalog.operation(tool), self.policy(tool).categories
        return replace(found, categories={**found.categories, **told}) if told else found

    def policy(self, tool: str) -> ToolPolicy:
        """What the operator says about a tool."""
        if tool not in self._policies:
            self._policies[tool] = self.settings.policies.of(tool)
        return self._policies[tool]

    @cached_property
    def store(self) -> Store:
        """State that outlives one call: the team's own store, or one in memory."""
        return self.hooks.store or MemoryStore()


def user_agent(catalog: Catalog) -> str:
    name = f"{catalog.server.name}/{catalog.server.version or '0'}"
    return "".join(c for c in name if c.isascii() and c.isprintable() and c != " ")
