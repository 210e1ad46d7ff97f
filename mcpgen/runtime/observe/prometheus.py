"""`/metrics` for Prometheus, in its text format. What it tells is names of tools and numbers."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..app import App

PATH = "/metrics"


def metrics_endpoint(app: App) -> Route | None:
    """The route to mount beside the MCP endpoint; None when the operator has not asked for it."""
    registry = app.observers.registry
    if registry is None:
        return None
    exposition = importlib.import_module("prometheus_client.exposition")  # an extra, known at run time only
    from starlette.responses import Response
    from starlette.routing import Route

    def answer(request: Request) -> Response:  # no coroutine, so it is run in a thread: reading takes a while
        encode, content_type = exposition.choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), headers={"Content-Type": content_type, "Cache-Control": "no-store"})

    return Route(PATH, answer, methods=["GET"])
