"""Which texts can be the address of an API."""

from __future__ import annotations

import pytest

from mcpgen.urls import problem_with_base_url, resolved


@pytest.mark.parametrize(
    "url", ["https://a.test", "http://127.0.0.1:8080/v1", "https://[::1]:8443/", "https://x.test/{stage}"]
)
def test_addresses(url: str) -> None:
    assert problem_with_base_url(url) is None


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("/v1", "is relative"),
        ("ftp://a.test", "has the scheme 'ftp'; only http and https can be called"),
        (
            "https://user:word@a.test",
            "holds a user name or password; credentials belong into the environment",
        ),
        ("https://a.test/v1?x=1", "has a query or fragment"),
        ("https://a.test/#", "has a query or fragment"),
        ("https://a b.test", "has characters that no URL can have"),
        ('https://a.test/"\n', "has characters that no URL can have"),
        ("http://[::1", "is no URL"),
        ("https://", "has no host"),
        ("https://a.test:99999", "is no URL"),
    ],
)
def test_what_is_no_address(url: str, why: str) -> None:
    assert problem_with_base_url(url) == why


@pytest.mark.parametrize(
    ("url", "base", "found"),
    [
        ("https://a.test/v1", None, "https://a.test/v1"),
        ("/v1", "https://b.test/spec.yaml", "https://b.test/v1"),
        ("v1", "https://b.test", "https://b.test/v1"),
        ("//c.test/v1", "https://b.test", "https://c.test/v1"),
        ("/v1", None, None),
        ("ftp://a.test", "https://b.test", None),
        ("https://u:p@a.test", "https://b.test", None),
        ("/v1", "nonsense", None),
    ],
)
def test_relative_addresses(url: str, base: str | None, found: str | None) -> None:
    assert resolved(url, base) == found
