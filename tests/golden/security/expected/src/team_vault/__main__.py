"""Runs the server: `python -m team_vault [--transport http --host 127.0.0.1 --port N]`."""

from __future__ import annotations

import sys

from team_vault._runtime import main

if __name__ == "__main__":
    sys.exit(main("team_vault"))
