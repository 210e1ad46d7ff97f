"""The configuration: `mcpgen.toml`, and over it what the command line says.

To add a key, add a field to `Config` and a line to `KEYS`. What the sections `[server]` and `[tools.NAME]` can hold is
said by the run-time library (`runtime.variables`, `runtime.policy`), which reads the same sections from a policy file.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import keyword
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.runtime.policy import PolicyError, ToolPolicies, server_texts
from mcpgen.urls import problem_with_base_url


@dataclass(frozen=True, slots=True)
class Config:
    """What the user decided; None leaves a decision to the spec.

    `server` has settings of the generated server as texts, `tools` the policies of its tools by name or pattern, and
    `paging` how single tools page, or False where they don't. `path` is the file that all this is from.
    """

    package: str | None = None
    name: str | None = None
    env_prefix: str | None = None
    server_url: str | None = None
    strict: bool = False
    allow_remote: bool = False
    allow_outside: tuple[Path, ...] = ()
    allow_private: bool = False
    server: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    paging: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = field(default=None, compare=False)

    def override(self, **given: Any) -> Config:
        """This configuration with everything that was given; None means "not given"."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})

    def digest(self) -> str:
        """The SHA-256 of what shapes the output; how strictly the input is judged does not."""
        shaping = {
            key: value
            for key, value in asdict(self).items()
            if key not in {"strict", "allow_remote", "allow_outside", "allow_private", "path"}
        }
        return hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Key:
    """One key of `mcpgen.toml`: what a value must be, in words and as a test."""

    expected: str
    accepts: Callable[[Any], bool]


_DEPENDENCIES = frozenset(
    "anyio httpx2 jsonschema jwt mcp mcp_types opentelemetry pydantic pytest starlette uvicorn".split()
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
    },
}


def problem_with(section: str, key: str, value: Any) -> str | None:
    """Why a value is not accepted, or None; the command line checks its options with it too."""
    rule = KEYS[section][key]
    return None if rule.accepts(value) else f"must be {rule.expected}, not {json.dumps(value, default=str)}"


def load_config(path: Path | None, diagnostics: Collector) -> Config:
    """Reads `mcpgen.toml`; without a file, the defaults.

    Raises:
        Refused: the file cannot be read or is wrong (`config-invalid`, one diagnostic for each fault).
    """
    if path is None:
        return Config()
    try:
        text = path.read_text("utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise diagnostics.refuse(
            "config-invalid", f"The file cannot be read: {error.strerror}.", Location(str(path))
        ) from error
    except UnicodeDecodeError as error:
        raise diagnostics.refuse(
            "config-invalid", "The file is not UTF-8 text.", Location(str(path))
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise diagnostics.refuse("config-invalid", *_toml_problem(path, error)) from error
    faults = list(_faults(document))
    for place, message in faults:
        diagnostics.add("config-invalid", message, locate(path, place))
    if faults:
        raise Refused("the configuration is wrong")
    given = {key: value for section in KEYS for key, value in document.get(section, {}).items()}
    if "allow_outside" in given:
        given["allow_outside"] = tuple(path.parent / folder for folder in given["allow_outside"])
    policies, paging = _tools(document.get("tools", {}))
    return Config(
        **given, server=server_texts(document.get("server", {})), tools=policies, paging=paging, path=path
    )


def _tools(sections: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """The sections `[tools.NAME]`, and out of them how tools page, which only the generator reads."""
    policies = {
        name: {k: v for k, v in section.items() if k != "paging"} for name, section in sections.items()
    }
    paging = {name: section["paging"] for name, section in sections.items() if "paging" in section}
    return {name: section for name, section in policies.items() if section}, paging


def _toml_problem(path: Path, error: tomllib.TOMLDecodeError) -> tuple[str, Location]:
    match = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
    if match is None:
        return f"The file is not TOML: {str(error).removesuffix(' (at end of document)')}.", Location(
            str(path)
        )
    return f"The file is not TOML: {str(error)[: match.start()]}.", Location(
        str(path), "", int(match[1]), int(match[2])
    )


def _faults(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Where (section, key, …) and what is wrong."""
    for section, content in document.items():
        if section not in (*KEYS, "server", "tools"):
            yield (
                section,
            ), f"Unknown section [{section}].{_suggestion(section, (*KEYS, 'server', 'tools'))}"
        elif not isinstance(content, dict):
            yield (section,), f"{section} must be a section: [{section}]."
        elif section == "server":
            yield from _server_faults(content)
        elif section == "tools":
            yield from _tools_faults(content)
        else:
            yield from _section_faults(section, content)


def _section_faults(section: str, content: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in content.items():
        if key not in KEYS[section]:
            yield (section, key), f"Unknown key {key} in [{section}].{_suggestion(key, KEYS[section])}"
        elif (problem := problem_with(section, key, value)) is not None:
            yield (section, key), f"{key} {problem}."


def _server_faults(content: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in content.items():
        try:
            server_texts({key: value})
        except PolicyError as error:
            for problem in error.problems:
                yield ("server", key), f"{problem}."


def _tools_faults(content: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, section in content.items():
        if not isinstance(section, dict):
            yield ("tools", name), f"[tools] holds sections: [tools.{name}]."
            return
        if not isinstance(section.get("paging", False), dict) and section.get("paging", False) is not False:
            yield ("tools", name, "paging"), "paging must be false or a table."
    for place, problem in ToolPolicies(_tools(content)[0]).problems():
        yield ("tools", *place), f"{'.'.join(place[1:])}: {problem}."


def _suggestion(name: str, known: Iterable[str]) -> str:
    """The key that was probably meant; a key that lives in another section is found too."""
    close = difflib.get_close_matches(name, list(known), n=1)
    if close:
        return f" Did you mean {close[0]}?"
    for section, keys in KEYS.items():
        if name in keys:
            return f" It belongs to [{section}]."
    return f" Known are: {', '.join(known)}."


def locate(path: Path, place: tuple[str, ...]) -> Location:
    """The line of a section or key, or of what it is in. `tomllib` gives no positions."""
    lines = dict(reversed(list(_places(path.read_text("utf-8")))))  # the first line of each counts
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return Location(str(path), "/" + "/".join(place), *lines[place[:length]])
    return Location(str(path), "/" + "/".join(place))


_NAME = r"""(?:[^\s"'.=\[\]]+|"[^"]*"|'[^']*')"""
_HEADER = re.compile(rf"\s*\[+\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*\]")
_ENTRY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")


def _places(text: str) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    """Every section and key with its line and column, as far as one line shows them."""
    section: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        entry = None if header else _ENTRY.match(line)
        if header:
            section = _names(header[1])
            yield section, (number, line.index("[") + 1)
        elif entry:
            yield (*section, *_names(entry[1])), (number, entry.start(1) + 1)


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))
