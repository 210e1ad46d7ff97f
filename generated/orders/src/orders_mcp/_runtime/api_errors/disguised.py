"""Errors that come with the status of a success, as Slack, GraphQL and many APIs of one endpoint send them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .keys import KNOWN
from .model import squashed

_NAMED = tuple("error message msg errmsg errors errormsg errormessage code errorcode errcode".split())
_FLAGS = ("ok", "success", "succeeded", "issuccess")
_CODES = ("code", "errcode", "errorcode", "retcode", "ret", "status", "errno")
_ERROR_CODES = ("errcode", "errorcode", "retcode", "errno")
_TEXTS = ("msg", "message", "errmsg", "errormsg", "errormessage", "retmsg")
_DATA = ("data", "result", "results", "items", "payload")
_ENVELOPE = frozenset((*_FLAGS, *_CODES, *_TEXTS, *_DATA)) | frozenset(
    "error errors detail details reason subcode submsg errortype statuscode requestid reqid traceid logid timestamp time"
    " path docurl moreinfo".split()
)
"""What stands around data, or in its place."""


def is_error(value: Any) -> bool:
    """Whether a value is an error beyond doubt: it says so in a way that is common, and has no data beside it."""
    if not isinstance(value, dict) or len(value) > 30:
        return False
    known = {squashed(key): inner for key, inner in value.items()}
    if any(known.get(flag) is True for flag in _FLAGS):
        return False
    if any(known.get(key) not in (None, "", [], {}, False) for key in _DATA):
        return False
    return _flagged(known) or _listed(known) or _coded(known) or _bare(known)


def _flagged(known: Mapping[str, Any]) -> bool:
    """`{"ok": false, "error": ...}`, `{"status": "error", "message": ...}`"""
    failed = any(known.get(flag) is False for flag in _FLAGS)
    said = str(known.get("status", "")).lower() in ("error", "fail", "failed", "failure")
    return (failed or said) and any(known.get(name) for name in _NAMED)


def _listed(known: Mapping[str, Any]) -> bool:
    """`{"errors": [{"message": ...}], "data": null}` (GraphQL, 7.1: without data the request failed)"""
    errors = known.get("errors")
    return isinstance(errors, list) and any(
        isinstance(error, dict) and error.get("message") for error in errors
    )


def _coded(known: Mapping[str, Any]) -> bool:
    """`{"errcode": 40013, "errmsg": ...}`; zero and the statuses of success are no errors.

    A plain `code` can be a field of the thing itself (of a message, a country): it counts where only an envelope is around it.
    """
    texts = any(isinstance(known.get(key), str) and known[key] for key in _TEXTS)
    codes = _CODES if known.keys() <= _ENVELOPE else _ERROR_CODES
    return texts and any(_is_failure(known.get(key)) for key in codes)


def _is_failure(code: Any) -> bool:
    if isinstance(code, str) and code.lstrip("-").isdigit() and len(code) < 12:
        code = int(code)
    return isinstance(code, int) and not isinstance(code, bool) and code != 0 and not 100 <= code < 400


def _bare(known: Mapping[str, Any]) -> bool:
    """`{"error": {"code": ..., "message": ...}}` and nothing that is not part of an error; JSON-RPC has more around it"""
    error = known.get("error")
    if isinstance(error, dict):
        inner = {squashed(key): value for key, value in error.items()}
        told = inner.get("message") or inner.get("code")
    else:
        told = isinstance(error, str) and error
    around = {"jsonrpc", "id"} if "jsonrpc" in known else set()
    return bool(told) and known.keys() - around - set(_DATA) <= KNOWN  # what has data was told apart before
