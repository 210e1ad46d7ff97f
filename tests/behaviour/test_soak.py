"""The short version of `make soak`; the memory needs more time than this to say anything."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "soak"))

from soak import soak


def test_no_answer_is_lost_and_no_write_done_twice() -> None:
    report = soak(seconds=5, clients=8, share=0.2)
    assert [problem for problem in report.problems if "memory" not in problem] == []
