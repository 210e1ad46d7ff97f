"""Texts of the configuration that reach generated files: overrides, `x-mcp`, phrases, settings, selections, overlays."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from mcpgen.config import Config

from .base import Document, document

FIXED = (
    "name",
    "effect",
    "theme",
    "mimeType",
    "sizes",
    "tool",
    "same",
    "annotations",
    "include",
    "split",
    "paging",
)
"""Keys of an override whose texts have a closed form: a name, a word of a list, a size."""


def override(payload: str) -> dict[str, Any]:
    """An override with every key that can hold free text, with a payload in each."""
    return {
        "title": f"Title{payload}",
        "purpose": f"Purpose.{payload}",
        "inputs": f"Inputs.{payload}",
        "limits": f"Limits.{payload}",
        "when_to_use": f"When.{payload}",
        "example": {"q": f"word{payload}"},
        "hints": {
            "404": {
                "tool": "create_note",
                "arguments": {"title": f"Note{payload}"},
                "text": f"Then.{payload}",
            }
        },
        "arguments": {
            "q": {"description": f"Words.{payload}", "default": f"a{payload}", "example": f"b{payload}"},
            "X-Team": {"fixed": f"red{payload}"},
            "limit": {"hidden": True, "examples": [7]},
        },
        "icons": [{"src": "https://example.com/icon.png"}],
        "_meta": {"note": payload, "more": {payload: [payload]}},
    }


def whole(payload: str) -> dict[str, Any]:
    """The other form of the texts: one description in place of its parts, and an example in words."""
    return {"description": f"Description.{payload}", "example": f"Example.{payload}"}


def with_extension(said: Mapping[str, Any]) -> Document:
    """The document whose operation says this under `x-mcp`."""
    found = document("3.1")
    found["paths"]["/notes"]["get"]["x-mcp"] = said
    return found


def with_operations(said: Mapping[str, Any]) -> Config:
    """The configuration that says this about an operation."""
    return Config(operations={"listNotes": said})


def phrases(folder: Path, payload: str) -> Path:
    """A team's catalogue: each English phrase with a payload behind it, whose braces are text."""
    text = (files("mcpgen.plan.texts") / "catalogues" / "en.toml").read_text("utf-8")
    quoted = payload.replace("{", "{{").replace("}", "}}")
    lines: list[str] = []
    for section, content in tomllib.loads(text).items():
        if section != "language":
            table = content if isinstance(content, dict) else {}
            lines += (
                [f"{json.dumps(section)} = {_toml(content + quoted)}"] if isinstance(content, str) else []
            )
            lines += [
                f"{section}.{json.dumps(key)} = {_toml(value + quoted)}"
                for key, value in table.items()
                if isinstance(value, str)
            ]
    path = folder / "phrases.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _toml(text: str) -> str:
    escaped = json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False)
    return escaped.replace("\x7f", "\\u007f")


def overlay(folder: Path, payload: str) -> Path:
    """An overlay that puts a payload where texts are, by several kinds of paths."""
    texts = {"summary": payload, "description": payload, f"x-{payload}": payload}
    actions = [
        {"target": "$.info", "update": {"title": f"Notes{payload}", "description": payload}},
        {"target": "$.paths['/notes'].get", "update": texts},
        {"target": "$.paths[*][?@.deprecated == true]", "description": payload, "remove": True},
        {"target": "$.tags[0]", "update": {"description": payload}},
    ]
    path = folder / "overlay.json"
    content = {"overlay": "1.0.0", "info": {"title": payload, "version": payload}, "actions": actions}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
