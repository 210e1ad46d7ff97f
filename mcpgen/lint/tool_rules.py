"""The rules about tools: their texts, arguments, size and names."""

from __future__ import annotations

from mcpgen.diagnostics import Severity
from mcpgen.lint.model import Dimension as D
from mcpgen.lint.model import Rule

E, W, N = Severity.ERROR, Severity.WARNING, Severity.INFO

TOOL_RULES: dict[str, Rule] = {
    # purpose
    "purpose-missing": Rule(
        W, D.PURPOSE, "Nothing says what the operation does.",
        "Write a summary: a verb, what it works on, and what comes back.", "TDQS gate; smells: purpose; JAIRF summaries",
    ),
    "purpose-repeats-name": Rule(
        W, D.PURPOSE, "The text says no more than the name.",
        "Say what the name does not: which items, from where, with what.", "TDQS gate (tautology)",
    ),
    "purpose-no-verb": Rule(
        N, D.PURPOSE, "The text names a thing, not what is done to it.",
        "Begin with a verb: list, get, create, cancel.", "smells: purpose; TDQS purpose",
    ),
    "purpose-boilerplate": Rule(
        W, D.PURPOSE, "The text is a placeholder, or the same for all operations.",
        "Replace it by what this operation does.", "smells: purpose; Hermes LAZY",
    ),
    # usage
    "usage-missing": Rule(
        N, D.USAGE, "Nothing says when to use the tool, or when another one.",
        "Add a sentence: when to use it, and the sibling for other cases.", "TDQS usage guidelines; smells: guidelines",
    ),
    "boundary-missing": Rule(
        W, D.USAGE, "Tools that do nearly the same do not say which one is for what.",
        "Name the sibling in the description and say for which case it is.", "TDQS usage guidelines, disambiguation",
    ),
    # behaviour
    "effect-contradiction": Rule(
        E, D.BEHAVIOUR, "What a tool says it does and what its annotations say disagree.",
        "Correct the text, or set the effect with `x-mcp: {effect: ...}`.", "TDQS contradiction; MCP annotations",
    ),
    "effect-method-mismatch": Rule(
        W, D.BEHAVIOUR, "A safe HTTP method changes something.",
        "Use POST, PUT or DELETE, or say in the text that it only reads.", "Hermes METHOD; RFC 9110, 9.2.1",
    ),
    "failures-undocumented": Rule(
        N, D.BEHAVIOUR, "No failure is described.",
        "Describe the 4xx responses that a caller can do something about.", "JAIRF response coverage; Hermes RESPONSE",
    ),
    # parameters
    "parameter-undescribed": Rule(
        W, D.PARAMETERS, "An argument has no description.",
        "Say what it is, its format, and what happens without it.", "TDQS coverage; smells: parameters; AutoMCP",
    ),
    "parameter-repeats-name": Rule(
        N, D.PARAMETERS, "The description of an argument says no more than its name.",
        "Say what the name does not: format, where to get it, the default.", "TDQS parameter semantics",
    ),
    "enum-unexplained": Rule(
        W, D.PARAMETERS, "The values of an enumeration are codes that nothing explains.",
        "Say what each value means.", "smells: parameters; Hermes INPUT",
    ),
    "enum-huge": Rule(
        W, D.CONCISENESS, "An enumeration lists more values than a model needs to read.",
        "Describe the values and let the API check them, or offer a tool that finds them.", "LAP; tool-tax",
    ),
    "format-missing": Rule(
        N, D.PARAMETERS, "A date or time is a text of unknown form.",
        "Set `format: date` or `date-time`, or give an example.", "Hermes INPUT (stringly dates)",
    ),
    "limit-missing": Rule(
        N, D.PARAMETERS, "A page size has no limit and no default.",
        "Set `maximum` and `default`.", "smells: limitations; OWASP API4",
    ),
    "unit-missing": Rule(
        N, D.PARAMETERS, "A quantity has no unit.", "Name the unit in the description.", "smells: parameters",
    ),
    "type-missing": Rule(
        W, D.UNDERSTANDING, "A schema does not say its type.", "Set `type`.", "AutoMCP schema gaps; mcpolish MP030",
    ),
    "items-missing": Rule(
        W, D.UNDERSTANDING, "An array does not say what it holds.", "Set `items`.", "AutoMCP schema gaps; OpenAI functions",
    ),
    "body-opaque": Rule(
        W, D.PARAMETERS, "The request body has no schema that says what goes into it.",
        "Describe its properties.", "AutoMCP schema gaps; smells: parameters",
    ),
    "path-parameter-undeclared": Rule(
        W, D.VALIDITY, "The path has a placeholder that no parameter describes.",
        "Declare it `in: path`.", "OpenAPI Path Templating; AutoMCP",
    ),
    "path-parameter-optional": Rule(
        W, D.VALIDITY, "A path parameter is not `required`.", "Set `required: true`.", "OpenAPI Parameter Object",
    ),
    "example-missing": Rule(
        N, D.READINESS, "A call with several required values has no example.",
        "Give an example of the whole body, or of each required value.", "JAIRF example density; smells: examples",
    ),
    "example-invalid": Rule(
        W, D.READINESS, "An example breaks its own schema.",
        "Correct the example or the schema: a model copies it.", "JAIRF example validity",
    ),
    # size
    "tool-oversized": Rule(
        N, D.CONCISENESS, "A tool costs a model many tokens.",
        "Shorten the description; leave out optional fields that nobody needs.", "tool-tax (750 a tool)",
    ),
    "description-long": Rule(
        W, D.CONCISENESS, "A description is long.",
        "Keep what decides about a call; move the rest to the documentation.", "Hermes BLOATED (150 words); TDQS",
    ),
    "cost-without-worth": Rule(
        W, D.CONCISENESS, "A tool costs more than it tells.",
        "Say what it does, its limits and when to use it, and cut the schema down.", "TDQS conciseness; LAP",
    ),
    "list-oversized": Rule(
        W, D.CONCISENESS, "The whole list of tools is too long for a model to read at every turn.",
        "Run the server in search mode, or offer fewer toolsets.", "Anthropic, advanced tool use (10,000 tokens)",
    ),
    "toolset-overloaded": Rule(
        W, D.COHERENCE, "A group holds more tools than a model picks well from.",
        "Give the operations more precise tags.", "TDQS tool count (3 to 15); RAG-MCP (30)",
    ),
    # names
    "name-refused": Rule(
        E, D.COHERENCE, "Clients refuse a tool of this name.",
        "Use 1 to 64 letters, digits, `_` and `-`.", "OpenAI and Anthropic function names; MCP tool names",
    ),
    "name-long": Rule(
        N, D.COHERENCE, "Some hosts put the server's name before the tool's, and allow 60 or 64 characters together.",
        "Keep names under 56 characters.", "Cursor (60), Claude Code (64)",
    ),
    "name-clash": Rule(
        E, D.COHERENCE, "Two tools have the same name, or names that differ in case only.",
        "Rename one of them.", "MCP unique names; case-insensitive hosts",
    ),
    "name-look-alike": Rule(
        N, D.COHERENCE, "Two names are so alike that a model mixes them up.",
        "Say in the names what tells the tools apart.", "TDQS disambiguation",
    ),
    "name-generic": Rule(
        W, D.COHERENCE, "A name fits any server.", "Add what it works on.", "mcpolish MP010; TDQS naming",
    ),
    "argument-refused": Rule(
        E, D.PARAMETERS, "Clients refuse an argument of this name.",
        "Use 1 to 64 letters, digits, `_`, `.` and `-`.", "Anthropic input_schema keys",
    ),
    "operation-id-missing": Rule(
        W, D.READINESS, "An operation has no operationId, so its tool is named after the path.",
        "Set a verb_noun operationId.", "JAIRF opId quality; AgentCore",
    ),
    "operation-id-duplicate": Rule(
        W, D.READINESS, "Several operations have the same operationId.", "Make them unique.", "OpenAPI Operation Object",
    ),
    "operation-id-refused": Rule(
        N, D.READINESS, "An operationId is no legal name of a tool.",
        "Use 1 to 64 letters, digits, `_` and `-`.", "JAIRF opId quality; OpenAI function names",
    ),
    # likeness
    "description-duplicate": Rule(
        W, D.COHERENCE, "Several tools have the same description.",
        "Say in each what it alone does.", "mcpolish MP033; TDQS disambiguation",
    ),
    "description-near-duplicate": Rule(
        N, D.COHERENCE, "Two descriptions are nearly the same.",
        "Begin with what tells the tools apart.", "TDQS disambiguation",
    ),
}  # fmt: skip
