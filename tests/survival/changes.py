"""What happens to an API from one version to the next. Each change is made to a copy of the document."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from .specs import Document

Change = Callable[[Document, str, str], None]


def changed(document: Document, change: str, one: str, other: str) -> Document:
    """The document after a change; `one` and `other` are the things that its toolsets are about."""
    found = copy.deepcopy(document)
    CHANGES[change](found, one, other)
    return found


def _path(document: Document, one: str) -> str:
    return next(path for path in document["paths"] if path.endswith(f"{{{one}_id}}"))


def _get(document: Document, one: str) -> dict[str, Any]:
    found: dict[str, Any] = document["paths"][_path(document, one)]["get"]
    return found


def _add_operation(document: Document, one: str, other: str) -> None:
    parameter = {"name": f"{one}_id", "in": "path", "required": True, "schema": {"type": "string"}}
    document["paths"][f"{_path(document, one)}/history"] = {
        "get": {
            "operationId": f"get_{one}_history",
            "tags": [f"{one}s"],
            "summary": f"What happened to one {one}.",
            "parameters": [parameter],
            "responses": {"200": {"description": "The history."}},
        }
    }


def _add_toolset(document: Document, one: str, other: str) -> None:
    document["paths"]["/reports"] = {
        "get": {
            "operationId": "list_reports",
            "tags": ["reports"],
            "responses": {"200": {"description": "All."}},
        }
    }


def _remove_operation(document: Document, one: str, other: str) -> None:
    del document["paths"][_path(document, one)]["get"]


def _remove_toolset(document: Document, one: str, other: str) -> None:
    document["paths"] = {path: item for path, item in document["paths"].items() if f"/{other}s" not in path}


def _add_parameter(document: Document, one: str, other: str) -> None:
    _get(document, one)["parameters"].append({"name": "at", "in": "query", "schema": {"type": "string"}})


def _remove_parameter(document: Document, one: str, other: str) -> None:
    _get(document, one)["parameters"].pop()


def _change_type(document: Document, one: str, other: str) -> None:
    _get(document, one)["parameters"][1]["schema"] = {"type": "integer", "minimum": 3}


def _require_field(document: Document, one: str, other: str) -> None:
    schema = document["components"]["schemas"][one.title()]
    schema["properties"]["color"] = {"type": "string", "enum": ["red", "green"]}
    schema["required"].append("color")


def _add_answer_field(document: Document, one: str, other: str) -> None:
    document["components"]["schemas"][one.title()]["properties"]["made_at"] = {"type": "string"}


def _reword(document: Document, one: str, other: str) -> None:
    _get(document, one)["summary"] = f"Fetch a single {one} with all that belongs to it."


def _rename_tag(document: Document, one: str, other: str) -> None:
    for item in document["paths"].values():
        for operation in item.values():
            operation["tags"] = [f"{one}_desk" if tag == f"{one}s" else tag for tag in operation["tags"]]
    document["tags"][0]["name"] = f"{one}_desk"


def _move_operation(document: Document, one: str, other: str) -> None:
    _get(document, one)["tags"] = [f"{other}s"]


def _rename_path(document: Document, one: str, other: str) -> None:
    for path in [path for path in document["paths"] if path.startswith(f"/{one}s")]:
        document["paths"][f"/v2{path}"] = document["paths"].pop(path)


def _rename_id(document: Document, one: str, other: str) -> None:
    _get(document, one)["operationId"] = f"read{one.title()}ByNumber"


def _rename_path_parameter(document: Document, one: str, other: str) -> None:
    path = _path(document, one)
    item = document["paths"].pop(path)
    for operation in item.values():
        del operation["operationId"]
        operation["parameters"][0]["name"] = "number"
    document["paths"][path.replace(f"{one}_id", "number")] = item


def _change_title(document: Document, one: str, other: str) -> None:
    document["info"] |= {"title": "Another name", "version": "2.0.0", "description": "Said otherwise."}
    document["servers"] = [{"url": "https://new.example.test/v2"}]


def _add_security(document: Document, one: str, other: str) -> None:
    document["components"]["securitySchemes"] = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    document["security"] = [{"key": []}]


def _change_method(document: Document, one: str, other: str) -> None:
    item = document["paths"][_path(document, one)]
    item["patch"] = item.pop("put")


CHANGES: dict[str, Change] = {
    "operation added": _add_operation,
    "toolset added": _add_toolset,
    "operation removed": _remove_operation,
    "toolset removed": _remove_toolset,
    "parameter added": _add_parameter,
    "parameter removed": _remove_parameter,
    "type changed": _change_type,
    "field required": _require_field,
    "answer grows": _add_answer_field,
    "summary reworded": _reword,
    "tag renamed": _rename_tag,
    "operation moved": _move_operation,
    "path renamed": _rename_path,
    "id renamed": _rename_id,
    "path parameter": _rename_path_parameter,
    "title and server": _change_title,
    "security added": _add_security,
    "method changed": _change_method,
}
