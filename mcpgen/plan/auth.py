"""Security schemes as the run-time library needs them, with the environment variables that hold the credentials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Api, Operation, SecurityScheme
from mcpgen.plan.model import AuthPlan, SpecText
from mcpgen.plan.naming.names import env_names
from mcpgen.runtime.setup.variables import VARIABLES

SETTINGS = tuple(variable.name for variable in VARIABLES)
"""What the run-time library reads beside credentials: no credential has such a name."""

LOGIN_FLOWS = ("authorizationCode", "deviceAuthorization")
_CLIENT_FLOWS = ("clientCredentials", "password", *LOGIN_FLOWS)
_PASSWORD_SCHEMES = ("basic", "digest")
"""HTTP authentication schemes with a user and a password (RFC 7617, RFC 7616); the others get a token as it is."""
_TYPES = ("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS")
_REQUEST_OPTIONS = ("scope", "audience", "resource", "client_auth")


def plan_auth(api: Api, prefix: str, diagnostics: Collector) -> tuple[AuthPlan, ...]:
    """One plan for each security scheme that an operation can need, by name."""
    schemes = [scheme for _, scheme in sorted(api.security_schemes.items()) if scheme.type in _TYPES]
    for name, scheme in api.security_schemes.items():
        if scheme.type not in _TYPES:
            diagnostics.add(
                "security-unsupported",
                f"security scheme {name!r}: unknown type {scheme.type!r}",
                scheme.origin,
            )
    settings = [f"{prefix}_{name}" for name in SETTINGS]
    env = env_names(prefix, [(s.name, part) for s in schemes for part in _parts(s)], settings)
    # Options come second, so that a credential's variable never moves because of one.
    options = env_names(
        prefix, [(s.name, part) for s in schemes for part in _options(s)], [*settings, *env.values()]
    )
    return tuple(
        AuthPlan(
            scheme=scheme.name,
            entry=_entry(scheme),
            env={part: env[scheme.name, part] for part in _parts(scheme)},
            description=SpecText(scheme.description),
            options={part: options[scheme.name, part] for part in _options(scheme)},
            login=_discovered(scheme) or any(kind in LOGIN_FLOWS for kind in _flows(scheme)),
        )
        for scheme in schemes
    )


def _parts(scheme: SecurityScheme) -> tuple[str, ...]:
    match scheme.type:
        case "apiKey":
            return ("key",)
        case "http":
            by_password = scheme.scheme.lower() in _PASSWORD_SCHEMES
            return ("username", "password") if by_password else ("token",)
        case "mutualTLS":
            return ()
        case "openIdConnect":
            return ("token", "client_id", "client_secret")
    client = ("client_id", "client_secret") if _flows(scheme) or scheme.metadata_url else ()
    return ("token", *client, *(("username", "password") if "password" in _flows(scheme) else ()))


def _discovered(scheme: SecurityScheme) -> bool:
    """Whether the authorization server describes itself (OpenID Connect Discovery, RFC 8414)."""
    return scheme.type == "openIdConnect" or bool(scheme.metadata_url)


def _options(scheme: SecurityScheme) -> tuple[str, ...]:
    """What the operator can say beside the credential itself."""
    match scheme.type:
        case "mutualTLS":
            return ("client_cert", "client_key", "client_key_password")
        case "openIdConnect":
            return ("openid_url", *_REQUEST_OPTIONS)
        case "oauth2" if _flows(scheme) or scheme.metadata_url:
            urls = ["token_url"]
            urls += ["authorization_url"] if "authorizationCode" in _flows(scheme) else []
            urls += ["device_url"] if "deviceAuthorization" in _flows(scheme) else []
            return (*urls, *_REQUEST_OPTIONS)
    return ()


def _entry(scheme: SecurityScheme) -> Mapping[str, Any]:
    match scheme.type:
        case "http":
            return {"type": "http", "scheme": scheme.scheme}
        case "apiKey":
            return {"type": "apiKey", "in": scheme.location, "name": scheme.parameter_name}
        case "oauth2":
            flows = _flows(scheme)
            service = flows.get("clientCredentials", {}).get("token_url")
            more = {"metadata_url": scheme.metadata_url} if scheme.metadata_url else {}
            return {"type": "oauth2", "token_url": service, **({"flows": flows} if flows else {}), **more}
        case "openIdConnect":
            return {"type": "openIdConnect", "openid_url": scheme.openid_url}
    return {"type": scheme.type}


def _flows(scheme: SecurityScheme) -> dict[str, dict[str, str]]:
    """The flows that lead to a token without a browser's fragment: all but `implicit` (OpenAPI 3.2, OAuth Flows)."""
    return {
        flow.kind: {
            key: url
            for key, url in (
                ("token_url", flow.token_url),
                ("authorization_url", flow.authorization_url),
                ("device_url", flow.device_url),
                ("refresh_url", flow.refresh_url),
            )
            if url
        }
        for flow in scheme.flows
        if flow.kind in _CLIENT_FLOWS
    }


def plan_security(
    operation: Operation, auth: Sequence[AuthPlan], diagnostics: Collector
) -> tuple[Mapping[str, tuple[str, ...]], ...]:
    """The alternatives of an operation, without schemes that the document does not define."""
    known = {plan.scheme for plan in auth}
    found: list[Mapping[str, tuple[str, ...]]] = []
    for requirement in operation.security:
        unknown = requirement.keys() - known
        if unknown:
            names = ", ".join(sorted(unknown))
            diagnostics.add(
                "security-unsupported",
                f"{operation.key} asks for security scheme {names}, which is not defined",
                operation.origin,
            )
        left = {name: scopes for name, scopes in requirement.items() if name in known}
        if (left or not requirement) and left not in found:
            found.append(left)
    return tuple(found)
