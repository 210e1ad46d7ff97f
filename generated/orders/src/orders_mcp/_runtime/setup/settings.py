"""The operator's settings, checked once at start-up: the environment, over a policy file, over what was generated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..auth.certificates import Certificate
from ..catalog import Catalog
from ..requests.files import FileAccess
from .parsing import close_to, is_pattern
from .policy import PolicyError, ToolPolicies, read_policy_file, server_texts, told
from .variables import VARIABLES, Variable

NO_POLICY = "none"
"""`POLICY` with this value: a server as the API's description alone makes it, as the generated tests want it."""


class SettingsError(Exception):
    """Wrong values in the environment or in a policy file; `problems` has one line for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings: one field for each entry of `VARIABLES`, which says what it means, and the tools' policies."""

    base_url: str | None = None
    server: str | None = None
    allow_effects: frozenset[str] = frozenset({"read", "write"})
    read_only: bool = False
    toolsets: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    deny_tools: tuple[str, ...] = ()
    mode: str = "all"
    page_size: int = 0
    confirm: str = "destructive"
    state_keys: tuple[str, ...] = field(default=(), repr=False)
    policy: str | None = None
    timeout: float = 30.0
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    retries: int = 2
    retry_budget: float = 0.2
    failure_window: float = 60.0
    max_concurrency: int = 20
    max_rate: float = 0.0
    max_queue: int = 100
    max_result_bytes: int = 1 << 20
    max_download_bytes: int = 32 << 20
    files_dir: Path | None = None
    max_upload_bytes: int = 100 << 20
    client_cert: str | None = None
    client_key: str | None = None
    client_key_password: str | None = field(default=None, repr=False)
    redact_names: tuple[str, ...] = ()
    login_store: str = "auto"
    state_dir: str | None = None
    log_level: str = "WARNING"
    audit: str | None = None
    summary: bool = False
    telemetry: bool = False
    metrics: bool = False
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    forward_authorization: bool = False
    http_url: str | None = None
    http_issuer: str | None = None
    http_jwks_url: str | None = None
    http_introspection_url: str | None = None
    http_client_id: str | None = None
    http_client_secret: str | None = field(default=None, repr=False)
    http_audience: str | None = None
    http_scopes: tuple[str, ...] = ()
    http_effect_scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    http_rate: int = 0
    http_max_bytes: int = 16 << 20
    http_drain: float = 10.0
    http_open: bool = False
    policies: ToolPolicies = field(default_factory=ToolPolicies)

    @classmethod
    def read(cls, catalog: Catalog, environ: Mapping[str, str]) -> Settings:
        """Reads and checks all settings.

        Raises:
            SettingsError: naming every wrong value, what is allowed, and what was close.
        """
        reader = _Reader(catalog, environ)
        values = {variable.field: reader.value(variable) for variable in VARIABLES}
        given = {name: value for name, value in values.items() if value is not None}
        settings = cls(**given, policies=reader.policies)
        reader.check(settings)
        if reader.problems:
            raise SettingsError(reader.problems)
        return settings

    @property
    def file_access(self) -> FileAccess:
        """What file arguments may be."""
        return FileAccess(self.files_dir, self.max_upload_bytes)

    @property
    def certificate(self) -> Certificate | None:
        """The certificate for every connection; a scheme can have one of its own."""
        if self.client_cert is None:
            return None
        return Certificate(self.client_cert, self.client_key, self.client_key_password)


class _Reader:
    """Reads variables and collects what is wrong with them, so that the operator sees all of it at once."""

    def __init__(self, catalog: Catalog, environ: Mapping[str, str]) -> None:
        self.catalog = catalog
        self.prefix = catalog.server.env_prefix
        self.environ = environ
        self.problems: list[str] = []
        self._written: dict[str, tuple[str, str]] = {}
        self.policies = ToolPolicies()
        path = environ.get(f"{self.prefix}_POLICY", "").strip()
        if path != NO_POLICY:
            self._written |= {name: (f"[server] {name}", text) for name, text in catalog.settings.items()}
            self.policies = ToolPolicies(catalog.policies).over(self._policy_file(path))

    def _policy_file(self, path: str) -> Mapping[str, Any]:
        """The sections [tools.NAME] of the policy file; its [server] goes over the catalogue's."""
        if not path:
            return {}
        try:
            document = read_policy_file(Path(path))
            texts = server_texts(document.get("server", {}))
        except PolicyError as error:
            self.problems += [f"{self.prefix}_POLICY: {path}: {problem}" for problem in error.problems]
            return {}
        self._written |= {field: (f"{path}: [server] {field}", text) for field, text in texts.items()}
        tools: Mapping[str, Any] = document.get("tools", {})
        known = {tool["name"]: tool["inputSchema"].get("properties", {}) for tool in self.catalog.tools}
        self.problems += [f"{path}: {told(*fault)}" for fault in ToolPolicies(tools).unknown(known)]
        return tools

    def value(self, variable: Variable) -> Any:
        """The parsed value, or None where the default holds."""
        full = f"{self.prefix}_{variable.name}"
        text = self.environ.get(full)
        if text is not None and not text.strip() and variable.name in _NEVER_EMPTY:
            # Nothing at all, or everything? Better to ask.
            self.problems.append(f"{full} is empty: name at least one, or unset it")
        if text is None or not text.strip():
            full, text = self._written.get(variable.field, (full, ""))
        if not text.strip():
            return None
        try:
            return variable.parse(text.strip())
        except ValueError as error:
            self.problems.append(f"{full}: {error}")
            return None

    def check(self, settings: Settings) -> None:
        """What a value alone does not show."""
        for name in settings.toolsets:
            if name not in self.catalog.toolsets:
                allowed = sorted(self.catalog.toolsets)
                self.problems.append(
                    f"{self.prefix}_TOOLSETS: {name!r} is not one of {', '.join(allowed)}{close_to(name, allowed)}"
                )
        names = [tool["name"] for tool in self.catalog.tools]
        for variable, patterns in (("TOOLS", settings.tools), ("DENY_TOOLS", settings.deny_tools)):
            self.problems += [
                f"{self.prefix}_{variable}: no tool is called {name!r}{close_to(name, names)}"
                for name in patterns
                if not is_pattern(name) and name not in self.catalog.tool_by_name
            ]
        try:
            if settings.certificate is not None:
                settings.certificate.check()
        except ValueError as error:
            self.problems.append(f"{self.prefix}_CLIENT_CERT: {error}")


_NEVER_EMPTY = ("ALLOW_EFFECTS", "TOOLSETS", "TOOLS")
