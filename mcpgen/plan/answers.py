"""Every answer that an operation documents, each with a value for it: what the generated tests let the API say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcpgen.ir.api import MediaType, Operation, Response, Schema
from mcpgen.plan.examples import Examples
from mcpgen.plan.media import kind_of, preferred
from mcpgen.plan.model import AnswerSample

_LARGEST = 4_000
"""Bytes of JSON of one value: a test that nobody can read shows nobody what it is about."""
_MOST = 24
"""Answers of one operation."""
_WITHOUT_BODY = frozenset({"204", "205", "304"})
"""RFC 9110, 15.3.5, 15.3.6 and 15.4.5."""


class AnswerSamples:
    """Makes the samples of one API. Its operations share most of their schemas, so that values are kept."""

    def __init__(self, schemas: Mapping[str, Schema], examples: Examples) -> None:
        self._schemas = schemas
        self._examples = examples
        self._known: dict[str, Any] = {}

    def of(self, operation: Operation) -> tuple[AnswerSample, ...]:
        """The documented answers: every status, and every media type once for successes and once for failures."""
        found: list[AnswerSample] = []
        seen: set[tuple[bool, str]] = set()
        for response in sorted(operation.responses, key=lambda one: one.status):
            success = response.status[:1] == "2"
            for media in self._media(operation, response):
                if media is None:
                    found.append(AnswerSample(response.status, None, "empty"))
                    continue
                further = media is not preferred(response.media)
                if further and (success, media.bare) in seen:
                    continue
                seen.add((success, media.bare))
                found.append(self._sample(response.status, media))
        return tuple(found[:_MOST])

    def _media(self, operation: Operation, response: Response) -> Sequence[MediaType | None]:
        """The preferred type first, as a server that is asked for it would send it."""
        if not response.media or response.status in _WITHOUT_BODY or operation.method == "HEAD":
            return (None,)
        first = preferred(response.media)
        return (first, *(media for media in response.media if media is not first))

    def _sample(self, status: str, media: MediaType) -> AnswerSample:
        kind = kind_of(media, self._schemas)
        if kind not in ("json", "ndjson"):
            return AnswerSample(status, media.name, kind)
        schema = media.item_schema or media.schema or {}
        for value in self._values(schema, media.examples if kind == "json" else ()):
            if _is_small(value):
                return AnswerSample(status, media.name, kind, value, found=True)
        return AnswerSample(status, media.name, kind)

    def _values(self, schema: Schema, examples: Sequence[Any]) -> Iterator[Any]:
        """The document's own example, if it is what its schema says; then one that is made."""
        fitting = (one for one in examples[:1] if _is_small(one))
        yield from (one for one in fitting if self._examples.fits(one, schema, direction="response"))
        key = json.dumps(schema, sort_keys=True, default=str)
        if key not in self._known:
            self._known[key] = self._examples.value(schema, direction="response", minimal=True)
        yield self._known[key]


def _is_small(value: Any) -> bool:
    return len(json.dumps(value, default=str)) <= _LARGEST
