"""The audit: one line of JSON for each call, appended to a file or written to standard error.

Secrets are masked by value and by name, long values are cut to their length and SHA-256. Of an answer's body, a line
has the SHA-256 and, when it is small, the masked data itself: what a replay compares with.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..catalog import ServerInfo
from ..secrecy.redact import Redactor
from ..values import compact_json
from ..visible import with_unseen_escaped
from .callers import caller_of
from .events import Ended, Outcome

log = logging.getLogger(__name__)

STDERR = "stderr"
_LONGEST_VALUE = 1000
_MOST_ITEMS = 100
_LONGEST_ARGUMENTS = 16 << 10
LARGEST_RESULT = 16 << 10
"""Bytes of JSON up to which a line keeps the data of an answer."""
_LONGEST_TOOL = 100
_LONGEST_POINTER = 300
_MOST_POINTERS = 20


class AuditLog:
    """Writes the lines.

    Each line is one write to a file opened for appending, so that several processes can share it; it is opened for
    each line, so that it can be rotated. A line that can't be written is an error in the log, not of the call.
    """

    def __init__(self, target: str, server: ServerInfo, redactor: Redactor) -> None:
        self._path = None if target == STDERR else Path(target).expanduser()
        self._server = server
        self._redactor = redactor

    def check(self) -> None:
        """Finds out at the start what would otherwise go wrong with the first call. Creates nothing.

        Raises:
            ValueError: lines could not be written.
        """
        if self._path is None:
            return
        try:
            if not stat.S_ISREG(self._path.stat().st_mode):
                raise ValueError(f"{self._path} is not a file")
            writable = os.access(self._path, os.W_OK)
        except FileNotFoundError:
            folder = self._path.parent
            writable = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
        except OSError as error:
            raise ValueError(f"{self._path} can't be written: {error.strerror}") from error
        if not writable:
            raise ValueError(f"{self._path} can't be written")

    def write(self, ended: Ended) -> None:
        """Writes the line of one call."""
        line = with_unseen_escaped(compact_json(audit_entry(ended, self._server, self._redactor))) + "\n"
        if self._path is None:
            sys.stderr.write(line)
            sys.stderr.flush()
            return
        try:
            _append(self._path, line.encode("utf-8", "replace"))
        except OSError as error:
            log.error("%s: the audit line of this call is lost: %s", ended.trace_id, error.strerror)


def _append(path: Path, line: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        while line:  # all of it with the first write, unless the disk is full
            line = line[os.write(descriptor, line) :]
    finally:
        os.close(descriptor)


def audit_entry(ended: Ended, server: ServerInfo, redactor: Redactor) -> dict[str, Any]:
    """What is told about one call; what there is nothing to tell about is left out."""
    record = ended.record
    arguments, hidden = _arguments(ended, redactor)
    entry = {
        "time": _time(ended.started),
        "server": server.name,
        "version": server.version,
        "tool": redactor.log_text(ended.tool[:_LONGEST_TOOL]),
        "effect": ended.effect,
        "method": ended.operation and ended.operation.method,
        "path": ended.operation and ended.operation.path,
        "arguments": arguments,
        "hidden": hidden or None,
        "outcome": str(ended.outcome),
        "category": ended.category,
        "code": ended.code,
        "status": record.status,
        "attempts": record.attempts,
        "latency_ms": round(ended.seconds * 1000, 3),
        "api_ms": round(record.api_seconds * 1000, 3),
        "sent_bytes": record.sent_bytes,
        "received_bytes": record.received_bytes,
        "trace_id": ended.trace_id,
        "traceparent": ended.traceparent,
        "caller": caller_of(ended.context, redactor) or None,
        "drift": record.drift and {"pointer": record.drift[0][:_LONGEST_POINTER], "rule": record.drift[1]},
        "source": record.source,
    }
    told = {key: value for key, value in entry.items() if value is not None}
    if ended.outcome is Outcome.OK and ended.result is not None:
        told |= recorded(ended.result.value, redactor)
    return told


def recorded(value: Any, redactor: Redactor) -> dict[str, Any]:
    """The data of an answer: its digest and, when it is small, itself. Both are of the masked value."""
    shown, _ = redactor.shown(value)
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    told: dict[str, Any] = {
        "result_sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    }
    return told | ({"result": shown} if len(text) <= LARGEST_RESULT else {})


def _arguments(ended: Ended, redactor: Redactor) -> tuple[Any, list[str]]:
    shown, hidden = redactor.shown(
        dict(ended.arguments), ended.names, longest=_LONGEST_VALUE, most=_MOST_ITEMS
    )
    text = compact_json(shown)
    if len(text) <= _LONGEST_ARGUMENTS:
        return shown, [pointer[:_LONGEST_POINTER] for pointer in hidden[:_MOST_POINTERS]]
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return {"cut": text[:_LONGEST_VALUE], "length": len(text), "sha256": digest}, [""]


def _time(seconds: float) -> str:
    """RFC 3339, UTC, with milliseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
