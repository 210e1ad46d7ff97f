"""The tools, one module per toolset; each is imported on the first call that needs it."""
