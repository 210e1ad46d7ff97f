"""Reads `mcpgen.toml`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from mcpgen.config.keys import KEYS
from mcpgen.config.model import Config
from mcpgen.config.places import locate
from mcpgen.config.sections import faults, tool_sections
from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.runtime.setup.policy import server_texts


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
    found = list(faults(document))
    for place, message in found:
        diagnostics.add("config-invalid", message, locate(path, place))
    if found:
        raise Refused("the configuration is wrong")
    given = {key: value for section in KEYS for key, value in document.get(section, {}).items()}
    if "allow_outside" in given:
        given["allow_outside"] = tuple(path.parent / folder for folder in given["allow_outside"])
    policies, paging = tool_sections(document.get("tools", {}))
    return Config(
        **given, server=server_texts(document.get("server", {})), tools=policies, paging=paging, path=path
    )


def _toml_problem(path: Path, error: tomllib.TOMLDecodeError) -> tuple[str, Location]:
    match = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
    if match is None:
        return f"The file is not TOML: {str(error).removesuffix(' (at end of document)')}.", Location(
            str(path)
        )
    return f"The file is not TOML: {str(error)[: match.start()]}.", Location(
        str(path), "", int(match[1]), int(match[2])
    )
