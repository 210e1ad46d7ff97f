"""Entering a generated server into the configuration of an MCP client."""
