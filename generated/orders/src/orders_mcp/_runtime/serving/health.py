"""`/healthz` and `/readyz` for whoever runs the server. They need no token and no known host, and tell nothing else."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from ..app import App

_FRESH = {"Cache-Control": "no-store"}


def health_routes(app: App) -> list[Route]:
    """The process lives; and it can take calls: it is up, is not about to end, and knows where its API is."""

    async def alive(_: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"}, headers=_FRESH)

    async def ready(_: Request) -> JSONResponse:
        if app.traffic.serving and not app.traffic.ending and _has_address(app):
            return JSONResponse({"status": "ok"}, headers=_FRESH)
        return JSONResponse({"status": "unavailable"}, 503, headers=_FRESH)

    return [Route("/healthz", alive, methods=["GET"]), Route("/readyz", ready, methods=["GET"])]


def _has_address(app: App) -> bool:
    """Whether at least one tool can reach its API."""
    if app.servers.default is not None:
        return True
    return any(app.servers.url(app.operation(name)) is not None for name in app.registered)
