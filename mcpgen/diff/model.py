"""A change of one tool, and the report of all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from mcpgen.diff.codes import adds, meaning_of

_VERSION = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\D.*)?")


class Severity(StrEnum):
    """What a change does to callers. `WARNING` is what documents can't decide: a person should look."""

    BREAKING = "breaking"
    WARNING = "warning"
    INFO = "info"


class Kind(StrEnum):
    """What a change is about."""

    EFFECT = "effect"
    TOOL = "tool"
    ARGUMENT = "argument"
    RESULT = "result"
    ANNOTATION = "annotation"
    AUTH = "auth"
    SERVER = "server"
    BEHAVIOUR = "behaviour"
    TOOLSET = "toolset"
    TEXT = "text"


class Level(IntEnum):
    """Which part of a version has to grow (semver.org, 2.0.0)."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        code: what kind of change it is, a key of `codes.MEANINGS`.
        tool: the tool's new name, or the old one of a tool that is gone; empty for the whole server.
        where: JSON pointer into the tool's input schema (arguments) or output schema (results), into the old one for
            what was removed; else empty.
        before, after: JSON values, None for what was or is not there.
        reason: why the change is breaking or not, one or two sentences.
    """

    code: str
    tool: str
    kind: Kind
    severity: Severity
    reason: str
    where: str = ""
    before: Any = None
    after: Any = None

    @property
    def meaning(self) -> str:
        """What happened, in words."""
        return meaning_of(self.code)

    @property
    def level(self) -> Level:
        """How much of a version bump the change asks for."""
        if self.severity is Severity.BREAKING:
            return Level.MAJOR
        return Level.MINOR if self.severity is Severity.WARNING or adds(self.code) else Level.PATCH

    def entry(self) -> dict[str, Any]:
        """The change as JSON."""
        return {
            "code": self.code,
            "tool": self.tool or None,
            "kind": str(self.kind),
            "severity": str(self.severity),
            "where": self.where,
            "before": self.before,
            "after": self.after,
            "meaning": self.meaning,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All changes: those of effects first, then by severity and tool. `tools` are the numbers before and after."""

    changes: tuple[Change, ...]
    tools: tuple[int, int] = (0, 0)

    @property
    def effects(self) -> tuple[Change, ...]:
        """The changes of what tools do to the world."""
        return tuple(change for change in self.changes if change.kind is Kind.EFFECT)

    @property
    def counts(self) -> Mapping[Severity, int]:
        """How many changes there are of each severity."""
        return {
            severity: sum(change.severity is severity for change in self.changes) for severity in Severity
        }

    @property
    def is_breaking(self) -> bool:
        """Whether any change breaks callers."""
        return any(change.severity is Severity.BREAKING for change in self.changes)

    @property
    def level(self) -> Level:
        """The largest bump that a change asks for."""
        return max((change.level for change in self.changes), default=Level.NONE)

    def bump(self, version: str) -> str:
        """The version to release the changes under; `version` itself where nothing changed.

        Before 1.0.0 the second number grows for what breaks and the third for all else, as is the custom
        (semver.org, 2.0.0, item 4 promises nothing there). A suffix, as of a pre-release, is dropped.

        Raises:
            ValueError: `version` doesn't begin with one to three numbers.
        """
        found = _VERSION.fullmatch(version.strip())
        if found is None:
            raise ValueError(f"not a version: {version}")
        if self.level is Level.NONE:
            return version
        major, minor, patch = (int(part or 0) for part in found.groups()[:3])
        level = self.level if major else Level(max(self.level - 1, Level.PATCH))
        if level is Level.MAJOR:
            return f"{major + 1}.0.0"
        return f"{major}.{minor + 1}.0" if level is Level.MINOR else f"{major}.{minor}.{patch + 1}"
