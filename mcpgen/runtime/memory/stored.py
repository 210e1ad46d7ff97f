"""Results and failures as text, for a store that several processes may share."""

from __future__ import annotations

import base64
from dataclasses import asdict, fields
from typing import Any

from ..outcomes.failures import Category, Failure
from ..outcomes.result import Attachment, Result
from ..values import Unset, compact_json, parse_json


def success_as_json(result: Result[Any]) -> dict[str, Any]:
    """A success, attachments included."""
    told: dict[str, Any] = {
        name: getattr(result, name)
        for name in ("data", "raw")
        if not isinstance(getattr(result, name), Unset)
    }
    told |= {"total": result.total, "notes": list(result.notes), "next": result.next, "hint": result.hint}
    told["attachments"] = [
        [a.media_type, base64.b64encode(a.content).decode("ascii"), a.uri] for a in result.attachments
    ]
    return told


def success_from_json(told: Any) -> Result[Any]:
    """The success that was stored.

    Raises:
        KeyError, TypeError, ValueError: it is not one.
    """
    attachments = tuple(
        Attachment(media_type, base64.b64decode(content), uri)
        for media_type, content, uri in told["attachments"]
    )
    values = {name: told[name] for name in ("data", "raw") if name in told}
    return Result(
        **values,
        total=told["total"],
        notes=tuple(told["notes"]),
        next=told["next"],
        hint=told["hint"],
        attachments=attachments,
    )


def failure_as_json(failure: Failure) -> dict[str, Any]:
    return {**asdict(failure), "category": str(failure.category)}


def failure_from_json(told: Any) -> Failure:
    """The failure that was stored.

    Raises:
        KeyError, TypeError, ValueError: it is not one.
    """
    known = {one.name for one in fields(Failure)}
    values = {name: value for name, value in told.items() if name in known}
    return Failure(**{**values, "category": Category(told["category"])})


def written(told: dict[str, Any]) -> str:
    return compact_json(told)


def read(text: str | None) -> dict[str, Any] | None:
    """The object in a stored text; None for anything else: another version of this library may have written it."""
    try:
        told = None if text is None else parse_json(text)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None
