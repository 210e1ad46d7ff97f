"""Example values for schemas: used in descriptions, in generated tests, and by the stub API of `mcpgen try`."""

from mcpgen.plan.examples.values import Examples, JsonValue, conforms, example_value

__all__ = ["Examples", "JsonValue", "conforms", "example_value"]
