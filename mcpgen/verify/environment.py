"""What the server under test gets from the environment, and what of that must not be shown."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from mcpgen.plan.model import PackagePlan
from mcpgen.verify.model import Wanted

_NETWORK = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
_NOT_SECRET = ("client_id", "username")
_SHORTEST = 4
"""Anything shorter would be masked in the middle of words."""


def server_environment(
    environment: Mapping[str, str], plan: PackagePlan, wanted: Wanted, base_url: str
) -> dict[str, str]:
    """The operator's own variables, and over them what a verification is about.

    `wanted.effects` is all that is registered, so that nothing else can be called by mistake. Nobody is there to confirm a call,
    and a call that failed before has to be made again.
    """
    prefix = plan.env_prefix
    own = {name: value for name, value in environment.items() if name.startswith(f"{prefix}_")}
    network = {name: value for name, value in environment.items() if name.upper() in _NETWORK}
    # The way to the recorder is on this machine, whatever proxy leads to the API.
    direct = ",".join(filter(None, (environment.get("NO_PROXY") or environment.get("no_proxy"), "127.0.0.1")))
    settings = {
        "BASE_URL": base_url,
        "ALLOW_EFFECTS": ",".join(wanted.effects),
        "CONFIRM": "never",
        "MODE": "all",
        "FAILURE_WINDOW": "0",
        **({"MAX_RATE": f"{wanted.rate:g}"} if wanted.rate else {}),
    }
    return (
        own
        | network
        | {"NO_PROXY": direct, "no_proxy": direct}
        | {f"{prefix}_{name}": value for name, value in settings.items()}
    )


def credential_variables(plan: PackagePlan) -> list[str]:
    """The variables that credentials are read from."""
    return sorted({name for scheme in plan.auth for name in scheme.env.values()})


class Mask:
    """Hides the operator's credentials in what is shown."""

    def __init__(self, environment: Mapping[str, str], plan: PackagePlan) -> None:
        names = [
            name for scheme in plan.auth for part, name in scheme.env.items() if part not in _NOT_SECRET
        ] + [f"{plan.env_prefix}_CLIENT_KEY_PASSWORD"]
        found = {environment.get(name, "") for name in names}
        spelt = {spelling for value in found for spelling in (value, quote(value, safe=""))}
        self._secrets = sorted((text for text in spelt if len(text) >= _SHORTEST), key=len, reverse=True)

    def __call__(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text
