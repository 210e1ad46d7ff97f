"""Rules for operations as a whole: parameters, bodies, answers, credentials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .oasdiff_rows import BREAKS, INFORMS, TEXT, WARNS, Row, array, obj, text

_GONE = "A tool takes no arguments that it doesn't know: calls with the old one are refused."
_NEEDED = "A server that is set up without these credentials is refused by the API from now on."
_SENT_BY_US = "The server chooses the format that it sends; callers see no difference."
_BODY_GONE = "The result still keeps what was promised: its data never was one of that status only."


def rows() -> Iterator[Row]:
    yield from _parameters()
    yield from _bodies()
    yield from _answers()
    yield from _around()
    yield from _security()


def _parameters() -> Iterator[Row]:
    plain = {"name": "p", "in": "query", "schema": TEXT}
    needed = {**plain, "required": True}
    default = {**plain, "schema": text(default="x")}
    slot = "parameters"
    yield Row("new-optional-request-parameter", INFORMS, slot, [], [plain])
    yield Row("new-required-request-parameter", BREAKS, slot, [], [needed])
    yield Row("request-parameter-removed", WARNS, slot, [plain], [], BREAKS, _GONE)
    yield Row("request-parameter-became-required", BREAKS, slot, [plain], [needed])
    yield Row("request-parameter-became-optional", INFORMS, slot, [needed], [plain])
    yield Row("request-parameter-deprecated", INFORMS, slot, [plain], [{**plain, "deprecated": True}])
    yield Row("request-parameter-reactivated", INFORMS, slot, [{**plain, "deprecated": True}], [plain])
    yield Row("new-required-request-parameter", BREAKS, slot, [plain], [plain, {**needed, "name": "q"}])
    assert default["schema"] != plain["schema"]
    yield Row("request-parameter-default-value-added", BREAKS, slot, [plain], [default])
    header = {"name": "X-Tenant", "in": "header", "schema": TEXT}
    yield Row("new-optional-request-parameter", INFORMS, slot, [plain], [plain, header])
    yield Row("new-required-request-parameter", BREAKS, slot, [], [{**header, "required": True}])


def _bodies() -> Iterator[Row]:
    def body(schema: Any, *types: str, required: bool = False) -> dict[str, Any]:
        media = {"schema": schema} if schema is not None else {}
        return {"content": {name: media for name in types or ("application/json",)}, "required": required}

    one = obj(a=TEXT)
    slot = "request"
    yield Row("request-body-added-optional", INFORMS, slot, None, body(one))
    yield Row("request-body-added-required", BREAKS, slot, None, body(obj(("a",), a=TEXT), required=True))
    yield Row("request-body-removed", BREAKS, slot, body(one), None)
    yield Row("request-body-became-required", BREAKS, slot, body(array()), body(array(), required=True))
    yield Row("request-body-became-optional", INFORMS, slot, body(array(), required=True), body(array()))
    form = "application/x-www-form-urlencoded"
    json, both = body(one, "application/json"), body(one, "application/json", form)
    yield Row("request-body-media-type-added", INFORMS, slot, json, both)
    yield Row("request-body-media-type-removed", BREAKS, slot, both, json, INFORMS, _SENT_BY_US)
    yield Row("request-body-media-type-schema-added", BREAKS, slot, body(None), body(array()))
    yield Row("request-body-media-type-schema-removed", INFORMS, slot, body(array()), body(None))


def _answers() -> Iterator[Row]:
    def answers(*codes: str, schema: Any = None, media: str = "application/json") -> dict[str, Any]:
        content = {"content": {media: {"schema": schema or obj(a=TEXT)}}}
        return {code: {"description": "Done.", **content} for code in codes}

    slot = "responses"
    done = answers("200")
    yield Row("response-non-success-status-added", INFORMS, slot, done, answers("200", "404"))
    yield Row("response-non-success-status-removed", INFORMS, slot, answers("200", "404"), done)
    yield Row("response-success-status-added", INFORMS, slot, done, answers("200", "201"))
    yield Row(
        "response-success-status-removed", BREAKS, slot, answers("200", "201"), done, INFORMS, _BODY_GONE
    )
    empty = {"200": {"description": "Done.", "content": {"application/json": {}}}}
    yield Row("response-body-media-type-schema-added", INFORMS, slot, empty, done)
    yield Row("response-body-media-type-schema-removed", WARNS, slot, done, empty)
    table = {**done["200"]["content"], "text/csv": {"schema": TEXT}}
    two = {"200": {"description": "Done.", "content": table}}
    yield Row("response-media-type-added", INFORMS, slot, done, two)
    csv = answers("200", schema=TEXT, media="text/csv")
    yield Row("response-media-type-removed", BREAKS, slot, two, csv)


def _around() -> Iterator[Row]:
    slot = "operation"
    yield Row("api-operation-id-removed", INFORMS, slot, {}, {"operationId": None})
    yield Row("api-operation-id-added", INFORMS, slot, {"operationId": None}, {})
    yield Row("api-tag-added", INFORMS, slot, {}, {"tags": ["things"]})
    yield Row("api-tag-removed", INFORMS, slot, {"tags": ["things"]}, {})
    yield Row("endpoint-added", INFORMS, slot, None, {})
    yield Row("api-removed-without-deprecation", BREAKS, slot, {}, None)
    yield Row("api-path-removed-without-deprecation", BREAKS, slot, {"tags": ["gone"]}, None)


def _security() -> Iterator[Row]:
    slot = "operation"
    key, reads, all_ = [{"key": []}], [{"oauth": ["read"]}], [{"oauth": ["read", "write"]}]
    yield Row("api-security-added", INFORMS, slot, {}, {"security": key}, BREAKS, _NEEDED)
    yield Row("api-security-removed", INFORMS, slot, {"security": key}, {})
    yield Row(
        "api-security-scope-added", INFORMS, slot, {"security": reads}, {"security": all_}, BREAKS, _NEEDED
    )
    yield Row("api-security-scope-removed", INFORMS, slot, {"security": all_}, {"security": reads})
    yield Row("api-security-added", INFORMS, slot, {"security": key}, {"security": [*key, *reads]})
    either = {"security": [*key, *reads]}
    yield Row("api-security-removed", INFORMS, slot, either, {"security": key}, BREAKS, _NEEDED)
