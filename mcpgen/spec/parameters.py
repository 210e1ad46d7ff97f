"""Parameters of every version in one shape (OpenAPI 3.2, Parameter Object)."""

from __future__ import annotations

from mcpgen.diagnostics import Unsupported
from mcpgen.ir.api import ParameterIn, Style
from mcpgen.source.model import Node
from mcpgen.spec.content import ContentLifter
from mcpgen.spec.context import Context, extensions, truth
from mcpgen.spec.model import Json
from mcpgen.spec.tokens import is_token
from mcpgen.spec.versions import Version

_LEGAL_STYLES = {
    "path": {Style.SIMPLE, Style.LABEL, Style.MATRIX},
    "query": {Style.FORM, Style.SPACE_DELIMITED, Style.PIPE_DELIMITED, Style.DEEP_OBJECT},
    "header": {Style.SIMPLE},
    "cookie": {Style.FORM, Style.COOKIE},
    "querystring": {Style.FORM},
}
_DEFAULT_STYLES = {"path": Style.SIMPLE, "header": Style.SIMPLE}
_COLLECTIONS = {
    "csv": (Style.FORM, False),
    "ssv": (Style.SPACE_DELIMITED, False),
    "tsv": (Style.TAB_DELIMITED, False),
    "pipes": (Style.PIPE_DELIMITED, False),
    "multi": (Style.FORM, True),
}
_INNER = {"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}
_PLACES = frozenset(place.value for place in ParameterIn)


def collection_style(value: object, where: str) -> tuple[Style, bool]:
    """Swagger 2.0's `collectionFormat` as style and explode; outside query and form, `csv` is `simple`."""
    style, explode = _COLLECTIONS.get(str(value), _COLLECTIONS["csv"])
    if where in _DEFAULT_STYLES and style is Style.FORM:
        return Style.SIMPLE, False
    return style, explode


def inner_delimiters(schema: object) -> list[str]:
    """What joins the lists inside a list, the outermost first (Swagger 2.0, Items Object; `multi` is not for them)."""
    found: list[str] = []
    items = schema.get("items") if isinstance(schema, dict) else None
    while isinstance(items, dict) and items.get("type") == "array":
        found.append(_INNER.get(str(items.get("collectionFormat", "csv")), ","))
        items = items.get("items")
    return found


class ParameterLifter:
    """Lifts one parameter; its reference is already followed."""

    def __init__(self, context: Context, content: ContentLifter) -> None:
        self.context = context
        self.content = content
        self._known: dict[tuple[str, str], Json] = {}

    def lift(self, node: Node) -> Json:
        """The parameter in the normalized shape. Shared parameters are lifted once.

        Raises:
            Unsupported: it has no usable name or place; the caller knows whether it can do without.
        """
        key = node.file, node.pointer
        if key not in self._known:
            self._known[key] = self._lift(node)
        return self._known[key]

    def _lift(self, node: Node) -> Json:
        value = node.value
        if not isinstance(value, dict):
            raise Unsupported("parameter-skipped", "a parameter must be an object", node.location)
        where = value.get("in")
        name = value.get("name")
        if where == "querystring" and name is None:
            name = "querystring"  # it is written without its name
        if not isinstance(name, str) or not name:
            name = str(name) if isinstance(name, (int, float)) and not isinstance(name, bool) else None
        if name is None:
            raise Unsupported("parameter-skipped", "a parameter has no name", node.location)
        if not isinstance(where, str) or where not in _PLACES:
            said = (
                "does not say where it goes (`in`)"
                if where is None
                else f"goes to an unknown place (`in: {where}`)"
            )
            raise Unsupported("parameter-skipped", f"the parameter `{name}` {said}", node.location)
        if where == "header" and not is_token(name):
            raise Unsupported("parameter-skipped", f"{name!r} is no name of a header", node.location)
        result: Json = {
            "name": name,
            "in": where,
            "required": self.context.flag(node, "required"),
            "description": self.context.text(node, "description"),
            "deprecated": self.context.flag(node, "deprecated"),
            "allowReserved": self.context.flag(node, "allowReserved"),
            "allowEmptyValue": self.context.flag(node, "allowEmptyValue"),
            "examples": self.content.examples(node),
            **{key: item for key, item in extensions(value).items() if key.startswith("x-mcp")},
        }
        if where == "path" and not result["required"]:
            self.context.notes.add(
                "spec-repaired",
                f"the path parameter `{name}` is required, though the document does not say so",
                node.location,
                kind="path parameters without `required: true`",
            )
            result["required"] = True
        self._shape(node, where, result)
        return result

    def _shape(self, node: Node, where: str, result: Json) -> None:
        version2 = self.context.dialect(node.file) is Version.V2
        inline = "type" in node.value or version2
        content = self.content.content(node) if "content" in node.value and "schema" not in node.value else {}
        if content:
            name, media = next(iter(content.items()))
            result["content"] = {name: media}
            result["examples"] += media.get("examples", [])
        elif inline and not ("schema" in node.value and (not version2 or "type" not in node.value)):
            if not version2:
                self.context.notes.add(
                    "spec-repaired",
                    f"the parameter `{result['name']}` has its type outside of `schema`; it is read as in Swagger 2.0",
                    node.location,
                    kind="parameters with their type outside of `schema`",
                )
            result["schema"] = self.content.inline_schema(node)
            style, explode = collection_style(node.value.get("collectionFormat", "csv"), where)
            result["style"], result["explode"] = style.value, explode
            result["inner"] = inner_delimiters(node.value) if version2 else []
            if not version2 and "collectionFormat" not in node.value:
                self._style(node, where, result)
            if "x-example" in node.value:
                result["examples"].append(node.value["x-example"])
            return
        else:
            schema = node.get("schema")
            result["schema"] = self.content.schemas.lift(schema) if schema is not None else {}
        self._style(node, where, result)

    def _style(self, node: Node, where: str, result: Json) -> None:
        """Style and explode, with the defaults of the place (OpenAPI 3.2, Parameter Object, `style`, `explode`)."""
        default = _DEFAULT_STYLES.get(where, Style.FORM)
        written = node.value.get("style")
        legal = {style.value for style in _LEGAL_STYLES[where]}
        if written is not None and (not isinstance(written, str) or written not in legal):
            self.context.notes.add(
                "spec-repaired",
                f"the {where} parameter `{result['name']}` cannot have the style {written!r}; `{default.value}` is used",
                node.location,
                kind="styles that do not fit their place",
            )
            written = None
        style = written or default.value
        explode = node.value.get("explode")
        usable = isinstance(explode, bool) or truth(explode) is not None
        result["style"] = style
        result["explode"] = (
            self.context.flag(node, "explode") if usable else style in (Style.FORM, Style.COOKIE)
        )
