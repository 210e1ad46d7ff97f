"""Models of the answers of notes."""

from __future__ import annotations

from .base import ApiModel


class CreateNoteResult(ApiModel):
    id: str
