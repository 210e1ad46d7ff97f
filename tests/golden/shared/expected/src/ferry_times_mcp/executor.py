"""The tools of this package for a program's own loop around a model, without MCP.

    async with open_executor(format="openai") as executor:

        async def model(messages):
            reply = await client.chat.completions.create(
                model="...", messages=messages, tools=executor.tools
            )
            return reply.choices[0].message

        end = await run_loop(model, executor, [{"role": "user", "content": "..."}])

`executor.tools` is what goes into a request. For a loop of your own, `await executor.run(calls)` answers the calls of
one turn, in their order: reads are made side by side, writes one after the other, and nothing is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

import httpx2

from ._runtime import Confirm, Executor, LoopEnd, Stop, open_package, run_loop

__all__ = ["Executor", "LoopEnd", "Stop", "open_executor", "run_loop"]


def open_executor(
    *,
    format: str = "openai",
    api: str = "chat",
    confirm: Confirm | None = None,
    parallel: int = 8,
    max_result_bytes: int | None = None,
    environ: Mapping[str, str] | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> AbstractAsyncContextManager[Executor]:
    """The executor, with its connections open.

    Args:
        format: whose definitions the model gets: `openai`, `openai-strict`, `anthropic` or `gemini`.
        api: `chat` or `responses`, for the two formats of OpenAI.
        confirm: asks the user and tells the answer; without it, calls that need consent are refused.
        parallel: reads at the same time.
        max_result_bytes: how much of an answer reaches the model; as the settings say when left out.
        environ: settings and credentials; the process environment when left out.
        transport: what carries requests to the API; the network when left out.
    """
    return open_package(
        "ferry_times_mcp",
        format=format,
        api=api,
        confirm=confirm,
        parallel=parallel,
        max_result_bytes=max_result_bytes,
        environ=environ,
        transport=transport,
    )
