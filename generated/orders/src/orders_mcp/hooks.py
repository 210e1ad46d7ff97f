"""Your own code around every call. This file was written once and is never overwritten.

Define `before_request` to see or change a request before it is sent, or `after_result` to see a result, or return
another one in its place, before it reaches the client. Both are optional; `_runtime/hooks.py` has their types.

    async def before_request(call: Call, request: PreparedRequest) -> None:
        request.headers["X-Team"] = "support"

    async def after_result(call: Call, result: Result[Any]) -> Result[Any] | None:
        ...
"""

from __future__ import annotations
