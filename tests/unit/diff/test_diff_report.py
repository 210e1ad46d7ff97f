"""The report: versions, the changelog of a project, its JSON."""

from __future__ import annotations

import json

import pytest

from mcpgen.diff import UNRELEASED, Change, Level, Report, Severity, changelog_entry, with_entry
from mcpgen.diff.codes import MEANINGS
from mcpgen.diff.model import Kind
from mcpgen.diff.wording import line

BREAKING, WARNING, INFO = Severity.BREAKING, Severity.WARNING, Severity.INFO


def change(
    code: str, severity: Severity, kind: Kind = Kind.ARGUMENT, tool: str = "get_order", **more: object
) -> Change:
    return Change(code, tool, kind, severity, "Calls fail.", **more)  # type: ignore[arg-type]


MAJOR = change("argument-removed", BREAKING, where="/properties/note", before="note")
CHECK = change("argument-limit-set", WARNING)
ADDED = change("tool-added", INFO, Kind.TOOL)
TEXT = change("description-changed", INFO, Kind.TEXT)


@pytest.mark.parametrize(
    ("changes", "version", "bumped"),
    [
        ((), "1.4.2", "1.4.2"),
        ((TEXT,), "1.4.2", "1.4.3"),
        ((TEXT, ADDED), "1.4.2", "1.5.0"),
        ((CHECK,), "1.4.2", "1.5.0"),
        ((TEXT, ADDED, MAJOR), "1.4.2", "2.0.0"),
        ((TEXT,), "0.4.2", "0.4.3"),
        ((ADDED,), "0.4.2", "0.4.3"),
        ((MAJOR,), "0.4.2", "0.5.0"),
        ((MAJOR,), "1", "2.0.0"),
        ((ADDED,), "v1.2", "1.3.0"),
        ((ADDED,), "1.2.3rc1", "1.3.0"),
        ((ADDED,), "1.2.3+build.5", "1.3.0"),
    ],
)
def test_the_next_version(changes: tuple[Change, ...], version: str, bumped: str) -> None:
    assert Report(changes).bump(version) == bumped


@pytest.mark.parametrize("version", ["", "latest", "x.1"])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(ValueError, match="not a version"):
        Report((TEXT,)).bump(version)


def test_the_largest_level_counts() -> None:
    assert Report((TEXT, MAJOR, ADDED)).level is Level.MAJOR
    assert Report(()).level is Level.NONE


def test_the_changelog_has_a_section_for_each_kind_of_change_and_the_worst_first() -> None:
    effect = change("effect-raised", BREAKING, Kind.EFFECT, before="read", after="write")
    tighter = change("argument-limit-tightened", BREAKING, where="/properties/size")
    other = change("tool-added", INFO, Kind.TOOL, tool="find_order", after="GET /orders")
    login = change("auth-removed", INFO, Kind.AUTH)
    old = change("deprecated", INFO, Kind.TEXT)
    entry = changelog_entry(Report((effect, MAJOR, tighter, CHECK, other, login, old, TEXT)))
    assert entry == (
        "### Changed\n\n"
        "- Breaking: `get_order`: the tool does more to the world than before: `read` → `write`\n"
        "- Breaking: `get_order`: argument `size`: tighter limit\n"
        "- To be checked: `get_order`: argument: new limit\n"
        "- Other texts for `get_order`.\n\n"
        "### Removed\n\n- Breaking: `get_order`: argument `note`: argument removed: `note`\n\n"
        "### Security\n\n- `get_order`: no credentials are needed any more\n\n"
        "### Deprecated\n\n- `get_order`: tool deprecated\n\n"
        "### Added\n\n- `find_order`: tool added: `GET /orders`\n"
    )


HEAD = "# Changes\n\nOurs.\n"
ADDITION = "### Added\n\n- One more.\n"


def test_three_entries_stand_one_above_the_other() -> None:
    text = HEAD
    for version in ("0.1.0", "0.2.0", "1.0.0"):
        text = with_entry(text, version, f"### Changed\n\n- What {version} has.\n")
    sections = "\n".join(
        f"## {version}\n\n### Changed\n\n- What {version} has.\n" for version in ("1.0.0", "0.2.0", "0.1.0")
    )
    assert text == f"{HEAD}\n{sections}"


