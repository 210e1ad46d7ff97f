"""Models of the answers of loans."""

from __future__ import annotations

from . import shared
from .base import ApiModel


class Loan(ApiModel):
    id: str
    book: shared.Book
    due: str | None = None


class LoanPage(ApiModel):
    items: list[Loan] | None = None
    total: int | None = None
