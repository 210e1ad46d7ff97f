"""Function-calling definitions of a generated project, for model APIs that are used without MCP."""
