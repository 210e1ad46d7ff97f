"""What travels: media types, encodings, headers, examples (OpenAPI 3.2, Media Type, Encoding, Header, Example Objects)."""

from __future__ import annotations

from typing import Any

from mcpgen.diagnostics import Unsupported
from mcpgen.ir.api import Style
from mcpgen.source.model import Node
from mcpgen.spec.context import Context, reference_of, truth
from mcpgen.spec.media_types import content_type, media_type
from mcpgen.spec.model import Json
from mcpgen.spec.schemas import SchemaLifter
from mcpgen.spec.versions import Version

STYLES = frozenset(style.value for style in Style) - {Style.TAB_DELIMITED.value}
"""The styles that a document of version 3 can name."""

_URLENCODED = "application/x-www-form-urlencoded"
_STYLE_WORDS = ("style", "explode", "allowReserved")


class ContentLifter:
    """Lifts `content` maps and what belongs to them."""

    def __init__(self, context: Context, schemas: SchemaLifter) -> None:
        self.context = context
        self.schemas = schemas

    def content(self, node: Node) -> Json:
        """The media types under `content` of a body, response, parameter or header, in order, names as written."""
        place = self.context.get(node, "content")
        found: Json = {}
        for written, entry in place.entries() if place is not None else ():
            media = self.context.content(entry)
            if media is None or (written.startswith("x-") and "/" not in written):  # broken, or an extension
                continue
            name = self.media_name(written, media_type(written), entry)
            if name is None or name in found:
                continue
            found[name] = self._media(media) if isinstance(media.value, dict) else {"examples": []}
            if self.context.dialect(node.file) is Version.V30 and not name.lower().startswith(_URLENCODED):
                _without_styles(found[name])
        return found

    def media_name(self, written: str, name: str | None, node: Node) -> str | None:
        """What a media type is read as, with a word where that is not what the document says."""
        if name != written.strip():
            said = "left out" if name is None else f"read as {name}"
            self.context.notes.add(
                "spec-repaired",
                f"{written!r} is no media type; it is {said}",
                node.location,
                kind="names that are no media types",
            )
        return name

    def _media(self, node: Node) -> Json:
        media: Json = {"examples": self.examples(node)}
        for key in ("schema", "itemSchema"):
            schema = node.get(key)
            if schema is not None and schema.value is not None:
                media[key] = self.schemas.lift(schema)
        encoding = self.context.get(node, "encoding")
        fields = (
            {name: self._encoding(entry) for name, entry in encoding.entries()}
            if encoding is not None
            else {}
        )
        if fields:
            media["encoding"] = fields
        prefix = self.context.get(node, "prefixEncoding")
        if prefix is not None and isinstance(prefix.value, list):
            media["prefixEncoding"] = [
                self._encoding(prefix.child(index)) for index in range(len(prefix.value))
            ]
        item = self.context.get(node, "itemEncoding")
        if item is not None:
            media["itemEncoding"] = self._encoding(item)
        return media

    def _encoding(self, entry: Node) -> Json:
        """One field's encoding. What the document leaves open stays open, because the default depends on the field."""
        node = self.context.content(entry)
        if node is None or not isinstance(node.value, dict):
            return {}
        found: Json = {}
        written = node.value.get("contentType")
        if isinstance(written, str):
            name = self.media_name(written, content_type(written), node.child("contentType"))
            if name is not None:
                found["contentType"] = name
        style = node.value.get("style")
        if isinstance(style, str) and style in STYLES:
            found["style"] = style
        elif style is not None:
            self.context.notes.add(
                "spec-repaired", f"the style {style!r} is unknown and left out", node.child("style").location
            )
        explode = node.value.get("explode")
        if isinstance(explode, bool) or truth(explode) is not None:
            found["explode"] = self.context.flag(node, "explode")
        if self.context.flag(node, "allowReserved"):
            found["allowReserved"] = True
        headers = self.headers(node)
        if headers:
            found["headers"] = headers
        return found

    def headers(self, node: Node) -> Json:
        """Header names -> schemas. `Content-Type` is described by the media type (OpenAPI 3.2, Response Object)."""
        place = self.context.get(node, "headers")
        found: Json = {}
        for name, entry in place.entries() if place is not None else ():
            if name.lower() == "content-type":
                continue
            header = self.context.content(entry)
            if header is None or not isinstance(header.value, dict):
                continue
            found[name] = self._header_schema(header)
        return found

    def _header_schema(self, header: Node) -> Json:
        schema = header.get("schema")
        if schema is None and "content" in header.value:
            content = self.content(header)
            result: Json = next((media.get("schema", {}) for media in content.values()), {})
        elif schema is None:
            result = self.inline_schema(header)
        else:
            result = self.schemas.lift(schema)
        text = self.context.text(header, "description")
        return {**result, "description": text} if text and "description" not in result else result

    def inline_schema(self, node: Node) -> Json:
        """A schema whose keywords stand in the parameter or header itself, as in Swagger 2.0."""
        own = {key: value for key, value in node.value.items() if key in INLINE or key.startswith("x-mcp")}
        if "x-nullable" in node.value:
            own["x-nullable"] = node.value["x-nullable"]
        return self.schemas.lift(Node(own, node.file, node.pointer))

    def examples(self, node: Node) -> list[Any]:
        """The values of `example` and `examples`. External and serialised-only examples are no values."""
        found: list[Any] = []
        if "example" in node.value:
            single = self._example_value(node.child("example"))
            found += [single.value] if single is not None else []
        named = self.context.get(node, "examples")
        if named is not None and isinstance(named.value, list):
            return found + list(named.value)
        for _, entry in named.entries() if named is not None else ():
            try:
                example = self.context.follow(entry)
            except Unsupported:
                continue  # an example that is missing costs nothing
            for key in ("dataValue", "value"):
                if isinstance(example.value, dict) and key in example.value:
                    value = self._example_value(example.child(key))
                    found += [value.value] if value is not None else []
                    break
        return found

    def _example_value(self, node: Node) -> Node | None:
        """An example's value; one that only refers to a file means the file's content."""
        if reference_of(node.value) is None:
            return node
        try:
            return self.context.follow(node)
        except Unsupported:
            return None


INLINE = frozenset(
    {
        "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
        "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf",
    }
)  # fmt: skip
"""Schema keywords of Swagger 2.0's parameters and headers (Swagger 2.0, Parameter Object)."""


def _without_styles(media: Json) -> None:
    """Style rules count only for urlencoded forms before 3.1 (OpenAPI 3.0, Encoding Object: ignored for all else)."""
    for encoding in media.get("encoding", {}).values():
        for word in _STYLE_WORDS:
            encoding.pop(word, None)
