"""What `mcpgen verify` does: the tools of a project called on the real API, and its answers held against the spec.

Schemathesis makes the calls and judges the answers (optional extra `verify`); this package turns its cases into tool calls,
sees what goes over the wire, and says what drifted.
"""
