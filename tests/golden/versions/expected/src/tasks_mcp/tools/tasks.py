"""The tools of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.tasks import Task


async def add_task(call: Call, *, title: str, done: bool | Unset = UNSET) -> Result[Task]:
    """Add a task. Returns: Task.

    POST /tasks
    """
    return await call.send(body={"title": title, "done": done})


async def list_tasks(
    call: Call, *, state: list[str] | Unset = UNSET, limit: int | Unset = UNSET
) -> Result[list[Task]]:
    """List tasks.

    GET /tasks
    """
    return await call.send(query={"state": state, "limit": limit})
