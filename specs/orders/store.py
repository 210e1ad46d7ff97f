"""The shop's data and business rules, in SQLite. Knows nothing of HTTP; a refusal is a `RuleError`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]

REFUND_LIMIT_CENTS = 50_000
_IN_WAREHOUSE = ("placed", "packed")

_SCHEMA = """
CREATE TABLE orders (
    order_id TEXT PRIMARY KEY, customer_name TEXT NOT NULL, customer_email TEXT NOT NULL, status TEXT NOT NULL,
    total_cents INTEGER NOT NULL, currency TEXT NOT NULL, placed_at TEXT NOT NULL, hold TEXT
);
CREATE TABLE items (
    order_id TEXT NOT NULL, sku TEXT NOT NULL, name TEXT NOT NULL, quantity INTEGER NOT NULL,
    unit_price_cents INTEGER NOT NULL
);
CREATE TABLE notes (note_id TEXT PRIMARY KEY, order_id TEXT NOT NULL, text TEXT NOT NULL, written_at TEXT NOT NULL);
CREATE TABLE refunds (
    number INTEGER PRIMARY KEY, order_id TEXT NOT NULL, amount_cents INTEGER NOT NULL, reason TEXT NOT NULL,
    comment TEXT, created_at TEXT NOT NULL, idempotency_key TEXT UNIQUE
);
"""

_ARTICLES = {
    "LMP-01": ("Desk lamp", 4_900),
    "PEN-12": ("Fountain pen", 2_000),
    "CHR-07": ("Office chair", 24_900),
    "DSK-02": ("Standing desk", 64_900),
    "PAP-30": ("Paper, 500 sheets", 650),
}
_CUSTOMERS = {
    "ada": ("Ada Kovac", "ada.kovac@example.com"),
    "bram": ("Bram Okafor", "bram.okafor@example.com"),
    "chen": ("Chen Lindqvist", "chen.lindqvist@example.org"),
    "dina": ("Dina Moreau", "dina.moreau@example.net"),
}
_ORDERS: Sequence[tuple[str, str, str, dict[str, int]]] = (
    ("ada", "delivered", "2026-02-02T10:00:00Z", {"LMP-01": 1, "PEN-12": 2}),
    ("bram", "shipped", "2026-03-05T14:20:00Z", {"CHR-07": 1}),
    ("ada", "packed", "2026-03-09T08:15:00Z", {"LMP-01": 1, "PEN-12": 2}),
    ("chen", "placed", "2026-03-10T16:40:00Z", {"PAP-30": 10}),
    ("dina", "delivered", "2026-01-20T09:30:00Z", {"DSK-02": 2}),
    ("bram", "cancelled", "2026-01-11T11:05:00Z", {"PEN-12": 1}),
    ("chen", "delivered", "2026-02-14T18:45:00Z", {"CHR-07": 4, "PAP-30": 2}),
    ("dina", "shipped", "2026-03-07T07:55:00Z", {"LMP-01": 3}),
    ("ada", "placed", "2026-03-11T12:00:00Z", {"CHR-07": 2}),
    ("chen", "delivered", "2025-12-01T13:10:00Z", {"PEN-12": 6}),
    ("dina", "packed", "2026-03-08T15:25:00Z", {"PAP-30": 4, "PEN-12": 1}),
    ("bram", "delivered", "2025-11-17T10:50:00Z", {"DSK-02": 1}),
)
_NOTES = (
    ("NOTE-0001", "ORD-100003", "Customer asked for a gift wrap.", "2026-03-09T09:00:00Z"),
    ("NOTE-0002", "ORD-100007", "Deliver to the back entrance.", "2026-02-14T19:00:00Z"),
)


class RuleError(Exception):
    """A request that the shop's rules refuse. `kind` names the rule; `facts` are numbers that explain it."""

    def __init__(self, kind: str, status: int, title: str, detail: str, **facts: int) -> None:
        super().__init__(detail)
        self.kind, self.status, self.title, self.detail, self.facts = kind, status, title, detail, facts


