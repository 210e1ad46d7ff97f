"""Tool calls as the providers' models make them, and the answers that their APIs want."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_LONGEST_NAME = 256
"""Characters of a name that are given back."""


class Shape(StrEnum):
    """How a call and its answer are written: OpenAI's Chat Completions and Responses, Anthropic, Gemini."""

    CHAT = "chat"
    RESPONSES = "responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


SHAPE_OF_FORMAT: Mapping[str, Shape] = {"anthropic": Shape.ANTHROPIC, "gemini": Shape.GEMINI}
"""For the formats of definitions that have one shape; OpenAI's have that of their API."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as it came. `id` is None where there is none; `arguments` are JSON text or a value."""

    shape: Shape
    id: str | None
    name: str
    arguments: Any


def read_call(given: Any, fallback: Shape) -> ToolCall:
    """A call in any of the shapes, as a dict or as an object of a provider's library.

    Args:
        fallback: how what has none of the shapes is answered. It then has no name that any tool has.
    """
    told = _plain(given)
    function, inner = told.get("function"), told.get("functionCall") or told.get("function_call")
    if isinstance(function, Mapping):
        return _call(Shape.CHAT, told.get("id"), function, "arguments")
    if isinstance(inner, Mapping):
        return _call(Shape.GEMINI, inner.get("id"), inner, "args")
    if told.get("type") == "function_call" or "call_id" in told:
        return _call(Shape.RESPONSES, told.get("call_id"), told, "arguments")
    if told.get("type") == "tool_use":
        return _call(Shape.ANTHROPIC, told.get("id"), told, "input")
    if "args" in told:
        return _call(Shape.GEMINI, told.get("id"), told, "args")
    return _call(fallback, told.get("id"), told, "input" if fallback is Shape.ANTHROPIC else "arguments")


def answer(call: ToolCall, envelope: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The message, item, block or part that answers a call.

    Args:
        envelope: the result; `text` is the same as JSON.
    """
    called = call.id or ""
    if call.shape is Shape.CHAT:
        return {"role": "tool", "tool_call_id": called, "content": text}
    if call.shape is Shape.RESPONSES:
        return {"type": "function_call_output", "call_id": called, "output": text}
    if call.shape is Shape.ANTHROPIC:
        failed = not envelope["ok"]
        return {"type": "tool_result", "tool_use_id": called, "content": text, "is_error": failed}
    response: dict[str, Any] = {"name": call.name, "response": dict(envelope)}
    return {"functionResponse": {"id": call.id, **response} if call.id else response}


def calls_in(reply: Any) -> list[Any]:
    """The calls in a model's reply: a message of Chat Completions, Anthropic or Gemini, or Responses' output items."""
    if isinstance(reply, list):
        return [item for item in map(_plain, reply) if item.get("type") == "function_call"]
    told = _plain(reply)
    if "tool_calls" in told:
        return list(told["tool_calls"] or ())
    parts = [_plain(part) for part in _listed(told.get("content")) + _listed(told.get("parts"))]
    return [
        part
        for part in parts
        if part.get("type") == "tool_use" or part.get("functionCall") or part.get("function_call")
    ]


def conversation(reply: Any, answers: list[dict[str, Any]]) -> list[Any]:
    """What a reply and the answers to its calls add to the messages of the conversation."""
    if isinstance(reply, list):
        return [*reply, *answers]
    told = _plain(reply)
    if not answers or "tool_calls" in told:
        return [reply, *answers]
    return [reply, {"role": "user", ("parts" if "parts" in told else "content"): answers}]


def _call(shape: Shape, called: Any, told: Mapping[str, Any], arguments: str) -> ToolCall:
    name = told.get("name")
    return ToolCall(
        shape=shape,
        id=called if isinstance(called, str) and called else None,
        name=name[:_LONGEST_NAME] if isinstance(name, str) else "",
        arguments=told.get(arguments),
    )


def _plain(given: Any) -> Mapping[str, Any]:
    """A mapping of what a call, message or item says; the providers' libraries have pydantic models for them."""
    if isinstance(given, Mapping):
        return given
    dump = getattr(given, "model_dump", None)
    told = dump() if callable(dump) else None
    return told if isinstance(told, Mapping) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
