"""Whether an answer is what the spec says: judged by the checks of Schemathesis on the exchange as it went over the wire."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import requests
import schemathesis
from schemathesis import Response as Reply
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import MalformedJson, ServerError
from schemathesis.errors import SchemathesisError
from schemathesis.openapi import checks as failures
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from mcpgen.ir.api import Operation, Response, Schema
from mcpgen.verify.document import answers_document, method_of, path_of
from mcpgen.verify.model import Answered, Kind

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
_CUT = (response_schema_conformance,)
"""What cannot be judged of a part of a body."""
_WITHOUT_BODY = (content_type_conformance, response_schema_conformance)
"""What cannot be judged of an answer to HEAD, which can leave out what is about the body (RFC 9110, 9.3.2)."""
_AT = re.compile(r"^Schema at (/(?:components|paths)/\S+):$", re.MULTILINE)
"""Where Schemathesis says that a schema stands in its document; of a schema without references it says less."""
_LONGEST = 200
NOT_ABOUT_THE_API = frozenset({401, 403, 407, 429})
"""Statuses that say something about who asks, and how often. They are no drift where nobody documented them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one answer.

    Attributes:
        detail: one line for people.
        pointer: where the schema that is broken stands in the judged document; "" where no schema is meant.
        steps: where there is no pointer, the way from the schema of the response to the one that is broken.
        same: what else tells it from other faults of its kind, without the values of one answer.
    """

    kind: Kind
    detail: str
    pointer: str = ""
    steps: tuple[str, ...] = ()
    same: str = ""


class CannotJudge(Exception):
    """An answer that cannot be held against the spec; the text says why."""


class Judge:
    """Knows the documented responses of all operations."""

    def __init__(
        self,
        operations: Sequence[Operation],
        schemas: Mapping[str, Schema],
        required: Callable[[Response], frozenset[str]],
    ) -> None:
        self._numbers = {operation.key: number for number, operation in enumerate(operations)}
        document = answers_document(operations, schemas, required)
        self._answers = schemathesis.openapi.from_dict(document, config=schemathesis.Config.from_dict({}))

    def faults(self, operation: Operation, answered: Answered) -> list[Fault]:
        """Everything that is wrong with an answer, at most one fault for each status, type, header, and place of a schema.

        Raises:
            CannotJudge: the checks give up on what is documented, or on the answer.
        """
        path = path_of(self._numbers[operation.key])
        case = self._answers[path][method_of(operation).upper()].Case()
        left_out = _WITHOUT_BODY if answered.method.upper() == "HEAD" else _CUT if answered.cut else ()
        checks = [check for check in _CHECKS if check not in left_out]
        try:
            case.validate_response(_reply(answered), checks=checks)
        except BaseExceptionGroup as group:
            found = [fault for failure in group.exceptions for fault in _faults(failure, answered)]
            return _told_once(found)
        except (SchemathesisError, ValueError, RecursionError) as error:
            raise CannotJudge(_cut(str(error) or type(error).__name__)) from error
        return []


def _reply(answered: Answered) -> Reply:
    headers: dict[str, list[str]] = {}
    for name, value in answered.headers:
        headers.setdefault(name, []).append(value)
    # The address does not matter to the checks, and the real one could hold a credential.
    request = requests.Request("POST", "http://127.0.0.1/").prepare()
    return Reply(
        status_code=answered.status,
        headers=headers,
        content=answered.body,
        request=request,
        elapsed=0.0,
        verify=True,
    )


def _told_once(faults: Sequence[Fault]) -> list[Fault]:
    """A server error that is not documented is one fault, and so is a body whose type is missing."""
    kinds = {fault.kind for fault in faults}
    hides = {Kind.SERVER_ERROR: Kind.STATUS, Kind.NO_CONTENT_TYPE: Kind.UNREADABLE}
    hidden = {less for more, less in hides.items() if more in kinds}
    shown = [fault for fault in faults if fault.kind not in hidden]
    return list({(fault.kind, fault.pointer, fault.same): fault for fault in reversed(shown)}.values())[::-1]


def _faults(failure: BaseException, answered: Answered) -> Iterator[Fault]:
    status = answered.status
    match failure:
        case failures.UndefinedStatusCode():
            if status not in NOT_ABOUT_THE_API:
                known = ", ".join(failure.defined_status_codes)
                yield Fault(
                    Kind.STATUS, f"The status {status} is not documented; documented: {known or 'none'}."
                )
        case failures.UndefinedContentType():
            known = ", ".join(failure.defined_content_types)
            yield Fault(Kind.CONTENT_TYPE, f"{status} came as {failure.content_type}; documented: {known}.")
        case failures.MissingContentType():
            known = ", ".join(failure.media_types)
            yield Fault(Kind.NO_CONTENT_TYPE, f"{status} came without Content-Type; documented: {known}.")
        case failures.MissingHeaders():
            for name in failure.missing_headers:
                yield Fault(
                    Kind.HEADER_MISSING, f"{status} came without the required header {name}.", same=name
                )
        case failures.JsonSchemaError():
            yield _schema_fault(failure, status)
        case MalformedJson() | failures.ContentDeserializationError():
            yield Fault(Kind.UNREADABLE, f"The body of {status} cannot be read as its type says.")
        case ServerError():
            yield Fault(Kind.SERVER_ERROR, f"The API failed with the status {status}.")
        case _:
            title = getattr(failure, "title", "") or type(failure).__name__
            yield Fault(Kind.OTHER, _cut(f"{status}: {title}: {getattr(failure, 'message', failure)}"))


def _schema_fault(failure: Any, status: int) -> Fault:
    place = _AT.search(failure.message)
    kind = Kind.HEADER if "header" in failure.title.lower() else Kind.BODY
    what = "a header" if kind is Kind.HEADER else instance_place(failure.instance_path)
    text = _cut(str(failure.validation_message))
    keyword = str(failure.schema_path[-1]) if failure.schema_path else ""
    same = f"{what} {text if keyword == 'required' else keyword}"
    steps = () if place or kind is Kind.HEADER else tuple(map(str, failure.schema_path[:-1]))
    return Fault(kind, f"{status}, {what}: {text}", place.group(1) if place else "", steps, same)


def instance_place(path: Sequence[str | int]) -> str:
    """Where in a body something is: `orders[].total`; all elements of a list are one place."""
    text = "".join("[]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    return (text if len(text) <= _LONGEST // 2 else f"{text[: _LONGEST // 2]}…") or "the body"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
