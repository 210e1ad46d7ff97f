"""Models of the answers of orders."""

from __future__ import annotations

from typing import Literal

from . import shared
from .base import ApiModel


class Customer(ApiModel):
    name: str
    email: str


class Hold(ApiModel):
    reason: str | None
    until: str | None


class Item(ApiModel):
    sku: str
    name: str
    quantity: int
    unit_price_cents: int


class Note(ApiModel):
    note_id: str
    text: str
    written_at: str


class OrderSummary(ApiModel):
    order_id: str
    customer: Customer
    status: Literal["placed", "packed", "shipped", "delivered", "cancelled"]
    total_cents: int
    currency: str
    placed_at: str


class ActionResult(ApiModel):
    order_id: str
    status: Literal["placed", "packed", "shipped", "delivered", "cancelled"]
    hold: Hold | None
    refunded_cents: int
    possible_actions: list[Literal["cancel", "hold"]]


class Order(ApiModel):
    order_id: str
    customer: Customer
    status: Literal["placed", "packed", "shipped", "delivered", "cancelled"]
    total_cents: int
    currency: str
    placed_at: str
    items: list[Item]
    hold: Hold | None
    refunded_cents: int
    refundable_cents: int
    notes: list[Note]
    tracking: shared.Tracking | None = None


class OrderPage(ApiModel):
    orders: list[OrderSummary]
    total: int
    next_cursor: str | None
