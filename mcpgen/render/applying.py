"""Whether a project has anything that one of its files would be about: tests of pages in a project without a list are noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.plan.model import PackagePlan

_OF_A_PERSON = {"authorizationCode", "deviceAuthorization"}


def has_pages(plan: PackagePlan) -> bool:
    """Whether a tool gives a list page by page."""
    return any(tool.paging and tool.paging.argument is not None for tool in plan.tools)


def has_logins(plan: PackagePlan) -> bool:
    """Whether a tool is called with the login of a person alone (OAuth 2.0: authorization code, device authorization)."""
    return any(_OF_A_PERSON & (scheme.get("flows") or {}).keys() for scheme in _sufficient(plan))


def has_own_tokens(plan: PackagePlan) -> bool:
    """Whether a tool is called with a token alone that the server gets for itself (OAuth 2.0: client credentials)."""
    return any(
        "client_secret" in scheme["env"]
        and ("clientCredentials" in (scheme.get("flows") or {}) or scheme.get("token_url"))
        for scheme in _sufficient(plan)
    )


def _sufficient(plan: PackagePlan) -> Iterator[Mapping[str, Any]]:
    """OAuth 2.0 schemes that are all that some tool needs, as the catalogue has them."""
    alone = {
        name
        for tool in plan.tools
        for alternative in tool.security
        if len(alternative) == 1
        for name in alternative
    }
    for auth in plan.auth:
        if auth.scheme in alone and auth.entry["type"] == "oauth2":
            yield {**auth.entry, "env": auth.env}
