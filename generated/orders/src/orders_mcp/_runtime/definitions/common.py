"""What several formats do: names, lengths of descriptions, roots of schemas without choices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .model import Finding, Kind, step

_AT_THE_ROOT = ("anyOf", "oneOf", "allOf", "not", "enum", "const")
"""OpenAI and Anthropic refuse these at the root of the parameters."""


def named(name: str, pattern: str) -> list[Finding]:
    """A finding when the API does not take the name."""
    if re.fullmatch(pattern, name):
        return []
    return [Finding(Kind.REFUSED, name, "", f"the name does not match {pattern}")]


def described(name: str, text: str, longest: int) -> tuple[str, list[Finding]]:
    """The description within its bound, cut at the end of a word."""
    if len(text) <= longest:
        return text, []
    cut = text[: longest - 1]
    shorter = (cut[: cut.rfind(" ")] if " " in cut else cut).rstrip() + "…"
    told = f"the description has {len(text)} characters, more than {longest}"
    return shorter, [Finding(Kind.SHORTENED, name, "", told)]


def rootless(name: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """The schema without what its root may not have."""
    kept = {key: value for key, value in schema.items() if key not in _AT_THE_ROOT}
    left_out = [key for key in schema if key not in kept]
    findings = [Finding(Kind.LOOSENED, name, step("", key), f"`{key}` at the root") for key in left_out]
    return {"properties": {}, **kept, "type": "object"}, findings
