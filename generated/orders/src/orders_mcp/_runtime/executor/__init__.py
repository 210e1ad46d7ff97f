"""Calls the tools of a server from a program's own loop around a model, without MCP.

`running.open_package` is the way in; `loop.run_loop` is a small loop that shows how it is used.
"""
