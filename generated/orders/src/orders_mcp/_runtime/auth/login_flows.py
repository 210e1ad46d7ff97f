"""How a person logs in: authorization code with PKCE (RFC 6749, 4.1; RFC 7636), or a code typed elsewhere (RFC 8628)."""

from __future__ import annotations

import base64
import hashlib
import secrets
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

from anyio import current_time, sleep, to_thread

from .authority import Endpoints, encrypted
from .loopback import PATH, Loopback
from .oauth import GrantRefused, Issued, TokenEndpoint, printable

Say = Callable[[str], None]
_PATIENCE = 300.0
"""Seconds that a browser login may take."""
_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_POLL_SECONDS = 5.0
_SLOWER = 5.0


class LoginFailed(Exception):
    """Nobody was logged in; the message is for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class BrowserChoice:
    """How the browser is reached, and how its answer comes back.

    Attributes:
        open: start one; otherwise the person opens the printed address.
        port: where to listen; 0 takes a free port.
        redirect: the registered redirect address, where it is fixed. On this machine it is listened at; from
            anywhere else the person pastes the answer.
        ask: reads what the person pastes.
    """

    open: bool = True
    port: int = 0
    redirect: str | None = None
    ask: Callable[[str], str] = input


async def by_browser(
    endpoint: TokenEndpoint, found: Endpoints, fields: Mapping[str, str], choice: BrowserChoice, say: Say
) -> Issued:
    """The authorization code flow.

    Args:
        endpoint: where the code is exchanged.
        found: the authorization server's endpoints.
        fields: scope and the like for the authorization request.

    Raises:
        LoginFailed: the server refuses, or nobody answers.
        GrantRefused: the code is not exchanged.
        CallFailed: the authorization server can't be reached.
    """
    if found.authorization is None:
        raise LoginFailed("no authorization endpoint is known")
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(64)
    listener = _listen(choice, state)
    redirect = choice.redirect or (listener.url if listener is not None else "")
    address = _with_query(
        found.authorization,
        {
            **fields,
            "response_type": "code",
            "client_id": endpoint.identity.id,
            "redirect_uri": redirect,
            "state": state,
            "code_challenge": _challenge(verifier),
            "code_challenge_method": "S256",
        },
    )
    try:
        say(f"Open this address to log in:\n\n  {address}\n")
        if choice.open:
            await to_thread.run_sync(webbrowser.open, address)
        answer = await _answered(listener, choice)
    finally:
        if listener is not None:
            await to_thread.run_sync(listener.close)
    code = _code(answer, state, found.issuer)
    return await endpoint.grant(
        {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        | ({"resource": fields["resource"]} if "resource" in fields else {})
    )


def _listen(choice: BrowserChoice, state: str) -> Loopback | None:
    """Where the browser comes back to on this machine; None when it goes elsewhere."""
    port, path = choice.port, PATH
    if choice.redirect is not None:
        parts = urlsplit(choice.redirect)
        if parts.scheme != "http" or parts.hostname not in ("127.0.0.1", "localhost"):
            return None
        port, path = parts.port or 80, parts.path or "/"
    try:
        return Loopback(port, state, path)
    except OSError as error:
        raise LoginFailed(f"port {port} of 127.0.0.1 can't be used ({error.strerror})") from error


async def _answered(listener: Loopback | None, choice: BrowserChoice) -> Mapping[str, str]:
    if listener is None:
        pasted = await to_thread.run_sync(
            choice.ask, "Paste the address that the browser ends at: ", abandon_on_cancel=True
        )
        query = parse_qs(urlsplit(pasted.strip()).query)
        return {name: values[0] for name, values in query.items()}
    answer = await to_thread.run_sync(listener.wait, _PATIENCE, abandon_on_cancel=True)
    if answer is None:
        raise LoginFailed("nobody logged in in time")
    return answer


def _code(answer: Mapping[str, str], state: str, issuer: str | None) -> str:
    """The code of an authorization response that really is the answer to this request."""
    if not secrets.compare_digest(answer.get("state", "").encode(), state.encode()):
        raise LoginFailed("the answer does not belong to this login")
    if issuer and answer.get("iss", issuer) != issuer:  # RFC 9207: the answer of another server
        raise LoginFailed("the answer is of another authorization server")
    if "error" in answer:
        told = ": ".join(filter(None, (answer["error"], answer.get("error_description"))))
        raise LoginFailed(f"the authorization server refuses: {printable(told)}")
    if not answer.get("code"):
        raise LoginFailed("the answer holds no code")
    return answer["code"]


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def _with_query(url: str, fields: Mapping[str, str]) -> str:
    """The address with these fields; a query that it already has stays (RFC 6749, 3.1)."""
    base, _, _ = url.partition("#")
    return f"{base}{'&' if '?' in base else '?'}{urlencode(fields)}"


async def by_device(endpoint: TokenEndpoint, found: Endpoints, fields: Mapping[str, str], say: Say) -> Issued:
    """The device flow: the person types a short code into a browser anywhere.

    Raises:
        LoginFailed: the server refuses, or nobody enters the code in time.
        CallFailed: the authorization server can't be reached.
    """
    if found.device is None:
        raise LoginFailed("no device authorization endpoint is known")
    try:
        told = await endpoint.ask(found.device, fields)
        device, user = str(told["device_code"]), printable(told["user_code"])
        # The second name is that of an early draft, which big vendors still use.
        place = printable(told.get("verification_uri") or told["verification_url"])
        interval = max(1.0, float(told.get("interval") or _POLL_SECONDS))
        end = current_time() + float(told.get("expires_in") or _PATIENCE)
    except GrantRefused as error:
        raise LoginFailed(f"the authorization server refuses: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise LoginFailed("the authorization server's answer can't be understood") from error
    say(f"Open {place} and enter this code:\n\n  {user}\n")
    if told.get("verification_uri_complete"):
        say(f"Or open this address: {printable(told['verification_uri_complete'])}")
    while current_time() < end:
        await sleep(interval)
        try:
            return await endpoint.grant({"grant_type": _DEVICE_GRANT, "device_code": device})
        except GrantRefused as error:
            if error.code == "slow_down":
                interval += _SLOWER
            elif error.code != "authorization_pending":
                raise LoginFailed(f"the authorization server refuses: {error}") from error
    raise LoginFailed("nobody entered the code in time")


def warnings(found: Endpoints) -> list[str]:
    """What the person should know before anything is sent."""
    places = [place for place in (found.token, found.authorization, found.device) if place]
    return [f"{place} is not encrypted" for place in places if not encrypted(place)]
