"""Your own code around every call, and your own tools. This file was written once and is never overwritten.

Define `before_request` to see or change a request before it is sent, or `after_result` to see a result, or return
another one in its place, before it reaches the client. Both are optional; their types are `BeforeRequest` and `AfterResult`.

    async def before_request(call: Call, request: PreparedRequest) -> None:
        request.headers["X-Team"] = "support"

    async def after_result(call: Call, result: Result[Any]) -> Result[Any] | None:
        ...

A function with `@tool` is a tool of your own, beside the generated ones and under the same rules: arguments are checked
against its types, its effect is what the operator allows, its result keeps the contract. `call.use` calls another tool
of this server. `help(tool)` says what else can be told.

    @tool(effect="read", title="Sum up a week", description="Sums up one week in a few lines.")
    async def sum_up_week(call: Call, *, week: int) -> Result[list[str]]:
        found = await call.use("TOOL", {"week": week})
        return Result(data=[str(found.value)]) if found.ok else found

All names are imported from `._runtime`.
"""

from __future__ import annotations
