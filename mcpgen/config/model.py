"""The configuration as the pipeline gets it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any


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
