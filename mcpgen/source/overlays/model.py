"""An overlay as it was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jsonpath_rfc9535 import JSONPathQuery

from mcpgen.source.document import Document


@dataclass(frozen=True, slots=True)
class Action:
    """One change (Overlay 1.1, Action Object). At most one of `copy`, `has_update` and `remove` is set.

    Attributes:
        pointer: where the action stands in its document.
        target: the JSONPath as written, and `query`, the same compiled.
        copy: the JSONPath of what is copied to the targets.
    """

    pointer: str
    target: str
    query: JSONPathQuery
    update: Any = None
    has_update: bool = False
    copy: JSONPathQuery | None = None
    remove: bool = False


@dataclass(frozen=True, slots=True)
class Overlay:
    """One overlay document; `extends` is the URI reference to what it was written for, where it says so."""

    document: Document
    version: str
    extends: str | None
    actions: tuple[Action, ...]

    @property
    def is_1_0(self) -> bool:
        return self.version.startswith("1.0.")
