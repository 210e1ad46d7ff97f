"""Which tools there are, by the operator's word: effects, toolsets, names. No other one is listed or can be called."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from fnmatch import fnmatchcase

from ..catalog import Catalog
from .settings import Settings

log = logging.getLogger(__name__)


def registered_tools(catalog: Catalog, settings: Settings) -> frozenset[str]:
    """Names of the tools that everything allows and nothing denies.

    A pattern that no tool has is not wrong, since the API may still get one; but the log tells.
    """
    for variable, patterns in (("TOOLS", settings.tools), ("DENY_TOOLS", settings.deny_tools)):
        for pattern in patterns:
            if not any(fnmatchcase(name, pattern) for name in catalog.tool_by_name):
                log.warning("%s_%s: no tool matches %s", catalog.server.env_prefix, variable, pattern)
    registered = allowed_tools(catalog, settings)
    if not registered:
        log.warning("no tool is registered: what is allowed and what is denied leaves none")
    return registered


def allowed_tools(catalog: Catalog, settings: Settings) -> frozenset[str]:
    """The same without a word in the log."""
    effects = settings.allow_effects & {"read"} if settings.read_only else settings.allow_effects
    return frozenset(
        name
        for name in catalog.select(effects, settings.toolsets)
        if (not settings.tools or _among(name, settings.tools)) and not _among(name, settings.deny_tools)
    )


def _among(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
