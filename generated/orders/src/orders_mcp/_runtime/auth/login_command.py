"""`python -m PACKAGE login [SCHEME]` and `logout [SCHEME]`: the only places where a person proves who they are.

A tool call never starts a login. Everything is said on standard error; tokens are never shown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

import anyio
from anyio import to_thread

from ..app import App
from ..catalog import CatalogError
from ..hooks import HooksError
from ..outcomes.failures import CallFailed
from ..secrecy.redact import log_to_stderr
from ..setup.settings import SettingsError
from .authority import Endpoints
from .login_flows import BrowserChoice, LoginFailed, by_browser, by_device, warnings
from .logins import LoginTokens, stored
from .oauth import GrantRefused, Issued, OAuthClient, TokenEndpoint
from .schemes import OAuth
from .token_store import StoreError


def run(package: str, argv: Sequence[str]) -> int:
    """Runs one of the commands.

    Returns:
        The exit status: 0 when it is done, 1 when it fails, 2 for wrong options or settings.
    """
    options = _options(package, argv)
    try:
        app = App.start(package)
        login = _chosen(app, options.scheme)
    except (SettingsError, CatalogError, HooksError) as error:
        for line in str(error).splitlines():
            _say(f"{package}: {line}")
        return 2
    log_to_stderr(app.redactor, app.settings.log_level, package)
    work = _login if options.command == "login" else _logout
    try:
        anyio.run(work, app, login, options)
    except (LoginFailed, StoreError, GrantRefused) as error:
        _say(f"{package}: {app.redactor.text(str(error))}")
        return 1
    except CallFailed:
        _say(f"{package}: the authorization server can't be reached, or does not describe itself")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _options(package: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m {package}")
    commands = parser.add_subparsers(dest="command", required=True)
    login = commands.add_parser("login", help="log in at the API, so that tools act with your rights")
    login.add_argument("scheme", nargs="?", help="the security scheme; needed when there are several")
    login.add_argument("--device", action="store_true", help="show a code to enter on another device")
    login.add_argument("--no-browser", action="store_true", help="only print the address, open no browser")
    login.add_argument(
        "--port", type=int, default=0, help="where to wait for the browser (default: any free)"
    )
    login.add_argument("--redirect-uri", metavar="URL", help="a registered address; paste where you end up")
    login.add_argument(
        "--scope", help="scopes to ask for, separated by spaces (default: what the tools need)"
    )
    logout = commands.add_parser("logout", help="forget the login, and revoke it where that is possible")
    logout.add_argument("scheme", nargs="?", help="the security scheme; needed when there are several")
    return parser.parse_args(argv)


def _chosen(app: App, scheme: str | None) -> LoginTokens:
    """The login that is meant.

    Raises:
        SettingsError: there is none, it is not clear which, or its client is not known.
    """
    able = {
        name: found
        for name, found in app.credentials.schemes.items()
        if isinstance(found, OAuth) and found.can_login
    }
    if not able:
        raise SettingsError(["this API has no security scheme that one can log in with"])
    if scheme is None:
        configured = [name for name, found in able.items() if found.login is not None] or list(able)
        scheme = configured[0] if len(configured) == 1 else None
    if scheme not in able:
        problem = "which scheme?" if scheme is None else f"{scheme!r} is no scheme to log in with."
        raise SettingsError([f"{problem} There are: {', '.join(sorted(able))}"])
    found = able[scheme].login
    if found is None:
        variable = app.catalog.auth[scheme]["env"]["client_id"]
        raise SettingsError([f"set {variable} to the client that is registered for this server"])
    return found


async def _login(app: App, login: LoginTokens, options: argparse.Namespace) -> None:
    async with app.session():
        flow, found = await _flow(login, device=options.device)
        if found.token is None:
            variable = app.catalog.auth[login.name].get("options", {}).get("token_url")
            raise LoginFailed(f"no token endpoint is known{f': set {variable}' if variable else ''}")
        for warning in warnings(found):
            _say(f"Warning: {warning}.")
        method = login.identity.method or found.client_method
        identity = OAuthClient(login.identity.id, login.identity.secret, method)
        endpoint = TokenEndpoint(app.identity, app.redactor, found.token, identity)
        fields = _fields(app, login, found, options.scope)
        issued = await _ask(flow, endpoint, found, fields, options)
        where = await to_thread.run_sync(login.store.save, login.key, stored(issued))
    _say(f"Logged in ({login.name}). The login is kept in {where}.")
    variable = app.catalog.auth[login.name]["env"].get("token", "")
    if os.environ.get(variable, "").strip():
        _say(f"Warning: {variable} is set, and is used in place of the login.")
    if issued.refresh_token is None:
        _say("The authorization server gave no refresh token: the login ends with its access token.")


async def _ask(
    flow: str,
    endpoint: TokenEndpoint,
    found: Endpoints,
    fields: Mapping[str, str],
    options: argparse.Namespace,
) -> Issued:
    if flow == "deviceAuthorization":
        return await by_device(endpoint, found, fields, _say)
    choice = BrowserChoice(not options.no_browser, options.port, options.redirect_uri, _read_line)
    return await by_browser(endpoint, found, fields, choice, _say)


async def _flow(login: LoginTokens, *, device: bool) -> tuple[str, Endpoints]:
    """The flow to use, and its endpoints: the browser where the server has one, else a code."""
    if not device and login.authority.knows("authorizationCode"):
        found = await login.authority.endpoints("authorizationCode")
        if found.authorization is not None:
            return "authorizationCode", found
    return "deviceAuthorization", await login.authority.endpoints("deviceAuthorization")


def _fields(app: App, login: LoginTokens, found: Endpoints, scope: str | None) -> dict[str, str]:
    """What to ask for: the scopes that the registered tools need and no more, and a way to stay logged in."""
    if scope is not None:
        scopes = tuple(scope.split())
    elif login.wishes.scope is not None:
        scopes = tuple(login.wishes.scope.split())
    else:
        operations = (app.catalog.operation(name) for name in app.registered)
        needed = {
            s for o in operations for alternative in o.security for s in alternative.get(login.name, ())
        }
        # OpenID Connect Core 1.0, 11: without it there may be no refresh token.
        needed |= {"offline_access"} & set(found.scopes)
        scopes = tuple(sorted(needed))
    form = login.wishes.form(scopes)
    return {**form, "scope": " ".join(scopes)} if scopes else {k: v for k, v in form.items() if k != "scope"}


async def _logout(app: App, login: LoginTokens, options: argparse.Namespace) -> None:
    kept = await to_thread.run_sync(login.store.load, login.key)
    there = await to_thread.run_sync(login.store.delete, login.key)
    if not there or kept is None:
        _say(f"Nobody was logged in ({login.name}).")
        return
    revoked = False
    async with app.session():
        try:
            found = await login.authority.endpoints("authorizationCode")
            if found.revocation is not None and found.token is not None:
                endpoint = TokenEndpoint(app.identity, app.redactor, found.token, login.identity)
                # RFC 7009, 2.1: revoking the refresh token ends the access tokens that came from it.
                kind = "refresh_token" if kept.refresh_token else "access_token"
                token = kept.refresh_token or kept.access_token
                await endpoint.ask(found.revocation, {"token": token, "token_type_hint": kind})
                revoked = True
        except (CallFailed, GrantRefused):
            revoked = False
    _say(
        f"Logged out ({login.name})."
        + ("" if revoked else " The tokens are forgotten here, but stay valid at the API until they end.")
    )


def _read_line(question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
