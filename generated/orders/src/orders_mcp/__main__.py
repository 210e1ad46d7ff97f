"""Runs the server: `python -m orders_mcp [--transport http --host 127.0.0.1 --port N]`."""

from __future__ import annotations

import sys

from orders_mcp._runtime import main

if __name__ == "__main__":
    sys.exit(main("orders_mcp"))
