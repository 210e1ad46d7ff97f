"""Checking a document against the OpenAPI specification with openapi-spec-validator.

The validator takes seconds for large documents and stumbles over some odd ones, and what matters for generating is checked again
where it is read. So it runs on documents of one file and moderate size, and always when the user asks for strictness.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

from jsonschema.exceptions import ValidationError
from jsonschema.validators import validator_for
from jsonschema_path import SchemaPath
from openapi_spec_validator import (
    OpenAPIV2SpecValidator,
    OpenAPIV30SpecValidator,
    OpenAPIV31SpecValidator,
    OpenAPIV32SpecValidator,
)
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

from mcpgen.diagnostics import Collector, Location, Severity
from mcpgen.source.model import SourceTree, join
from mcpgen.spec.fanning import fans_out
from mcpgen.spec.versions import Version

MAX_BYTES = 300_000
"""Documents up to this size are always checked; that takes about a second."""

SHOWN = 20
_COUNTED = 500  # more findings than this tell nobody anything
_MESSAGE = 200
_METHOD = re.compile(r" for '(\w+)' (?:operation )?in '")
"""Where the validator names the operation that it means."""

_VALIDATORS: dict[Version, Any] = {
    Version.V2: OpenAPIV2SpecValidator,
    Version.V30: OpenAPIV30SpecValidator,
    Version.V31: OpenAPIV31SpecValidator,
    Version.V32: OpenAPIV32SpecValidator,
}


def validate(tree: SourceTree, version: Version, *, diagnostics: Collector, strict: bool) -> None:
    """Reports where the document breaks the specification. Called when all references were followed.

    Raises:
        Refused: it does, and `strict` is set.
    """
    if not strict and (tree.root.size > MAX_BYTES or len(tree.documents) > 1):
        return
    found: dict[tuple[str, Location], None] = {}
    meaning = not fans_out(tree.root.value)
    why = "" if meaning else "its compositions expand too far"
    try:
        for finding in islice(_findings(tree, version, meaning=meaning), _COUNTED):
            found[finding] = None
    except Exception as error:  # whatever the validator stumbles over, the document is not at fault for it
        why = type(error).__name__
    if why:
        diagnostics.add(
            "spec-invalid",
            f"the document could not be checked completely against the specification ({why})",
            tree.node.location,
            severity=Severity.INFO,
        )
    findings = list(found)
    for message, location in findings[:SHOWN]:
        diagnostics.add("spec-invalid", message, location)
    if len(findings) > SHOWN:
        diagnostics.add(
            "spec-invalid",
            f"and {len(findings) - SHOWN} more places that break the specification",
            tree.node.location,
        )
    if findings and strict:
        raise diagnostics.refuse(
            "spec-invalid",
            f"{tree.root.name} breaks the OpenAPI specification in {_places(len(findings))}",
            findings[0][1],
            hint="Without --strict it is generated with warnings.",
        )


def _places(number: int) -> str:
    if number >= _COUNTED:
        return f"at least {number} places"
    return "one place" if number == 1 else f"{number} places"


def _findings(tree: SourceTree, version: Version, *, meaning: bool) -> Iterator[tuple[str, Location]]:
    """What the validator says: first about the shape, then about the meaning where that is asked for."""
    root = tree.root
    read = _reader(tree)
    path: SchemaPath = SchemaPath.from_dict(
        root.value,
        base_uri=root.uri,
        handlers={scheme: read for scheme in ("<all_urls>", "http", "https", "file", "")},
        resolved_cache_maxsize=4096,
    )
    validator = _VALIDATORS[version](path)
    for error in _shape_checker(version).iter_errors(root.value):
        yield _finding(error, Location(root.name, join("", *_deepest(error).absolute_path)))
    if meaning:
        for error, pointer in _meaning(validator.root_validator.registry, path):
            yield _finding(error, Location(root.name, pointer))


@cache
def _shape_checker(version: Version) -> Any:
    """The validator's own check of the shape, whose dynamic references are found once: it looks for them again for each schema."""
    stock = _VALIDATORS[version].schema_validator
    schema = dict(stock.schema)
    kind = validator_for(schema)
    registry = Resource.from_contents(schema, default_specification=DRAFT4) @ Registry()
    return kind(schema, registry=registry.crawl())


def _meaning(registry: Any, path: SchemaPath) -> Iterator[tuple[ValidationError, str]]:
    """What is wrong with the meaning, part by part as the validator does it itself, because its findings have no places."""
    if "tags" in path and "tags" in registry.keyword_validators:
        for error in registry["tags"](path / "tags"):
            yield error, "/tags"
    for url, item in (path / "paths").items() if "paths" in path else ():
        for error in registry["path"](url, item):
            named = _METHOD.search(error.message)
            yield error, join("/paths", str(url), *(named.groups() if named is not None else ()))
    schemas = (
        path / "components" / "schemas" if "components" in path and "schemas" in path / "components" else None
    )
    for name, schema in schemas.items() if schemas is not None else ():
        for error in registry["schema"](schema):
            yield error, join("/components/schemas", str(name))


def _reader(tree: SourceTree) -> Callable[[str], Any]:
    """Reads further documents under the same rules as references."""

    def read(uri: str) -> Any:
        return tree.open(uri).value

    return read


def _finding(error: ValidationError, location: Location) -> tuple[str, Location]:
    return _sentence(_deepest(error)), location


def _deepest(error: ValidationError) -> ValidationError:
    """The finding that a reader can act on: inside the one form that the value was meant to have, as far as that is clear."""
    while error.context:
        forms: dict[Any, list[ValidationError]] = {}
        for inner in error.context:
            forms.setdefault(inner.schema_path[0], []).append(inner)
        likely = [form for form in forms.values() if not any(_tells_form(inner) for inner in form)]
        if len(likely) != 1:
            break
        error = max(likely[0], key=lambda inner: len(inner.path))
    return error


def _tells_form(error: ValidationError) -> bool:
    """Whether a finding only says that the value was meant to have another form."""
    if error.validator == "required":
        return isinstance(error.instance, dict) and error.validator_value == ["$ref"]
    return (
        error.validator in ("enum", "const")
        and bool(error.path)
        and error.path[-1] in ("in", "type", "style")
    )


def _sentence(error: ValidationError) -> str:
    """The validator's message without the whole value in it."""
    if error.validator == "type":
        kinds: Any = error.validator_value
        expected = kinds if isinstance(kinds, str) else " or ".join(map(str, kinds))
        return f"{_short(error.instance)} must be of type {expected}"
    if error.validator in ("oneOf", "anyOf"):
        return f"{_short(error.instance)} has none of the forms that OpenAPI allows here"
    if error.validator == "not":
        return f"{_short(error.instance)} has a form that OpenAPI forbids here"
    message = error.message
    return message if len(message) <= _MESSAGE else message[: _MESSAGE - 3] + "..."


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "this object"
    if isinstance(value, list):
        return "this list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
