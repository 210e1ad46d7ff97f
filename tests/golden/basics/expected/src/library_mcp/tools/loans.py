"""The tools of loans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Call, Result

if TYPE_CHECKING:
    from ..models.loans import LoanPage


async def list_loans(call: Call) -> Result[LoanPage]:
    """List all loans. Returns: `items` (list of objects with id, book, due). Read-only.

    GET /loans
    """
    return await call.send()
