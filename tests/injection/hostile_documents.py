"""Documents that would use up time or memory, each as small as it can be."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

REF = "#/components/schemas/"
_OK: dict[str, Any] = {"responses": {"200": {"description": "ok"}}}


def _api(schema: Any = None, *, schemas: Any = None, paths: Any = None, **more: Any) -> bytes:
    """A description with one write of such a body, which is also the answer."""
    content = {"application/json": {"schema": schema if schema is not None else {"$ref": f"{REF}L0"}}}
    made = {
        "/things": {
            "post": {
                "operationId": "createThing",
                "requestBody": {"required": True, "content": content},
                "responses": {"200": {"description": "ok", "content": content}},
            }
        }
    }
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": paths if paths is not None else made,
        **more,
    }
    if schemas is not None:
        document["components"] = {"schemas": schemas}
    return json.dumps(document).encode()


def _levels(count: int, step: Callable[[str], Any], end: Any = None) -> dict[str, Any]:
    """Schemas L0, L1, … each made of a reference to the next."""
    found: dict[str, Any] = {f"L{n}": step(f"{REF}L{n + 1}") for n in range(count)}
    return {**found, f"L{count}": end or {"type": "object", "properties": {"x": {"type": "string"}}}}


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _text(**rules: Any) -> bytes:
    return _api(_object(value={"type": "string", **rules}))


def _laughs(merge: bool) -> bytes:
    lines = [
        "openapi: 3.1.0",
        "info: {title: T, version: '1'}",
        "paths: {}",
        "x-a0: &a0 {k0: v, k1: v, k2: v}",
    ]
    for n in range(1, 30):
        parts = ", ".join(f"*a{n - 1}" for _ in range(9))
        lines.append(f"x-a{n}: &a{n} {{<<: [{parts}], k{n}: v}}" if merge else f"x-a{n}: &a{n} [{parts}]")
    return "\n".join(lines).encode()


def _nested(count: int) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "string"}
    for _ in range(count):
        found = _object(a=found)
    return found


def _many_paths(count: int) -> dict[str, Any]:
    return {f"/p{n}/{{id}}": {"get": _OK} for n in range(count)}


DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "aliases of aliases": lambda: _laughs(merge=False),
    "merged aliases of aliases": lambda: _laughs(merge=True),
    "JSON without end": lambda: b'{"a":' * 300_000,
    "YAML without end": lambda: b"a: " + b"[" * 300_000,
    "block YAML without end": lambda: b"".join(b" " * n + b"- \n" for n in range(3_000)),
    "a nested schema": lambda: _api(_nested(60)),
    "a nested example": lambda: _api(_object(a={"example": json.loads("[" * 150 + "]" * 150)})),
    "a reference to itself": lambda: _api(schemas={"L0": {"$ref": f"{REF}L0"}}),
    "schemas that all refer to each other": lambda: _api(
        schemas={
            f"L{i}": {"type": "object", "properties": {f"f{j}": {"$ref": f"{REF}L{j}"} for j in range(200)}}
            for i in range(200)
        }
    ),
    "a path of thousands of placeholders": lambda: _api(
        paths={"/a": {"get": _OK}, "".join(f"/{{p{i}}}" for i in range(3_000)): {"get": _OK}}
    ),
    "a union of thousands": lambda: _api(
        {"anyOf": [{"type": "object", "properties": {f"f{i}": {"type": "string"}}} for i in range(3_000)]}
    ),
    "references in a circle": lambda: _api(
        schemas=_levels(50, lambda ref: {"$ref": ref}, {"$ref": f"{REF}L0"})
    ),
    "a circle of required fields": lambda: _api(
        schemas=_levels(3, lambda ref: _object(a={"$ref": ref}), {"$ref": f"{REF}L0"})
    ),
    "path items in a circle": lambda: _api(
        paths={"/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}, "/c": {"get": _OK}}
    ),
    "a long chain of references": lambda: _api(schemas=_levels(2_000, lambda ref: {"$ref": ref})),
    "a long chain of fields": lambda: _api(schemas=_levels(1_500, lambda ref: _object(a={"$ref": ref}))),
    "a long chain of compositions": lambda: _api(
        schemas=_levels(1_500, lambda ref: {"allOf": [{"$ref": ref}]})
    ),
    "fields that fan out": lambda: _api(
        schemas=_levels(30, lambda ref: _object(a={"$ref": ref}, b={"$ref": ref}))
    ),
    "compositions that fan out": lambda: _api(
        schemas=_levels(30, lambda ref: {"allOf": [{"$ref": ref}] * 2})
    ),
    "alternatives that fan out": lambda: _api(
        schemas=_levels(30, lambda ref: {"oneOf": [{"$ref": ref}, _object(z={"$ref": ref})]})
    ),
    "lists that fan out": lambda: _api(
        schemas=_levels(30, lambda ref: {"type": "array", "minItems": 3, "items": {"$ref": ref}})
    ),
    "alternatives of every kind that fan out": lambda: _api(
        schemas=_levels(
            12,
            lambda ref: {
                "oneOf": [
                    {"$ref": ref},
                    {"type": "array", "items": {"$ref": ref}},
                    {"allOf": [{"$ref": ref}, {"description": "x"}]},
                    _object(a={"$ref": ref}),
                ]
            },
        )
    ),
    "an operationId of a megabyte": lambda: _api(
        paths={"/p": {"get": {**_OK, "operationId": "getX" * 250_000}}}
    ),
    "conditions that fan out": lambda: _api(
        schemas=_levels(25, lambda ref: {"if": {"$ref": ref}, "then": {"$ref": ref}, "else": {"$ref": ref}})
    ),
    "everything refers to everything": lambda: _api(
        schemas={f"L{n}": _object(**{f"f{m}": {"$ref": f"{REF}L{m}"} for m in range(60)}) for n in range(60)}
    ),
    "an enormous enum": lambda: _text(enum=[f"value{n}" for n in range(200_000)]),
    "an enormous enum of numbers": lambda: _api(_object(value={"enum": list(range(200_000))})),
    "thousands of fields": lambda: _api(
        {"type": "object", "properties": {f"field{n}": {"type": "string"} for n in range(5_000)}}
    ),
    "thousands of alternatives": lambda: _api(
        {"oneOf": [_object(**{f"f{n}": {"type": "string"}}) for n in range(2_000)]}
    ),
    "thousands of subtypes": lambda: _api(
        {"$ref": f"{REF}Base"},
        schemas={"Base": {**_object(kind={"type": "string"}), "discriminator": {"propertyName": "kind"}}}
        | {
            f"Sub{n}": {"allOf": [{"$ref": f"{REF}Base"}, _object(a={"type": "string"})]}
            for n in range(1_000)
        },
    ),
    "thousands of parameters": lambda: _api(
        paths={
            "/a": {
                "get": {
                    **_OK,
                    "parameters": [
                        {"name": f"p{n}", "in": "query", "schema": {"type": "string"}} for n in range(3_000)
                    ],
                }
            }
        }
    ),
    "thousands of servers": lambda: _api(
        _object(), servers=[{"url": f"https://s{n}.example.com"} for n in range(20_000)]
    ),
    "thousands of tags": lambda: _api(_object(), tags=[{"name": f"t{n}"} for n in range(50_000)]),
    "thousands of ways to log in": lambda: _api(_object(), security=[{f"s{n}": []} for n in range(20_000)]),
    "a pattern that backtracks": lambda: _text(pattern="^(a+)+$", example="a" * 40 + "!"),
    "a parameter whose pattern backtracks": lambda: _api(
        paths={
            f"/p{n}": {
                "get": {
                    **_OK,
                    "parameters": [
                        {
                            "name": "q",
                            "in": "query",
                            "schema": {"type": "string", "pattern": pattern},
                            "example": "a" * 40 + "!",
                        }
                    ],
                }
            }
            for n, pattern in enumerate(("^(a+)+$", "^(a|aa)+$", "^(.*a){20}$", "^(a+)+(?!b)$"))
        }
    ),
    "a pattern that backtracks over names": lambda: _api(
        {
            "type": "object",
            "patternProperties": {"^(a+)+$": {"type": "string"}},
            "example": {"a" * 40 + "!": "x"},
        }
    ),
    "a pattern of millions": lambda: _text(pattern="^[a-z]{50000000}$"),
    "a pattern of patterns of patterns": lambda: _text(pattern="^(((a{999}){999}){999}){999}$"),
    "a pattern that ends nowhere": lambda: _text(pattern="(" * 5_000),
    "a text of gigabytes": lambda: _text(minLength=4_000_000_000),
    "a list of billions": lambda: _api(
        _object(value={"type": "array", "minItems": 4_000_000_000, "items": {"type": "string"}})
    ),
    "an object of billions": lambda: _api(
        {"type": "object", "minProperties": 4_000_000_000, "additionalProperties": True}
    ),
    "a number without end": lambda: _api(_object(value={"type": "integer"})).replace(
        b'"integer"', b'"integer", "minimum": ' + b"9" * 100_000
    ),
    "a number too large": lambda: _api(_object(value={"type": "number"})).replace(
        b'"number"', b'"number", "multipleOf": 1e-300, "minimum": 1e308'
    ),
    "a long description": lambda: _api(
        _object(), info={"title": "T", "version": "1", "description": "**a [b](c) <d> | " * 200_000}
    ),
    "long texts everywhere": lambda: _api(
        {
            "type": "object",
            "properties": {
                f"f{n}": {"type": "string", "description": "- a *b* `c` " * 4_000} for n in range(50)
            },
        }
    ),
    "a long name": lambda: _api(paths={"/a": {"get": {**_OK, "operationId": "get" + "Very" * 100_000}}}),
    "a long path": lambda: _api(paths={"/a" * 20_000: {"get": _OK}}),
    "a path of thousands of parts": lambda: _api(
        paths={"/" + "/".join(f"{{p{n}}}" for n in range(500)): {"get": _OK}}
    ),
    "braces in a path": lambda: _api(
        paths={"/" + "{" * 50_000: {"get": _OK}, "/" + "{}" * 20_000: {"get": _OK}}
    ),
    "the same name a thousand times": lambda: _api(
        paths={f"/p{n}": {"get": {**_OK, "operationId": "same"}} for n in range(300)}
    ),
    "names that differ by case only": lambda: _api(
        paths={
            f"/p{n}": {
                "get": {
                    **_OK,
                    "operationId": "".join(c.upper() if n >> i & 1 else c for i, c in enumerate("abcdefgh")),
                }
            }
            for n in range(256)
        }
    ),
    "actions by the hundred": lambda: _api(
        _object(action={"type": "string", "enum": [f"delete_{n}" for n in range(2_000)]})
    ),
    "links to everything": lambda: _api(
        paths={
            f"/p{n}": {
                "get": {
                    "operationId": f"g{n}",
                    "responses": {
                        "200": {
                            "description": "ok",
                            "links": {f"l{m}": {"operationId": f"g{m}"} for m in range(100)},
                        }
                    },
                }
            }
            for n in range(100)
        }
    ),
    "a larger document than is read": lambda: _api(_object(), **{"x-padding": "x" * (65 * 1024 * 1024)}),
}
"""Title -> the document."""
