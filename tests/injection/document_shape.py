"""What the other generated files may look like: they parse, and text of the description is data in them."""

from __future__ import annotations

import json
import re
import tomllib
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt

from .python_shape import Escape

_SETTING = re.compile(r"[A-Z][A-Z0-9_]*=[A-Za-z0-9_,.:/-]*")
_OFFERED = re.compile(r"# ?([A-Z][A-Z0-9_]*)=(.*)")
_UNSEEN = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_ACTIVE = {"html_block", "html_inline", "image", "link_open"}


@lru_cache(maxsize=512)
def no_hidden_characters(name: str, text: str) -> None:
    """Characters that end a line for some readers only, or that hide what stands there."""
    found = _UNSEEN.search(text)
    if found is not None:
        raise Escape(
            f"{name} holds U+{ord(found[0]):04X}: {text[max(0, found.start() - 40):found.start() + 40]!r}"
        )


def toml_shape(text: str) -> Any:
    """A `pyproject.toml` without the name, the version and the description of the project."""
    found = tomllib.loads(text)
    project = found["project"]
    if not all(isinstance(project.pop(key), str) for key in ("name", "version", "description")):
        raise Escape("pyproject.toml: a text is no text")
    ((_, target),) = project.pop("scripts").items()
    if not re.fullmatch(r"[a-z][a-z0-9_]*\.server:run", target):
        raise Escape(f"pyproject.toml: the command starts {target}")
    return json.loads(re.sub(r"[a-z0-9_]*_(?:mcp|api)\b|api_mcp", "package", json.dumps(found)))


def env_shape(text: str) -> list[str]:
    """The lines of `.env.example` without the values that are offered in comments; what a shell would run is an escape."""
    found = []
    for line in text.split("\n"):
        offered = _OFFERED.fullmatch(line)
        if offered and re.search(r"[$`;&|<>()]|\s#?\S", _unquoted(offered[2])):
            raise Escape(f".env.example: a shell would run a part of {offered[2]!r:.100}")
        if line and not line.startswith("#"):
            if not _SETTING.fullmatch(line):
                raise Escape(f".env.example: {line!r:.100}")
            found.append(line.partition("=")[2])
    return found


def _unquoted(value: str) -> str:
    """What stands outside single quotes."""
    return re.sub(r"'[^']*'", "", value.replace("'\"'\"'", "").replace("'\\''", ""))


@lru_cache(maxsize=512)
def markdown_shape(name: str, text: str) -> list[str]:
    """The blocks of a Markdown file.

    Raises:
        Escape: it holds a link, an image or HTML.
    """
    tokens = _MARKDOWN.parse(text)
    for token in tokens:
        for one in (token, *(token.children or ())):
            if one.type in _ACTIVE:
                raise Escape(f"{name}: {one.type}: {one.content or one.attrs!r:.100}")
    return [token.type for token in tokens if not token.type.startswith("inline")]
