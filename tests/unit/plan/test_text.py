"""Plain text from Markdown and HTML: markup goes, everything else stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.plan.texts.text import clean_text, first_sentence, sentences, shorten, visible


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("**Bold** and *thin* and _low_ and ~~gone~~", "Bold and thin and low and gone"),
        ("See [the docs](https://example.test/a_(b)) now", "See the docs now"),
        ("See [the\ndocs][1] now\n\n[1]: https://example.test", "See the docs now"),
        ("A ![logo](x.png) b", "A b"),
        ("# Head #\nText", "Head\nText"),
        ("* one\n* two\n\n1. three", "- one\n- two\n1. three"),
        ("<p>Hello <b>you</b></p><ul><li>a</li><li>b</li></ul>", "Hello you\n- a\n- b"),
        ("x<br/>y", "x\ny"),
        ("<code>a&lt;b</code> &amp; c", "`a<b` & c"),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ("use `**not bold**` and ``a`b``", "use `**not bold**` and `a`b`"),
        ("[`save` operation](https://example.test)", "`save` operation"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n1 | 2"),
        ("a line that\ngoes on", "a line that goes on"),
        ("<!-- secret -->shown<script>x()</script>", "shown"),
        ("<https://example.test>", "https://example.test"),
        ("> quoted", "quoted"),
    ],
)
def test_markup(source: str, expected: str) -> None:
    assert clean_text(source) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a < b and c > d",
        "List<String> of <id>",
        "Use {id} or {{ config }} or {% raw %} or {# c #} or $id ${id} %(id)s 100%",
        'say """ and \'\' and \\',
        "\\N{BULLET} \\x41 \\u0000 last line\\",
        "snake_case_name and __init__ and 2 * 3 * 4",
        "AT&T; a&b",
        "中文说明：查询用户。",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    assert clean_text(text) == text


def test_invisible_characters_go() -> None:
    hidden = "a\u200bb\u202ec\ufeffd\U000e0041e\ufe0ff\x07g\u00adh&#8203;i"
    assert clean_text(hidden) == "abcdefghi"
    assert visible("a\u00a0b\u2028c\r\nd") == "a b\nc\nd"


def test_sentences() -> None:
    assert sentences("Use e.g. this. Then that! Ok.\nNext") == ["Use e.g. this.", "Then that!", "Ok.", "Next"]
    assert sentences("第一句。第二句！") == ["第一句。", "第二句！"]
    assert first_sentence("Version 1.2 is out. More.") == "Version 1.2 is out."
    assert first_sentence("") == ""


def test_shorten() -> None:
    assert shorten("Short.", 20) == "Short."
    assert shorten("One sentence here. Another one there.", 25) == "One sentence here. …"
    assert shorten("one two three four five six", 15) == "one two three…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"


@given(st.text(max_size=300), st.integers(min_value=3, max_value=120))
def test_limits_hold_for_any_text(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


@given(st.text(max_size=300))
def test_cleaning_leaves_nothing_invisible(text: str) -> None:
    cleaned = clean_text(text)
    assert visible(cleaned) == cleaned
    assert cleaned == cleaned.strip()


@given(st.text(alphabet="<>[]()`*_!~#|-=&;:. \nab", max_size=200))
def test_broken_markup_is_no_problem(text: str) -> None:
    clean_text(text)
