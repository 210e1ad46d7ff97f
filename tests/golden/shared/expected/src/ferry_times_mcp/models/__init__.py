"""Pydantic models of the answers, one module per toolset; import the module that you need."""
