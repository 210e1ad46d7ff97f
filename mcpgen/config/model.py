"""The configuration as the pipeline gets it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from mcpgen.config.places import PROJECTS, locate_in
from mcpgen.diagnostics import Location


@dataclass(frozen=True, slots=True)
class Config:
    """What the user decided; None leaves a decision to the spec.

    `server` has settings of the generated server as texts, `tools` the policies of its tools by name or pattern, and
    `paging` how single tools page, or False where they don't. `operations` has what is said about single operations, by id or
    by method and path, as it is written. `path` is the file that all this is from.
    `description_level` is how long descriptions are, `language` that of their fixed phrases, and `phrases` a catalogue of a
    team's own. `overlays` are files in the order in which they apply; `include` and `exclude` are selectors (`mcpgen.plan.selectors`), and
    `places` says where those of the file stand, by their text. `layers` are folders of templates or `package:NAME`, the
    strongest last; `plugins` are the names of those that are active. `runtime` is how a project has the run-time library:
    `vendored` or `package`, a distribution that many share. `bases` are the files that `path` extends, nearest first;
    `member` is the project of the workspace `path` that all this is for.
    """

    package: str | None = None
    name: str | None = None
    env_prefix: str | None = None
    server_url: str | None = None
    strict: bool = False
    allow_remote: bool = False
    allow_outside: tuple[Path, ...] = ()
    allow_private: bool = False
    overlays: tuple[Path, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    deprecated: bool = False
    description_level: str | None = None
    language: str | None = None
    phrases: Path | None = None
    layers: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    runtime: str = "vendored"
    server: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    paging: Mapping[str, Any] = field(default_factory=dict)
    operations: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = field(default=None, compare=False)
    bases: tuple[Path, ...] = field(default=(), compare=False)
    member: str | None = field(default=None, compare=False)
    places: Mapping[str, Location] = field(default_factory=dict, compare=False)

    def override(self, **given: Any) -> Config:
        """This configuration with everything that was given; None means "not given"."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})

    def locate(self, place: tuple[str, ...]) -> Location | None:
        """Where a section or key stands in the file; None where there is no file."""
        if self.path is None:
            return None
        files = (self.path, *self.bases)
        own = [] if self.member is None else [(path, (PROJECTS, self.member)) for path in files]
        return locate_in([*own, *((path, ()) for path in files)], place)

    def digest(self) -> str:
        """The SHA-256 of what shapes the output; how strictly the input is judged does not.

        What overlays and templates say is in the lock by their own digests, wherever they lie.
        """
        shaping = {
            key: value
            for key, value in asdict(self).items()
            if key
            not in {
                *("strict", "allow_remote", "allow_outside", "allow_private"),
                *("overlays", "layers", "plugins", "runtime", "path", "bases", "member", "places"),
            }
        }
        if self.plugins:
            shaping["plugins"] = self.plugins
        if self.runtime != "vendored":
            shaping["runtime"] = self.runtime
        if self.phrases is not None:
            shaping["phrases"] = self.phrases.read_text("utf-8", "replace")
        return hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()
