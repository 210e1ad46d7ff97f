"""Markdown in which nothing that a document says can do anything."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from mcpgen.diff import Change, Report, Severity, changelog_entry
from mcpgen.diff.markdown import markdown
from mcpgen.diff.model import Kind

HOSTILE = st.text(
    st.sampled_from([*"ab1 |`@#<>[](){}!*_~\\/:.&$\n\r\t-=\"'", "\u202e", "\u200b", "é"]), max_size=30
)
SPAN = re.compile(r"`[^`\n]+`")
OURS = re.compile(
    r"^(?:<details><summary>[\d,]+ (?:more|kinds of change)</summary>|</details>|> \[!CAUTION\])$"
)


def report(text: str, number: int = 1) -> Report:
    """Changes in which a document's text is wherever it can be."""
    reason = f"It is breaking. Why: The summary says {text}"
    found = [
        Change("effect-raised", "get_a", Kind.EFFECT, Severity.BREAKING, reason, before="read", after="write")
    ]
    for index in range(number):
        place = f"/properties/{index}{text.replace('~', '~0').replace('/', '~1')}"
        severity = list(Severity)[index % 3]
        found.append(
            Change("argument-enum-added", "get_a", Kind.ARGUMENT, severity, reason, place, text, [text])
        )
    found.append(Change("auth-scheme-added", "", Kind.AUTH, Severity.INFO, reason, after={text: text}))
    return Report(tuple(found), (1, 1))


def outside_spans(line: str) -> str:
    return SPAN.sub("", line)


@given(HOSTILE)
@example(
    "@team #12 https://evil.example www.evil.example a@b.c <img src=x onerror=y> [x](javascript:1) GH-12"
)
@example("| a | b |\n|---|---|\n# Title")
@example("``` `` ` \\` |")
@example("</details><script>")
@example("${{ secrets.X }} \u202etxt\u200b")
def test_a_text_of_a_document_stays_a_text(text: str) -> None:
    for line in markdown(report(text)).splitlines():
        assert line.count("`") % 2 == 0, line
        bare = outside_spans(line)
        if line.startswith("| "):
            assert len(re.findall(r"(?<!\\)\|", line)) == 4, line
            bare = bare.replace("|", "")
        if OURS.match(line) or line.startswith(("#", ">", "|--", "1 →")):
            assert not re.search(
                r"[@\[\]<]|https?:|www\.", re.sub(r"^> \[!CAUTION\]|^>", "", bare)
            ) or OURS.match(line)
            continue
        assert not re.search(r"[@<\[\]!*_~\\{}$#]|https?:|www\.|\w\.\w|[A-Za-z]-\d", bare), line
        assert line.isprintable(), line


@given(HOSTILE)
def test_the_changelog_too(text: str) -> None:
    for line in changelog_entry(report(text)).splitlines():
        assert line.count("`") % 2 == 0, line
        assert not re.search(r"[@<\[\]!*_~\\{}$]|https?:|www\.", outside_spans(line)), line


def test_long_lists_are_folded_and_the_whole_fits_into_a_comment() -> None:
    made = markdown(report("x" * 200, 3_000))
    assert len(made) < 65_536
    assert made.count("<details>") == made.count("</details>") > 0
    assert "which are not listed here" in made or "too long for a comment" in made


def test_nothing_changed() -> None:
    assert markdown(Report(())) == "## Tools: no changes\n"


def test_the_head_says_what_matters() -> None:
    lines = markdown(report("red"), ("1.2.0", "2.0.0")).splitlines()
    assert lines[0] == "## Tools: 2 breaking, 1 other changes"
    assert lines[2] == "1 → 1 tools. Suggested version: **major**: `1.2.0` → `2.0.0`"
    assert lines[4:6] == ["> [!CAUTION]", "> **What tools do to the world has changed:**"]
    assert lines[7].startswith("> - `get_a`: `read` → `write`.")
