"""Example values for schemas: used in descriptions, in generated tests, and by the stub API of `mcpgen try`."""

from mcpgen.plan.examples.values import Examples, JsonValue, TellingValues, conforms, example_value

__all__ = ["Examples", "JsonValue", "TellingValues", "conforms", "example_value"]
