"""The request body as arguments: fields of their own where the body is a plain object, else one whole argument."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mcpgen.ir.api import Encoding, MediaType, RequestBody, Schema
from mcpgen.ir.merging import flatten, hidden_properties
from mcpgen.plan.media import is_binary, kind_of, preferred
from mcpgen.plan.model import BodyWire
from mcpgen.plan.parts import FILE_SCHEMA, encoding_wire, in_order, list_of_parts
from mcpgen.plan.variants import Variants
from mcpgen.plan.xml_hints import xml_hints

_FLAT_KINDS = frozenset({"json", "form", "multipart", "xml"})
_KEEPS_WHOLE = ("anyOf", "oneOf", "allOf", "not", "if", "enum", "const", "dependentSchemas")
_OUTER = frozenset({"required", "not"})


@dataclass(frozen=True, slots=True)
class BodyField:
    """One body argument before it has a name: `wire` is the field, None the whole body or the rest of it.

    `required_in_body` is a field that an optional body must have once there is a body.
    """

    wire: str | None
    schema: Schema
    required: bool
    file: bool = False
    required_in_body: bool = False


@dataclass(frozen=True, slots=True)
class BodyShape:
    """How the body of an operation is asked for and written."""

    wire: BodyWire
    fields: tuple[BodyField, ...]
    dropped: tuple[str, ...] = field(default=())
    """Keywords of the whole body that separate arguments can't express; the API itself still checks them."""


def shape_body(body: RequestBody, schemas: Mapping[str, Schema]) -> BodyShape:
    """Decides the media type and the arguments of a request body."""
    media = preferred(body.media, schemas)
    kind = kind_of(media, schemas)
    schema = _body_schema(media, kind, schemas)
    flat, _ = flatten(schema, schemas)
    # A base stays whole, because its subtypes have fields that separate arguments could not take.
    polymorphic = kind != "multipart" and bool(Variants(schemas).of(schema))
    fields, dropped = ((), ()) if polymorphic else _fields(flat, kind, body, media, schemas)
    files = {
        f.wire: "list" if f.schema.get("type") == "array" else "one" for f in fields if f.file and f.wire
    }
    if not fields:
        if kind == "multipart":
            take_apart = list_of_parts if in_order(schema, schemas) else _whole_with_files
            schema, files = take_apart(schema, media, schemas)
        fields = (_whole(schema, kind, body, schemas),)
    wire = BodyWire(
        content_type=media.name,
        kind=kind,
        required=body.required,
        encoding=(
            {name: encoding_wire(e, schemas) for name, e in media.encoding.items()}
            if kind in ("form", "multipart")
            else {}
        ),
        prefix_encoding=tuple(encoding_wire(e, schemas) for e in media.prefix_encoding),
        item_encoding=encoding_wire(media.item_encoding, schemas) if media.item_encoding else None,
        files=files,
        xml=xml_hints(schema, schemas) if kind == "xml" else None,
    )
    return BodyShape(wire, fields, dropped)


def _body_schema(media: MediaType, kind: str, schemas: Mapping[str, Schema]) -> Schema:
    schema = media.schema or {}
    if media.item_schema is not None and media.schema is None:
        return {"type": "array", "items": media.item_schema}
    flat, _ = flatten(schema, schemas)
    if kind == "ndjson" and _types(flat, "") == {"object"}:  # the schema of one record, as before 3.2
        return {"type": "array", "items": schema}
    if "merge-patch" in media.bare and flat.get("properties"):
        return {**flat, "properties": {n: _removable(c, schemas) for n, c in flat["properties"].items()}}
    return schema


def _removable(child: Schema, schemas: Mapping[str, Schema]) -> Schema:
    """A field of a merge patch: null removes it (RFC 7396, 2), whether or not the resource can hold a null."""
    flat, _ = flatten(child, schemas)
    parts = (*flat.get("anyOf", ()), *flat.get("oneOf", ()))
    if not flat or "null" in _types(flat, "") or {"type": "null"} in parts or "readOnly" in flat:
        return child
    told: dict[str, Any] = {key: flat[key] for key in ("description", "title") if key in flat}
    return {**told, "anyOf": [child, {"type": "null"}]}


def _fields(
    flat: Mapping[str, Any], kind: str, body: RequestBody, media: MediaType, schemas: Mapping[str, Schema]
) -> tuple[tuple[BodyField, ...], tuple[str, ...]]:
    """The fields of a plain object body, or nothing when it has to stay whole."""
    if kind not in _FLAT_KINDS or not flat.get("properties") or "object" not in _types(flat, "object"):
        return (), ()
    dropped = [key for key in ("minProperties", "maxProperties", "propertyNames") if key in flat]
    dropped += ["null"] if "null" in _types(flat, "") else []
    for key in _KEEPS_WHOLE:
        if key in flat:
            if key in ("anyOf", "oneOf", "allOf", "not") and _only_required(flat[key]):
                dropped.append(key)
            else:
                return (), ()
    hidden = hidden_properties(flat, schemas, "readOnly")
    required = [name for name in flat.get("required", ()) if name not in hidden]
    properties = {name: child for name, child in flat["properties"].items() if name not in hidden}
    properties.update({name: {} for name in required if name not in properties})
    rest = _rest(flat)
    if not properties:
        return (), ()
    # Required fields and free keys in one object are said best, and checked whole, by its own schema.
    if rest is not None and required:
        return (), ()
    fields = [
        replace(
            _field(name, child, name in required and body.required, kind, media, schemas),
            required_in_body=name in required and not body.required,
        )
        for name, child in properties.items()
    ]
    if rest is not None:
        fields.append(BodyField(None, rest, False))
    if "dependentRequired" in flat:
        dropped.append("dependentRequired")
    return tuple(fields), tuple(dropped)


