"""The rules about what is behind the tools: answers, security, servers, texts; and about a host's prompt."""

from __future__ import annotations

from mcpgen.diagnostics import Severity
from mcpgen.lint.model import Dimension as D
from mcpgen.lint.model import Rule

E, W, N = Severity.ERROR, Severity.WARNING, Severity.INFO

CONTRACT_RULES: dict[str, Rule] = {
    # answers
    "response-schema-missing": Rule(
        W, D.COMPLETENESS, "No schema says what comes back.",
        "Describe the success response with a schema.", "Hermes RESPONSE; TDQS completeness",
    ),
    "media-not-json": Rule(
        N, D.USABILITY, "The operation speaks no JSON.",
        "Offer `application/json` too.", "JAIRF agent usability",
    ),
    "list-unbounded": Rule(
        N, D.USABILITY, "A list has no pages and no limit.",
        "Offer a limit or pages, or say how long it can get.", "OWASP API4; Anthropic, writing tools",
    ),
    "method-body": Rule(
        N, D.USABILITY, "GET or HEAD has a body, which servers and proxies may drop.",
        "Use query parameters, or POST.", "Hermes METHOD; RFC 9110, 9.3.1",
    ),
    "operation-deprecated": Rule(
        N, D.USABILITY, "A deprecated operation is offered.",
        "Leave it out, and name its successor.", "AutoMCP v4 (what people leave out)",
    ),
    # security
    "security-undefined": Rule(
        E, D.SECURITY, "An operation asks for a security scheme that is not defined: calls go out without a credential.",
        "Define it under `securitySchemes`.", "AutoMCP security schemes; Hermes SECURITY",
    ),
    "security-undeclared": Rule(
        W, D.SECURITY, "The texts or responses speak of a credential, but no security scheme is defined.",
        "Define the scheme and require it.", "AutoMCP security schemes",
    ),
    "security-unused": Rule(
        W, D.SECURITY, "Security schemes are defined, but no operation requires one.",
        "Add `security` to the document.", "AutoMCP security schemes",
    ),
    "security-none-on-write": Rule(
        W, D.SECURITY, "An operation that changes something needs no credential, while others do.",
        "Add `security`, or say that it is public.", "OWASP API5; JAIRF security",
    ),
    "security-prefix-unknown": Rule(
        W, D.SECURITY, "An API key travels in `Authorization`, and nothing says whether it has a prefix such as Bearer.",
        "Use `type: http` with a scheme, or describe the prefix.", "AutoMCP token prefix",
    ),
    "credential-as-parameter": Rule(
        W, D.SECURITY, "A credential is an ordinary parameter, so a model would have to fill it in.",
        "Make it a security scheme.", "Hermes SECURITY; OWASP MCP01",
    ),
    "credential-in-query": Rule(
        N, D.SECURITY, "A credential travels in the URL, where logs keep it.",
        "Send it in a header where the API allows that.", "OWASP API2; RFC 6750, 5.3",
    ),
    # servers
    "server-relative": Rule(
        W, D.READINESS, "The server's URL is relative: calls have no host.",
        "Give the whole URL.", "AutoMCP base URL; AgentCore",
    ),
    "server-malformed": Rule(
        E, D.READINESS, "The server's URL can't be called.", "Correct it.", "AutoMCP base URL",
    ),
    "server-placeholder": Rule(
        W, D.READINESS, "The server's URL is a placeholder.", "Give the real one.", "AutoMCP base URL",
    ),
    "server-insecure": Rule(
        W, D.SECURITY, "The server is called without encryption.", "Use https.", "OWASP API8; JAIRF security",
    ),
    # headers
    "header-undeclared": Rule(
        W, D.READINESS, "The texts ask for a header that no parameter declares: calls go out without it.",
        "Declare it as a header parameter, or as a security scheme.", "AutoMCP required headers",
    ),
    # texts
    "text-hidden": Rule(
        W, D.SECURITY, "A text holds characters that people can't see and models read.",
        "Remove them.", "OWASP MCP03 (tool poisoning)",
    ),
    "text-instructs": Rule(
        W, D.SECURITY, "A text speaks to the model that reads it, not about the API.",
        "Remove the sentence, and find out how it got there.", "OWASP MCP03; MCPTox",
    ),
    # what people find
    "document-undescribed": Rule(
        N, D.DISCOVERY, "The document does not say what the API is for.",
        "Write `info.description`: it becomes the server's instructions.", "JAIRF discovery",
    ),
    "tag-undescribed": Rule(
        N, D.DISCOVERY, "Tags that group the tools are not described.", "Describe them under `tags`.", "JAIRF discovery",
    ),
    # the host's prompt
    "prompt-pulls": Rule(
        W, D.USAGE, "The system prompt pulls towards one tool, whatever the task.",
        "Say for which case the tool is, in its description; leave the choice to the model.", "OWASP MCP06",
    ),
    "prompt-echoes": Rule(
        N, D.USAGE, "A word of the system prompt is in the name of one tool only, while others do the same.",
        "Use the words of the task, not those of a tool's name.", "TDQS disambiguation",
    ),
    "prompt-unknown-tool": Rule(
        W, D.USAGE, "The system prompt names a tool that there is not.", "Use the name that the server has.", "MCP tool names",
    ),
}  # fmt: skip
