"""Function-calling definitions: the tools of a server as model APIs want them, without MCP.

`formats.define` is the way in. `mcpgen export` and a package's executor both use it, so that what was exported is what
the executor understands. Nothing here needs the MCP SDK.
"""
