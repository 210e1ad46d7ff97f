"""Models of the answers of refunds."""

from __future__ import annotations

from .base import ApiModel


class Refund(ApiModel):
    refund_id: str
    order_id: str
    amount_cents: int
    reason: str
    comment: str | None
    created_at: str
    refundable_cents: int
