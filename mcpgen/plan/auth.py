"""Security schemes as the run-time library needs them, with the environment variables that hold the credentials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Api, Operation, SecurityScheme
from mcpgen.plan.model import AuthPlan, SpecText
from mcpgen.plan.naming.names import env_names

_PARTS: dict[str, tuple[str, ...]] = {
    "apiKey": ("key",),
    "oauth2": ("token", "client_id", "client_secret"),
    "openIdConnect": ("token",),
    "mutualTLS": (),
}


def plan_auth(api: Api, prefix: str, diagnostics: Collector) -> tuple[AuthPlan, ...]:
    """One plan for each security scheme that an operation can need, by name."""
    schemes = [scheme for name, scheme in sorted(api.security_schemes.items()) if _parts(scheme) is not None]
    for name, scheme in api.security_schemes.items():
        if _parts(scheme) is None:
            diagnostics.add(
                "security-unsupported",
                f"security scheme {name!r}: unknown type {scheme.type!r}",
                scheme.origin,
            )
    variables = env_names(
        prefix, [(scheme.name, part) for scheme in schemes for part in _parts(scheme) or ()]
    )
    return tuple(
        AuthPlan(
            scheme=scheme.name,
            entry=_entry(scheme),
            env={part: variables[scheme.name, part] for part in _parts(scheme) or ()},
            description=SpecText(scheme.description),
        )
        for scheme in schemes
    )


def _parts(scheme: SecurityScheme) -> tuple[str, ...] | None:
    if scheme.type == "http":
        return ("username", "password") if scheme.scheme.lower() == "basic" else ("token",)
    if scheme.type == "oauth2" and _token_url(scheme) is None:
        return ("token",)
    return _PARTS.get(scheme.type)


def _entry(scheme: SecurityScheme) -> Mapping[str, Any]:
    match scheme.type:
        case "http":
            return {"type": "http", "scheme": scheme.scheme}
        case "apiKey":
            return {"type": "apiKey", "in": scheme.location, "name": scheme.parameter_name}
        case "oauth2":
            return {"type": "oauth2", "token_url": _token_url(scheme)}
        case "openIdConnect":
            return {"type": "openIdConnect", "openid_url": scheme.openid_url}
    return {"type": scheme.type}


def _token_url(scheme: SecurityScheme) -> str | None:
    """Where client credentials are exchanged for a token; other flows need a person and give a token only."""
    return next((flow.token_url for flow in scheme.flows if flow.kind == "clientCredentials"), None)


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
