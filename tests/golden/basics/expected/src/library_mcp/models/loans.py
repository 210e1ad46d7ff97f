"""Models of the answers of loans."""

from __future__ import annotations

from library_mcp.models.base import ApiModel
from . import shared


class Loan(ApiModel):
    id: str
    book: shared.Book
    due: str | None = None


class LoanPage(ApiModel):
    items: list[Loan] | None = None
    total: int | None = None
