"""What a call has cost and met on its way."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Record:
    """What a call has cost and met on its way, for the audit, the metrics and the words of a failure.

    Attributes:
        attempts: how many requests were made, also those that found no connection. A challenge of the API for
            credentials and the answer to it are one.
        sent: whether the API may have seen any of them.
        lost: whether one that the API may have acted on had no whole answer.
        accepted: the status by which the API has said that the call is done (2xx, or 303), once it is wholly here.
        status: the last HTTP status that it answered.
        sent_bytes, received_bytes: bodies only, of all attempts together.
        api_seconds: how long the API took, of all attempts together.
        drift: where (JSON pointer) and how the answer breaks its schema.
        source: where the result came from, when it was not the API: `cache`, `repeat` or `refused`.
        began, inside: a function of the team's own was called; it has not come to an end by itself yet.
        parts: the tools that it used and that change things, and whether each is known to be carried out.
    """

    attempts: int = 0
    sent: bool = False
    lost: bool = False
    accepted: int | None = None
    status: int | None = None
    sent_bytes: int = 0
    received_bytes: int = 0
    api_seconds: float = 0.0
    drift: tuple[str, str] | None = None
    source: str | None = None
    began: bool = False
    inside: bool = False
    parts: dict[str, bool] = field(default_factory=dict)
