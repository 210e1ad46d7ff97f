"""Compares copied templates with the built-in ones of today: what the team has changed, and what mcpgen has since."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcpgen.render.layers import Layer
from mcpgen.templating.ejecting import ORIGINS, Record, read_header, sha256


@dataclass(frozen=True, slots=True)
class Comparison:
    """One copied template.

    Attributes:
        layer, template: which one.
        record: what its header says.
        ours: what the team has changed since it was copied, as a unified diff; None where the text of then is lost.
        theirs: what mcpgen has changed since; None where that is lost, or the built-in template is gone.
        gone: the built-in template is no longer there.
        behind: the built-in template is another one than the one that was copied.
    """

    layer: str
    template: str
    record: Record
    ours: str | None
    theirs: str | None
    gone: bool
    behind: bool


def compare(stack: Sequence[Layer], template: str | None = None) -> Iterator[Comparison]:
    """The copied templates of all layers, or those of one path.

    Raises:
        OSError, UnicodeDecodeError: one cannot be read.
    """
    default = stack[-1]
    for layer in stack[:-1]:
        for path in layer.files:
            if template not in {None, path} or not path.endswith(".jinja"):
                continue
            record, text = read_header(layer.path(path).read_text("utf-8"))
            if record is not None:
                yield _comparison(layer, path, record, text, default)


def _comparison(layer: Layer, path: str, record: Record, text: str, default: Layer) -> Comparison:
    gone = record.path not in default.files
    now = "" if gone else default.path(record.path).read_text("utf-8")
    behind = gone or sha256(now) != record.sha256
    then = _origin(layer, record) if behind else now
    ours = None if then is None else _diff(then, text, f"mcpgen {record.version}", layer.name)
    theirs = None if then is None or gone else _diff(then, now, f"mcpgen {record.version}", "mcpgen now")
    return Comparison(layer.name, path, record, ours, theirs, gone, behind)


def _origin(layer: Layer, record: Record) -> str | None:
    """The built-in text that was copied, when it is kept and is really that."""
    try:
        text = (layer.folder / ORIGINS / record.path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if sha256(text) == record.sha256 else None


def _diff(before: str, after: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm="")
    return "\n".join(lines)
