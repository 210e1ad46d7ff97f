"""Runs the server: `python -m library_mcp [--transport http --host 127.0.0.1 --port N]`."""

from __future__ import annotations

import sys

from library_mcp._runtime import main

if __name__ == "__main__":
    sys.exit(main("library_mcp"))
