"""What `mcpgen try` does: a stub of the API, the generated server, and a client that calls it."""
