"""Case files stay below 1,000 lines, and writing them ends, whatever they hold."""

from __future__ import annotations

import json

from mcpgen.cases.printing import MAX_LINES, readable_json


def test_thousands_of_entries_at_the_root_end() -> None:
    value = {f"SCHEME_{number}_KEY": "made up" for number in range(3 * MAX_LINES)}
    text = readable_json(value)
    assert json.loads(text) == value
    assert text.count("\n") <= MAX_LINES
