"""What is secret by its name, and how it is hidden in values and in running text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.secrecy.hiding import MASK, Hider, named_text
from mcpgen.runtime.secrecy.secret_names import SecretNames

NAMES = SecretNames()

SECRET = """
    password userPassword PASSWORD password_confirmation db_passwd pwd passphrase passcode secret client_secret
    clientSecret webhookSecret token accessToken access_token id_token X-Auth-Token authorization Authorization
    Proxy-Authorization api_key apiKey APIKey apikey X-Api-Key Ocp-Apim-Subscription-Key private_key secretKey
    credential credentials cookie Set-Cookie otp totp one_time_code verificationCode authorization_code jwt bearer
    pin cardPin cvv signature csrfToken sessionid secret_id tokens
""".split()
HARMLESS = """
    name id key public_key page_token nextPageToken next_token continuationToken sync_token token_type tokenCount
    secretary secretary_name author authenticate tokenize monkey pinned spinner shopping code country_code
    password_policy cookie_consent access_key_id api_key_name secret_version credential_type tokenExpiresAt design
    note query order_id amount
""".split()


@pytest.mark.parametrize("name", SECRET)
def test_a_secret_name_in_any_case(name: str) -> None:
    assert name in NAMES


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_name(name: str) -> None:
    assert name not in NAMES


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("password", 1234, True),
        ("pin", 1234, True),
        ("max_tokens", 1234, False),
        ("token", "abc", True),
        ("has_password", True, False),
        ("password", None, False),
        ("credentials", {"user": "mia"}, True),
    ],
)
def test_what_the_value_is_counts_too(name: str, value: object, hidden: bool) -> None:
    assert NAMES.hide(name, value) is hidden


def test_the_operator_adds_names() -> None:
    names = SecretNames(["ssn", "iban number"])
    assert "customer_ssn" in names
    assert "customerIbanNumber" in names
    assert names.hide("ssn", 123)
    assert "session" not in names
    assert "iban" not in names
    exact = names.with_exact(frozenset({"note"}))
    assert "note" in exact
    assert "notes" not in exact
    assert "ssn" in exact


def hide(value: object, **bounds: int) -> tuple[object, list[str]]:
    hider = Hider(NAMES, str, **bounds)
    return hider.value(value), hider.hidden


def test_values_under_secret_names_are_masked_wherever_they_are() -> None:
    told, hidden = hide(
        {
            "user": "mia",
            "password": "p",
            "list": [{"token": "t", "a/b": {"otp": 12}}],
            "headers": [{"name": "Authorization", "value": "Bearer x"}, {"name": "Accept", "value": "*/*"}],
        }
    )
    assert told == {
        "user": "mia",
        "password": MASK,
        "list": [{"token": MASK, "a/b": {"otp": MASK}}],
        "headers": [{"name": "Authorization", "value": MASK}, {"name": "Accept", "value": "*/*"}],
    }
    assert hidden == ["/password", "/list/0/token", "/list/0/a~1b/otp", "/headers/0/value"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"password": "p\\"q", "n": 1}', '{"password":"[redacted]","n":1}'),
        ('[{"token":"t"}]', '[{"token":"[redacted]"}]'),
        ('{"password": "p", broken', '{"password": [redacted], broken'),
        ("user=mia&password=p%20q&x=1", "user=mia&password=[redacted]&x=1"),
        ("https://h/p?api_key=abc&x=1#y", "https://h/p?api_key=[redacted]&x=1#y"),
        ("GET /\r\nAuthorization: Bearer abc def\r\nX: 1", "GET /\r\nAuthorization: [redacted]\r\nX: 1"),
        ("x-api-key: abc", "x-api-key: [redacted]"),
        ("call(password='a b', n=1)", "call(password=[redacted], n=1)"),
        ("{'password': 'a\\'b', 'n': 1}", "{'password': [redacted], 'n': 1}"),
        ('b"{\\"token\\": \\"abc\\", \\"n\\": 1}"', 'b"{\\"token\\": [redacted], \\"n\\": 1}"'),
        ('{"pin": 1234}', '{"pin":"[redacted]"}'),
        ("password: must have 8 characters", "password: must have 8 characters"),
        ('{"password": null}', '{"password": null}'),
        ("token=None", "token=None"),
        ("a sentence", "a sentence"),
    ],
)
def test_secrets_inside_texts(text: str, shown: str) -> None:
    assert hide(text)[0] == shown
    assert hide({"x": text}) == ({"x": shown}, ["/x"] if text != shown else [])


def test_long_and_many_values_are_cut() -> None:
    told, hidden = hide({"text": "a" * 50, "list": list(range(9)), "k" * 999: 1}, longest=20, most=5)
    assert isinstance(told, dict)
    assert told["text"]["length"] == 50
    assert told["text"]["cut"] == "a" * 50
    assert len(told["text"]["sha256"]) == 64
    assert told["list"] == [0, 1, 2, 3, 4]
    assert sorted(map(len, told)) == [4, 4, 200]
    assert hidden == ["/text", "/list"]


def test_depth_is_bounded() -> None:
    deep: object = "leaf"
    for _ in range(500):
        deep = [deep]
    told, hidden = hide(deep)
    assert MASK in json.dumps(told)
    assert len(hidden) == 1


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(_JSON)
def test_hiding_never_fails_and_never_hides_twice(value: object) -> None:
    once, _ = hide(value)
    assert hide(once)[0] == once


@given(st.sampled_from(["password", "apiKey", "client_secret"]), st.text(min_size=6), st.text(), st.text())
def test_no_value_of_a_json_text_is_left(name: str, secret: str, before: str, after: str) -> None:
    marked = f"SECRET{secret}SECRET"
    for ascii_only in (True, False):
        text = json.dumps({"a": before, name: marked, "z": after}, ensure_ascii=ascii_only)
        assert (
            "SECRET" not in json.dumps(hide(text)[0]).replace("SECRET", "", 0).split(name)[1].split('"z')[0]
        )
        assert "SECRET" not in named_text(
            "log: " + json.dumps({name: marked}, ensure_ascii=ascii_only), NAMES
        )


@pytest.mark.parametrize(
    "text", ["a" * 400_000 + ":", "a=b;" * 100_000, 'password="\\"' * 50_000, "token:" * 90_000]
)
def test_hostile_texts_take_no_longer(text: str) -> None:
    assert len(named_text(text, NAMES)) <= len(text) + 12 * text.count("=")
