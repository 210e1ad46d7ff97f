"""The tools of refunds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.refunds import Refund


async def create_refund(
    call: Call,
    *,
    order_id: str,
    amount_cents: int,
    reason: Literal["damaged", "returned", "goodwill"],
    idempotency_key: str | Unset = UNSET,
    comment: str | Unset = UNSET,
) -> Result[Refund]:
    """Give money back to the customer of an order. Pays back part or all of what the customer
    paid. Returns: The refund, and what may still be given back. Destructive: it can't simply be
    undone. Fails: 404: There is no order with this number; 409: The refund is above a limit, or
    its idempotency key was used for another refund; 400: An argument has the wrong form. To
    find order_id, use search_orders. Example: {"order_id": "ORD-100003", "amount_cents": 2000,
    "reason": "damaged"}

    POST /orders/{order_id}/refunds
    """
    return await call.send(
        path={"order_id": order_id},
        header={"Idempotency-Key": idempotency_key},
        body={"amount_cents": amount_cents, "reason": reason, "comment": comment},
    )
