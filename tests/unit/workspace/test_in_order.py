"""Runs of many projects: their order, and that one does not disturb another."""

from __future__ import annotations

import os
import time

import pytest

from mcpgen.workspace import Crash, clashes, in_order


def work(item: str) -> str:
    """Does what the item says; the slow one ends after the others."""
    if item == "dies":
        os._exit(9)
    if item == "fails":
        raise ValueError("what was wrong")
    time.sleep(0.3 if item == "slow" else 0)
    return f"{item} done"


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(in_order(work, ["slow", "a", "b"], 3)) == ["slow done", "a done", "b done"]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_is_the_result_of_its_item_only(workers: int) -> None:
    first, second, third = in_order(work, ["a", "fails", "b"], workers)
    assert (first, third) == ("a done", "b done")
    assert isinstance(second, Crash)
    assert second.detail == "ValueError: what was wrong"
    assert "in work" in second.trace


def test_a_process_that_is_killed_takes_no_other_item_along() -> None:
    first, second, third = in_order(work, ["dies", "slow", "a"], 2)
    assert isinstance(first, Crash)
    assert "its process was ended" in first.detail
    assert (second, third) == ("slow done", "a done")


def test_no_items_give_no_results() -> None:
    assert list(in_order(work, [], 4)) == []


def test_shared_names_are_told_with_those_that_have_them() -> None:
    names = {"package": "a_mcp", "name": "b", "env_prefix": "A"}
    before = {"one": {"package": "a_mcp", "env_prefix": "X"}, "two": {"package": "a_mcp", "env_prefix": "A"}}
    assert dict(clashes(names, before)) == {
        "package": "one and two have the Python package a_mcp too; only one of them can be installed in an environment",
        "env_prefix": "two has the prefix of variables A too; in one environment, both get the same settings and credentials",
    }
    assert dict(clashes({}, before)) == {}
