"""mcpgen: typed MCP server packages from OpenAPI documents."""

__version__ = "0.1.0"
