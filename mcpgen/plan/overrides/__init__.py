"""What the user says about single operations, over what the document says: `x-mcp` and `[operations.KEY]`."""
