"""One call's exchange with the API: its turn at the host, safe repeats, redirects."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from anyio import current_time, sleep

from ..observe.spans import request_span
from .client import Answer, ApiClient, PreparedRequest, Trip
from .redirects import Redirects
from .retries import Repeats
from .unreachable import Unreachable

if TYPE_CHECKING:
    from ..record import Record
    from .upstream import Upstream, Upstreams

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What holds for the requests of one call.

    Attributes:
        base: the API's address, which redirects don't leave.
        repeatable: whether the request may be sent again after the API may have seen it.
        retries: how often it is repeated at most.
        record: is kept up to date, also where the exchange is cut off.
    """

    client: ApiClient
    upstreams: Upstreams
    base: str
    repeatable: bool
    retries: int
    record: Record

    async def answer(self, request: PreparedRequest) -> Answer:
        """Sends the request until there is an answer worth returning, and follows redirects.

        Raises:
            Unreachable: there is no answer.
            CallFailed: too many requests are waiting for the host already; or a redirect leads where none may.
            httpx2.HTTPError, httpx2.InvalidURL: the request or the answer can't be handled at all.
        """
        redirects = Redirects(self.base, request)
        answer = await self._repeated(request, itself=True)
        following = redirects.following(request, answer)
        while following is not None:
            answer = await self._repeated(following, itself=False)
            following = redirects.following(following, answer)
        return answer

    async def _repeated(self, request: PreparedRequest, itself: bool) -> Answer:
        """One request with its repeats.

        Args:
            itself: this is the call's own request, not the read that a redirect has made of it.
        """
        upstream = self.upstreams.of(request.url)
        repeats = Repeats(request, self.repeatable or not itself, self.retries, upstream.budget)
        upstream.budget.call()
        for attempt in count(1):
            before = self.record.api_seconds
            outcome: Answer | Unreachable
            try:
                outcome = await self._once(request, upstream, itself)
            except Unreachable as error:
                outcome = error
            wait = repeats.wait(attempt, outcome, self.record.api_seconds - before)
            if wait is None:
                break
            told = outcome if isinstance(outcome, Unreachable) else f"answered {outcome.status}"
            log.info("attempt %d of %s: the API %s", attempt, request.method, told)
            await sleep(wait)
        if isinstance(outcome, Unreachable):
            raise outcome
        return outcome

    async def _once(self, request: PreparedRequest, upstream: Upstream, itself: bool) -> Answer:
        record, trip = self.record, Trip()
        async with upstream.turn():
            record.attempts += 1
            started = current_time()
            answer: Answer | None = None
            try:
                with request_span(request.method, request.url, record.attempts) as span:
                    answer = await self.client.fetch(span.carried_by(request), trip)
                    span.answered(answer.status)
            finally:  # also where it is cut off
                record.api_seconds += current_time() - started
                record.status = trip.status or record.status
                record.received_bytes += trip.received
                if trip.sent:
                    record.sent = True
                    record.sent_bytes += len(request.content or b"")
                    record.lost = record.lost or (itself and answer is None)
        if itself and (200 <= answer.status < 300 or answer.status == 303):
            record.accepted = answer.status
        return answer
