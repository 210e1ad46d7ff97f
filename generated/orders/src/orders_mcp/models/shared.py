"""Models of the answers of several toolsets."""

from __future__ import annotations

from .base import ApiModel


class Event(ApiModel):
    at: str
    place: str
    what: str


class Tracking(ApiModel):
    carrier: str
    tracking_number: str
    events: list[Event]
