"""The path of a request (OpenAPI 3.2, Path Templating, Style Values)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mcpgen.cases.wire.expansion import DELIMITERS, OPERATORS, defined, delimited, expanded
from mcpgen.cases.wire.queries import content
from mcpgen.cases.wire.texts import RESERVED_IN_PATH, UNRESERVED, NoSpelling, escaped, reserved_expansion
from mcpgen.plan.model import ParameterWire

_IN_TEMPLATE = UNRESERVED | RESERVED_IN_PATH | frozenset("/%")
_DOTS = re.compile(r"(?:^|[/\\])\.{1,2}(?=$|[/\\])")


def path_and_query(
    template: str, wires: Mapping[str, ParameterWire], values: Mapping[str, Any]
) -> tuple[str, list[str]]:
    """The filled path with a slash in front, and the parts of the query that the template itself has.

    Raises:
        NoSpelling: a placeholder has no value or an empty one, or the path has a segment that means another place.
    """
    path, _, query = template.partition("#")[0].partition("?")
    written = {name: path_value(name, wires.get(name), value) for name, value in values.items()}
    pieces = re.split(r"(\{[^{}]+\})", path)
    filled = "".join(
        (
            _filled(piece, written)
            if piece[:1] == "{" and piece[-1:] == "}" and len(piece) > 2
            else escaped(piece, _IN_TEMPLATE)
        )
        for piece in pieces
    )
    plain_texts = "".join(_decoded(filled))
    if len(_DOTS.findall(plain_texts)) > len(_DOTS.findall(path)):
        raise NoSpelling("a segment of dots")
    own = [part for part in query.split("&") if part]
    known = [part for part in own if all(name in written for name in re.findall(r"\{([^{}]+)\}", part))]
    return "/" + filled.lstrip("/"), [
        re.sub(r"\{([^{}]+)\}", lambda m: written[m.group(1)], part) for part in known
    ]


def _filled(placeholder: str, written: Mapping[str, str]) -> str:
    name = placeholder[1:-1]
    if name not in written:
        raise NoSpelling(f"no value for {placeholder}")
    return written[name]


def _decoded(path: str) -> str:
    return bytes.fromhex(
        "".join(
            f"{int(t[1:], 16):02x}" if len(t) == 3 else t.encode().hex()
            for t in re.findall(r"%[0-9A-Fa-f]{2}|.", path, re.DOTALL)
        )
    ).decode("utf-8", "replace")


def path_value(name: str, wire: ParameterWire | None, value: Any) -> str:
    """What a placeholder becomes. `form` in a path means nothing and is read as `simple`."""
    wire = wire or ParameterWire(name, "path", "simple", False, True)

    def write(text: str) -> str:
        return reserved_expansion(text, RESERVED_IN_PATH) if wire.allow_reserved else escaped(text)

    if wire.content_type:
        text: str | None = write(content(wire.content_type, value) or "")
    else:
        value = None if value == "" else defined(value, wire.inner)
        if wire.style in DELIMITERS and isinstance(value, list):
            text = delimited(value, DELIMITERS[wire.style], write)
        else:
            operator = OPERATORS["simple" if wire.style in ("form", *DELIMITERS) else wire.style]
            text = expanded(operator, escaped(wire.name), value, wire.explode, write, escaped)
    if not text:
        raise NoSpelling(f"an empty value for {{{name}}}")
    return text
