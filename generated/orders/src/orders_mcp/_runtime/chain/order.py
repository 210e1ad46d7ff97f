"""The chain around every call, top to bottom."""

from __future__ import annotations

from ..app import App
from ..observe.link import Observed
from .admitting import admitted
from .authorizing import authorized
from .budget import bounded
from .caching import Caching
from .confirming import Confirmed
from .limiting import limited
from .model import Following, chained
from .once import Once
from .preparing import prepared
from .progressing import Progressing
from .repeating import Repeating
from .running import ToolFunctions
from .settling import settled
from .sizing import sized
from .taking import taken


def call_chain(app: App) -> Following:
    """What answers a call: every link once, the outermost first, and the tool's function in the middle."""
    once = Once(app)
    links = (
        Observed(app),  # what becomes of it is counted, audited and traced
        settled,  # failures and crashes become results, with a hint
        admitted,  # none begins when the server is about to end; the others are finished
        authorized,  # the caller's token has the scopes that the tool needs (HTTP only)
        Repeating(app),  # what failed twice for good is not sent a third time
        prepared,  # arguments are repaired and checked against the published schema
        taken,  # those that only this server knows are taken out
        limited,  # the others keep the operator's bounds
        Caching(app),  # an equal read may be answered from a cache
        once.known,  # an equal write that succeeded a short time ago is not sent again
        Confirmed(app),  # the user is asked, where the operator wants it
        once.guarded,  # of equal writes at the same time one goes on
        bounded,  # all that follows has one limit of time
        Progressing(),  # the client hears that a long call is under way
        sized,  # whatever comes back keeps the bound on what reaches the model
    )
    return chained(links, ToolFunctions(app))


def inner_chain(app: App) -> Following:
    """What answers a call that one tool makes of another: what the outer call has not seen to already."""
    links = (
        Observed(app),  # the request to the API is this tool's own
        settled,
        authorized,
        prepared,
        taken,
        limited,
        Caching(app),  # a write ends what was kept of its toolset, whoever makes it
        bounded,
    )
    return chained(links, ToolFunctions(app))
