"""The tools of shipping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Call, Result

if TYPE_CHECKING:
    from ..models.shared import Tracking


async def get_tracking(call: Call, *, order_id: str) -> Result[Tracking]:
    """See where the parcel of an order is. Returns carrier, tracking number and the events so far,
    oldest first. There is nothing to track before an order was shipped. Returns: The parcel's
    carrier and events. Fails: 404: There is no order with this number; 409: The order was not
    shipped yet; 400: An argument has the wrong form. Read-only. To find order_id, use
    search_orders.

    GET /orders/{order_id}/tracking
    """
    return await call.send(path={"order_id": order_id})
