"""Finds the header by which an API knows a repeated request again, and what a key in it can look like.

There is no key in OpenAPI for it; names and descriptions tell. The usual name is `Idempotency-Key`
(draft-ietf-httpapi-idempotency-key-header).
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import Parameter, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.examples.texts import matches
from mcpgen.plan.published import types

_KEY = re.compile(
    r"[a-z0-9]*idempoten(?:cy|ce|t)(?:key|token|id|uuid|identifier|string|value|header|code)?"
    r"|paypalrequestid"
)
_NOT_A_KEY = ("replay", "expir", "status", "mode", "enabled")
_MAYBE = re.compile(r"[a-z0-9]*(?:id|key|token|nonce|uuid|guid)")
"""Headers such as `X-Request-Id` and `Client-Token`: keys only where their description says so."""
_SAYS = re.compile(r"\bidempoten", re.IGNORECASE)

_UUID = "3f0f4b5c-9a1e-4d27-8c6b-d2e07a5196f8"
_ALPHABETS = (
    "0123456789abcdef",
    string.digits + string.ascii_lowercase,
    string.digits + string.ascii_letters,
    "0123456789ABCDEF",
    string.digits + string.ascii_uppercase,
    string.digits,
    string.ascii_lowercase,
    string.ascii_uppercase,
)
_LENGTHS = (32, 36, 24, 26, 20, 22, 30, 40, 48, 64, 16, 18)
_BITS = 64
"""Of chance in a key, at least: two calls with one key would become one."""
_LONGEST = 255
_OTHER_TEXTS = ("enum", "const", "not", "if")

_LONGEST_PATTERN = 200
_REPEATED_GROUP = re.compile(r"\)[*+{?]|\\[1-9]")
_REPETITION = re.compile(r"[*+]|\{\d*,\d*\}")
_MOST_REPETITIONS = 3


@dataclass(frozen=True, slots=True)
class IdempotencyHeader:
    """The header, and what keys are made of: UUIDs, or so many characters of an alphabet.

    `made` is False where nobody can know what they are made of: then only the caller has one.
    """

    name: str
    alphabet: str = ""
    length: int = 0
    made: bool = True

    def entry(self) -> dict[str, Any]:
        """The header as the catalogue holds it."""
        made_of = {"alphabet": self.alphabet, "length": self.length} if self.alphabet else {}
        return {"header": self.name, **made_of, **({} if self.made else {"made": False})}


def idempotency_header(
    parameters: Sequence[Parameter], schemas: Mapping[str, Schema]
) -> IdempotencyHeader | None:
    """The header of an operation that writes; None where it declares none."""
    declared = next((parameter for parameter in parameters if _is_key(parameter)), None)
    if declared is None:
        return None
    made_of = _made_of(declared.schema, schemas)
    alphabet, length = made_of or ("", 0)
    return IdempotencyHeader(declared.name, alphabet, length, made_of is not None)


def _is_key(parameter: Parameter) -> bool:
    if parameter.where is not ParameterIn.HEADER:
        return False
    name = re.sub(r"[^a-z0-9]", "", parameter.name[:_LONGEST].lower())
    kinds = types(parameter.schema)
    if any(word in name for word in _NOT_A_KEY) or (kinds and "string" not in kinds):
        return False
    text = f"{parameter.description} {parameter.schema.get('description') or ''}"
    return bool(_KEY.fullmatch(name) or (_MAYBE.fullmatch(name) and _SAYS.search(text)))


def _made_of(schema: Schema, schemas: Mapping[str, Schema]) -> tuple[str, int] | None:
    """The alphabet and length of keys that fit the schema; nothing and 0 for UUIDs."""
    flat, _ = flatten(schema, schemas)
    alternatives = [*(flat.get("anyOf") or ()), *(flat.get("oneOf") or ())]
    if alternatives:
        found = (_made_of(one, schemas) for one in alternatives if isinstance(one, Mapping))
        return next((made_of for made_of in found if made_of is not None), None)
    kinds, form = types(flat), flat.get("format")
    pattern = flat.get("pattern")
    if (kinds and "string" not in kinds) or any(key in flat for key in _OTHER_TEXTS):
        return None
    if pattern is not None and not (isinstance(pattern, str) and _quick(pattern)):
        return None
    low, high = _bound(flat, "minLength", 0), min(_bound(flat, "maxLength", _LONGEST), _LONGEST)
    if low <= len(_UUID) <= high and (pattern is None or matches(pattern, _UUID)):
        return "", 0
    if form == "uuid":
        return None
    return next((made_of for made_of in _candidates(low, high) if _fits(pattern, *made_of)), None)


def _bound(flat: Schema, key: str, otherwise: int) -> int:
    value = flat.get(key)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else otherwise


def _candidates(low: int, high: int) -> Iterator[tuple[str, int]]:
    lengths = dict.fromkeys(length for length in (*_LENGTHS, low, high) if low <= length <= high)
    for alphabet in _ALPHABETS:
        for length in lengths:
            if length * math.log2(len(alphabet)) >= _BITS:
                yield alphabet, length


def _fits(pattern: str | None, alphabet: str, length: int) -> bool:
    """Whether every character of the alphabet is admitted in every place."""
    if pattern is None:
        return True
    turned = (alphabet[start:] + alphabet[:start] for start in range(len(alphabet)))
    return all(matches(pattern, (text * length)[:length]) for text in turned)


def _quick(pattern: str) -> bool:
    """Whether a pattern can't take long: no repeated groups, and few repetitions that could share a text."""
    return (
        len(pattern) <= _LONGEST_PATTERN
        and not _REPEATED_GROUP.search(pattern)
        and len(_REPETITION.findall(pattern)) <= _MOST_REPETITIONS
    )
