"""What must be set before a server may listen. Every problem is told in one line that names the variable."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from ..app import App
from ..setup.settings import SettingsError


def check_serving(app: App, transport: str, host: str) -> None:
    """Checks what the settings mean together with the transport.

    Raises:
        SettingsError: something is missing or contradicts something else.
    """
    prefix = f"{app.catalog.server.env_prefix}_"
    if transport != "http":
        problems = []
        if app.settings.forward_authorization:
            problems = [
                f"{prefix}FORWARD_AUTHORIZATION: there is nothing to forward without --transport http"
            ]
    else:
        problems = [*_of_tokens(app, prefix), *_of_scopes(app, prefix), *_of_reach(app, prefix, host)]
    if problems:
        raise SettingsError(problems)


_NEED_ISSUER = ("http_jwks_url", "http_introspection_url", "http_audience")
_NEED_TLS = ("http_url", "http_issuer", "http_jwks_url", "http_introspection_url")


def _of_tokens(app: App, prefix: str) -> Iterator[str]:
    """What verifying tokens needs."""
    from ..auth.authority import encrypted

    settings = app.settings
    if settings.http_issuer is None:
        for name in _NEED_ISSUER:
            if getattr(settings, name) is not None:
                yield f"{prefix}{name.upper()}: set {prefix}HTTP_ISSUER too: whose tokens are accepted"
    elif settings.http_url is None:
        yield f"{prefix}HTTP_ISSUER: set {prefix}HTTP_URL too: this server's public URL, which tokens are for"
    for name in _NEED_TLS:
        url = getattr(settings, name)
        if url is not None and not encrypted(url):
            yield f"{prefix}{name.upper()}: tokens need https, beyond loopback"
    if settings.http_url is not None and not _fits_header(settings.http_url):
        yield f"{prefix}HTTP_URL: percent-encode what is no plain ASCII"
    client = settings.http_client_id is not None, settings.http_client_secret is not None
    if settings.http_introspection_url is not None and not all(client):
        yield f"{prefix}HTTP_INTROSPECTION_URL: set {prefix}HTTP_CLIENT_ID and {prefix}HTTP_CLIENT_SECRET too"
    if settings.http_introspection_url is None and any(client):
        yield f"{prefix}HTTP_CLIENT_ID: it is for {prefix}HTTP_INTROSPECTION_URL, which is not set"
    if settings.http_issuer is not None and settings.forward_authorization:
        # The authorization section of the MCP specification forbids it: a token for one server must not work at another.
        yield f"{prefix}FORWARD_AUTHORIZATION: tokens for this server are not for the API; unset {prefix}HTTP_ISSUER"


def _fits_header(url: str) -> bool:
    return url.isascii() and url.isprintable() and not set(' "\\<>').intersection(url)


def _of_scopes(app: App, prefix: str) -> Iterator[str]:
    """Scopes are words of a token, so that there must be tokens."""
    from .scopes import is_scope

    settings = app.settings
    wanted: dict[str, tuple[str, ...]] = {
        f"{prefix}HTTP_SCOPES": settings.http_scopes,
        f"{prefix}HTTP_EFFECT_SCOPES": tuple(
            scope for scopes in settings.http_effect_scopes.values() for scope in scopes
        ),
    }
    wanted |= {f"[tools.{name}] scopes": tuple(app.policy(name).scopes) for name in sorted(app.registered)}
    for name, scopes in wanted.items():
        if scopes and settings.http_issuer is None:
            yield f"{name}: scopes are in tokens: set {prefix}HTTP_ISSUER"
        yield from (f"{name}: {scope!r} is no scope" for scope in scopes if not is_scope(scope))


def _of_reach(app: App, prefix: str, host: str) -> Iterator[str]:
    """Whoever listens beyond loopback has to say who may call.

    Forwarding the caller's authorization does not answer that: what the API asks no authorization for, or another
    credential, is open all the same.
    """
    if is_loopback(host):
        return
    if not app.settings.allowed_hosts:
        yield f"--host {host} is reachable from outside: set {prefix}ALLOWED_HOSTS to the names that clients use"
    if app.settings.http_issuer is None and not app.settings.http_open:
        yield (
            f"--host {host} is reachable from outside: set {prefix}HTTP_ISSUER and {prefix}HTTP_URL, so that "
            f"callers need a token, or {prefix}HTTP_OPEN=1 to serve everybody"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
