"""Titles for people: what a client shows in place of a tool's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mcpgen.ir.api import Operation
from mcpgen.plan.texts.text import clean_text, one_line

TITLE_LIMIT = 60
_ACRONYMS = frozenset("""
    acl ai api aws bgp cdn cli cpu crm csv cve dhcp dns gcp gpu gpt html http https id iam iban idp ip ipv4 ipv6 json jwt
    kpi ldap llm mcp mfa nfs nft ocr otp pdf pki qr ram rbac rpc rsa rss saml scim sdk seo sla sms smtp sql ssh ssl sso
    tcp tls ttl udp uri url usb uuid vat vlan vm vpc vpn vrf xml yaml
    """.split())
_SPELT = {"oauth": "OAuth", "oauth2": "OAuth2", "openid": "OpenID", "ids": "IDs", "urls": "URLs", "apis": "APIs",
          "ips": "IPs", "vms": "VMs", "vpcs": "VPCs"}  # fmt: skip


def title_for(operation: Operation, tool_name: str) -> str:
    """The summary when it is short and says something, else the words of the tool's name.

    A summary of one word ("List") or one that is the path again says nothing about this tool among others.
    """
    summary = one_line(clean_text(operation.summary)).rstrip(".。")
    told = " " in summary or not summary.isascii()
    if not told or len(summary) > TITLE_LIMIT or summary.startswith("/"):
        return named_title(tool_name)
    first = summary.split(" ")[0]
    return summary[:1].upper() + summary[1:] if first.isascii() and first.islower() else summary


def named_title(tool_name: str) -> str:
    """The words of a name as a title: `List SMS IDs` for `list_sms_ids`."""
    words = [
        _SPELT.get(word, word.upper() if word in _ACRONYMS else word) for word in tool_name.split("_") if word
    ]
    text = " ".join(words)
    return text[:1].upper() + text[1:] or tool_name


def distinct_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """The titles by the names of their tools; where several tools have the same one, their names tell them apart."""
    counts = Counter(title.casefold() for title in titles.values())
    return {
        name: title if counts[title.casefold()] == 1 else named_title(name) for name, title in titles.items()
    }
