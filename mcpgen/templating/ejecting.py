"""Copies built-in templates into a layer: whole ones with a record of where they are from, or ones that extend."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import mcpgen
from mcpgen.emit.single import ChangedMeanwhile, replace_file
from mcpgen.render.environment import TemplateEnvironment
from mcpgen.render.inheritance import block_names
from mcpgen.render.languages import Language
from mcpgen.render.layers import Layer

ORIGINS = ".mcpgen/origins"
"""In a layer: the built-in templates as they were when they were copied, so that later both sides can be compared."""
_HEADER = re.compile(
    r"^\{# Copied by mcpgen (?P<version>\S+) from (?P<path>\S+), sha256 (?P<sha256>[0-9a-f]{64})\. #\}[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)


class EjectError(Exception):
    """Nothing was written, for this reason."""


@dataclass(frozen=True, slots=True)
class Record:
    """What the header of a copy says: the version of mcpgen, the template, and the SHA-256 of its text then."""

    version: str
    path: str
    sha256: str


def eject(
    default: Layer, path: str, folder: Path, *, extend: bool = False, force: bool = False
) -> tuple[Path, ...]:
    """Copies a built-in template into the folder of a layer.

    Args:
        default: the built-in layer.
        path: the template in it.
        folder: the layer that gets it; made when it is missing.
        extend: write a template that extends it, with every block as it is, in place of a copy.
        force: replace a file that is there.

    Returns:
        The files that were written.

    Raises:
        EjectError: a file is there already.
        OSError: a file cannot be written.
    """
    text = default.path(path).read_text("utf-8")
    target = folder / path
    if target.exists() and not force:
        raise EjectError(f"{target} is there already; --force replaces it")
    if extend:
        _put(target, _extending(default, path, text))
        return (target,)
    origin = folder / ORIGINS / path
    _put(origin, text)
    _put(target, f"{header(path, text)}{text}")
    return target, origin


def header(path: str, text: str) -> str:
    """The first line of a copy; Jinja leaves nothing of it. Teams may put a licence above it."""
    return f"{{# Copied by mcpgen {mcpgen.__version__} from {path}, sha256 {sha256(text)}. #}}\n"


def read_header(text: str) -> tuple[Record | None, str]:
    """What a copy says of itself, in its first line or below lines of the team, and its text without that."""
    match = _HEADER.search(text)
    if match is None:
        return None, text
    record = Record(match["version"], match["path"], match["sha256"])
    return record, text[: match.start()] + text[match.end() :]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _extending(default: Layer, path: str, text: str) -> str:
    blocks = dict.fromkeys(block_names(TemplateEnvironment((default,), Language.OTHER), text))
    if not blocks:
        raise EjectError(f"{path} has no blocks; copy it as a whole")
    body = "".join(f"{{% block {name} %}}\n{{{{ super() -}}}}\n{{% endblock %}}\n" for name in blocks)
    return f'{{% extends "super:{path}" %}}\n{{# Keep the blocks that you change; the others follow mcpgen. #}}\n{body}'


def _put(path: Path, text: str) -> None:
    data = text.encode()
    before = path.read_bytes() if path.exists() else None
    if before == data:
        return
    try:
        replace_file(path, before, data)
    except ChangedMeanwhile as error:
        raise EjectError(f"{path} was changed by another program meanwhile") from error
