"""Models of the answers of tasks."""

from __future__ import annotations

from .base import ApiModel


class Task(ApiModel):
    title: str
    done: bool | None = None