def _types(flat: Mapping[str, Any], default: str) -> set[str]:
    kind = flat.get("type", default)
    return {kind} if isinstance(kind, str) else set(kind)


def _only_required(value: Any) -> bool:
    """Whether alternatives do nothing but ask for one of several sets of fields."""
    parts = value if isinstance(value, list) else [value]
    return all(isinstance(part, Mapping) and part.keys() <= _OUTER for part in parts)


def _field(
    name: str, child: Schema, required: bool, kind: str, media: MediaType, schemas: Mapping[str, Schema]
) -> BodyField:
    if kind != "multipart":
        return BodyField(name, child, required)
    encoding = media.encoding.get(name, Encoding())
    flat, _ = flatten(_without_null(child, schemas), schemas)
    if "array" in _types(flat, ""):
        items = flat.get("items", {})
        if _is_file(items if isinstance(items, Mapping) else {}, encoding, schemas):
            counts: dict[str, Any] = {key: flat[key] for key in ("minItems", "maxItems") if key in flat}
            return BodyField(
                name, _described({"type": "array", "items": FILE_SCHEMA, **counts}, flat), required, True
            )
    elif _is_file(child, encoding, schemas):
        return BodyField(name, _described(FILE_SCHEMA, flat), required, True)
    return BodyField(name, child, required)


def _whole_with_files(
    schema: Schema, media: MediaType, schemas: Mapping[str, Schema]
) -> tuple[Schema, dict[str, str]]:
    """A multipart body that stays one argument: its file fields, in every alternative, are files all the same."""
    flat, _ = flatten(schema, schemas)
    files: dict[str, str] = {}
    properties = dict(flat.get("properties", {}))
    for name, child in properties.items():
        field = _field(name, child, False, "multipart", media, schemas)
        if field.file:
            properties[name] = field.schema
            files[name] = "list" if field.schema.get("type") == "array" else "one"
    out = {**flat, "properties": properties} if properties else dict(flat)
    for key in ("anyOf", "oneOf"):
        if key in flat:
            parts = [_whole_with_files(part, media, schemas) for part in flat[key]]
            out[key] = [part for part, _ in parts]
            for _, more in parts:
                files.update(more)
    return out, files


def _without_null(schema: Schema, schemas: Mapping[str, Schema]) -> Schema:
    """The one alternative of a value that can also be null; a file that is not there is left out."""
    flat, _ = flatten(schema, schemas)
    parts = [part for part in (*flat.get("anyOf", ()), *flat.get("oneOf", ())) if part != {"type": "null"}]
    if len(parts) != 1:
        return schema
    return {**parts[0], "description": flat["description"]} if "description" in flat else parts[0]


def _described(schema: Mapping[str, Any], flat: Mapping[str, Any]) -> dict[str, Any]:
    return {**schema, "description": str(flat.get("description") or flat.get("title") or "The file.")}


def _is_file(schema: Schema, encoding: Encoding, schemas: Mapping[str, Schema]) -> bool:
    if is_binary(schema, schemas):
        return True
    flat, _ = flatten(schema, schemas)
    declared = (encoding.content_type or "").lower()
    return not flat and bool(declared) and not declared.startswith(("text/", "application/json"))


def _rest(flat: Mapping[str, Any]) -> Schema | None:
    """An argument for further keys, where the body says that it admits them (CONTRACT, `pointer` "")."""
    extra = flat.get("additionalProperties", flat.get("unevaluatedProperties"))
    patterns = flat.get("patternProperties")
    if extra in (None, False, {"not": {}}) and not patterns:
        return None
    rest: dict[str, Any] = {"type": "object", "description": "Further fields of the body, by name."}
    if patterns:
        rest["patternProperties"] = patterns
    if extra is not None:
        rest["additionalProperties"] = extra
    return rest


def _whole(schema: Schema, kind: str, body: RequestBody, schemas: Mapping[str, Schema]) -> BodyField:
    if kind == "binary":
        flat, _ = flatten(schema, schemas)
        text = body.description or flat.get("description") or "The body, as a file."
        return BodyField(None, {**FILE_SCHEMA, "description": str(text)}, body.required, True)
    if kind == "text" and not flatten(schema, schemas)[0]:
        schema = {"type": "string"}
    if body.description and "description" not in schema:
        schema = {**schema, "description": body.description}
    return BodyField(None, schema, body.required)
