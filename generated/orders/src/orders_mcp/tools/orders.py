"""The tools of orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.orders import ActionResult, Order, OrderPage


async def cancel_order(
    call: Call, *, order_id: str, reason: str | Unset = UNSET
) -> Result[ActionResult]:
    """`cancel` ends the order for good and pays everything back. Returns: The order's state after
    the action. Destructive: it can't simply be undone. Fails: 404: There is no order with this
    number; 409: The order was already shipped or cancelled; 400: An argument has the wrong
    form. To find order_id, use search_orders. To hold order, use hold_order. Example:
    {"order_id": "ORD-100003", "reason": "Customer ordered twice."}

    POST /orders/{order_id}/manage
    """
    return await call.send(path={"order_id": order_id}, body={"action": "cancel", "reason": reason})


async def delete_order_note(call: Call, *, order_id: str, note_id: str) -> Result[None]:
    """Delete one note of an order for good. The note cannot be brought back. The order itself is
    not changed. Returns: nothing. Destructive: it can't simply be undone. Fails: 404: The order
    does not exist, or has no such note; 400: An argument has the wrong form. To cancel order,
    use cancel_order. Example: {"order_id": "ORD-100003", "note_id": "NOTE-0001"}

    DELETE /orders/{order_id}/notes/{note_id}
    """
    return await call.send(path={"order_id": order_id, "note_id": note_id})


async def get_order(
    call: Call, *, order_id: str, include_tracking: bool | Unset = UNSET
) -> Result[Order]:
    """Look up one order by its number, with items, hold, refunds and notes. Returns the whole
    order. `refundable_cents` is what may still be given back. For the parcel's position use
    get_tracking, or set `include_tracking`. Fails: 404: There is no order with this number;
    400: An argument has the wrong form. Read-only. To find order_id, use search_orders. To
    query order, use query_order.

    GET /orders/{order_id}
    """
    return await call.send(
        path={"order_id": order_id}, query={"include_tracking": include_tracking}
    )


async def hold_order(
    call: Call, *, order_id: str, reason: str | Unset = UNSET, until: str | None | Unset = UNSET
) -> Result[ActionResult]:
    """`hold` keeps the order in the warehouse; sent again with `until: null` it lifts the hold.
    Returns: The order's state after the action. Fails: 404: There is no order with this number;
    409: The order was already shipped or cancelled; 400: An argument has the wrong form.
    Repeating a call changes nothing more. To find order_id, use search_orders. To cancel order,
    use cancel_order. Example: {"order_id": "ORD-100003", "reason": "Customer ordered twice."}

    POST /orders/{order_id}/manage
    """
    return await call.send(
        path={"order_id": order_id}, body={"action": "hold", "reason": reason, "until": until}
    )


async def query_order(
    call: Call, *, order_id: str, reason: str | Unset = UNSET
) -> Result[ActionResult]:
    """Query order. `query` changes nothing and says which actions are possible now. Returns: The
    order's state after the action. Fails: 404: There is no order with this number; 409: The
    order was already shipped or cancelled; 400: An argument has the wrong form. Read-only. To
    find order_id, use search_orders. To look up one order by its number, use get_order.
    Example: {"order_id": "ORD-100003", "reason": "Customer ordered twice."}

    POST /orders/{order_id}/manage
    """
    return await call.send(path={"order_id": order_id}, body={"action": "query", "reason": reason})


async def search_orders(
    call: Call,
    *,
    query: str | Unset = UNSET,
    status: list[Literal["placed", "packed", "shipped", "delivered", "cancelled"]] | Unset = UNSET,
    placed_after: str | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Result[OrderPage]:
    """Find orders by customer, item, status or date. Returns short entries, newest first, and the
    total number of matches. Use it when the order number is not known. No match is an empty
    list, not an error. Returns: One page of matching orders. Fails: 400: An argument has the
    wrong form. At most 50 per page, 10 by default. For one order by its id, use get_order.
    Example: {"query": "kovac", "placed_after": "2026-03-01"}

    GET /orders
    """
    return await call.send(
        query={
            "query": query,
            "status": status,
            "placed_after": placed_after,
            "limit": limit,
            "cursor": cursor,
        }
    )
