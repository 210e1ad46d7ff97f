"""Bodies, responses and servers of Swagger 2.0 in the shape of OpenAPI 3.2."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.source.model import Node, join
from mcpgen.spec.content import ContentLifter
from mcpgen.spec.context import Context
from mcpgen.spec.media_types import media_type
from mcpgen.spec.messages import is_status
from mcpgen.spec.model import Json
from mcpgen.spec.parameters import collection_style

MULTIPART = "multipart/form-data"
URLENCODED = "application/x-www-form-urlencoded"


class Swagger2Lifter:
    """Lifts what Swagger 2.0 says differently."""

    def __init__(self, context: Context, content: ContentLifter) -> None:
        self.context = context
        self.content = content

    def _types(self, operation: Node, key: str) -> list[str]:
        """`consumes` or `produces`: the operation's own, else the document's."""
        for node in (operation, self.context.tree.node):
            place = self.context.get(node, key)
            if place is not None:
                value = [place.value] if isinstance(place.value, str) else place.value
                listed = Node(value, place.file, place.pointer).elements()
                names = [
                    self.content.media_name(item.value, media_type(item.value), item)
                    for item in listed
                    if isinstance(item.value, str)
                ]
                return [name for name in names if name is not None]
        return []

    def body(
        self, operation: Node, bodies: Sequence[Node], form: Sequence[Node], pointer: str
    ) -> Json | None:
        """The request body that `in: body` or `in: formData` parameters describe."""
        consumes = self._types(operation, "consumes")
        if bodies:
            node = bodies[-1]
            if form:
                self.context.notes.add(
                    "spec-repaired",
                    "an operation has both a body and form fields; the fields are left out",
                    node.location,
                )
            self.context.origins[join(pointer, "requestBody")] = node.location
            schema = node.get("schema")
            media: Json = {"examples": self.content.examples(node)}
            if schema is not None:
                media["schema"] = self.content.schemas.lift(schema)
            return {
                "required": self.context.flag(node, "required"),
                "description": self.context.text(node, "description"),
                "content": dict.fromkeys(consumes or ["application/json"], media),
            }
        if not form:
            return None
        self.context.origins[join(pointer, "requestBody")] = form[0].location
        return self._form(form, consumes)

    def _form(self, form: Sequence[Node], consumes: list[str]) -> Json:
        has_file = any(node.value.get("type") == "file" for node in form)
        types = [name for name in consumes if name.split(";")[0].strip().lower() in (MULTIPART, URLENCODED)]
        if has_file:
            types = [MULTIPART]
        properties: Json = {}
        required: list[str] = []
        encoding: Json = {}
        for node in form:
            name = str(node.value["name"])
            written = node.get("schema")
            schema = (
                self.content.inline_schema(node) if written is None else self.content.schemas.lift(written)
            )
            text = self.context.text(node, "description")
            properties[name] = {**schema, "description": text} if text else schema
            if self.context.flag(node, "required"):
                required.append(name)
            if node.value.get("type") == "array":
                style, explode = collection_style(node.value.get("collectionFormat", "csv"), "query")
                encoding[name] = {"style": style.value, "explode": explode}
        schema = {"type": "object", "properties": properties, **({"required": required} if required else {})}
        media: Json = {"schema": schema, "examples": [], **({"encoding": encoding} if encoding else {})}
        return {
            "required": bool(required),
            "description": "",
            "content": dict.fromkeys(types or [URLENCODED], media),
        }

    def responses(self, operation: Node, pointer: str) -> Json:
        """Status -> response; one media type for each of `produces`."""
        place = self.context.get(operation, "responses")
        produces = self._types(operation, "produces") or ["application/json"]
        found: Json = {}
        for status, entry in place.entries() if place is not None else ():
            if not is_status(status, entry, self.context.notes):
                continue
            node = self.context.content(entry)
            if node is None or not isinstance(node.value, dict):
                found[status] = {"description": "", "content": {}}
                continue
            self.context.origins[join(pointer, "responses", status)] = node.location
            found[status] = {
                "description": self.context.text(node, "description"),
                "headers": self.content.headers(node),
                "content": self._media(node, produces),
            }
        return found

    def _media(self, node: Node, produces: list[str]) -> Json:
        schema = node.get("schema")
        if schema is None or schema.value is None:
            return {}
        lifted = self.content.schemas.lift(schema)
        examples = self.context.get(node, "examples")
        given = examples.value if examples is not None and isinstance(examples.value, dict) else {}
        return {
            name: {"schema": lifted, "examples": [given[name]] if name in given else []}
            for name in dict.fromkeys(produces)
        }

    def servers(self) -> list[Json]:
        """`schemes`, `host` and `basePath` as servers, the encrypted first; relative where there is no host."""
        root = self.context.tree.node
        host = self.context.text(root, "host").strip().rstrip("/")
        base = self.context.text(root, "basePath").strip()
        if base and not base.startswith("/"):
            base = "/" + base
        if not host:
            return [{"url": base, "variables": {}}] if base and base != "/" else []
        given, _, host = host.rpartition("://")
        place = self.context.get(root, "schemes")
        written = place.value if place is not None and isinstance(place.value, list) else []
        schemes = [scheme for scheme in written if scheme in ("http", "https")]
        schemes = [given] if given in ("http", "https") else schemes or ["https"]
        return [
            {"url": f"{scheme}://{host}{base}", "variables": {}}
            for scheme in sorted(set(schemes), reverse=True)
        ]
