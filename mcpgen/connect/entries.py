"""A server's entry in the words of one client."""

from __future__ import annotations

from typing import Any

from mcpgen.connect.clients import Client
from mcpgen.connect.model import Entry, Server

PATH = "PYTHONPATH"


def entry_for(client: Client, server: Server) -> Entry:
    """The entry. No secret is in it: what has to be set is referred to, asked for, or left empty.

    An empty value counts as not set for a generated server, so that a call says what is missing; a made-up one would be
    sent to the API. The client must be able to hold an address when the server has one (`Client.url`).
    """
    if server.url is not None:
        assert client.url is not None
        kind = {"type": client.http_type} if client.http_type else {}
        return Entry({**kind, client.url: server.url, **client.more})
    assert server.launch is not None
    launch = server.launch
    # -P: clients start servers in the workspace, whose files must not be imported in place of the server's modules.
    value: dict[str, Any] = {"type": client.stdio_type} if client.stdio_type else {}
    value |= {"command": launch.python, "args": ["-P", "-m", launch.package]}
    env = {PATH: launch.path} if launch.path else {}
    wanted = [variable for variable in server.variables if variable.name not in server.given]
    inputs: list[dict[str, Any]] = []
    for variable in wanted:
        if client.asks:
            name = f"{server.name}-{variable.name.lower().replace('_', '-')}"
            env[variable.name] = f"${{input:{name}}}"
            inputs.append(
                {
                    "type": "promptString",
                    "id": name,
                    "description": f"{variable.name}: {variable.meaning}",
                    "password": variable.secret,
                }
            )
        elif not client.forwards:
            env[variable.name] = client.reference.format(variable.name)
    env |= server.given
    if env:
        value["env"] = env
    if client.forwards and wanted:
        value["env_vars"] = [variable.name for variable in wanted]
    value |= client.more
    return Entry(value, tuple(inputs), frozenset(variable.name for variable in wanted))
