"""The definitions of each provider: their members, and what is said where a provider can't take something."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.definitions.formats import define, request_tools, too_many
from mcpgen.runtime.definitions.model import Kind

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}, "limit": {"type": "integer", "default": 10}},
    "required": ["order_id"],
    "additionalProperties": False,
}
TOOL = {"name": "get_order", "title": "Get", "description": "Gets an order.", "inputSchema": SCHEMA}


def one(format_: str, api: str = "chat", **changed: Any) -> Any:
    [found] = define([{**TOOL, **changed}], format_, api)
    return found


def schema_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def gemini(schema: dict[str, Any], **defs: Any) -> Any:
    """What Gemini gets for the only argument, and the findings."""
    source = schema_of(a=schema) | ({"$defs": defs} if defs else {})
    found = one("gemini", inputSchema=source)
    told = [(finding.kind, finding.pointer, finding.text) for finding in found.findings]
    return found.value["parametersJsonSchema"]["properties"]["a"], told


def test_openai_chat() -> None:
    found = one("openai")
    function = {"name": "get_order", "description": "Gets an order.", "parameters": SCHEMA, "strict": False}
    assert found.value == {"type": "function", "function": function}
    assert (found.strict, found.findings) == (False, ())


def test_openai_responses_is_flat_and_says_that_it_is_not_strict() -> None:
    assert one("openai", "responses").value == {
        "type": "function",
        "name": "get_order",
        "description": "Gets an order.",
        "parameters": SCHEMA,
        "strict": False,
    }


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_openai_strict(api: str) -> None:
    found = one("openai-strict", api)
    function = found.value if api == "responses" else found.value["function"]
    assert function["strict"] is found.strict is True
    assert function["parameters"] == {
        "type": "object",
        "properties": {
            "order_id": {"type": "string"},
            "limit": {"type": ["integer", "null"], "description": "Default: 10."},
        },
        "required": ["order_id", "limit"],
        "additionalProperties": False,
    }


def test_what_cannot_be_strict_is_defined_as_it_is() -> None:
    schema = schema_of(order_id={"type": "string"}, extra={"type": "object"})
    found = one("openai-strict", inputSchema=schema)
    assert found.value["function"]["strict"] is found.strict is False
    assert found.value["function"]["parameters"] == schema
    assert [(f.kind, f.pointer) for f in found.findings] == [(Kind.NOT_STRICT, "/properties/extra")]


def test_anthropic() -> None:
    assert one("anthropic").value == {
        "name": "get_order",
        "description": "Gets an order.",
        "input_schema": SCHEMA,
    }


@pytest.mark.parametrize("format_", ["openai", "anthropic", "gemini"])
def test_a_choice_at_the_root_is_left_out_and_told(format_: str) -> None:
    schema = {**SCHEMA, "anyOf": [{"required": ["limit"]}, {"required": ["order_id"]}]}
    found = one(format_, inputSchema=schema)
    value = found.value.get("function", found.value)
    root = value.get("parameters") or value.get("input_schema") or value.get("parametersJsonSchema")
    assert "anyOf" not in root
    assert [(f.kind, f.pointer) for f in found.findings if f.kind is Kind.LOOSENED] == [
        (Kind.LOOSENED, "/anyOf")
    ]


@pytest.mark.parametrize(
    ("format_", "name"),
    [("openai", "get order"), ("anthropic", "x" * 65), ("gemini", "1st"), ("openai-strict", "")],
)
def test_a_name_that_the_provider_refuses_is_told(format_: str, name: str) -> None:
    found = one(format_, name=name)
    assert [f.kind for f in found.findings if f.kind is Kind.REFUSED] == [Kind.REFUSED]


@pytest.mark.parametrize(("format_", "key"), [("anthropic", "filter[id]"), ("gemini", "filter-id")])
def test_an_argument_that_the_provider_refuses_is_told(format_: str, key: str) -> None:
    found = one(format_, inputSchema=schema_of(**{key: {"type": "string"}}))
    assert [(f.kind, f.pointer) for f in found.findings] == [(Kind.REFUSED, f"/properties/{key}")]


def test_a_long_description_is_cut_at_a_word_for_openai() -> None:
    found = one("openai", description="word " * 300)
    text = found.value["function"]["description"]
    assert len(text) <= 1024
    assert text.endswith("word…")
    assert [f.kind for f in found.findings] == [Kind.SHORTENED]
    assert one("anthropic", description="word " * 300).value["description"] == "word " * 300


def test_gemini() -> None:
    found = one("gemini")
    assert found.value["name"] == "get_order"
    assert found.value["parametersJsonSchema"]["properties"] == {
        "order_id": {"type": "string"},
        "limit": {"type": "integer", "description": "Default: 10."},
    }
    assert request_tools([found], "gemini") == [{"functionDeclarations": [found.value]}]


@pytest.mark.parametrize(
    ("schema", "expected", "kinds"),
    [
        (
            {"type": "string", "maxLength": 3},
            {"type": "string", "description": "At most 3 characters."},
            ["worded"],
        ),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}, []),
        ({"enum": [1, 2]}, {"type": "number", "enum": [1, 2]}, []),
        ({"enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}, []),
        ({"type": "boolean", "const": True}, {"type": "boolean", "description": "Always true."}, ["worded"]),
        ({"type": "string", "format": "uri"}, {"type": "string", "description": "Format: uri."}, []),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}, []),
        (
            {"type": "object", "additionalProperties": {"type": "integer", "exclusiveMinimum": 0}},
            {"type": "object", "additionalProperties": {"type": "integer", "description": "Greater than 0."}},
            ["worded"],
        ),
        ({"type": "string", "not": {"const": "a"}}, {"type": "string"}, ["loosened"]),
        (
            {"oneOf": [{"type": "string"}, {"type": "null"}]},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            [],
        ),
        ({"type": "array", "items": {}, "uniqueItems": False}, {"type": "array", "items": {}}, []),
    ],
)
def test_gemini_knows_some_keywords_only(
    schema: dict[str, Any], expected: dict[str, Any], kinds: list[str]
) -> None:
    found, told = gemini(schema)
    assert found == expected
    assert [str(kind) for kind, _, _ in told] == kinds


def test_gemini_has_circles_only_below_what_is_optional() -> None:
    def node(*required: str) -> dict[str, Any]:
        return {
            **schema_of(next={"$ref": "#/$defs/Node", "description": "The next."}),
            "required": list(required),
        }

    reference = {"$ref": "#/$defs/Node"}
    assert gemini(reference, Node=node()) == (reference, [])
    _, told = gemini(reference, Node=node("next"))
    assert told == [(Kind.LOOSENED, "/$defs/Node/properties/next", "a reference in a circle")]


def test_unknown_formats_are_an_error() -> None:
    with pytest.raises(ValueError, match="'cohere' is not one of openai, openai-strict, anthropic, gemini"):
        define([], "cohere")
    with pytest.raises(ValueError, match="'batch' is not one of chat, responses"):
        define([], "openai", "batch")


def test_too_many_tools_for_a_request() -> None:
    found = too_many(129, "openai")
    assert found is not None
    assert found.text == "the provider takes 128 tools in one request; these are 129"
    assert too_many(128, "openai-strict") is None
    assert too_many(5000, "anthropic") is None
