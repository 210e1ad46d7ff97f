"""Paths and operations: what becomes one, what is reported instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reader = Callable[..., Any]
OK = {"responses": {"200": {"description": "ok"}}}


def test_all_methods_and_additional_ones(read: Reader) -> None:
    methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
    item = {
        **dict.fromkeys(methods, OK),
        "additionalOperations": {"LINK": OK, "Copy": OK},
        "x-get": OK,
        "summary": "s",
    }
    found = read({"paths": {"/x": item}}, "3.2.0")
    assert list(found.document.root["paths"]["/x"]) == [
        *(method.upper() for method in methods),
        "LINK",
        "Copy",
    ]


def test_texts_tags_servers_and_security_come_from_around(read: Reader) -> None:
    item = {
        "summary": "path summary", "description": "path text", "servers": [{"url": "https://path.test"}],
        "get": {"tags": ["a", "a", 5], "operationId": "op", "deprecated": True, "x-mine": {"k": 1}, **OK},
        "put": {"summary": "own", "servers": ["https://own.test"], "security": [], **OK},
        "post": {"security": [{}, {"b": []}], **OK},
    }  # fmt: skip
    schemes = {"b": {"type": "http", "scheme": "bearer"}}
    found = read(
        {"paths": {"/x": item}, "security": [{"b": ["s"]}], "components": {"securitySchemes": schemes}}
    )
    get, put, post = (found.operation(method=method) for method in ("GET", "PUT", "POST"))
    assert (get["summary"], get["description"], get["tags"]) == ("path summary", "path text", ["a", "5"])
    assert (get["operationId"], get["deprecated"], get["x-mine"]) == ("op", True, {"k": 1})
    assert get["servers"][0]["url"] == "https://path.test"
    assert get["security"] == [{"b": ["s"]}]
    assert (put["summary"], put["description"]) == ("own", "path text")
    assert put["servers"][0]["url"] == "https://own.test"
    assert put["security"] == []
    assert post["security"] == [{}, {"b": []}]


def test_a_path_without_a_slash(read: Reader) -> None:
    found = read({"paths": {"a/b": {"get": OK}, "x-other": {"get": OK}}})
    assert list(found.document.root["paths"]) == ["/a/b"]
    assert "the path `a/b` must begin with a slash; it is read as `/a/b`" in found.messages("spec-repaired")


def test_webhooks_and_callbacks_are_reported(read: Reader) -> None:
    operation = {"callbacks": {"onDone": {"{$request.body#/url}": {"post": OK}}}, **OK}
    found = read(
        {"paths": {"/x": {"post": operation}}, "webhooks": {"paid": {"post": OK}, "sent": {"post": OK}}},
        "3.1.0",
    )
    assert list(found.document.root["paths"]) == ["/x"]
    assert found.messages("operation-not-a-tool") == [
        "POST /x announces calls that the API makes (onDone); they are not tools",
        "2 webhooks are calls that the API makes, not tools: paid, sent",
    ]


@pytest.mark.parametrize("broken", [None, [], "text", 5])
def test_an_operation_that_is_none_is_skipped_alone(read: Reader, broken: Any) -> None:
    found = read({"paths": {"/x": {"get": OK, "post": broken}}})
    (skipped,) = found.document.skipped
    assert (skipped.method, skipped.reason) == ("POST", "the operation is not an object")
    assert skipped.location.pointer == "/paths/~1x/post"


def test_bodies(read: Reader) -> None:
    content = {
        "application/json; charset=utf-8": {"schema": {"type": "object"}, "example": 1},
        "multipart/form-data": {
            "schema": {"type": "object"},
            "encoding": {
                "a": {"contentType": "image/png", "headers": {"X-A": {"schema": {"type": "string"}}}},
                "b": {"style": "odd"},
            },
        },
        "application/jsonl": {"itemSchema": {"type": "integer"}},
        "text/plain": None,
        "x-odd": {"schema": {}},
    }
    found = read(
        {"paths": {"/x": {"post": {"requestBody": {"required": True, "content": content}, **OK}}}}, "3.2.0"
    )
    body = found.operation(method="POST")["requestBody"]
    assert body["required"] is True
    assert list(body["content"]) == [
        "application/json; charset=utf-8",
        "multipart/form-data",
        "application/jsonl",
        "text/plain",
    ]
    assert body["content"]["multipart/form-data"]["encoding"] == {
        "a": {"contentType": "image/png", "headers": {"X-A": {"type": "string"}}}, "b": {},
    }  # fmt: skip
    assert body["content"]["application/jsonl"]["itemSchema"] == {"type": "integer"}
    assert body["content"]["application/json; charset=utf-8"]["examples"] == [1]


@pytest.mark.parametrize(("version", "kept"), [("3.0.0", False), ("3.1.0", True), ("3.2.0", True)])
def test_styles_of_multipart_fields_count_from_31_on(read: Reader, version: str, kept: bool) -> None:
    encoding = {"a": {"style": "deepObject", "explode": True}}
    media = {"schema": {"type": "object"}, "encoding": encoding}
    content = {"multipart/form-data": media, "application/x-www-form-urlencoded": media}

    found = read({"paths": {"/x": {"post": {"requestBody": {"content": content}, **OK}}}}, version)

    body = found.operation(method="POST")["requestBody"]["content"]
    assert body["multipart/form-data"]["encoding"] == (encoding if kept else {"a": {}})
    assert body["application/x-www-form-urlencoded"]["encoding"] == encoding


def test_a_body_without_content_is_none(read: Reader) -> None:
    found = read({"paths": {"/x": {"post": {"requestBody": {"required": True, "content": {}}, **OK}}}})
    assert "requestBody" not in found.operation(method="POST")


def test_statuses(read: Reader) -> None:
    text = "openapi: 3.0.0\ninfo: {title: T, version: '1'}\npaths:\n  /x:\n    get:\n      responses:\n"
    text += "".join(
        f"        {status}: {{description: d}}\n"
        for status in ("200", "4xx", "default", "ok", "x-note", "20")
    )
    found = read(text)
    assert list(found.operation()["responses"]) == ["200", "4xx", "default"]
    assert "`ok` is no HTTP status; the response is left out" in found.messages("spec-repaired")


def test_swagger_2_bodies_responses_and_servers(read: Reader) -> None:
    post = {
        "consumes": ["application/json", "application/xml"],
        "parameters": [
            {
                "in": "body",
                "name": "b",
                "required": True,
                "description": "d",
                "schema": {"$ref": "#/definitions/S"},
            }
        ],
        "responses": {
            "200": {
                "description": "ok",
                "schema": {"type": "file"},
                "headers": {"X-N": {"type": "integer"}},
                "examples": {"text/csv": "a"},
            },
            "204": {"description": "none"},
        },
        "produces": ["text/csv"],
    }
    put = {
        "parameters": [
            {"in": "formData", "name": "f", "type": "file", "required": True, "description": "the file"},
            {
                "in": "formData",
                "name": "tags",
                "type": "array",
                "items": {"type": "string"},
                "collectionFormat": "pipes",
            },
        ],
        **OK,
    }
    patch = {"parameters": [{"in": "formData", "name": "n", "type": "integer"}], **OK}
    rest = {
        "definitions": {"S": {"type": "object"}},
        "host": "api.test", "basePath": "v1/", "schemes": ["http", "wss", "https"],
        "paths": {"/x": {"post": post, "put": put, "patch": patch}},
    }  # fmt: skip
    found = read(rest, "2.0")
    body = found.operation(method="POST")["requestBody"]
    assert body["required"] is True
    assert body["description"] == "d"
    assert {name: media["schema"] for name, media in body["content"].items()} == {
        "application/json": {"$ref": "#/components/schemas/S"},
        "application/xml": {"$ref": "#/components/schemas/S"},
    }
    responses = found.operation(method="POST")["responses"]
    assert responses["200"]["content"] == {
        "text/csv": {"schema": {"type": "string", "format": "binary"}, "examples": ["a"]}
    }
    assert responses["200"]["headers"] == {"X-N": {"type": "integer"}}
    assert responses["204"]["content"] == {}
    form = found.operation(method="PUT")["requestBody"]
    assert form["required"] is True
    (media,) = form["content"].values()
    assert list(form["content"]) == ["multipart/form-data"]
    assert media["schema"] == {
        "type": "object", "required": ["f"],
        "properties": {
            "f": {"type": "string", "format": "binary", "description": "the file"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }  # fmt: skip
    assert media["encoding"] == {"tags": {"style": "pipeDelimited", "explode": False}}
    assert list(found.operation(method="PATCH")["requestBody"]["content"]) == [
        "application/x-www-form-urlencoded"
    ]
    assert [server["url"] for server in found.document.root["servers"]] == [
        "https://api.test/v1/",
        "http://api.test/v1/",
    ]


@pytest.mark.parametrize(
    ("rest", "urls"),
    [
        ({}, []),
        ({"basePath": "/"}, []),
        ({"basePath": "/v2"}, ["/v2"]),
        ({"host": "a.test"}, ["https://a.test"]),
        ({"host": "http://a.test/"}, ["http://a.test"]),
        ({"host": "a.test", "schemes": ["ws"]}, ["https://a.test"]),
    ],
)
def test_swagger_2_servers(read: Reader, rest: dict[str, Any], urls: list[str]) -> None:
    assert [server["url"] for server in read(rest, "2.0").document.root["servers"]] == urls


def test_servers_and_variables(read: Reader) -> None:
    servers = [
        {
            "url": "https://{env}.test/{v}",
            "description": "d",
            "variables": {"env": {"enum": ["a", "b"]}, "v": {"default": 2}},
        },
        {"description": "no url"},
        {"url": "/rel"},
    ]
    found = read({"servers": servers}).document.root["servers"]
    assert [server["url"] for server in found] == ["https://{env}.test/{v}", "/rel"]
    assert found[0]["variables"]["env"] == {"default": "a", "enum": ["a", "b"], "description": ""}
    assert found[0]["variables"]["v"]["default"] == "2"


def test_additional_operations_are_methods_of_their_own(read: Callable[..., Any]) -> None:
    ok = {"responses": {"200": {"description": "ok"}}}
    extra = {"COPY": ok, "Link": ok, "delete": ok, "NO GO": ok}
    found = read({"paths": {"/x": {"get": ok, "additionalOperations": extra}}}, "3.2.0")
    assert set(found.document.root["paths"]["/x"]) == {"GET", "COPY", "Link", "DELETE"}
    assert found.messages("spec-repaired") == [
        "`delete` must stand in the path item itself, not in `additionalOperations`; it is read as `delete`"
    ]
    assert found.messages("operation-skipped") == ["NO GO /x is skipped: 'NO GO' is no HTTP method"]
