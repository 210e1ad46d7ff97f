"""Models of the answers of notes."""

from __future__ import annotations

from forms_mcp.models.base import ApiModel


class CreateNoteResult(ApiModel):
    id: str
