"""The tools of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.tasks import Task


async def add_task(call: Call, *, title: str, done: bool | Unset = UNSET) -> Result[Task]:
    """Add a task. Returns: Task with title, done. Each call adds another one. To list tasks, use
    list_tasks. Example: {"title": "<title>"}

    POST /tasks
    """
    return await call.send(body={"title": title, "done": done})


async def list_tasks(
    call: Call, *, state: list[str] | Unset = UNSET, limit: int | Unset = UNSET
) -> Result[list[Task]]:
    """List tasks. Returns: list of Task with title, done. Read-only. Example: {"limit": 10}

    GET /tasks
    """
    return await call.send(query={"state": state, "limit": limit})
