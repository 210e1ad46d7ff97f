"""The full call of a tool: every argument that can go together, as its tests send it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from mcpgen.plan.arguments import ArgumentDraft, PreparedTool
from mcpgen.plan.examples import Examples, TellingValues
from mcpgen.plan.examples.telling import IN_ADDRESSES, IN_COOKIES, IN_HEADERS, IN_LISTS
from mcpgen.plan.media import preferred
from mcpgen.plan.model import ArgumentPlan
from mcpgen.runtime.patterns.keywords import bounded_validator

_BUDGET = 3_000
"""Bytes of JSON; what comes after them is as short as it can be."""
_MOST = 16_000
"""Optional arguments that do not fit into so many are left out."""
_ONE = 1_500
"""Of one argument, where it can be shorter."""
_MOST_TRIED = 100
"""How many fields of a body are tried one by one: each is checked against the whole schema."""


def full_call(
    tool: PreparedTool,
    arguments: Sequence[ArgumentPlan],
    published: Mapping[str, Any],
    minimal: Mapping[str, Any] | None,
    examples: Examples,
) -> Mapping[str, Any] | None:
    """A call that the published schema admits; None where none was found.

    Args:
        minimal: a valid call with what is required.
    """
    if minimal is None:
        return None
    telling = examples.telling()
    made = _valid(_values(tool, arguments, minimal, examples, telling), minimal, published)
    if made.keys() == minimal.keys() and not telling.texts:
        return minimal  # it would show nothing more
    if tool.shape is None or not tool.shape.dropped:
        return made
    return _together(made, minimal, tool, arguments, examples)


def _values(
    tool: PreparedTool,
    arguments: Sequence[ArgumentPlan],
    minimal: Mapping[str, Any],
    examples: Examples,
    telling: TellingValues,
) -> dict[str, Any]:
    """A value for each argument, as far as there is room; those of the minimal call stay where nothing else was found."""
    made: dict[str, Any] = {}
    size = 0
    styles = {(one.where.value, one.name): one.style.value for one in tool.draft.operation.parameters}
    for draft, argument in zip(tool.arguments, arguments, strict=True):
        style = styles.get((draft.where, draft.wire_name or ""), "")
        value = telling.value(draft.schema, _text(draft, style) if size < _BUDGET else "")
        if value is None or _bytes(value) > _ONE or _is_lost(draft, value):
            value = minimal.get(argument.name)
            if value is None:
                value = examples.value(draft.schema, direction="request", minimal=True)
        length = _bytes(value)
        if not argument.required and (value is None or _is_lost(draft, value) or size + length > _MOST):
            continue
        made[argument.name] = value
        size += length
    return made


def _text(draft: ArgumentDraft, style: str) -> str:
    """What texts can look like where the argument goes."""
    if draft.where == "header":
        return IN_HEADERS
    if style == "cookie":
        return IN_COOKIES
    return IN_LISTS if style.endswith("Delimited") else IN_ADDRESSES


def _bytes(value: Any) -> int:
    if isinstance(value, str | int | float):
        return len(str(value))
    return len(json.dumps(value, ensure_ascii=False).encode())


def _is_lost(draft: ArgumentDraft, value: Any) -> bool:
    """Whether a value has no place in the path that it is for."""
    return draft.where == "path" and leads_elsewhere(value)


def leads_elsewhere(value: Any) -> bool:
    """Whether a value of a path parameter makes no segment, or one of dots (RFC 3986, 3.3, 5.2.4): no server gets it."""
    texts = (
        value
        if isinstance(value, list)
        else [*value, *value.values()] if isinstance(value, dict) else [value]
    )
    segments = [segment for text in texts for segment in re.split(r"[/\\]", unquote(str(text)))]
    return value in (None, "", [], {}) or any(segment in (".", "..") for segment in segments)


def _valid(
    made: Mapping[str, Any], minimal: Mapping[str, Any], published: Mapping[str, Any]
) -> dict[str, Any]:
    """The call without what its schema does not admit; what is required is then as in the minimal call."""
    validator, left = bounded_validator()(published), dict(made)
    for keep in (left.keys(), published.get("required", ())):
        left = {name: value for name, value in left.items() if name in keep}
        errors = list(validator.iter_errors(left))
        for name in {str(error.absolute_path[0]) for error in errors if error.absolute_path}:
            left.pop(name, None)
            left |= {name: minimal[name]} if name in minimal else {}
        if not errors or validator.is_valid(left):
            return left
    return dict(minimal)


def _together(
    made: Mapping[str, Any],
    minimal: Mapping[str, Any],
    tool: PreparedTool,
    arguments: Sequence[ArgumentPlan],
    examples: Examples,
) -> dict[str, Any]:
    """The call with those body fields only that the body's own schema admits together (alternatives of required fields)."""
    body = tool.draft.operation.body
    media = preferred(body.media) if body is not None else None
    fields = {argument.name: argument.field for argument in arguments if argument.pointer}
    known = tool.shape is not None and tool.shape.wire.kind == "json" and len(fields) <= _MOST_TRIED
    if media is None or media.schema is None or not known:
        return dict(made)

    def fits(call: Mapping[str, Any]) -> bool:
        sent = {fields[name]: value for name, value in call.items() if name in fields}
        return examples.fits(sent, media.schema or {}, direction="request")

    if fits(made):
        return dict(made)
    # The minimal call may lack one of several fields, where the published schema can't ask for one of them.
    starts = [{}, *({name: value} for name, value in made.items() if name in fields)]
    start = next((one for one in starts if fits({**minimal, **one})), None)
    if start is None:
        return dict(made)
    found = {**minimal, **start}
    for name, value in made.items():
        more = {**found, name: value}
        if name not in fields or fits(more):
            found = more
    return found
