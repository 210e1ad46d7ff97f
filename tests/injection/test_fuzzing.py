"""Any JSON as arguments: nothing leaves the host and the base path, nothing gets into a header, every refusal is a result."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest

from .base import document
from .fuzzing import BASE, Fuzzed, problem_with


def test_arguments_stay_in_their_place(tmp_path: Path) -> None:
    fuzzed = Fuzzed("-", tmp_path, stdin=json.dumps(document("3.2")).encode(), package="fuzzed_notes_mcp")
    fuzzed.fuzz(sorted(fuzzed.tools), 12)
    assert fuzzed.faults == {}
    assert fuzzed.calls >= 9 * 8
    assert fuzzed.sent > fuzzed.calls // 10


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("https://evil.example/base/x", {}),
        ("http://api.example.test/base/x", {}),
        ("https://api.example.test/other", {}),
        ("https://api.example.test/base/%2e%2e/x", {}),
        (f"{BASE}/x", {"X-Injected": "1"}),
    ],
)
def test_the_look_at_a_request_can_fail(url: str, headers: dict[str, str]) -> None:
    assert problem_with(httpx2.Request("GET", url, headers=headers)) is not None
    assert problem_with(httpx2.Request("GET", f"{BASE}/x")) is None
