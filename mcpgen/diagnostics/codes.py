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
    # the document
    "spec-not-openapi": Code(E, "The document is not an OpenAPI description."),
    "spec-version": Code(E, "The OpenAPI version is not supported."),
    "spec-no-paths": Code(E, "The document describes no operation."),
    "spec-invalid": Code(W, "The document breaks the OpenAPI specification, but its meaning is clear."),
    "spec-repaired": Code(W, "A part of the document was read in the only sense that it can have."),
    "schema-simplified": Code(N, "A schema was loosened so that clients can use it."),
    "models-missing": Code(W, "No models could be made of the schemas; the tools work without them."),
    # operations
    "effect-lowered": Code(
        W, "An extension of the document calls an operation less dangerous than its words do."
    ),
    "operation-skipped": Code(W, "An operation cannot become a tool."),
    "operation-not-a-tool": Code(N, "A webhook or callback is a call that the API makes; it is not a tool."),
    "paging-ignored": Code(W, "What is said about the pages of a list cannot be used."),
    "parameter-ignored": Code(
        N, "A parameter is not an argument, because OpenAPI or a security scheme sets it."
    ),
    "parameter-skipped": Code(W, "An optional parameter was left out because it cannot be understood."),
    "server-missing": Code(W, "The document names no server; the operator must set the base URL."),
    "security-unsupported": Code(W, "A security scheme cannot be served."),
    "name-changed": Code(N, "A name was changed so that it is legal or unique."),
    # output
    "config-invalid": Code(E, "The configuration file is wrong."),
    "output-unwritable": Code(E, "The output folder cannot be written."),
    "output-not-ours": Code(E, "The output folder holds something that mcpgen did not write."),
    "output-edited": Code(E, "A generated file was edited by hand and would be overwritten."),
    "output-kept": Code(W, "A generated file is no longer needed, but stays because it was edited by hand."),
    "render-failed": Code(E, "A template failed."),
    "format-failed": Code(E, "Generated code does not parse."),
}
