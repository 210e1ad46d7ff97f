"""The keys of the plain sections of `mcpgen.toml`: what each value must be."""

from __future__ import annotations

import difflib
import json
import keyword
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.urls import problem_with_base_url


@dataclass(frozen=True, slots=True)
class Key:
    """One key of `mcpgen.toml`: what a value must be, in words and as a test."""

    expected: str
    accepts: Callable[[Any], bool]

    def problem(self, value: Any) -> str | None:
        """Why a value is not accepted, or None."""
        if self.accepts(value):
            return None
        return f"must be {self.expected}, not {json.dumps(value, default=str)}"


_DEPENDENCIES = frozenset(
    "anyio httpx2 jsonschema jwt mcp mcp_types mcpgen_runtime opentelemetry pydantic pytest starlette uvicorn".split()
)
"""What generated servers import; a package of the same name would hide it."""


def _is_package(value: Any) -> bool:
    return (
        isinstance(value, str)
        and re.fullmatch(r"[a-z][a-z0-9_]*", value) is not None
        and not keyword.iskeyword(value)
        and value not in sys.stdlib_module_names
        and value not in _DEPENDENCIES
    )


def _is_http_url(value: Any) -> bool:
    return isinstance(value, str) and problem_with_base_url(value) is None


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _matches(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


_FLAG = Key("true or false", lambda value: isinstance(value, bool))

KEYS: Mapping[str, Mapping[str, Key]] = {
    "project": {
        "package": Key(
            "a Python package name in lower case that no library has, such as orders_mcp", _is_package
        ),
        "name": Key(
            "a distribution name, such as orders-mcp", _matches(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
        ),
        "env_prefix": Key("a prefix for environment variables, such as ORDERS", _matches(r"[A-Z][A-Z0-9_]*")),
        "server_url": Key("an absolute http or https URL", _is_http_url),
    },
    "generate": {
        "strict": _FLAG,
        "allow_remote": _FLAG,
        "allow_private": _FLAG,
        "allow_outside": Key("a list of folders, relative to this file", _is_list_of_texts),
        "description_level": Key("brief, standard or full", _matches("brief|standard|full")),
        "language": Key("a language tag, such as en or zh", _matches(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")),
        "phrases": Key(
            "a TOML file with phrases, relative to this file", lambda value: isinstance(value, str)
        ),
        "overlays": Key("a list of overlay files, relative to this file", _is_list_of_texts),
        "plugins": Key("a list of names of installed plugins", _is_list_of_texts),
        "runtime": Key('"vendored" or "package"', _matches("vendored|package")),
    },
    "templates": {
        "layers": Key(
            'a list of template folders, relative to this file, or "package:NAME", the strongest last',
            _is_list_of_texts,
        ),
    },
    "select": {
        "include": Key('a list of selectors, such as "tag:pets" or "path:/pets/**"', _is_list_of_texts),
        "exclude": Key('a list of selectors, such as "method:DELETE" or "path:/admin/**"', _is_list_of_texts),
        "deprecated": _FLAG,
    },
}


def problem_with(section: str, key: str, value: Any) -> str | None:
    """Why a value is not accepted, or None; the command line checks its options with it too."""
    return KEYS[section][key].problem(value)


def suggestion(name: str, known: Iterable[str]) -> str:
    """The key that was probably meant; a key that lives in another section is found too."""
    close = difflib.get_close_matches(name, list(known), n=1)
    if close:
        return f" Did you mean {close[0]}?"
    for section, keys in KEYS.items():
        if name in keys:
            return f" It belongs to [{section}]."
    return f" Known are: {', '.join(known)}."
