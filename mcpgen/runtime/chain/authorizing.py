"""Link: the caller's token must have the scopes that the tool needs."""

from __future__ import annotations

import logging
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token

from ..call import Call
from ..outcomes.failures import refused
from ..outcomes.result import Result
from ..serving.scopes import scopes_of_call
from .model import Following

log = logging.getLogger(__name__)


async def authorized(call: Call, following: Following) -> Result[Any]:
    """Refuses a call over HTTP whose caller lacks a scope; over standard input there are no tokens.

    Newer clients are mostly refused before, by an HTTP status that lets them ask for more. Scopes can be addresses, so
    the model is not told which are missing.
    """
    if getattr(call.context, "request", None) is not None:
        token = get_access_token()
        needed = scopes_of_call(call.app.settings, call.operation.effect, call.policy.scopes)
        missing = needed.difference(token.scopes if token is not None else ())
        if missing:
            log.info("%s: the caller's token lacks %s", call.trace_id, " ".join(sorted(missing)))
            raise refused("The caller's access token does not allow this tool. Nothing was sent.")
    return await following(call)
