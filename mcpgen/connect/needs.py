"""Which environment variables a generated server cannot work without, from its catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcpgen.connect.model import Needs, Variable
from mcpgen.runtime.setup.variables import VARIABLES

_SECRET_PARTS = frozenset({"token", "key", "password", "client_secret"})
_SECRET_OPTIONS = frozenset({"client_key_password"})
_LOGIN_FLOWS = frozenset({"authorizationCode", "deviceAuthorization"})


def needs_of(catalog: Mapping[str, Any]) -> Needs:
    """The variables without which no call, or not every call, can work."""
    chosen, others = _schemes(catalog)
    credentials: dict[str, Variable] = {}
    for scheme in chosen:
        for part, variable in _parts(catalog["auth"][scheme]):
            credentials.setdefault(variable, _credential(scheme, part, variable, catalog))
    login = tuple(scheme for scheme in chosen if _logs_in(catalog["auth"][scheme]))
    return Needs((*_address(catalog), *credentials.values()), tuple(others), login)


def known_variables(catalog: Mapping[str, Any]) -> dict[str, bool]:
    """Every variable that the server reads -> whether it is secret."""
    prefix = catalog["project"]["env_prefix"]
    found = {f"{prefix}_{variable.name}": variable.secret for variable in VARIABLES}
    for entry in _servers(catalog):
        found |= {told["env"]: False for told in entry.get("variables", {}).values()}
    for scheme in catalog["auth"].values():
        found |= {env: part in _SECRET_PARTS for part, env in scheme.get("env", {}).items()}
        found |= {env: part in _SECRET_OPTIONS for part, env in scheme.get("options", {}).items()}
    return found


def _servers(catalog: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The servers with variables: the document's, then those of single operations."""
    lists = [catalog["server"].get("servers", ())]
    lists += [operation.get("servers", ()) for operation in catalog["operations"].values()]
    yield from (server for servers in lists for server in servers if isinstance(server, Mapping))


def _address(catalog: Mapping[str, Any]) -> Iterator[Variable]:
    """What the address lacks: the variables of the server that is taken by default, else all of it."""
    server = catalog["server"]
    first = next(iter(server.get("servers", ())), None)
    lists = [operation.get("servers", ()) for operation in catalog["operations"].values()]
    firsts = [first, *(servers[0] for servers in lists if servers)]
    unset: dict[str, Variable] = {}
    for entry in firsts:
        for name, told in (entry.get("variables", {}) if isinstance(entry, Mapping) else {}).items():
            if told.get("default") is None:
                meaning = f"`{name}` in the address of the API"
                unset.setdefault(told["env"], Variable(told["env"], False, meaning))
    own = all(lists) and bool(lists)
    template = first.get("url", "") if isinstance(first, Mapping) else first or ""
    whole = template.startswith(("http://", "https://")) or own
    if server.get("base_url") is None and not whole:
        prefix = catalog["project"]["env_prefix"]
        yield Variable(f"{prefix}_BASE_URL", False, "the address of the API, base path included")
        return
    yield from unset.values()


def _schemes(catalog: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The fewest schemes that every operation can do with, and as phrases what else would do.

    An operation asks for one of several alternatives; again and again the one is taken that serves most of the operations left.
    """
    known = catalog["auth"]
    asked = [
        [tuple(sorted(one)) for one in operation["security"] if one.keys() <= known.keys()]
        for operation in catalog["operations"].values()
    ]
    left = [alternatives for alternatives in asked if alternatives and () not in alternatives]
    order = list(dict.fromkeys(one for alternatives in left for one in alternatives))
    every = list(order)
    chosen: dict[str, None] = {}
    while left:
        best = max(
            order,
            key=lambda one: (
                sum(one in alternatives for alternatives in left),
                -sum(_trouble(known[scheme]) for scheme in one),
                -order.index(one),
            ),
        )
        chosen |= dict.fromkeys(best)
        left = [
            alternatives for alternatives in left if not any(chosen.keys() >= {*one} for one in alternatives)
        ]
        order = [one for one in order if any(one in alternatives for alternatives in left)]
    others = [_phrase(one, known) for one in every if not chosen.keys() >= {*one}]
    others += [f"{name} ({known[name]['env']['token']})" for name in chosen if _logs_in(known[name])]
    return list(chosen), others


def _trouble(scheme: Mapping[str, Any]) -> int:
    """Of schemes that serve as many operations, the one that is easiest to set up is taken."""
    return 2 if _logs_in(scheme) else int(scheme["type"] == "mutualTLS" or scheme.get("in") == "cookie")


def _phrase(schemes: Sequence[str], auth: Mapping[str, Any]) -> str:
    variables = [variable for scheme in schemes for _, variable in _parts(auth[scheme])]
    return f"{' with '.join(schemes)} ({', '.join(variables) or 'nothing to set'})"


def _parts(scheme: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The parts of a credential that have to be set, with their variables: for OAuth those of the easiest flow."""
    env: Mapping[str, str] = scheme.get("env", {})
    options: Mapping[str, str] = scheme.get("options", {})
    if scheme["type"] == "mutualTLS":
        return [(part, options[part]) for part in ("client_cert", "client_key") if part in options]
    if scheme["type"] not in ("oauth2", "openIdConnect"):
        return list(env.items())
    flows = scheme.get("flows", {})
    wanted: tuple[str, ...] = ("token",)
    if "clientCredentials" in flows or (scheme.get("token_url") and not flows):
        wanted = ("client_id", "client_secret")
    elif "password" in flows:
        wanted = ("client_id", "username", "password")
    elif _logs_in(scheme):
        wanted = ("client_id",)
    found = [(part, env[part]) for part in wanted if part in env]
    return found or list(env.items())[:1]


def _logs_in(scheme: Mapping[str, Any]) -> bool:
    """Whether a person logs in: there is a flow for it, and none that the server can go through alone."""
    flows = scheme.get("flows", {})
    if "clientCredentials" in flows or "password" in flows:
        return False
    discovered = scheme["type"] == "openIdConnect" or bool(scheme.get("metadata_url"))
    return "client_id" in scheme.get("env", {}) and (discovered or bool(_LOGIN_FLOWS & flows.keys()))


def _credential(scheme: str, part: str, variable: str, catalog: Mapping[str, Any]) -> Variable:
    kind = catalog["auth"][scheme]["type"]
    return Variable(variable, part in _SECRET_PARTS, f"{part.replace('_', ' ')} of {scheme} ({kind})")
