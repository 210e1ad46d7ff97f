"""Which texts can be the address of an API, in the settings of a server and in a description."""

from __future__ import annotations

import pytest

from mcpgen.runtime.setup.parsing import base_url
from mcpgen.urls import problem_with_base_url

REFUSED = [
    "https://api.example.com/v1?", "https://api.example.com/v1#", "https://api.example.com?a=b", "https://me@api.example.com",
    "https://me:word@api.example.com", "//evil.example", "\\\\evil.example", "https:\\\\evil.example", "https://a\\@evil.example",
    "https://api.example.com/\tx", "ht\ntps://api.example.com", "https://a b", "https://", "https://[::1", "https://a:99999",
    "ftp://api.example.com", "javascript:alert(1)", "https://api.example.com/\x00",
]  # fmt: skip


@pytest.mark.parametrize("url", REFUSED)
def test_what_leads_elsewhere_or_is_read_in_two_ways_is_no_base(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|[Pp]ort|IPv6"):
        base_url(url)
    assert problem_with_base_url(url) is not None


@pytest.mark.parametrize(
    "url", ["https://api.example.com/v1", "http://[::1]:8080", "https://bücher.example/"]
)
def test_others_can_be(url: str) -> None:
    assert base_url(url) == url
    assert problem_with_base_url(url) is None


@pytest.mark.parametrize("url", ["https://api.example.com/v1?", "https://api.example.com/v1#"])
def test_an_empty_query_or_fragment_is_said_to_be_one(url: str) -> None:
    with pytest.raises(ValueError, match="no user, query or fragment"):
        base_url(url)
    assert problem_with_base_url(url) == "has a query or fragment"
