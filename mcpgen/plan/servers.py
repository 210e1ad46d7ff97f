"""Where requests go: the document's servers and those of single operations, with what the operator can set.

The sources are OpenAPI 3.2, Server Object and Server Variable Object, and its section on relative API URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcpgen.diagnostics import Collector, Location
from mcpgen.ir.api import Api, Server
from mcpgen.plan.model import ServerPlan, ServerVariablePlan, SpecText
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.naming.names import env_names
from mcpgen.urls import problem_with_base_url, resolved

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_AFTER_PATH = re.compile(r"[?#].*", re.DOTALL)
_NAME_WORDS = 4


@dataclass(frozen=True, slots=True)
class ServerPlans:
    """All that is known of servers.

    Attributes:
        base_url: the first server with every variable at its default; None when the operator has to give it.
        document: the document's servers, in its order.
        variables: the environment variable of each server variable, by the name in the document.
    """

    base_url: str | None
    document: tuple[ServerPlan, ...]
    variables: Mapping[str, str]

    def own(self, servers: Sequence[Server]) -> tuple[ServerPlan, ...]:
        """The servers that an operation or its path has instead of the document's."""
        return _planned(servers, self.base_url, self.variables)


def plan_servers(
    api: Api,
    given: str | None,
    retrieved_from: str | None,
    prefix: str,
    taken: Sequence[str],
    diagnostics: Collector,
) -> ServerPlans:
    """The servers of a document.

    Args:
        api: whose first server counts unless the operator chooses another one.
        given: `--server-url`: the server when the document names none, and the base of relative ones.
        retrieved_from: the URL from which the document came. It is the base of relative servers, and a document
            without servers has the one server `/` (OpenAPI 3.2, OpenAPI Object, `servers`).
        prefix: what environment variables begin with.
        taken: environment variables that have a meaning already.
        diagnostics: hears when the operator has to set the base URL.
    """
    variables = {
        name: variable
        for (_, name), variable in env_names(
            prefix, [("server", name) for name in sorted(set(_variable_names(api)))], taken
        ).items()
    }
    base = given or retrieved_from
    _report_queries(api, diagnostics)
    if not api.servers:
        found = given or resolved("/", retrieved_from)
        if found is None:
            _missing(diagnostics, api.origin, "the document names no server")
        return ServerPlans(found, (), variables)
    document = _planned(api.servers, base, variables)
    first = default_url(document[0])
    if first is None:
        _missing(diagnostics, api.origin, _unusable(document[0]))
    return ServerPlans(first, document, variables)


def default_url(server: ServerPlan) -> str | None:
    """The URL of a server with every variable at its default; None when that is no absolute address."""
    if any(variable.default is None for variable in server.variables.values()):
        return None
    return resolved(_filled(server), None)


def _report_queries(api: Api, diagnostics: Collector) -> None:
    """A server's URL can have no query or fragment (OpenAPI 3.2, Server Object, `url`): paths are put behind it."""
    servers = (*api.servers, *(server for operation in api.operations for server in operation.servers))
    for url in dict.fromkeys(server.url for server in servers if _AFTER_PATH.search(server.url)):
        message = f"the server {url!r} has a query or fragment, which is left out"
        diagnostics.add("spec-repaired", message, api.origin)


def _filled(server: ServerPlan) -> str:
    return _VARIABLE.sub(lambda match: server.variables[match.group(1)].default or "", server.url)


def _variable_names(api: Api) -> Iterator[str]:
    for server in (*api.servers, *(server for operation in api.operations for server in operation.servers)):
        yield from _VARIABLE.findall(server.url)


def _planned(
    servers: Sequence[Server], base: str | None, variables: Mapping[str, str]
) -> tuple[ServerPlan, ...]:
    names: set[str] = set()
    plans = []
    for server in servers:
        name = _name(server)
        if name.casefold() in names:  # the second of two equal names is known by its number only
            name = ""
        names.add(name.casefold())
        plan = ServerPlan(
            _AFTER_PATH.sub("", server.url.strip()),
            name,
            SpecText(server.description),
            _variables(server, variables),
        )
        if resolved(_filled(plan), None) is None:
            plan = ServerPlan(resolved(plan.url, base) or plan.url, name, plan.description, plan.variables)
        plans.append(plan)
    return tuple(plans)


def _variables(server: Server, names: Mapping[str, str]) -> dict[str, ServerVariablePlan]:
    """The variables that the URL uses. One that the document does not define has no default: it must be set."""
    found = {}
    for name in dict.fromkeys(_VARIABLE.findall(server.url)):
        told = server.variables.get(name)
        found[name] = ServerVariablePlan(
            env=names[name],
            default=told.default if told is not None else None,
            enum=told.enum if told is not None else (),
            description=SpecText(told.description if told is not None else ""),
        )
    return found


def _name(server: Server) -> str:
    """What the operator calls a server: its `name` (OpenAPI 3.2), else the first words of its description."""
    if server.name.strip():
        return server.name.strip()
    words = [word for word in split_words(server.description) if word not in ("server", "environment", "the")]
    return "-".join(words[:_NAME_WORDS])


def _unusable(server: ServerPlan) -> str:
    unset = [name for name, variable in server.variables.items() if variable.default is None]
    if unset:
        return f"the document's server {server.url!r} has no value for {', '.join(unset)}"
    url = _filled(server)
    return f"the document's server {url!r} {problem_with_base_url(url)}"


def _missing(diagnostics: Collector, origin: Location, reason: str) -> None:
    diagnostics.add(
        "server-missing",
        f"{reason}; the server needs the base URL when it starts",
        origin,
        hint="give --server-url, or set the BASE_URL variable when running",
    )
