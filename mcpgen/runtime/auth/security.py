"""Makes the security schemes of a catalogue from what the operator gave in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..catalog import Catalog
from ..secrecy.redact import Redactor
from ..setup.settings import Settings, SettingsError
from ..transport.client import ApiClient
from .certificates import Certificate
from .schemes import ApiKey, HttpToken, MutualTls, OAuth, Password, Scheme

if TYPE_CHECKING:
    from .logins import LoginTokens
    from .oauth import OAuthClient
    from .tokens import ServiceTokens

CLIENT_AUTH = ("basic", "post", "none")
_PUBLIC = frozenset({"username", "client_id"})
"""Parts of a credential that identify, but prove nothing."""


@dataclass(slots=True)
class SchemeFactory:
    """Makes schemes; `problems` collects what is wrong in the environment.

    Attributes:
        client: for the authorization server only; it has its own connections and limits.
        base_url: the API's address, as far as it is known: what relative addresses are resolved against.
    """

    catalog: Catalog
    settings: Settings
    environ: Mapping[str, str]
    client: ApiClient
    redactor: Redactor
    base_url: str | None
    problems: list[str] = field(default_factory=list)

    def all(self) -> dict[str, Scheme]:
        """All schemes by name.

        Raises:
            SettingsError: a variable has a value that can't be used.
        """
        schemes = {name: self._scheme(name, entry) for name, entry in self.catalog.auth.items()}
        if self.problems:
            raise SettingsError(self.problems)
        return schemes

    def _scheme(self, name: str, entry: Mapping[str, Any]) -> Scheme:
        values, options = self._read(entry.get("env", {})), self._read(entry.get("options", {}))
        for part, value in values.items():
            self.redactor.add(value, secret=part not in _PUBLIC)
        match entry["type"]:
            case "apiKey":
                return ApiKey(entry, values)
            case "http" if str(entry.get("scheme", "")).lower() in ("basic", "digest"):
                return Password(entry, values, self.redactor)
            case "http":
                return HttpToken(entry, values)
            case "mutualTLS":
                return self._mutual_tls(entry, options)
        return self._oauth(name, entry, values, options)

    def _read(self, variables: Mapping[str, str]) -> dict[str, str]:
        found = {}
        for part, variable in variables.items():
            value = self.environ.get(variable, "").strip()
            if any(ord(character) < 32 or ord(character) == 127 for character in value):
                self.problems.append(f"{variable}: it holds a line break or another control character")
            elif value:
                found[part] = value
        return found

    def _mutual_tls(self, entry: Mapping[str, Any], options: Mapping[str, str]) -> Scheme:
        own = None
        if "client_key_password" in options:
            self.redactor.add(options["client_key_password"])
        if "client_cert" in options:
            own = Certificate(
                options["client_cert"], options.get("client_key"), options.get("client_key_password")
            )
            try:
                own.check()
            except ValueError as error:
                self.problems.append(f"{entry['options']['client_cert']}: {error}")
        common = f"{self.catalog.server.env_prefix}_CLIENT_CERT"
        return MutualTls(entry, own, self.settings.certificate, common)

    def _oauth(
        self, name: str, entry: Mapping[str, Any], values: Mapping[str, str], options: Mapping[str, str]
    ) -> Scheme:
        method = options.get("client_auth", "")
        if method and method not in CLIENT_AUTH:
            variable = entry["options"]["client_auth"]
            self.problems.append(f"{variable}: {method!r} is not one of {', '.join(CLIENT_AUTH)}")
        if "client_id" not in values:
            return OAuth(entry, values, None, None, self._command(name, entry))
        from .oauth import OAuthClient

        identity = OAuthClient(values["client_id"], values.get("client_secret", ""), method)
        login, service = self._sources(name, entry, values, options, identity)
        return OAuth(entry, values, login, service, self._command(name, entry))

    def _sources(
        self,
        name: str,
        entry: Mapping[str, Any],
        values: Mapping[str, str],
        options: Mapping[str, str],
        identity: OAuthClient,
    ) -> tuple[LoginTokens | None, ServiceTokens | None]:
        """Where tokens of this scheme can come from. Imported here: a server without OAuth never needs it."""
        from .authority import Authority
        from .logins import LOGIN_FLOWS, LoginTokens
        from .token_store import TokenStore, state_folder
        from .tokens import ServiceTokens, Wishes

        server, settings = self.catalog.server, self.settings
        authority = Authority(name, entry, options, self.client, self.base_url)
        wishes = Wishes(options.get("scope"), options.get("audience"), options.get("resource"))
        login: LoginTokens | None = None
        service: ServiceTokens | None = None
        if any(authority.knows(flow) for flow in LOGIN_FLOWS):
            folder = state_folder(server.name, settings.state_dir, self.environ)
            store = TokenStore(server.name, settings.login_store, folder)
            login = LoginTokens(name, authority, self.client, self.redactor, identity, store, wishes)
        user = (values["username"], values.get("password", "")) if "username" in values else None
        proves = identity.secret or identity.method == "none"
        if user is not None and authority.knows("password"):
            service = ServiceTokens(authority, self.client, self.redactor, identity, wishes, user)
        elif proves and authority.knows("clientCredentials"):
            service = ServiceTokens(authority, self.client, self.redactor, identity, wishes)
        return login, service

    def _command(self, name: str, entry: Mapping[str, Any]) -> str:
        flows = entry.get("flows") or {}
        person = entry["type"] == "openIdConnect" or entry.get("metadata_url")
        if not (person or {"authorizationCode", "deviceAuthorization"} & flows.keys()):
            return ""
        return f", or a login: python -m {self.catalog.package} login {name}"
