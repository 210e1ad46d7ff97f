"""The URL of a request: the base and the filled path, which no argument can break out of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from ..operation import Parameter
from ..outcomes.failures import broken, invalid
from .encoding import (
    Encoder,
    defined,
    encode,
    flat,
    item_encoder,
    joined,
    joined_by_encoded,
    reserved_in_path,
    text_of,
)
from .query import content_text

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_TEMPLATE_SAFE = "/:@!$&'()*+,;=%-._~"


def join_url(base: str, path: str) -> str:
    """Base and path with exactly one slash between them."""
    return f"{base.rstrip('/')}/{path.lstrip('/')}"


def fill_template(
    template: str, parameters: Mapping[str, Parameter], values: Mapping[str, Any]
) -> tuple[str, str]:
    """The path with its placeholders filled, and the query that the template itself has (usually none).

    The template is scanned once: a value that looks like `{another}` stays that value.

    Raises:
        CallFailed: a value is missing or empty, or would make a segment that means another place (`..`); or the
            template itself leads out of the API's address.
    """
    path, _, query = template.partition("#")[0].partition("?")
    if ".." in re.split(r"[/\\]", unquote(path)):
        raise broken(f"The path {template} of this tool leads out of the API's address. Nothing was sent.")
    pieces = _PLACEHOLDER.split(path)
    rendered = [
        _value(piece, parameters, values) if index % 2 else quote(piece, safe=_TEMPLATE_SAFE)
        for index, piece in enumerate(pieces)
    ]
    filled = "".join(rendered)
    if _dot_segments(unquote(filled)) > _dot_segments(path):
        # Values with encoded slashes around the dots count too: many servers decode before they route.
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(pieces[1::2]))
        raise invalid(f"The values of the path ({names}) can't give a segment that is one dot or two dots.")
    return filled, _own_query(query, parameters, values)


def _own_query(query: str, parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> str:
    """The template's own query. A pair without a value is left out: a query parameter writes its own."""
    pairs = []
    for pair in query.split("&"):
        pieces = _PLACEHOLDER.split(pair)
        if all(name in values for name in pieces[1::2]):
            filled = (_value(piece, parameters, values) if i % 2 else piece for i, piece in enumerate(pieces))
            pairs.append("".join(filled))
    return "&".join(pairs)


def _dot_segments(path: str) -> int:
    return sum(segment in (".", "..") for segment in re.split(r"[/\\]", path))


def _value(name: str, parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> str:
    if name not in values:
        if name not in parameters:
            raise broken(f"The path of this tool has no argument for {{{name}}}.")
        raise invalid(f"`{name}` is a part of the path and needs a value.")
    value = values[name]
    parameter = parameters.get(name) or Parameter(name, "path", "simple", False)
    encoder = reserved_in_path if parameter.allow_reserved else encode
    if parameter.content_type:
        text = encoder(content_text(parameter.content_type, value) or "")
    else:
        value = defined(value, parameter.inner)
        text = "" if value in (None, "") else _STYLES[parameter.style](parameter, value, encoder)
    if not text:
        raise invalid(f"`{name}` is a part of the path and can't be empty.")
    return text


def _simple(parameter: Parameter, value: Any, encoder: Encoder) -> str:
    return simple(value, parameter.explode, encoder)


def simple(value: Any, explode: bool, encoder: Encoder) -> str:
    """`simple` (RFC 6570, 3.2.2): the style of path parameters by default."""
    if isinstance(value, list):
        return joined(value, ",", encoder)
    if isinstance(value, dict):
        return _pairs(value, ",", encoder) if explode else joined(flat(value), ",", encoder)
    return encoder(text_of(value))


def _label(parameter: Parameter, value: Any, encoder: Encoder) -> str:
    """`label` (RFC 6570, 3.2.5): `.a.b` exploded, `.a,b` not.

    Raises:
        CallFailed: an item of an exploded value has a dot. Encoded or not, it means the same (RFC 3986, 2.3), so
            one item would arrive as two.
    """
    if isinstance(value, (dict, list)) and parameter.explode:
        items = flat(value) if isinstance(value, dict) else value
        if any("." in text_of(item) for item in items):
            raise invalid(f"The parts of `{parameter.name}` are separated by dots and can't hold one.")
        return "." + (_pairs(value, ".", encoder) if isinstance(value, dict) else joined(value, ".", encoder))
    return "." + simple(value, False, encoder)


def _matrix(parameter: Parameter, value: Any, encoder: Encoder) -> str:
    """`matrix` (RFC 6570, 3.2.7): `;name=a;name=b` exploded, `;name=a,b` not, `;name` for an empty text."""
    name, one = encode(parameter.name), item_encoder(encoder, ";")
    if parameter.explode and isinstance(value, list):
        return "".join(f";{name}" + _after_equals(one(text_of(item))) for item in value)
    if parameter.explode and isinstance(value, dict):
        keyed = ((item_encoder(encode, ";")(key), one(text_of(item))) for key, item in value.items())
        return "".join(f";{key}" + _after_equals(text) for key, text in keyed)
    return f";{name}" + _after_equals(simple(value, False, one))


def _after_equals(text: str) -> str:
    return f"={text}" if text else ""


def _delimited(delimiter: str) -> Callable[[Parameter, Any, Encoder], str]:
    """Swagger 2.0's collection formats in a path: `ssv`, `pipes`, `tsv`."""

    def render(parameter: Parameter, value: Any, encoder: Encoder) -> str:
        if isinstance(value, list):
            return joined_by_encoded(value, delimiter, encoder)
        return simple(value, parameter.explode, encoder)

    return render


def _pairs(value: dict[str, Any], delimiter: str, encoder: Encoder) -> str:
    key, one = item_encoder(encode, delimiter), item_encoder(encoder, delimiter)
    return delimiter.join(f"{key(name)}={one(text_of(item))}" for name, item in value.items())


_STYLES: dict[str, Callable[[Parameter, Any, Encoder], str]] = {
    "simple": _simple,
    "form": _simple,
    "label": _label,
    "matrix": _matrix,
    "spaceDelimited": _delimited(" "),
    "pipeDelimited": _delimited("|"),
    "tabDelimited": _delimited("\t"),
}