@pytest.mark.parametrize(
    "heading",
    ["## 0.1.0", "## [0.1.0] - 2024-05-01", "## [0.1.0]: what is new"],
    ids=["plain", "dated", "ours"],
)
def test_an_entry_goes_above_the_earlier_ones_and_below_what_is_unreleased(heading: str) -> None:
    unreleased = "## [Unreleased]\n\n- Not yet.\n"
    earlier = f"{heading}\n\n- Old.\n"
    found = with_entry(f"{HEAD}\n{unreleased}\n{earlier}", "0.2.0", ADDITION)
    assert found == f"{HEAD}\n{unreleased}\n## 0.2.0\n\n{ADDITION}\n{earlier}"


def test_what_is_under_the_same_version_is_joined_kind_by_kind() -> None:
    entry = "### Changed\n\n- Two.\n\n### Added\n\n- Three.\n"
    text = f"{HEAD}\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.1.0\n\n- Old.\n"
    assert with_entry(text, UNRELEASED, entry) == (
        f"{HEAD}\n## Unreleased\n\n### Added\n\n- Three.\n- One.\n\n### Changed\n\n- Two.\n\n## 0.1.0\n\n- Old.\n"
    )


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_changelog_becomes_one(text: str) -> None:
    assert with_entry(text, "0.2.0", ADDITION) == f"## 0.2.0\n\n{ADDITION}"


def test_no_changes_make_no_entry() -> None:
    assert changelog_entry(Report(())) == ""


def test_one_change_of_many_tools_is_one_line() -> None:
    many = tuple(change("argument-removed", BREAKING, tool=f"tool_{n:03}", before="x") for n in range(200))
    entry = changelog_entry(Report(many))
    assert entry.count("\n") == 3
    assert "and 195 more tools" in entry


def test_a_long_changelog_is_bounded() -> None:
    many = tuple(
        change("argument-removed", BREAKING, tool=f"tool_{n:03}", before=f"x{n}") for n in range(200)
    )
    entry = changelog_entry(Report(many))
    assert entry.count("\n- ") == 41
    assert "and 160 more" in entry


def test_every_code_has_a_meaning_and_an_unknown_one_is_an_error() -> None:
    assert all(text and not text.endswith(".") for text in MEANINGS.values())
    with pytest.raises(KeyError):
        assert change("argument-vanished", INFO).meaning


def test_a_change_as_json_has_everything() -> None:
    entry = json.loads(json.dumps(MAJOR.entry()))
    assert entry["severity"] == "breaking"
    assert entry["meaning"] == "argument removed"
    assert (entry["tool"], entry["where"], entry["before"], entry["after"]) == (
        *("get_order", "/properties/note", "note"),
        None,
    )


def test_long_texts_are_shown_where_they_begin_to_differ() -> None:
    same = "The same long beginning of a text, which says nothing about what has changed in it. " * 3
    shown = line(
        change("description-changed", INFO, Kind.TEXT, before=f"{same}Old end.", after=f"{same}New end.")
    )
    assert shown.count("…") == 2
    assert "Old end." in shown
    assert "New end." in shown


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ([], [{"bearer": []}], "none → bearer"),
        (
            [{"key": [], "id": []}],
            [{"login": ["read", "write"]}, {}],
            "key with id → login (read, write) or nothing",
        ),
        (
            [{"url": "https://a.test", "variables": {"x": {}}}],
            [{"url": "https://b.test"}, {"url": "https://c.test"}],
            "https://a.test → https://b.test, https://c.test",
        ),
        ([1, "a"], [{"url": 1}], '[1, "a"] → [{"url": 1}]'),
    ],
)
def test_values_are_shown_as_people_write_them(before: object, after: object, shown: str) -> None:
    found = line(change("auth-added", INFO, Kind.AUTH, before=before, after=after))
    assert found == f"credentials are needed now: {shown}"
