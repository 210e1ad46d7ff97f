"""Whatever an API answers: the failure is a failure, in bounds, and passes nothing on that it must not."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.api_errors.keys import CODES, CONTAINERS, TEXTS
from mcpgen.runtime.api_errors.markup import xml_value
from mcpgen.runtime.api_errors.signals import of_code, of_words
from mcpgen.runtime.api_errors.words import LONGEST
from mcpgen.runtime.outcomes.failures import Category, Failure

from .refusals import SECRET, failure, refusal, words

KEYS = st.sampled_from(
    [*TEXTS, *CODES, *CONTAINERS, "field", "loc", "source", "extensions", "days", "items", ""]
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40)
    | st.sampled_from(
        ["days", "items[0].sku", "already_exists", '{"message": "x"}', f"key {SECRET}", "/a/b", "::"]
    )
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(KEYS | st.text(max_size=8), inner, max_size=5),
    max_leaves=25,
)
STATUSES = st.integers(300, 599)
MEDIA = st.sampled_from(
    "application/json text/html text/plain application/xml application/octet-stream image/png text/event-stream "
    "application/x-www-form-urlencoded application/x-ndjson application/problem+json text/html;charset=x".split()
) | st.just("")


def check(found: Failure) -> None:
    assert found.category in Category
    assert found.retryable is (found.category in (Category.VALIDATION, Category.TRANSIENT))
    assert len(found.message) <= LONGEST + 80
    assert all(
        unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in found.message
    )
    assert found.message.encode("utf-8")
    assert SECRET not in found.message
    assert found.wait is None or (found.category is Category.TRANSIENT and 0 <= found.wait <= 366 * 86_400)


@given(STATUSES, JSON)
def test_any_json_is_a_failure(status: int, body: Any) -> None:
    check(failure(status, json.dumps(body), "application/json"))


@given(
    STATUSES,
    st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "ignore")),
    MEDIA,
)
def test_any_bytes_are_a_failure(status: int, body: bytes, media_type: str) -> None:
    check(failure(status, body, media_type))


MARKUP = st.lists(
    st.sampled_from(
        [
            "<error>",
            "</error>",
            "<e a='1'>",
            "</e>",
            "<e/>",
            "<![CDATA[x]]>",
            "<!--",
            "&amp;",
            "&x;",
            "<",
            "t",
        ]
    )
).map("".join)


@given(MARKUP)
def test_any_markup_is_a_failure(text: str) -> None:
    check(failure(400, text, "application/xml"))
    check(failure(400, text, "text/html"))


@given(JSON)
def test_any_value_can_be_asked_whether_it_is_a_refusal(body: Any) -> None:
    found = refusal(body)
    if found is not None:
        check(found)


@given(st.text(max_size=400))
def test_any_text_can_be_asked_what_it_points_to(text: str) -> None:
    assert of_words(text) == of_words(text.upper().lower()) or not text.isascii()
    of_code(text)


# ---------------------------------------------------------------- what must not be passed on


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"the key {SECRET} has ended", "the key [redacted] has ended"),
        (SECRET[:5] + "\u200b" + SECRET[5:] + " has ended", "[redacted] has ended"),
        ("no \u202eesrever\u202c or \u0007bell\x00", "no esrever or bell"),
        ("a\u2028b\r\nc\td", "a b c d"),
        ("tag\U000e0041\U000e0042 \ufe0fhidden\u3164", "tag hidden"),
        ("db.shop.internal:5432 at 10.0.\u200b0.7", "[host] at [host]"),
        ("see /srv/app/x.py and C:\\app\\x.cs", "see [path] and [path]"),
        ('Boom\nTraceback (most recent call last):\n  File "x"', "Boom"),
        ("Boom\n    at create (/srv/app/orders.js:3:5)", "Boom"),
        ("Boom at com.shop.Orders.create(Orders.java:12)", "Boom"),
        ("Boom\n#0 /var/www/index.php(12): create()", "Boom"),
        ("at least (three) days", "at least (three) days"),
    ],
)
@pytest.mark.parametrize(
    "wrap", [str, lambda t: {"message": t}, lambda t: {"errors": [{"field": "days", "message": t}]}]
)
def test_an_apis_words_are_cleaned(text: str, told: str, wrap: Any) -> None:
    assert words(failure(409, wrap(text))).removeprefix("days: ") == told


def test_a_secret_is_masked_wherever_the_words_are_cut() -> None:
    for room in range(LONGEST - 40, LONGEST + 5):
        message = failure(400, {"message": "x" * room + SECRET}).message
        assert SECRET[:8] not in message
    assert SECRET[:8] not in failure(400, {"message": " " * 4086 + SECRET}).message
    assert SECRET not in failure(400, {"odd": {SECRET: [SECRET]}}).message


def test_many_faults_are_counted() -> None:
    body = {
        "errors": [
            {"field": f"items[{n}].sku", "message": "is not known to this shop " * 3} for n in range(20)
        ]
    }
    found = words(failure(422, body))
    assert found.startswith("items[0].sku: is not known")
    assert len(found) <= LONGEST
    assert found.endswith("more)")


def test_one_long_text_leaves_room_for_the_field() -> None:
    body = {"title": "word " * 500, "errors": [{"field": "days", "message": "too many"}]}
    assert words(failure(422, body)).endswith("…; days: too many")


# ---------------------------------------------------------------- hostile sizes

DEEP = 3000


@pytest.mark.parametrize(
    "content",
    [
        "[" * DEEP + "]" * DEEP,
        '{"error":' * DEEP + "1" + "}" * DEEP,
        '{"errors":{"a":' * 300 + "1" + "}}" * 300,
        json.dumps({"errors": [{"field": "days", "message": "x"}] * 20_000}),
        json.dumps({f"key{n}": ["x"] for n in range(50_000)}),
        json.dumps({"message": "limit reached " * 50_000}),
        json.dumps({"message": "[" * 60_000}),
        json.dumps({"message": "maximum number of " + "a " * 30_000}),
        "<a>" * 100_000,
        "<a " * 100_000,
        "<p>" * 100_000,
        "<" * 300_000,
        '<!DOCTYPE a [<!ENTITY b "' + "x" * 1000 + '">]><a>' + "&b;" * 1000 + "</a>",
    ],
    ids=range(13),
)
@pytest.mark.parametrize("media_type", ["application/json", "text/xml", "text/html"])
def test_hostile_bodies_are_read_to_an_end(content: str, media_type: str) -> None:
    check(failure(400, content, media_type))


def test_a_huge_body_is_not_searched_for_words() -> None:
    body = json.dumps({"message": "small", "more": "x" * (2 << 20)})
    assert words(failure(400, body, "application/json")).startswith('{"message": "small", "more": "xxx')


def test_entities_are_not_read() -> None:
    assert xml_value('<!DOCTYPE a [<!ENTITY b "inside">]><a>&b;</a>') is None
    assert xml_value("<a><b>1</b><b>2</b><c d='3'>4</c>") == {
        "a": {"b": ["1", "2"], "c": {"d": "3", "text": "4"}}
    }
