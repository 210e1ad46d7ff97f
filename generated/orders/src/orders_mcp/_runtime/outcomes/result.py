"""`Result`: the outcome of a tool call, and how it becomes the answer that a client sees."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import mcp_types as mt

from ..values import UNSET, JsonObject, Unset, compact_json
from ..visible import without_unseen
from .failures import Failure

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Attachment:
    """Bytes of a binary answer, shown to the client as image, audio or embedded resource content."""

    media_type: str
    content: bytes
    uri: str

    def block(self) -> mt.ContentBlock:
        text = base64.b64encode(self.content).decode("ascii")
        family = self.media_type.split("/")[0]
        if family == "image":
            return mt.ImageContent(data=text, mime_type=self.media_type)
        if family == "audio":
            return mt.AudioContent(data=text, mime_type=self.media_type)
        resource = mt.BlobResourceContents(uri=self.uri, mime_type=self.media_type, blob=text)
        return mt.EmbeddedResource(resource=resource)


@dataclass(frozen=True)  # no slots: with them `Result[Order](...)` fails on Python 3.11
class Result(Generic[T]):
    """The outcome of a call. `T` is the type that the API promises for `data`; `model(T)` reads it.

    A success has `data`, exactly as the API gave it, or `raw` when the answer breaks its schema. A failure
    has `failure`. The fields are those of the result contract.
    """

    data: Any = UNSET
    raw: Any = UNSET
    total: int | None = None
    notes: tuple[str, ...] = ()
    next: JsonObject | None = None
    failure: Failure | None = None
    hint: str | None = None
    attachments: tuple[Attachment, ...] = ()

    @property
    def ok(self) -> bool:
        return self.failure is None

    @property
    def error(self) -> str | None:
        return None if self.failure is None else self.failure.message

    @property
    def hinted_failure(self) -> Failure | None:
        """The failure with the next step that the result has for it, as when a tool of the team's own passes one on."""
        failure = self.failure
        return failure if failure is None or self.hint is None else replace(failure, hint=self.hint)

    @property
    def note(self) -> str | None:
        return without_unseen(" ".join(self.notes)) or None

    @property
    def value(self) -> Any:
        """What the API answered, whether or not it keeps its schema; None for a failure."""
        found = self.raw if isinstance(self.data, Unset) else self.data
        return None if isinstance(found, Unset) else found

    def model(self, kind: type[T]) -> T:
        """The answer as a model, for code that wants attributes.

        Raises:
            pydantic.ValidationError: the answer does not have this shape.
        """
        from pydantic import TypeAdapter  # not needed to serve calls

        return TypeAdapter(kind).validate_python(self.value)

    def envelope(self, trace_id: str) -> dict[str, Any]:
        """The object of the result contract; absent fields are left out."""
        if self.failure is not None:
            told: dict[str, Any] = {
                "ok": False,
                "error": self.failure.message,
                "category": str(self.failure.category),
                "retryable": self.failure.retryable,
                "status": self.failure.status,
                "trace_id": trace_id,
                "hint": self.hint,
            }
            return {key: value for key, value in told.items() if value is not None}
        told = {"ok": True}
        if not isinstance(self.data, Unset):
            told["data"] = self.data
        else:
            told["raw"] = None if isinstance(self.raw, Unset) else self.raw
        optional = {"total": self.total, "note": self.note, "next": self.next, "hint": self.hint}
        return told | {key: value for key, value in optional.items() if value is not None}


def tool_result(envelope: dict[str, Any], attachments: tuple[Attachment, ...] = ()) -> mt.CallToolResult:
    """The protocol's form: the same object as structured content and as compact JSON text."""
    blocks: list[mt.ContentBlock] = [mt.TextContent(text=compact_json(envelope))]
    blocks += [attachment.block() for attachment in attachments]
    return mt.CallToolResult(content=blocks, structured_content=envelope, is_error=not envelope["ok"])
