"""What the serialiser gives: a body and its content type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WrittenBody:
    """A body as `ExpectedRequest.body` has it, and its content type; that of several parts is without the boundary."""

    content_type: str
    content: Mapping[str, Any]
