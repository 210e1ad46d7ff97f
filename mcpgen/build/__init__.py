"""The stage `build`: makes the `Api` from a normalized document."""

from mcpgen.build.api import build_api

__all__ = ["build_api"]
