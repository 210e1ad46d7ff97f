"""Models of the answers of departures."""

from __future__ import annotations

from .base import ApiModel


class Departure(ApiModel):
    leaves: str
    ferry: str
