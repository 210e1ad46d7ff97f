"""Runs the server: `python -m ferry_times_mcp [--transport http --host 127.0.0.1 --port N]`."""

from __future__ import annotations

import sys

from ferry_times_mcp._runtime import main

if __name__ == "__main__":
    sys.exit(main("ferry_times_mcp"))
