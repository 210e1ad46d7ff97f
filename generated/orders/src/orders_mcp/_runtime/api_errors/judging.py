"""From an answer to the failure that it is: what it says, what it means, how it is told."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from http.client import responses
from typing import Any

import httpx2

from ..answers.answer_headers import rate_limit_reset, rate_limit_spent, retry_after
from ..operation import Operation
from ..outcomes.failures import Category, Failure
from ..secrecy.hiding import MASK
from ..secrecy.redact import Redactor
from ..secrecy.secret_names import SecretNames
from ..transport.client import Answer
from ..transport.redirects import REDIRECT_STATUSES
from ..values import Unset, compact_json
from .bodies import content_of
from .classify import Evidence, category_of
from .disguised import is_error
from .fields import ArgumentMap, Located
from .keys import bare_code
from .model import ErrorBody, Statement, squashed
from .reading import read
from .signals import of_code, of_words
from .words import bounded, joined, quoted

_CORRECTABLE = (Category.VALIDATION, Category.TRANSIENT)
_LONGEST_PLACE = 120
_LONGEST_WAIT = 366 * 86_400
_MOST_STATEMENTS = 40
_LONGEST_PHRASE = 40
_LONGEST_VALUE = 10_000
_VALUE = re.compile(r"(?:bearer|basic|digest|token)\s+\S{6,}|(?=\D*\d)\S{8,}", re.IGNORECASE)
"""What is no sentence about a password, but one: some APIs give back what they were sent."""
_CHALLENGE = re.compile(r"\berror=\"?(\w{1,60})")


def failure_of(answer: Answer, operation: Operation, redactor: Redactor) -> Failure:
    """See the package."""
    status = answer.status
    if status in REDIRECT_STATUSES:
        message = f"The API answered {status}: it points to another address, which is not followed."
        return Failure(Category.INTERNAL, message, status=status)
    reason = httpx2.codes.get_reason_phrase(status)  # the usual one: the API's own can be anything
    answered = f"The API answered {status} {reason}".rstrip()
    return _judged(answer, content_of(answer, operation.tool), operation, redactor, answered)


def refusal_in(answer: Answer, value: Any, operation: Operation, redactor: Redactor) -> Failure | None:
    """See the package."""
    if not is_error(value) or operation.data_check.error(value) is None:
        return None
    answered = f"The API answered {answer.status}, but with an error"
    return _judged(answer, value, operation, redactor, answered)


def _judged(answer: Answer, content: Any, operation: Operation, redactor: Redactor, answered: str) -> Failure:
    arguments = ArgumentMap(operation)
    body = ErrorBody() if isinstance(content, Unset) else read(content, arguments.knows)
    told = [(said, arguments.locate(said.place) if said.place else None) for said in body.statements]
    told = told[:_MOST_STATEMENTS]
    asked = retry_after(answer.headers)
    if asked is None and body.wait is not None:
        asked = min(math.ceil(body.wait), _LONGEST_WAIT)
    category = category_of(_evidence(answer, operation, body, told, asked))
    words = joined(quoted(text, redactor) for text in _texts(told, answer.status, redactor.names))
    if not words and not body.statements:
        words = quoted(_dump(content, redactor), redactor)
    wait = None
    if category is Category.TRANSIENT:
        wait = rate_limit_reset(answer.headers) if asked is None else asked
    return Failure(
        category,
        f"{answered}: {words}" if words else f"{answered}.",
        retryable=category in _CORRECTABLE,
        status=answer.status,
        wait=wait,
    )


def _evidence(
    answer: Answer,
    operation: Operation,
    body: ErrorBody,
    told: list[tuple[Statement, Located | None]],
    wait: int | None,
) -> Evidence:
    codes = (*_header_codes(answer.headers), *body.codes)
    return Evidence(
        operation,
        status=answer.status if answer.status >= 300 else None,
        codes=codes,
        coded=frozenset().union(*map(of_code, codes[:_MOST_STATEMENTS])),
        worded=of_words("\n".join(said.message[:1000] for said, _ in told)),
        located=tuple(found for _, found in told if found is not None),
        fields=any(found is not None or (said.place is not None and said.place.sure) for said, found in told),
        wait=wait,
        rate_spent=rate_limit_spent(answer.headers),
    )


def _header_codes(headers: httpx2.Headers) -> Iterator[str]:
    """Codes that stand in headers: AWS's own, and the one of a challenge (RFC 6750, 3)."""
    challenge = _CHALLENGE.search(headers.get("www-authenticate", "")[:1000])
    told = (headers.get("x-amzn-errortype", "").partition(":")[0], challenge and challenge[1])
    yield from filter(None, map(bare_code, told))


def _texts(told: list[tuple[Statement, Located | None]], status: int, secret: SecretNames) -> Iterator[str]:
    """What the API says, each with the argument that it is about; what only repeats the status is left out."""
    said_before = set(_names_of(status))
    for said, found in told:
        place = found.text if found is not None else None
        if place is None and said.place is not None and said.place.sure:
            place = said.place.spelling
        if place is not None:
            value = place in secret and _VALUE.fullmatch(said.message[:_LONGEST_VALUE].strip())
            yield f"{bounded(place, _LONGEST_PLACE)}: {MASK if value else said.message}"
        else:
            plain = squashed(said.message.strip()[:2000])
            if plain not in said_before and not (
                plain.startswith(str(status)) and len(plain) < _LONGEST_PHRASE
            ):
                yield said.message
            said_before.add(plain)


def _names_of(status: int) -> Iterator[str]:
    yield from ("", "error")
    for phrase in (httpx2.codes.get_reason_phrase(status), responses.get(status, "")):
        yield squashed(phrase)


def _dump(content: Any, redactor: Redactor) -> str:
    """A body that nobody can read, as it is."""
    if isinstance(content, (Unset, bool)) or content in (None, "", [], {}):
        return ""
    try:
        return content if isinstance(content, str) else compact_json(redactor.value(content))
    except (ValueError, RecursionError):
        return ""
