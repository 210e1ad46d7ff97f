"""What must be set before a server listens over HTTP: every wrong combination is named, and nothing starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mcpgen.runtime.app import App
from mcpgen.runtime.serving.checks import check_serving, is_loopback
from mcpgen.runtime.setup.settings import SettingsError

ISSUER = {"SHOP_HTTP_ISSUER": "https://id.example"}
TOKENS = ISSUER | {"SHOP_HTTP_URL": "https://shop.example/mcp"}
LOOK_UP = {"SHOP_HTTP_INTROSPECTION_URL": "https://id.example/introspect"}
CLIENT = {"SHOP_HTTP_CLIENT_ID": "shop", "SHOP_HTTP_CLIENT_SECRET": "secret-of-shop"}
HOSTS = {"SHOP_ALLOWED_HOSTS": "shop.example"}
OUTSIDE = "--host 0.0.0.0 is reachable from outside: "
NEED_HOSTS = OUTSIDE + "set SHOP_ALLOWED_HOSTS to the names that clients use"
NEED_TOKENS = OUTSIDE + (
    "set SHOP_HTTP_ISSUER and SHOP_HTTP_URL, so that callers need a token, or SHOP_HTTP_OPEN=1 to serve everybody"
)
LOOK_UP_CLIENT = "SHOP_HTTP_INTROSPECTION_URL: set SHOP_HTTP_CLIENT_ID and SHOP_HTTP_CLIENT_SECRET too"


@pytest.fixture
def problems(build, op):
    package = build(get_thing=op(), add_thing=op(effect="write"))

    def found(host: str = "127.0.0.1", transport: str = "http", **environ: str) -> list[str]:
        try:
            check_serving(App.start(package.name, environ), transport, host)
        except SettingsError as error:
            return list(error.problems)
        return []

    return found


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, []),
        (TOKENS, []),
        (TOKENS | LOOK_UP | CLIENT, []),
        (TOKENS | {"SHOP_HTTP_JWKS_URL": "http://127.0.0.1:9/jwks"}, []),
        ({"SHOP_FORWARD_AUTHORIZATION": "1"}, []),
        (
            ISSUER,
            ["SHOP_HTTP_ISSUER: set SHOP_HTTP_URL too: this server's public URL, which tokens are for"],
        ),
        (
            {"SHOP_HTTP_JWKS_URL": "https://id.example/jwks", "SHOP_HTTP_AUDIENCE": "shop"},
            [
                "SHOP_HTTP_JWKS_URL: set SHOP_HTTP_ISSUER too: whose tokens are accepted",
                "SHOP_HTTP_AUDIENCE: set SHOP_HTTP_ISSUER too: whose tokens are accepted",
            ],
        ),
        (
            LOOK_UP | CLIENT,
            ["SHOP_HTTP_INTROSPECTION_URL: set SHOP_HTTP_ISSUER too: whose tokens are accepted"],
        ),
        (TOKENS | LOOK_UP, [LOOK_UP_CLIENT]),
        (TOKENS | LOOK_UP | {"SHOP_HTTP_CLIENT_ID": "shop"}, [LOOK_UP_CLIENT]),
        (
            TOKENS | CLIENT,
            ["SHOP_HTTP_CLIENT_ID: it is for SHOP_HTTP_INTROSPECTION_URL, which is not set"],
        ),
        (
            TOKENS | {"SHOP_HTTP_ISSUER": "http://id.example"},
            ["SHOP_HTTP_ISSUER: tokens need https, beyond loopback"],
        ),
        (
            TOKENS | {"SHOP_HTTP_URL": "http://shop.example/mcp"},
            ["SHOP_HTTP_URL: tokens need https, beyond loopback"],
        ),
        (
            TOKENS | {"SHOP_HTTP_JWKS_URL": "http://id.example/jwks"},
            ["SHOP_HTTP_JWKS_URL: tokens need https, beyond loopback"],
        ),
        (
            TOKENS | {"SHOP_HTTP_URL": 'https://shop.example/"mcp'},
            ["SHOP_HTTP_URL: percent-encode what is no plain ASCII"],
        ),
        (
            TOKENS | {"SHOP_FORWARD_AUTHORIZATION": "1"},
            [
                "SHOP_FORWARD_AUTHORIZATION: tokens for this server are not for the API; unset SHOP_HTTP_ISSUER"
            ],
        ),
        ({"SHOP_HTTP_SCOPES": "use"}, ["SHOP_HTTP_SCOPES: scopes are in tokens: set SHOP_HTTP_ISSUER"]),
        (
            {"SHOP_HTTP_EFFECT_SCOPES": "write=shop.write"},
            ["SHOP_HTTP_EFFECT_SCOPES: scopes are in tokens: set SHOP_HTTP_ISSUER"],
        ),
        (
            TOKENS | {"SHOP_HTTP_SCOPES": 'use,a b,c"d'},
            [f"SHOP_HTTP_SCOPES: {s!r} is no scope" for s in ("a b", 'c"d')],
        ),
    ],
)
def test_combinations(problems, environ, expected) -> None:
    assert problems(**environ) == expected
    if "SHOP_FORWARD_AUTHORIZATION" not in environ:  # over standard input nothing of this matters
        assert problems(transport="stdio", **environ) == []


def test_scopes_of_tools(problems, tmp_path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text('[tools."add_*"]\nscopes = ["shop.add", "a\\"b"]\n')
    given = {"SHOP_POLICY": str(file)}
    assert problems(**TOKENS, **given) == ["[tools.add_thing] scopes: 'a\"b' is no scope"]
    assert problems(**given)[0] == "[tools.add_thing] scopes: scopes are in tokens: set SHOP_HTTP_ISSUER"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, [NEED_HOSTS, NEED_TOKENS]),
        (HOSTS, [NEED_TOKENS]),
        (TOKENS, [NEED_HOSTS]),
        ({"SHOP_HTTP_OPEN": "1"}, [NEED_HOSTS]),
        (HOSTS | TOKENS, []),
        (HOSTS | {"SHOP_HTTP_OPEN": "1"}, []),
        # What the API asks no authorization for would be open to everybody.
        (HOSTS | {"SHOP_FORWARD_AUTHORIZATION": "1"}, [NEED_TOKENS]),
        (HOSTS | {"SHOP_FORWARD_AUTHORIZATION": "1", "SHOP_HTTP_OPEN": "1"}, []),
    ],
)
def test_beyond_loopback(problems, environ, expected) -> None:
    assert problems("0.0.0.0", **environ) == expected


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_what_is_loopback(host, near) -> None:
    assert is_loopback(host) is near


def test_forwarding_needs_http(problems) -> None:
    expected = ["SHOP_FORWARD_AUTHORIZATION: there is nothing to forward without --transport http"]
    assert problems(transport="stdio", SHOP_FORWARD_AUTHORIZATION="1") == expected


def test_the_process_says_it_and_ends(build, op) -> None:
    package = build(get_thing=op())
    code = f"import sys; sys.path[:0] = {[str(package.root.parent), *sys.path]!r}\nimport runpy\n"
    code += f"sys.argv[1:] = ['--transport', 'http', '--host', '0.0.0.0']\nrunpy.run_module({package.name!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60, env=dict(HOSTS)
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{package.name}: {NEED_TOKENS}\n"
