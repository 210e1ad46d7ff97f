"""Why a document cannot be read: one exception for all readers."""

from __future__ import annotations

from mcpgen.source.document import Position


class SourceProblem(Exception):
    """A document cannot be read. The root's problem refuses the run; another document's breaks only its references.

    `code` is a diagnostic code that starts with `source-`; `message` is a sentence without the document's name.
    """

    def __init__(
        self, code: str, message: str, position: Position | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position
        self.hint = hint
