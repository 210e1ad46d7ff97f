"""Link: equal reads within a short time can be answered from a cache (`cache_seconds` in a tool's policy)."""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import replace
from typing import Any

import anyio

from ..app import App
from ..call import Call
from ..memory.call_keys import call_key, toolset_wide_key
from ..memory.stored import read, success_as_json, success_from_json, written
from ..outcomes.result import Result
from .model import Following

log = logging.getLogger(__name__)

_PATIENCE = 2.0
"""Seconds that a store gets after a call that was cut off."""


class Caching:
    """Keeps successes of reads, for each caller and its arguments, until the time is over or its toolset is written to.

    Failures are not kept, nor answers with content of their own (images, files).
    """

    def __init__(self, app: App) -> None:
        self._app = app
        sections = app.settings.policies.sections.values()
        self._longest = max((section.get("cache_seconds", 0) for section in sections), default=0)

    async def __call__(self, call: Call, following: Following) -> Result[Any]:
        if not self._longest:
            return await following(call)
        if call.operation.effect != "read":
            return await self._write(call, following)
        if not call.policy.cache_seconds:
            return await following(call)
        try:
            version = await self._app.store.get(toolset_wide_key("version", call)) or ""
            key = call_key("cached", call, call.own_arguments, version)
            kept = None if key is None else _kept(await self._app.store.get(key))
        except Exception:
            log.exception("%s: the cache can't be read", call.trace_id)
            return await following(call)
        if kept is not None:
            call.record.source = "cache"
            return kept
        result = await following(call)
        if key is not None and result.ok and not result.attachments:
            await self._keep(call, key, result)
        return result

    async def _keep(self, call: Call, key: str, result: Result[Any]) -> None:
        told = {"at": time.time(), "result": success_as_json(result)}
        try:
            await self._app.store.put(key, written(told), call.policy.cache_seconds)
        except Exception:
            log.exception("%s: the answer can't be kept", call.trace_id)

    async def _write(self, call: Call, following: Following) -> Result[Any]:
        """After a write, however it ended, nothing that was read before is given again."""
        try:
            return await following(call)
        finally:
            with anyio.move_on_after(_PATIENCE, shield=True):
                try:
                    key = toolset_wide_key("version", call)
                    await self._app.store.put(key, secrets.token_hex(8), self._longest)
                except Exception:
                    log.exception("%s: the cache can't be emptied", call.trace_id)


def _kept(text: str | None) -> Result[Any] | None:
    told = read(text)
    if told is None:
        return None
    try:
        result = success_from_json(told["result"])
        age = max(0, round(time.time() - told["at"]))
    except (KeyError, TypeError, ValueError):
        return None
    seconds = "1 second" if age == 1 else f"{age} seconds"
    return replace(result, notes=(*result.notes, f"This answer is {seconds} old: it comes from a cache."))