class Store:
    """One shop in memory, always seeded with the same orders."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        self._db.executescript(_SCHEMA)
        self._seed()

    def search(
        self, query: str | None, statuses: Sequence[str], placed_after: str | None, limit: int, offset: int
    ) -> tuple[list[Row], int]:
        """One page of matching orders, newest first, and how many match in all."""
        conditions, values = ["TRUE"], list[str]()
        if query:
            conditions.append(
                "(instr(lower(customer_name || ' ' || customer_email), ?) OR EXISTS (SELECT 1 FROM items"
                " WHERE items.order_id = orders.order_id AND instr(lower(items.name), ?)))"
            )
            values += [query.lower()] * 2
        if statuses:
            conditions.append(f"status IN ({', '.join('?' * len(statuses))})")
            values += statuses
        if placed_after:
            conditions.append("placed_at >= ?")
            values.append(placed_after)
        source = f"FROM orders WHERE {' AND '.join(conditions)}"
        total = int(self._rows(f"SELECT count(*) AS n {source}", *values)[0]["n"])
        page = self._rows(
            f"SELECT * {source} ORDER BY placed_at DESC LIMIT ? OFFSET ?", *values, limit, offset
        )
        return [_summary(row) for row in page], total

    def order(self, order_id: str, *, with_tracking: bool = False) -> Row:
        """Everything about one order."""
        row = self._find(order_id)
        refunded = self._refunded(row)
        order = _summary(row) | {
            "items": self._rows(
                "SELECT sku, name, quantity, unit_price_cents FROM items WHERE order_id = ?", order_id
            ),
            "hold": _current_hold(row),
            "refunded_cents": refunded,
            "refundable_cents": row["total_cents"] - refunded,
            "notes": self._rows("SELECT note_id, text, written_at FROM notes WHERE order_id = ?", order_id),
        }
        return order | {"tracking": _tracking(row)} if with_tracking else order

    def tracking(self, order_id: str) -> Row:
        """Where the parcel is. Refused while the order is in the warehouse, or was cancelled there."""
        row = self._find(order_id)
        found = _tracking(row)
        if found is None:
            detail = f"Order {order_id} is {row['status']}; there is no parcel to track."
            raise RuleError("not-shipped", 409, "The order was not shipped", detail)
        return found

    def refund(self, order_id: str, amount: int, reason: str, comment: str | None, key: str | None) -> Row:
        """Pays money back, once per idempotency key."""
        row = self._find(order_id)
        refundable = row["total_cents"] - self._refunded(row)
        wanted = (order_id, amount, reason, comment)
        for earlier in self._rows("SELECT * FROM refunds WHERE idempotency_key = ?", key) if key else ():
            if tuple(earlier[name] for name in ("order_id", "amount_cents", "reason", "comment")) != wanted:
                detail = "This idempotency key was used for another refund; nothing was paid."
                raise RuleError("key-reused", 409, "The idempotency key was already used", detail)
            return _refund(earlier) | {"refundable_cents": refundable}
        facts = {"limit_cents": REFUND_LIMIT_CENTS, "refundable_cents": refundable}
        if amount > refundable:
            detail = (
                f"At most {refundable} cents of order {order_id} can still be refunded; nothing was paid."
            )
            raise RuleError("refund-above-paid", 409, "The refund is above what was paid", detail, **facts)
        if amount > REFUND_LIMIT_CENTS:
            detail = f"One refund is at most {REFUND_LIMIT_CENTS} cents; nothing was paid."
            raise RuleError("refund-above-limit", 409, "The refund is above the limit", detail, **facts)
        made = self._rows(
            "INSERT INTO refunds (order_id, amount_cents, reason, comment, created_at, idempotency_key)"
            " VALUES (?, ?, ?, ?, ?, ?) RETURNING *",
            *wanted,
            _now(),
            key,
        )[0]
        return _refund(made) | {"refundable_cents": refundable - amount}

    def delete_note(self, order_id: str, note_id: str) -> None:
        self._find(order_id)
        sql = "DELETE FROM notes WHERE order_id = ? AND note_id = ? RETURNING note_id"
        if not self._rows(sql, order_id, note_id):
            detail = f"Order {order_id} has no note {note_id}."
            raise RuleError("note-not-found", 404, "Note not found", detail)

    def state(self, order_id: str) -> Row:
        """What can be done with an order now."""
        order = self.order(order_id)
        possible = ["cancel", "hold"] if order["status"] in _IN_WAREHOUSE else []
        kept = {name: order[name] for name in ("order_id", "status", "hold", "refunded_cents")}
        return kept | {"possible_actions": possible}

    def cancel(self, order_id: str, reason: str | None) -> Row:
        """Ends an order in the warehouse. The money goes back in full, which `_refunded` derives from the state."""
        self._require_in_warehouse(order_id)
        self._rows("UPDATE orders SET status = 'cancelled', hold = NULL WHERE order_id = ?", order_id)
        if reason:
            number = (
                self._rows("SELECT max(CAST(substr(note_id, 6) AS INTEGER)) AS n FROM notes")[0]["n"] or 0
            )
            note = (f"NOTE-{number + 1:04d}", order_id, f"Cancelled: {reason}", _now())
            self._rows("INSERT INTO notes VALUES (?, ?, ?, ?)", *note)
        return self.state(order_id)

    def hold(self, order_id: str, hold: Row | None) -> Row:
        """Keeps an order in the warehouse, or lifts the hold when `hold` is None."""
        self._require_in_warehouse(order_id)
        text = None if hold is None else json.dumps(hold)
        self._rows("UPDATE orders SET hold = ? WHERE order_id = ?", text, order_id)
        return self.state(order_id)

    def _require_in_warehouse(self, order_id: str) -> None:
        status = self._find(order_id)["status"]
        if status not in _IN_WAREHOUSE:
            known = "cancelled" if status == "cancelled" else "shipped"
            detail = f"Order {order_id} is {status}; it can no longer be cancelled or held."
            raise RuleError(f"already-{known}", 409, f"The order was already {known}", detail)

    def _refunded(self, row: Row) -> int:
        if row["status"] == "cancelled":
            return int(row["total_cents"])
        sql = "SELECT coalesce(sum(amount_cents), 0) AS cents FROM refunds WHERE order_id = ?"
        return int(self._rows(sql, row["order_id"])[0]["cents"])

    def _find(self, order_id: str) -> Row:
        rows = self._rows("SELECT * FROM orders WHERE order_id = ?", order_id)
        if not rows:
            raise RuleError("order-not-found", 404, "Order not found", f"There is no order {order_id}.")
        return rows[0]

    def _rows(self, sql: str, *values: object) -> list[Row]:
        return [dict(row) for row in self._db.execute(sql, values)]

    def _seed(self) -> None:
        for number, (who, status, placed_at, basket) in enumerate(_ORDERS, start=100_001):
            order_id = f"ORD-{number}"
            total = sum(_ARTICLES[sku][1] * quantity for sku, quantity in basket.items())
            order = (order_id, *_CUSTOMERS[who], status, total, "EUR", placed_at, None)
            self._rows("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *order)
            for sku, quantity in basket.items():
                name, price = _ARTICLES[sku]
                self._rows("INSERT INTO items VALUES (?, ?, ?, ?, ?)", order_id, sku, name, quantity, price)
        for note in _NOTES:
            self._rows("INSERT INTO notes VALUES (?, ?, ?, ?)", *note)


def _summary(row: Row) -> Row:
    customer = {"name": row["customer_name"], "email": row["customer_email"]}
    kept = {name: row[name] for name in ("status", "total_cents", "currency", "placed_at")}
    return {"order_id": row["order_id"], "customer": customer} | kept


def _refund(row: Row) -> Row:
    kept = {name: row[name] for name in ("order_id", "amount_cents", "reason", "comment", "created_at")}
    return {"refund_id": f"REF-{row['number']:04d}"} | kept


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _current_hold(row: Row) -> Row | None:
    hold: Row | None = json.loads(row["hold"] or "null")
    if hold and hold["until"] and datetime.fromisoformat(hold["until"]) <= datetime.now(UTC):
        return None
    return hold


def _tracking(row: Row) -> Row | None:
    """The parcel of an order that left the warehouse, derived from the order so that it is always the same."""
    if row["status"] not in ("shipped", "delivered"):
        return None
    day = row["placed_at"][:10]
    events = [
        {"at": f"{day}T20:00:00Z", "place": "Rotterdam", "what": "Handed to the carrier"},
        {"at": f"{day}T23:40:00Z", "place": "Utrecht", "what": "Sorted"},
    ]
    if row["status"] == "delivered":
        events.append({"at": f"{day}T23:59:00Z", "place": "Customer", "what": "Delivered"})
    return {"carrier": "Nordpost", "tracking_number": f"NP{row['order_id'][4:]}", "events": events}
