"""What the providers' guides say of function definitions, written a second time: definitions are held against it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

STRICT_KEYWORDS = {
    *(
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "$ref",
        "$defs",
    ),
    *("enum", "const", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "minItems", "maxItems"),
}
STRICT_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
GEMINI_KEYWORDS = {
    *(
        "$defs",
        "$ref",
        "type",
        "format",
        "description",
        "enum",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
    ),
    *("minimum", "maximum", "anyOf", "properties", "additionalProperties", "required"),
}


def subschemas(schema: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and all in it, with their places."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    for key in ("properties", "$defs", "patternProperties", "dependentSchemas"):
        for name, child in schema.get(key, {}).items():
            yield from subschemas(child, f"{place}/{key}/{name}")
    for key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        for number, child in enumerate(schema.get(key, ())):
            yield from subschemas(child, f"{place}/{key}/{number}")
    for key in ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"):
        yield from subschemas(schema.get(key), f"{place}/{key}")


def strict_faults(root: dict[str, Any]) -> list[str]:
    """What OpenAI would refuse in a strict schema."""
    faults = [] if root.get("type") == "object" and "anyOf" not in root else ["the root is no plain object"]
    properties = levels = values = characters = 0
    for place, schema in subschemas(root):
        faults += [f"{place}: `{key}`" for key in schema.keys() - STRICT_KEYWORDS]
        if "$ref" in schema and len(schema) > 1:
            faults.append(f"{place}: keywords beside $ref")
        if "$ref" in schema and schema["$ref"].removeprefix("#/$defs/") not in root.get("$defs", {}):
            faults.append(f"{place}: {schema['$ref']} leads nowhere")
        if not {"type", "anyOf", "$ref"} & schema.keys():
            faults.append(f"{place}: no type")
        if schema.get("type") == "object":
            if schema.get("additionalProperties") is not False:
                faults.append(f"{place}: open")
            if sorted(schema.get("required", ())) != sorted(schema.get("properties", {})):
                faults.append(f"{place}: not everything is required")
        if schema.get("type") == "array" and not schema.get("items"):
            faults.append(f"{place}: no items")
        if schema.get("format", "date") not in STRICT_FORMATS:
            faults.append(f"{place}: format {schema['format']}")
        properties += len(schema.get("properties", ()))
        values += len(schema.get("enum", ()))
        texts = [*schema.get("properties", ()), *schema.get("$defs", ()), *schema.get("enum", ())]
        characters += sum(len(text) for text in [*texts, schema.get("const")] if isinstance(text, str))
        levels = max(levels, len(re.findall(r"/properties/", f"{place}/")) + ("properties" in schema))
    if properties > 5000 or values > 1000 or characters > 120_000 or levels > 10:
        faults.append(f"{properties} properties, {values} values, {characters} characters, {levels} levels")
    return faults


def openai_faults(definition: dict[str, Any], api: str = "chat") -> list[str]:
    """What OpenAI would refuse in a tool of one of its two APIs."""
    function = definition if api == "responses" else definition.get("function", {})
    faults = [] if definition.get("type") == "function" else ["the type is no function"]
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", function.get("name", "")):
        faults.append("name")
    if len(function["description"]) > 1024:
        faults.append("description")
    parameters = function["parameters"]
    if parameters.get("type") != "object" or {"anyOf", "oneOf", "allOf", "enum", "not"} & parameters.keys():
        faults.append("root")
    faults += [
        f"{p}: no items" for p, s in subschemas(parameters) if s.get("type") == "array" and "items" not in s
    ]
    return faults + (strict_faults(parameters) if function["strict"] else [])


def anthropic_faults(definition: dict[str, Any]) -> list[str]:
    """What Anthropic would refuse in a tool."""
    faults = [] if definition.keys() == {"name", "description", "input_schema"} else ["members"]
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", definition["name"]):
        faults.append("name")
    schema = definition["input_schema"]
    if schema.get("type") != "object" or {"anyOf", "oneOf", "allOf"} & schema.keys():
        faults.append("root")
    return faults + [k for k in schema["properties"] if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", k)]


def gemini_faults(definition: dict[str, Any]) -> list[str]:
    """What Gemini would refuse in a function declaration, or not understand."""
    faults = [] if definition.keys() == {"name", "description", "parametersJsonSchema"} else ["members"]
    if not re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}", definition["name"]):
        faults.append("name")
    root = definition["parametersJsonSchema"]
    if root.get("type") != "object" or "anyOf" in root:
        faults.append("root")
    for place, schema in subschemas(root):
        faults += [f"{place}: `{key}`" for key in schema.keys() - GEMINI_KEYWORDS]
        if "$ref" in schema and len(schema) > 1:
            faults.append(f"{place}: keywords beside $ref")
        for value in schema.get("enum", ()):
            if isinstance(value, bool | dict | list):
                faults.append(f"{place}: enum of {value!r}")
    return faults + [f"{p}: a circle of what is required" for p in _required_circles(root)]


def _required_circles(root: dict[str, Any]) -> Iterator[str]:
    """Definitions that lead back to themselves through required properties, lists and choices only."""
    defs = root.get("$defs", {})

    def direct(schema: dict[str, Any]) -> Iterator[str]:
        if "$ref" in schema:
            yield schema["$ref"].removeprefix("#/$defs/")
        for name in schema.get("required", ()):
            yield from direct(schema.get("properties", {}).get(name, {}))
        items = [schema["items"]] if "items" in schema else []
        for child in (*schema.get("anyOf", ()), *schema.get("prefixItems", ()), *items):
            yield from direct(child)

    for name in defs:
        seen, waiting = set(), list(direct(defs[name]))
        while waiting:
            found = waiting.pop()
            if found == name:
                yield name
                break
            if found in defs and found not in seen:
                seen.add(found)
                waiting += direct(defs[found])
