"""The last look at what leaves: whatever put a secret there, a hook, an API, a message, it stays here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mcp_types as mt
from mcp import MCPError

from ..outcomes.result import Attachment, Result, tool_result
from .redact import Redactor

_LEFT_OUT = "The content holds a credential of this server and is not passed on."


def answer_without_secrets(result: Result[Any], trace_id: str, redactor: Redactor) -> mt.CallToolResult:
    """The answer that a client gets.

    Raises:
        TypeError, ValueError: the result is not JSON.
    """

    def clean(attachment: Attachment) -> bool:
        return not (redactor.holds_secret(attachment.content) or redactor.holds_secret(attachment.media_type))

    kept = tuple(filter(clean, result.attachments))
    if len(kept) < len(result.attachments):  # bytes can't be masked: lengths and digests would be wrong
        result = replace(result, notes=(*result.notes, _LEFT_OUT))
    envelope = result.envelope(trace_id)
    answer = tool_result(envelope, kept)
    text = answer.content[0]
    if isinstance(text, mt.TextContent) and redactor.holds_secret(text.text):
        return tool_result(redactor.value(envelope), kept)
    return answer


def without_secrets(error: MCPError, redactor: Redactor) -> MCPError:
    """A protocol error as a client may see it. Its message goes into the trace too, so it is kept as a log line is."""
    told = error.error
    return MCPError(code=told.code, message=redactor.log_text(told.message), data=redactor.value(told.data))
