"""Which scopes a caller's token needs: some for everyone, some by effect, some for single tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from mcp.shared.inbound import MCP_METHOD_HEADER, MCP_NAME_HEADER, decode_header_value

from ..app import App
from ..setup.settings import Settings
from ..setup.variables import EFFECTS

_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


def is_scope(text: str) -> bool:
    """Whether the text can be a scope: printable ASCII without space, quote and backslash (RFC 6749, 3.3)."""
    return _SCOPE.fullmatch(text) is not None


def scopes_of_call(settings: Settings, effect: str, own: Iterable[str] = ()) -> frozenset[str]:
    """All that a call needs; `own` are those of the tool itself."""
    by_effect = settings.http_effect_scopes.get(effect, ())
    return frozenset((*settings.http_scopes, *by_effect, *own))


class Scopes:
    """What requests need, as far as their headers tell.

    Since 2026-07-28 a request names its method and tool in headers, which the SDK compares with the body. A call of
    another tool through a search tool, and every call of an older client, is checked when it is dispatched.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        settings = app.settings
        self.everyone = frozenset(settings.http_scopes)
        self._callers = {f"call_{effect}_tool": scopes_of_call(settings, effect) for effect in EFFECTS}

    def needed(self, headers: Mapping[str, str]) -> frozenset[str]:
        """What the request with these headers needs."""
        name = decode_header_value(headers.get(MCP_NAME_HEADER))
        if headers.get(MCP_METHOD_HEADER) != "tools/call" or name is None:
            return self.everyone
        if self._app.settings.mode == "search":
            return self._callers.get(name, self.everyone)
        return self._of_tool(name) if name in self._app.registered else self.everyone

    @cached_property
    def supported(self) -> list[str]:
        """All scopes that some request needs, for the metadata (RFC 9728, `scopes_supported`)."""
        found = set(self.everyone)
        for name in self._app.registered:
            found |= self._of_tool(name)
        return sorted(found)

    def _of_tool(self, name: str) -> frozenset[str]:
        return scopes_of_call(
            self._app.settings, self._app.catalog.effect(name), self._app.policy(name).scopes
        )
