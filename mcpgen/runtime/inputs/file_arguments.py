"""File arguments by path in the published schemas, on servers whose operator has opened a folder.

The catalogue knows files by their content alone (`content_base64`), because no other server could take a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_PATH = {
    "type": "string",
    "description": "Instead of content_base64: a file of the server's folder, by name.",
}
_CONTENT = "content_base64"


def admit_paths(tools: Iterable[dict[str, Any]]) -> None:
    """Lets every file argument of these tools be named by `path` too. The schemas are changed in place."""
    for tool in tools:
        _admit(tool["inputSchema"])


def takes_files(body: Mapping[str, Any] | None) -> bool:
    """Whether a body of the catalogue can have file arguments: only those kinds need a look at their schema."""
    return body is not None and body["kind"] in ("multipart", "binary")


def _admit(schema: Any) -> None:
    if isinstance(schema, list):
        for item in schema:
            _admit(item)
    elif isinstance(schema, dict):
        if _is_file_schema(schema):
            schema["properties"]["path"] = _PATH
            del schema["required"]
            schema["anyOf"] = [{"required": [_CONTENT]}, {"required": ["path"]}]
        else:
            for value in schema.values():
                _admit(value)


def _is_file_schema(schema: Mapping[str, Any]) -> bool:
    """The one schema that the generator writes for files: no schema of an API has exactly this form."""
    properties = schema.get("properties")
    return (
        isinstance(properties, dict)
        and properties.keys() == {_CONTENT, "filename", "content_type"}
        and schema.get("required") == [_CONTENT]
        and schema.get("additionalProperties") is False
    )
