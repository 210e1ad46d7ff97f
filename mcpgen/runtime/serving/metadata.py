"""Protected-resource metadata (RFC 9728): tells clients whose tokens they need, and with which scopes."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, request_response

from ..app import App
from .access import verifies
from .scopes import Scopes

_WELL_KNOWN = "/.well-known/oauth-protected-resource"
_KEPT = 3600


def metadata_url(resource: str) -> str:
    """Where the metadata of a resource is: the well-known part goes between host and path (RFC 9728, 3.1)."""
    parts = urlsplit(resource)
    return f"{parts.scheme}://{parts.netloc}{_WELL_KNOWN}{parts.path.rstrip('/')}"


def metadata_routes(app: App) -> list[Route]:
    """Where clients look for it: by the public URL, by the path here, which a proxy may have changed, and without one."""
    settings = app.settings
    if not verifies(settings) or settings.http_url is None:
        return []
    document = {
        "resource": settings.http_url,
        "authorization_servers": [settings.http_issuer],
        "scopes_supported": Scopes(app).supported,
        "bearer_methods_supported": ["header"],
        "resource_name": app.catalog.server.title,
    }
    answer = {name: value for name, value in document.items() if value != []}

    async def metadata(_: Request) -> JSONResponse:
        return JSONResponse(answer, headers={"Cache-Control": f"public, max-age={_KEPT}"})

    public = CORSMiddleware(request_response(metadata), allow_origins=["*"], allow_headers=["*"])
    paths = (urlsplit(metadata_url(settings.http_url)).path, f"{_WELL_KNOWN}/mcp", _WELL_KNOWN)
    return [Route(path, endpoint=public, methods=["GET", "OPTIONS"]) for path in dict.fromkeys(paths)]
