"""Policies of single tools, the policy file, and settings that were generated: who wins, and how mistakes are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcpgen.runtime import SettingsError
from mcpgen.runtime.catalog import Catalog
from mcpgen.runtime.setup.policy import PolicyError, ToolPolicies, read_policy_file, server_texts
from mcpgen.runtime.setup.settings import Settings


@pytest.fixture
def shop(build, op):
    return build(
        get_order=op(params=[("query", "limit", {"type": "integer"}, {})]),
        delete_order=op(method="DELETE", effect="destructive"),
    )


def settings(package, policy: str | None = None, generated: dict | None = None, **environ: str) -> Settings:
    content = json.loads((package.root / "catalog.json").read_text()) | (generated or {})
    if policy is not None:
        path = package.root / "policy.toml"
        path.write_text(policy)
        environ["SHOP_POLICY"] = str(path)
    return Settings.read(Catalog(package.name, content), environ)


def test_the_environment_wins_over_the_file_and_the_file_over_what_was_generated(shop) -> None:
    generated = {"settings": {"timeout": "5", "retries": "1", "mode": "search"}}
    found = settings(shop, "[server]\ntimeout = 7\nretries = 0\n", generated, SHOP_TIMEOUT="9")
    assert (found.timeout, found.retries, found.mode) == (9.0, 0, "search")


def test_an_empty_variable_is_as_good_as_none(shop) -> None:
    assert settings(shop, None, {"settings": {"timeout": "5"}}, SHOP_TIMEOUT=" ").timeout == 5.0


def test_lists_and_switches_of_a_file(shop) -> None:
    found = settings(shop, '[server]\nread_only = true\ndeny_tools = ["delete_*", "get_order"]\n')
    assert found.read_only
    assert found.deny_tools == ("delete_*", "get_order")


def test_a_generated_value_that_is_wrong_is_named(shop) -> None:
    with pytest.raises(SettingsError, match=r"\[server\] timeout: '-1' is less than|-1 is less than 0.1"):
        settings(shop, None, {"settings": {"timeout": "-1"}})


def test_sections_are_merged_key_by_key_the_own_name_last() -> None:
    policies = ToolPolicies(
        {
            "get_order": {"timeout": 3},
            "*": {"timeout": 1, "cache_seconds": 5},
            "get_*": {"timeout": 2, "retries": 1},
        }
    )
    assert (policies.of("get_order").timeout, policies.of("get_item").timeout, policies.of("x").timeout) == (
        3,
        2,
        1,
    )
    assert (policies.of("get_order").cache_seconds, policies.of("get_order").retries) == (5, 1)


def test_a_policy_file_goes_over_the_generated_policies(shop) -> None:
    generated = {"policies": {"get_order": {"timeout": 3, "retries": 1}}}
    found = settings(shop, "[tools.get_order]\ntimeout = 4\n", generated).policies.of("get_order")
    assert (found.timeout, found.retries) == (4, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[server]\ntimout = 1", "[server] timout: unknown key (did you mean 'timeout'?)"),
        ("[server]\ntimeout = -1", "[server] timeout: -1 is less than 0.1"),
        ("[server]\nmode = 'al'", "[server] mode: 'al' is not one of all, search (did you mean 'all'?)"),
        ("[server]\nstate_keys = ['a']", "[server] state_keys: belongs into the environment"),
        ("[server]\ntools = {a = 1}", "[server] tools: must be a text, a number, true or false"),
        ("[tols.x]\na = 1", "unknown section [tols]: only [server] and [tools.NAME] are read"),
        ("[tools]\nx = 1", "[tools] holds sections: [tools.NAME]"),
        (
            "[tools.get_order]\ncache_second = 1",
            "[tools.get_order] cache_second: unknown key (did you mean 'cache_seconds'?)",
        ),
        (
            "[tools.get_order]\ncache_seconds = '1'",
            "[tools.get_order] cache_seconds: input should be a valid number",
        ),
        (
            "[tools.get_order.limits.limit]\nmaxi = 1",
            "[tools.get_order] limits.limit.maxi: unknown key (did you mean 'maximum'?)",
        ),
        (
            "[tools.get_order.categories]\n422 = 'busines'",
            "[tools.get_order] categories.422: input should be",
        ),
        (
            "[tools.get_ordr]\ntimeout = 1",
            "[tools.get_ordr]: no tool has this name (did you mean 'get_order'?)",
        ),
        (
            "[tools.get_order.limits.limt]\nmaximum = 1",
            "[tools.get_order] limits.limt: no such argument (did you mean 'limit'?)",
        ),
        (
            "[tools.get_order.limits.limit]\nminimum = 5\nmaximum = 3",
            "[tools.get_order] limits.limit: the minimum 5 is above the maximum 3: no value fits",
        ),
        (
            "[tools.get_order.limits.limit]\nallow = [1, 2]\ndeny = [2, 1, 3]",
            "[tools.get_order] limits.limit: nothing that is allowed is left: no value fits",
        ),
        ("[server", "the file is not TOML"),
    ],
)
def test_mistakes_in_a_policy_file_stop_the_start(shop, text: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(shop, text)
    assert told in str(caught.value)
    assert "policy.toml" in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="the file can't be read"):
        read_policy_file(tmp_path / "none.toml")


def test_a_list_item_with_a_comma_is_refused() -> None:
    with pytest.raises(PolicyError, match="a list of texts"):
        server_texts({"tools": ["a,b"]})


def test_pairs_collect_their_values(shop) -> None:
    found = settings(shop, None, None, SHOP_HTTP_EFFECT_SCOPES="read=a,write=b, write=c")
    assert found.http_effect_scopes == {"read": ("a",), "write": ("b", "c")}
    with pytest.raises(SettingsError, match="not of the form NAME=VALUE"):
        settings(shop, None, None, SHOP_HTTP_EFFECT_SCOPES="read")
