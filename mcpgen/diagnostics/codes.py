"""The registry of diagnostic codes: each has a default severity and one sentence on what it means."""

from __future__ import annotations

from typing import NamedTuple

from mcpgen.diagnostics.model import Severity


class Code(NamedTuple):
    severity: Severity
    meaning: str


E, W, N = Severity.ERROR, Severity.WARNING, Severity.INFO

CODES: dict[str, Code] = {
    # reading
    "source-unreadable": Code(E, "A file, URL or standard input could not be read."),
    "source-syntax": Code(E, "A document is neither JSON nor YAML."),
    "source-limit": Code(E, "A document is too large, too deep, or expands too far."),
    "reference-refused": Code(
        W, "A reference leads to a place that is not allowed (remote, or outside the spec's folder)."
    ),
    "reference-broken": Code(W, "A reference leads nowhere."),
    "reference-cycle": Code(W, "References lead in a circle without content."),
    # overlays
    "overlay-invalid": Code(E, "An overlay is malformed, or does not fit the document."),
    "overlay-no-effect": Code(W, "An action of an overlay changes nothing."),
    "overlay-extends": Code(W, "An overlay was written for another document."),
    # the document
    "spec-not-openapi": Code(E, "The document is not an OpenAPI description."),
    "spec-version": Code(E, "The OpenAPI version is not supported."),
    "spec-no-paths": Code(E, "The document describes no operation."),
    "spec-invalid": Code(W, "The document breaks the OpenAPI specification, but its meaning is clear."),
    "spec-repaired": Code(W, "A part of the document was read in the only sense that it can have."),
    "schema-simplified": Code(N, "A schema was loosened so that clients can use it."),
    "models-missing": Code(W, "No models could be made of the schemas; the tools work without them."),
    "text-neutralised": Code(
        W, "A text of the document was aimed at a model, or held what nobody sees; that part is left out."
    ),
    # operations
    "effect-lowered": Code(
        W, "An extension of the document calls an operation less dangerous than its words do."
    ),
    "operation-skipped": Code(W, "An operation cannot become a tool."),
    "operation-excluded": Code(N, "Operations are left out on purpose, or because they are deprecated."),
    "selection-unmatched": Code(E, "A selector matches no operation."),
    "selection-empty": Code(E, "The selection leaves no operation."),
    "operation-not-a-tool": Code(N, "A webhook or callback is a call that the API makes; it is not a tool."),
    "parameter-ignored": Code(
        N, "A parameter is not an argument, because OpenAPI or a security scheme sets it."
    ),
    "parameter-skipped": Code(W, "An optional parameter was left out because it cannot be understood."),
    "server-missing": Code(W, "The document names no server; the operator must set the base URL."),
    "security-unsupported": Code(W, "A security scheme cannot be served."),
    "name-changed": Code(N, "A name was changed so that it is legal or unique."),
    "name-spoofed": Code(W, "A name is made to be mistaken for another."),
    "extension-invalid": Code(E, "An `x-mcp` extension of the document says what cannot be followed."),
    # output
    "config-invalid": Code(E, "The configuration file is wrong."),
    "workspace-clash": Code(
        W, "Two projects of a workspace have a name that only one can have on a machine."
    ),
    "output-unwritable": Code(E, "The output folder cannot be written."),
    "output-not-ours": Code(E, "The output folder holds something that mcpgen did not write."),
    "output-conflict": Code(E, "An edit of a generated file and its new text overlap."),
    "output-dropped": Code(W, "An edit in the catalogue went with a tool that the spec no longer has."),
    "output-recovered": Code(W, "An earlier run was interrupted while it was writing, and was undone."),
    "output-kept": Code(W, "Something is no longer generated, but stays because it was edited by hand."),
    "layer-invalid": Code(E, "A template layer, or a file that it adds, cannot be used."),
    "plugin-failed": Code(E, "A plugin cannot be loaded, or has failed."),
    "render-failed": Code(E, "A template failed."),
    "template-check": Code(E, "What templates make does not pass its types or its tests."),
    "format-failed": Code(E, "Generated code does not parse."),
    # definitions for model APIs
    "definition-not-strict": Code(W, "A tool's arguments cannot be strict; its definition is not strict."),
    "definition-refused": Code(W, "The API of the format would refuse a definition, or so many of them."),
    "definition-loosened": Code(N, "A rule of a schema cannot be said in the format; calls are checked."),
    "definition-changed": Code(N, "A definition says less than the tool's own schema, or says it in words."),
    "own-tools-unseen": Code(
        N, "Tools of `hooks.py` are not shown: that would take running the team's code."
    ),
    "export-empty": Code(E, "The options leave no tool to export."),
    # connecting to clients
    "client-file": Code(E, "The configuration file of a client cannot be read or changed."),
    "client-entry": Code(E, "A client has another server of the same name."),
    "client-interpreter": Code(W, "The interpreter that a client is to use cannot start the server."),
}
