"""FastMCP's `from_openapi` on a spec in JSON, served over stdio. Runs in an environment of its own.

python peer_server.py SPEC.json
"""

import json
import sys
from pathlib import Path

import httpx2
from fastmcp import FastMCP

spec = json.loads(Path(sys.argv[1]).read_text("utf-8"))
client = httpx2.AsyncClient(base_url="http://127.0.0.1:9")
FastMCP.from_openapi(spec, client=client).run(show_banner=False)
