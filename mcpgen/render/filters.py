"""The only ways by which spec text reaches a generated file: each escapes for one target language.

A template that prints `SpecText` without one of these filters fails (see `environment.finalize`). The filters are
the border of trust: whatever the text holds, it stays data.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from typing import Any

from mcpgen.plan.model import Code

_WIDTH = 96
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|!~$&])")
_TOML_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Escaped(str):
    """Text that is safe where it stands."""

    __slots__ = ()


def py(value: Any) -> Escaped:
    """A Python literal: text, numbers, True, False, None, lists and dicts of these."""
    if isinstance(value, str):
        return Escaped(Code.string(value))
    if value is None or isinstance(value, bool | int | float):
        return Escaped(repr(value))
    if isinstance(value, list | tuple):
        return Escaped("[" + ", ".join(py(item) for item in value) + "]")
    if isinstance(value, dict):
        return Escaped("{" + ", ".join(f"{py(str(k))}: {py(v)}" for k, v in value.items()) + "}")
    raise TypeError(f"no Python literal for {type(value).__name__}")


def docstring(value: str, indent: int = 4) -> Escaped:
    """The inside of a triple-quoted string, wrapped; quotes and backslashes are escaped, control characters gone."""
    paragraphs = [
        _SPACES.sub(" ", _CONTROL.sub(" ", part)).strip() for part in re.split(r"\n\s*\n", str(value))
    ]
    wrapped = [
        "\n".join(textwrap.wrap(part, _WIDTH - indent, break_long_words=False, break_on_hyphens=False))
        for part in paragraphs
        if part
    ]
    text = "\n\n".join(wrapped).replace("\\", "\\\\").replace('"', '\\"' if '"""' in str(value) else '"')
    if text.endswith('"') and not text.endswith('\\"'):
        text = text[:-1] + '\\"'
    pad = " " * indent
    return Escaped(
        "\n".join(pad + line if line and number else line for number, line in enumerate(text.split("\n")))
    )


def toml(value: str) -> Escaped:
    """A TOML basic string (TOML 1.0); JSON's escapes are a subset of its own."""
    text = json.dumps(_CONTROL.sub(" ", str(value)), ensure_ascii=False)
    return Escaped(_TOML_CONTROL.sub(" ", text))


def line(value: str) -> Escaped:
    """One line of plain text for a comment or an `.env` file: no line ends, no control characters."""
    return Escaped(_SPACES.sub(" ", _CONTROL.sub(" ", str(value))).strip())


def markdown(value: str) -> Escaped:
    """Text in Markdown that shows as it is: every character with a meaning is escaped, also for HTML."""
    return Escaped(_MARKDOWN.sub(r"\\\1", line(value)))


def code(value: str) -> Escaped:
    """A Markdown code span, safe inside table cells too."""
    text = line(value).replace("|", "¦")
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return Escaped(f"{fence}{space}{text}{space}{fence}")


def names(values: Iterable[str]) -> Escaped:
    """A comma-separated list of our own code or of identifiers, for imports.

    Raises:
        TypeError: a value is neither.
    """
    found = list(values)
    if not all(isinstance(value, Code) or value.isidentifier() for value in found):
        raise TypeError(f"{found!r:.60} are no names")
    return Escaped(", ".join(found))


FILTERS = {
    "names": names,
    "py": py,
    "docstring": docstring,
    "toml": toml,
    "line": line,
    "markdown": markdown,
    "code": code,
}
