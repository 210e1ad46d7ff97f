"""Titles for people: short, in plain words, and no two alike."""

from __future__ import annotations

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation
from mcpgen.plan.texts.titles import distinct_titles, named_title, title_for


@pytest.mark.parametrize(
    ("summary", "name", "expected"),
    [
        ("list the boats of a port.", "list_boats", "List the boats of a port"),
        ("iOS apps of a fleet", "list_ios_apps", "iOS apps of a fleet"),
        ("List", "list_boats", "List boats"),
        ("/boats/{id}", "get_boat", "Get boat"),
        ("查询船只", "get_boat", "查询船只"),
        ("A summary that goes on and on, far beyond what a client has room for.", "get_boat", "Get boat"),
        ("", "list_vpc_ids", "List VPC IDs"),
    ],
)
def test_title(summary: str, name: str, expected: str) -> None:
    assert title_for(Operation("GET", "/boats", Location("x"), summary=summary), name) == expected


def test_names_as_titles() -> None:
    assert named_title("send_sms") == "Send SMS"
    assert named_title("oauth2_token_revoke") == "OAuth2 token revoke"
    assert named_title("_") == "_"


def test_tools_with_one_title_are_told_apart_by_their_names() -> None:
    titles = {
        "update_boat": "Update a boat",
        "patch_boat": "update a Boat",
        "list_ids": "List the identifiers",
    }
    assert distinct_titles(titles) == {
        "update_boat": "Update boat",
        "patch_boat": "Patch boat",
        "list_ids": "List the identifiers",
    }
