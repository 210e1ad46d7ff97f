"""FastMCP's `from_openapi` on a spec: its tool list and what its search finds. Runs in an environment of its own.

python peer_list.py SPEC.json < QUERIES.json

Standard input has a list of requests. Standard output gets one JSON object: `tools` as `tools/list` gives them, `operations`
(tool -> [method, path]), and `found`, for each request the names that the search transform gives, best first.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx2
from fastmcp import Client, FastMCP
from fastmcp.server.transforms.search import BM25SearchTransform

PLACES = 5


async def look(spec: dict[str, Any], queries: list[str]) -> dict[str, Any]:
    server = FastMCP.from_openapi(spec, client=httpx2.AsyncClient(base_url="http://127.0.0.1:9"))
    objects = list(await server.list_tools())
    async with Client(server) as client:
        listed = await client.list_tools()
    search = BM25SearchTransform(max_results=PLACES)
    server.add_transform(search)
    # The transform lists all tools again for each request, which takes longer than everything else here. It is asked
    # directly; that this gives the same as the tool that clients call is checked with the first request.
    found = [[tool.name for tool in await search._search(objects, query)] for query in queries]
    if queries:
        async with Client(server) as client:
            result = await client.call_tool("search_tools", {"query": queries[0]})
        assert names(result) == found[0], "the search differs from the tool that clients call"
    return {
        "tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed],
        # The route of a tool is not on the wire; it is needed to compare by operation.
        "operations": {tool.name: [tool._route.method.upper(), tool._route.path] for tool in objects},
        "found": found,
    }


def names(result: Any) -> list[str]:
    """The tools that a search gives, in its order."""
    return [tool["name"] for content in result.content for tool in json.loads(content.text)]


if __name__ == "__main__":
    document = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    json.dump(asyncio.run(look(document, json.load(sys.stdin))), sys.stdout)
