"""Puts a payload into places of a document."""

from __future__ import annotations

import copy
from typing import Any

from .payloads import PAYLOADS, VENDOR_KEYS
from .positions import Spot


def inject(document: Any, spots: list[Spot], payload: str) -> Any:
    """The document with a payload at each of these places: after what is there, or instead of nothing."""
    changed = copy.deepcopy(document)
    keys: list[tuple[Any, str, str]] = []
    for spot in spots:
        node = changed
        for step in spot.path:
            node = node[step]
        if spot.position.endswith("{key}"):
            keys.append((node, str(spot.key), f"{spot.key}{payload}"))
        elif spot.position.endswith(".x-"):
            node[f"x-{payload}"] = {"text": payload, payload: [payload]}
            if payload == PAYLOADS["vendor keys"] and "schema" in spot.position.lower():
                node.update(VENDOR_KEYS)
        else:
            node[spot.key] = _poisoned(node.get(spot.key), payload, spot.position.endswith("[]"))
    for node, old, new in keys:  # last: until then, paths lead through the old keys
        node[new] = node.pop(old)
    return changed


def _poisoned(old: Any, payload: str, in_list: bool) -> Any:
    """What stands there, and the payload: after a text, as one more item or key, or instead of anything else."""
    if isinstance(old, list):
        return [*old, payload]
    if isinstance(old, dict):
        return {**old, payload: payload}
    if isinstance(old, str):
        return f"{old}{payload}"
    return [payload] if in_list else payload
