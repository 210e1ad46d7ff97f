"""What is no OpenAPI document is refused with a clear sentence; what is only untidy is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.diagnostics import Collector, Diagnostic, Location, Refused, Severity
from mcpgen.source.load import load
from mcpgen.spec import normalize

Reader = Callable[..., Any]
PATHS = "paths: {/x: {get: {responses: {'200': {description: ok}}}}}\n"
INFO = "info: {title: T, version: '1'}\n"


def refusal(text: str, *, strict: bool = False) -> Diagnostic:
    diagnostics = Collector()
    tree = load("-", diagnostics=diagnostics, stdin=text.encode())
    with pytest.raises(Refused):
        normalize(tree, diagnostics=diagnostics, strict=strict)
    return next(item for item in diagnostics if item.severity is Severity.ERROR)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("just some text", "<stdin> holds plain text, not an OpenAPI document"),
        ("[1, 2]", "<stdin> holds a list, not an OpenAPI document"),
        ("a: 1", "<stdin> is not an OpenAPI document: it has no key `openapi` or `swagger`"),
        ("asyncapi: 3.0.0", "<stdin> is an AsyncAPI document, not an OpenAPI document"),
        ("swaggerVersion: '1.2'", "<stdin> is a Swagger 1.x document, not an OpenAPI document"),
        (
            "$schema: https://json-schema.org/draft/2020-12/schema",
            "<stdin> is a JSON Schema, not an OpenAPI document",
        ),
        ("info: {_postman_id: x}", "<stdin> is a Postman collection, not an OpenAPI document"),
        ("apiVersion: v1\nkind: Pod", "<stdin> is a Kubernetes manifest, not an OpenAPI document"),
        (INFO + PATHS, "<stdin> does not say which version of OpenAPI it is written in"),
    ],
)
def test_something_else(text: str, message: str) -> None:
    found = refusal(text)
    assert (found.code, found.message) == ("spec-not-openapi", message)
    assert found.hint is not None


@pytest.mark.parametrize("version", ["1.2", "4.0.0", "3.7.0", "three", "''"])
def test_an_unknown_version(version: str) -> None:
    found = refusal(f"openapi: {version}\n" + INFO + PATHS)
    assert found.code == "spec-version"
    assert "is not supported" in found.message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("openapi: 3.0.0\n" + INFO, "under `paths`"),
        ("openapi: 3.0.0\npaths: {}\n", "under `paths`"),
        ("openapi: 3.0.0\npaths: [1]\n", "under `paths`"),
        ("openapi: 3.0.0\npaths: {/x: {summary: s}}\n", "no method"),
        ("openapi: 3.1.0\nwebhooks: {a: {post: {}}}\n", "only webhooks"),
    ],
)
def test_no_operation(text: str, hint: str) -> None:
    found = refusal(text)
    assert (found.code, found.message) == ("spec-no-paths", "<stdin> describes no operation")
    assert hint in (found.hint or "")


def test_no_usable_operation() -> None:
    found = refusal("openapi: 3.0.0\npaths: {/x: {get: 5, put: []}}\n")
    assert found.message == "none of the operations (2) can become a tool"


@pytest.mark.parametrize(
    ("written", "version", "repaired"),
    [
        ("openapi: 3.0.3", "3.0.3", False),
        ("openapi: 3.1.0-rc1", "3.1.0-rc1", False),
        ("swagger: '2.0'", "2.0", False),
        ("swagger: 2.0", "2.0", True),
        ("swagger: 2", "2.0", True),
        ("openapi: '3.0'", "3.0.4", True),
        ("openapi: 3.1", "3.1.1", True),
        ("openapi: 3", "3.0.4", True),
        ("openapi: v3.0.1", "3.0.4", True),
        ("swagger: '3.0.0'", "3.0.0", False),
    ],
)
def test_versions(read: Reader, written: str, version: str, repaired: bool) -> None:
    found = read(f"{written}\n{INFO}{PATHS}")
    assert found.document.spec_version == version
    assert any("is read as version" in message for message in found.messages("spec-repaired")) is repaired


def test_what_breaks_the_specification_is_a_warning_with_a_place(read: Reader) -> None:
    text = (
        "openapi: 3.0.3\n"
        + INFO
        + "paths:\n  /x:\n    get:\n      summary: 5\n      responses: {'200': {}}\n"
    )
    found = [item for item in read(text).diagnostics if item.code == "spec-invalid"]
    assert {item.severity for item in found} == {Severity.WARNING}
    assert [(item.message, item.location.line) for item in found if item.location] == [
        ("5 must be of type string", 6),
        ("'description' is a required property", 7),
    ]


def test_strict_refuses_it() -> None:
    text = (
        "openapi: 3.0.3\n"
        + INFO
        + "paths: {/x: {get: {summary: 5, responses: {'200': {description: ok}}}}}\n"
    )
    found = refusal(text, strict=True)
    assert (found.code, found.message) == (
        "spec-invalid",
        "<stdin> breaks the OpenAPI specification in one place",
    )
    assert found.location is not None
    assert found.location.pointer == "/paths/~1x/get/summary"


def test_strict_accepts_what_is_valid(read: Reader) -> None:
    assert read("openapi: 3.0.3\n" + INFO + PATHS, strict=True).diagnostics == []


def test_strict_follows_references_by_the_same_rules(read: Reader) -> None:
    rest = {"paths": {"/x": {"$ref": "item.yaml"}}}
    files = {"item.yaml": {"get": {"responses": {"200": {"description": "ok"}}}}}
    assert read(rest, files=files, strict=True).diagnostics == []


def test_many_findings_are_counted(read: Reader) -> None:
    operations = {
        f"/x{n}": {"get": {"summary": n, "responses": {"200": {"description": "ok"}}}} for n in range(30)
    }
    messages = read({"paths": operations}).messages("spec-invalid")
    assert len(messages) == 21
    assert "and 10 more places that break the specification" in messages


def test_a_validator_that_fails_is_not_the_users_error(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpgen.spec import validation

    def broken(*_: Any, **__: Any) -> Any:
        yield "before", Location("api.yaml")
        raise KeyError("name")

    monkeypatch.setattr(validation, "_findings", broken)
    found = read({}).diagnostics
    assert {(item.code, item.severity) for item in found} == {
        ("spec-invalid", Severity.INFO),
        ("spec-invalid", Severity.WARNING),
    }


def test_an_untidy_document_is_read(read: Reader) -> None:
    text = "openapi: 3.0.0\npaths:\n  /x:\n    get: {tags: one, parameters: null, responses: null, security: {b: []}}\n"
    text += "components: {schemas: null, securitySchemes: {b: {type: http, scheme: basic}}}\ntags: [one, {name: two}, 5]\nservers: {url: /v1}\n"
    found = read(text)
    assert found.operation()["tags"] == ["one"]
    assert found.operation()["security"] == [{"b": []}]
    assert [tag["name"] for tag in found.document.root["tags"]] == ["one", "two"]
    assert found.document.root["servers"][0]["url"] == "/v1"
    assert found.document.root["info"]["title"] == ""
