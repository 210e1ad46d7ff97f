"""Runs the server: `python -m forms_mcp [--transport http --host 127.0.0.1 --port N]`."""

from __future__ import annotations

import sys

from forms_mcp._runtime import main

if __name__ == "__main__":
    sys.exit(main("forms_mcp"))
