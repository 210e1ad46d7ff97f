"""Idempotency keys: what makes a write safe to repeat, where the API knows a header for it.

The header is the usual one of the field (draft-ietf-httpapi-idempotency-key-header), or a vendor's own.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..values import UNSET

if TYPE_CHECKING:
    from ..operation import Operation
    from ..requests.request import Values
    from ..setup.policy import ToolPolicy


@dataclass(frozen=True, slots=True)
class KeyHeader:
    """The header that an API declares, and what its keys are made of; without an alphabet they are UUIDs.

    `made` is False where only the caller can know what they are made of.
    """

    name: str
    alphabet: str = ""
    length: int = 0
    made: bool = True

    def new_key(self) -> str:
        """A key that nobody has used before (RFC 9562, version 4, or as many random characters as the API admits)."""
        if not self.alphabet:
            return str(uuid.uuid4())
        return "".join(secrets.choice(self.alphabet) for _ in range(self.length))


@dataclass(frozen=True, slots=True)
class Key:
    """The key of one call, and the argument by which a model can give it again; None where there is none."""

    value: str
    argument: str | None


def read_key_header(told: Mapping[str, Any] | None) -> KeyHeader | None:
    """The catalogue's entry `idempotency`."""
    if not told:
        return None
    return KeyHeader(told["header"], told.get("alphabet", ""), told.get("length", 0), told.get("made", True))


def with_key(operation: Operation, policy: ToolPolicy, values: Values) -> tuple[Values, Key | None]:
    """The values with a key, made up here unless the model gave one; all requests of the call have the same.

    The operator's header goes over the API's own; an empty one is none.
    """
    header = operation.idempotency
    if policy.idempotency_header is not None and operation.effect != "read":
        other = KeyHeader(policy.idempotency_header) if policy.idempotency_header else None
        header = header if header and other and _same(header.name, other.name) else other
    if header is None:
        return values, None
    arguments = (a for a in operation.arguments if a.where == "header" and _same(a.wire_name, header.name))
    argument = next((a.name for a in arguments), None)
    given = [value for name, value in values.header.items() if _same(name, header.name)]
    if given and given[0] not in (UNSET, None, ""):
        return values, Key(str(given[0]), argument)
    if not header.made:
        return values, None
    key = header.new_key()
    others = {name: value for name, value in values.header.items() if not _same(name, header.name)}
    return replace(values, header={**others, header.name: key}), Key(key, argument)


def _same(name: str | None, other: str) -> bool:
    """Names of header fields are compared without regard to case (RFC 9110, 5.1)."""
    return (name or "").lower() == other.lower()
