"""The only ways by which spec text reaches a generated file: each escapes for some languages (`languages.FILTERS_FOR`).

A template that prints `SpecText` without one of these filters fails (see `environment.finalizer`). The filters are
the border of trust: whatever the text holds, it stays data.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mcpgen.plan.model import Code

_WIDTH = 96
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufdd0-\ufdef]"
)
"""Control characters, those that change the order in which text is shown (CVE-2021-42574), and characters that are none
(the last range marks places in `render.marks`)."""
_SPACES = re.compile(r"\s+")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|!~$&])")
_TOML_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_WORD = re.compile(r"[A-Za-z0-9_@%+=:,./-]*")


class Escaped(str):
    """Text that is safe in the places that the filter `by` is for."""

    by: str

    def __new__(cls, text: str, by: str) -> Escaped:
        escaped = super().__new__(cls, text)
        escaped.by = by
        return escaped


def py(value: Any) -> Escaped:
    """A Python literal: text, numbers, True, False, None, lists and dicts of these."""
    if isinstance(value, str):
        return Escaped(Code.string(value), "py")
    if value is None or isinstance(value, bool | int | float):
        return Escaped(repr(value), "py")
    if isinstance(value, list | tuple):
        return Escaped("[" + ", ".join(py(item) for item in value) + "]", "py")
    if isinstance(value, dict):
        return Escaped("{" + ", ".join(f"{py(str(k))}: {py(v)}" for k, v in value.items()) + "}", "py")
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
    escaped = '"""' in str(value)
    text = "\n\n".join(wrapped).replace("\\", "\\\\").replace('"', '\\"' if escaped else '"')
    if text.endswith('"') and not escaped:
        text = text[:-1] + '\\"'
    pad = " " * indent
    lines = text.split("\n")
    return Escaped(
        "\n".join(pad + line if line and number else line for number, line in enumerate(lines)), "docstring"
    )


def toml(value: str) -> Escaped:
    """A TOML basic string (TOML 1.0); JSON's escapes are a subset of its own."""
    text = json.dumps(_CONTROL.sub(" ", str(value)), ensure_ascii=False)
    return Escaped(_TOML_CONTROL.sub(" ", text), "toml")


def line(value: str) -> Escaped:
    """One line of plain text for a comment or an `.env` file: no line ends, no control characters."""
    return Escaped(_SPACES.sub(" ", _CONTROL.sub(" ", str(value))).strip(), "line")


def markdown(value: str) -> Escaped:
    """Text in Markdown that shows as it is: every character with a meaning is escaped, also for HTML."""
    return Escaped(_MARKDOWN.sub(r"\\\1", line(value)), "markdown")


def code(value: str) -> Escaped:
    """A Markdown code span, safe inside table cells too."""
    text = line(value).replace("|", "¦")
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return Escaped(f"{fence}{space}{text}{space}{fence}", "code")


def names(values: Iterable[str]) -> Escaped:
    """A comma-separated list of our own code or of identifiers, for imports.

    Raises:
        TypeError: a value is neither.
    """
    found = list(values)
    if not all(isinstance(value, Code) or value.isidentifier() for value in found):
        raise TypeError(f"{found!r:.60} are no names")
    return Escaped(", ".join(found), "names")


def json_text(value: Any) -> Escaped:
    """A JSON value: text, numbers, true, false, null, arrays and objects of these."""
    return Escaped(json.dumps(_clean(value), ensure_ascii=False), "json")


def yaml(value: Any) -> Escaped:
    """A YAML value on one line, in double quotes where it is text, so that `no` and `1e3` stay text (YAML 1.2, 7.3.1)."""
    return Escaped(json.dumps(_clean(value), ensure_ascii=False), "yaml")


def sh(value: str) -> Escaped:
    """One word for a POSIX shell, always in single quotes; line ends become spaces. It must stand outside of quotes."""
    quoted = line(value).replace("'", "'\\''")
    return Escaped(f"'{quoted}'", "sh")


def setting(value: str) -> Escaped:
    """A value that is offered in a comment of a file of settings: in single quotes where a shell would not take it for one word."""
    text = line(value)
    return Escaped(text if _WORD.fullmatch(text) else str(sh(text)), "line")


def docker(value: str) -> Escaped:
    """A value for LABEL, ENV or ARG of a Dockerfile, in double quotes; no variable in it is replaced."""
    return Escaped('"' + re.sub(r'([\\"$])', r"\\\1", line(value)) + '"', "docker")


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _CONTROL.sub(" ", str(value))
    if isinstance(value, Mapping):
        return {_CONTROL.sub(" ", str(key)): _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list | tuple) else value


FILTERS: Mapping[str, Callable[..., Escaped]] = {
    "names": names,
    "py": py,
    "docstring": docstring,
    "toml": toml,
    "line": line,
    "markdown": markdown,
    "code": code,
    "json": json_text,
    "yaml": yaml,
    "sh": sh,
    "setting": setting,
    "docker": docker,
}
