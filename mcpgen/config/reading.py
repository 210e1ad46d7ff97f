"""Reads `mcpgen.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcpgen.config.extending import ConfigFile, merged, read_files
from mcpgen.config.keys import KEYS
from mcpgen.config.model import Config
from mcpgen.config.places import locate, locate_in
from mcpgen.config.sections import faults, tool_sections
from mcpgen.diagnostics import Collector, Refused
from mcpgen.runtime.setup.policy import server_texts


def load_config(path: Path | None, diagnostics: Collector) -> Config:
    """Reads `mcpgen.toml`; without a file, the defaults. Of a workspace, what all its projects share.

    Raises:
        Refused: the file cannot be read or is wrong (`config-invalid`, one diagnostic for each fault).
    """
    return Config() if path is None else config_of(read_files(path, diagnostics), diagnostics)


def config_of(layers: Sequence[ConfigFile], diagnostics: Collector, member: str | None = None) -> Config:
    """The configuration that layers give, the nearest first.

    Raises:
        Refused: something in them is wrong (`config-invalid`, one diagnostic for each fault).
    """
    found = [
        (locate(layer.path, (*layer.place, *place)), message)
        for layer in layers
        for place, message in faults(layer.document)
    ]
    document: dict[str, Any] = {} if found else merged(layers)
    if len(layers) > 1:  # what each says is right, and together it may not be
        homes = [(layer.path, layer.place) for layer in layers]
        found += [(locate_in(homes, place), message) for place, message in faults(document)]
    for where, message in found:
        diagnostics.add("config-invalid", message, where)
    if found:
        raise Refused("the configuration is wrong")
    given = {key: value for section in KEYS for key, value in document.get(section, {}).items()}
    given |= {key: tuple(map(Path, given[key])) for key in ("allow_outside", "overlays") if key in given}
    given |= {key: tuple(given[key]) for key in ("layers", "plugins") if key in given}
    if "phrases" in given:
        given["phrases"] = Path(given["phrases"])
    given |= {key: tuple(given[key]) for key in ("include", "exclude") if key in given}
    places = {
        text: locate(layer.path, (*layer.place, "select", key))
        for layer in reversed(layers)
        for key in ("exclude", "include")
        for text in layer.document.get("select", {}).get(key, ())
    }
    paths = [layer.path for layer in layers if not layer.place]
    policies, paging = tool_sections(document.get("tools", {}))
    return Config(
        **given,
        server=server_texts(document.get("server", {})),
        tools=policies,
        paging=paging,
        operations=document.get("operations", {}),
        path=paths[0],
        bases=tuple(paths[1:]),
        member=member,
        places=places,
    )
