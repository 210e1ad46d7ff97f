"""What a person still has to do after the entry is in place."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from mcpgen.connect.clients import Client
from mcpgen.connect.model import Launch, Needs, Variable


def notes(
    client: Client, needs: Needs, open_: Sequence[Variable], launch: Launch | None, *, shared: bool
) -> Iterator[str]:
    """One sentence or two for each thing: what to set and where, what else would do, logging in, starting.

    `shared` says that the file is that of a workspace, which a team may have in common.
    """
    if launch is not None:
        for variable in open_:
            yield f"Set {variable.name}: {variable.meaning}."
        if open_:
            yield _where(client, any(variable.secret for variable in open_))
        if needs.alternatives:
            yield f"Some tools would also do with {' or '.join(needs.alternatives)}."
        if needs.login:
            path = f"PYTHONPATH={shlex.quote(launch.path)} " if launch.path else ""
            command = f"{path}{shlex.quote(launch.python)} -P -m {launch.package} login"
            yield f"Log in once for {', '.join(needs.login)}, with the same variables set: {command}"
        if shared:
            yield "The paths in the file are those of this machine; whoever shares the workspace needs others."
    if client.after:
        yield client.after


def _where(client: Client, secret: bool) -> str:
    if client.asks:
        return f"{client.title} asks for it when the server starts, and keeps what you type out of the file."
    if client.reference or client.forwards:
        return f"{client.title} takes it from the environment that it is started in; the file only names it."
    risk = " A secret there is plain text: let nobody else read the file." if secret else ""
    return f"{client.title} cannot take it from elsewhere: fill in the empty value in the file.{risk}"
