"""Models of the answers of several toolsets."""

from __future__ import annotations

from typing import Literal

from .base import ApiModel


class Book(ApiModel):
    isbn: str
    title: str
    genre: Literal["novel", "poetry", "science"] | None = None
    published: str | None = None
    pages: int | None = None
