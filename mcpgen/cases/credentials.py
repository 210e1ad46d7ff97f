"""Made-up credentials for a server under test, and what a request carries of them (OpenAPI 3.2, Security Scheme Object).

Of the alternatives of an operation the first one counts whose schemes all have a credential; none is needed where there are no
alternatives, and where one of them is empty and no other can be met (Security Requirement Object). A scheme `mutualTLS` has
no credential here: a certificate is a file. A digest (RFC 7616) is sent only after the API has asked for it, so a first request is
without. Two schemes that write the same header can't both be met; the later one is expected.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcpgen.cases.wire.headers import cookie_value
from mcpgen.plan.model import AuthPlan, PackagePlan

# A plus sign is legal wherever a credential goes, and means something else in a URL and in a pattern that masks secrets.
_STEMS = {
    "key": "made-up+key",
    "token": "made-up+token",
    "username": "made-up-user",
    "password": "made-up:password",  # RFC 7617: a password can hold a colon, a user can't
    "client_id": "made-up-client",
    "client_secret": "made-up+secret",
}
_IN_ADDRESS = "made-up/key+%C3%A9"
"""A key in a query or a cookie has characters that must be escaped there."""


@dataclass(frozen=True, slots=True)
class SentCredential:
    """What the chosen schemes add to a request: headers by lower-case name, query pairs, cookies with values as sent."""

    headers: Mapping[str, str] = field(default_factory=dict)
    query: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()


class NoCredential(Exception):
    """No alternative of an operation can be met with credentials that are texts."""


def made_up_credentials(plan: PackagePlan) -> dict[str, str]:
    """A value for each environment variable that holds a part of a credential, no two alike."""
    found: dict[str, str] = {}
    for auth in plan.auth:
        for part, variable in auth.env.items():
            in_address = auth.entry.get("type") == "apiKey" and auth.entry.get("in") in ("query", "cookie")
            stem = _IN_ADDRESS if in_address else _STEMS.get(part, "made-up")
            found[variable] = f"{stem}-{len(found) + 1}"
    return found


def credential_for(
    security: Sequence[Mapping[str, tuple[str, ...]]], plan: PackagePlan, values: Mapping[str, str]
) -> SentCredential:
    """What a request of an operation carries.

    Args:
        security: the alternatives, scheme names with scopes.
        values: by environment variable.

    Raises:
        NoCredential: no alternative can be met.
    """
    schemes = {auth.scheme: auth for auth in plan.auth}
    for alternative in security:
        chosen = [schemes[name] for name in alternative if name in schemes]
        if alternative and len(chosen) == len(alternative) and all(_has(auth, values) for auth in chosen):
            return _together([_sent(auth, values) for auth in chosen])
    if not security or {} in security:
        return SentCredential()
    raise NoCredential("no alternative of `security` can be met with a made-up text")


def _has(auth: AuthPlan, values: Mapping[str, str]) -> bool:
    """Whether there is what a first request needs: the key, the token, the user and the password."""
    needed = [part for part in ("key", "token", "username") if part in auth.env][:1]
    return bool(needed) and all(values.get(auth.env[part]) for part in needed)


def _sent(auth: AuthPlan, values: Mapping[str, str]) -> SentCredential:
    told = {part: values.get(variable, "") for part, variable in auth.env.items()}
    kind, scheme = auth.entry.get("type"), str(auth.entry.get("scheme", "")).lower()
    if kind == "apiKey":
        name, key = str(auth.entry["name"]), told["key"]
        match auth.entry["in"]:
            case "query":
                return SentCredential(query=((name, key),))
            case "cookie":
                return SentCredential(cookies=((name, cookie_value(key)),))
        return SentCredential({name.lower(): key})
    if kind == "http" and scheme == "digest":
        return SentCredential()
    if kind == "http" and scheme == "basic":
        pair = base64.b64encode(f"{told['username']}:{told['password']}".encode())
        return SentCredential({"authorization": f"Basic {pair.decode('ascii')}"})
    written = str(auth.entry.get("scheme") or "Bearer") if kind == "http" else "Bearer"
    name = "Bearer" if written.lower() == "bearer" else written
    return SentCredential({"authorization": f"{name} {told['token']}"})


def _together(parts: Sequence[SentCredential]) -> SentCredential:
    headers = {name: text for part in parts for name, text in part.headers.items()}
    return SentCredential(
        headers,
        tuple(pair for part in parts for pair in part.query),
        tuple(pair for part in parts for pair in part.cookies),
    )
