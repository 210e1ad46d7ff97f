"""The stage `spec`: lifts OpenAPI documents of all versions to one shape."""

from mcpgen.spec.document import normalize

__all__ = ["normalize"]
