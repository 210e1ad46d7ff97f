"""The stage `spec`: from a tree of documents to one self-contained document in one shape."""

from __future__ import annotations

from mcpgen.diagnostics import Collector, Location
from mcpgen.source.model import Node, SourceTree
from mcpgen.spec.content import ContentLifter
from mcpgen.spec.context import Context
from mcpgen.spec.metadata import MetadataLifter
from mcpgen.spec.model import Json, NormalizedDocument
from mcpgen.spec.notes import Notes
from mcpgen.spec.operations import OperationLifter
from mcpgen.spec.schemas import SchemaLifter
from mcpgen.spec.swagger2 import Swagger2Lifter
from mcpgen.spec.validation import validate
from mcpgen.spec.versions import Version, detect


def normalize(tree: SourceTree, *, diagnostics: Collector, strict: bool) -> NormalizedDocument:
    """Lifts the documents of `tree` to one document of the shape of OpenAPI 3.2.

    `strict` refuses documents that break the OpenAPI specification; otherwise they are read in the only sense they can have.

    Raises:
        Refused: this is no OpenAPI document, of an unknown version, without operations, or (`strict`) invalid.
    """
    root = tree.node
    version, text = detect(root, diagnostics)
    notes = Notes(diagnostics)
    context = Context(tree, version, notes)
    paths = _paths(context, diagnostics)
    metadata = MetadataLifter(context)
    schemas = SchemaLifter(context)
    content = ContentLifter(context, schemas)
    components = context.get(root, "components")
    holder = root if version is Version.V2 else components
    schemas.reserve(
        context.get(holder, "definitions" if version is Version.V2 else "schemas") if holder else None
    )
    schemes = "securityDefinitions" if version is Version.V2 else "securitySchemes"
    security_schemes = metadata.security_schemes(context.get(holder, schemes) if holder else None)
    operations = OperationLifter(context, content, metadata)
    lifted = operations.paths(paths)
    schemas.drain()
    _webhooks(context)
    notes.close(root.location)
    validate(tree, version, diagnostics=diagnostics, strict=strict)
    if not any(lifted.values()):
        raise _nothing(diagnostics, root.location, len(operations.skipped))
    servers = Swagger2Lifter(context, content).servers() if version is Version.V2 else metadata.servers(root)
    document: Json = {
        "openapi": "3.2.0",
        "info": metadata.info(),
        "servers": servers or [],
        "tags": metadata.tags(),
        "paths": lifted,
        "components": {"schemas": schemas.definitions, "securitySchemes": security_schemes},
    }
    return NormalizedDocument(document, text, root.location, context.origins, tuple(operations.skipped))


def _paths(context: Context, diagnostics: Collector) -> Node:
    root = context.tree.node
    paths = context.get(root, "paths")
    if paths is None or not isinstance(paths.value, dict) or not paths.value:
        webhooks = context.get(root, "webhooks")
        if webhooks is not None and webhooks.value:
            _webhooks(context)
            hint = "It describes only webhooks: calls that the API makes, not calls that a client can make."
        else:
            hint = "An OpenAPI document lists its operations under `paths`."
        location = (root.get("paths") or root).location
        raise diagnostics.refuse("spec-no-paths", f"{root.file} describes no operation", location, hint=hint)
    return paths


def _nothing(diagnostics: Collector, location: Location, skipped: int) -> Exception:
    if skipped:
        return diagnostics.refuse(
            "spec-no-paths", f"none of the operations ({skipped}) can become a tool", location
        )
    return diagnostics.refuse(
        "spec-no-paths",
        f"{location.file} describes no operation",
        location,
        hint="Its paths hold no method such as `get` or `post`.",
    )


def _webhooks(context: Context) -> None:
    webhooks = context.get(context.tree.node, "webhooks")
    names = (
        [name for name, _ in webhooks.entries() if not name.startswith("x-")] if webhooks is not None else []
    )
    if webhooks is not None and names:
        shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        context.notes.add(
            "operation-not-a-tool",
            f"{_counted(len(names))} that the API makes, not tools: {shown}",
            webhooks.location,
        )


def _counted(number: int) -> str:
    return "one webhook is a call" if number == 1 else f"{number} webhooks are calls"
