"""The tools of notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.notes import CreateNoteResult


async def archive_note(call: Call, *, id: str, reason: str | Unset = UNSET) -> Result[None]:
    """Archive note. Act on a note. Returns: no documented content. Repeating a call changes
    nothing more. To delete note, use delete_note. Example: {"id": "<id>"}

    POST /notes/{id}/manage
    """
    return await call.send(path={"id": id}, body={"action": "archive", "reason": reason})


async def create_note(
    call: Call, *, text: str, labels: list[str] | Unset = UNSET, pinned: bool | None | Unset = UNSET
) -> Result[CreateNoteResult]:
    """Add a note. Returns: The new note. Each call adds another one. To archive note, use
    archive_note. Example: {"text": "<text>"}

    POST /notes
    """
    return await call.send(body={"text": text, "labels": labels, "pinned": pinned})


async def delete_note(call: Call, *, id: str, reason: str | Unset = UNSET) -> Result[None]:
    """Delete note. Act on a note. Returns: no documented content. Destructive: it can't simply be
    undone. To archive note, use archive_note. Example: {"id": "<id>"}

    POST /notes/{id}/manage
    """
    return await call.send(path={"id": id}, body={"action": "delete", "reason": reason})


async def show_note(call: Call, *, id: str, reason: str | Unset = UNSET) -> Result[None]:
    """Show note. Act on a note. Returns: no documented content. Read-only. Example: {"id": "<id>"}

    POST /notes/{id}/manage
    """
    return await call.send(path={"id": id}, body={"action": "show", "reason": reason})
