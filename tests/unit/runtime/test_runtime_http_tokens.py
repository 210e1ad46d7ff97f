"""Bearer tokens over HTTP: which are accepted, which are not, and what happens when nobody can say."""

from __future__ import annotations

import asyncio
import base64
import json
import time
import warnings
from typing import Any

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.auth.provider import AccessToken

from mcpgen.runtime.auth.oauth import OAuthClient, TokenEndpoint
from mcpgen.runtime.memory.store import MemoryStore
from mcpgen.runtime.serving import introspection, jwks
from mcpgen.runtime.serving.access import CannotVerify, Expected, TokenRejected
from mcpgen.runtime.serving.discovery import metadata_urls
from mcpgen.runtime.serving.introspection import Introspector
from mcpgen.runtime.serving.jwks import KeySet
from mcpgen.runtime.serving.jwt_tokens import JwtVerifier
from mcpgen.runtime.serving.verifiers import Verifiers

from .http_serving import Served, peer_running, private_key, public_jwk, serving


@pytest.fixture
def peer(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with peer_running() as found:
        yield found


@pytest.fixture
def package(build, op):
    return build(get_thing=op())


INTROSPECTION = {"SHOP_HTTP_CLIENT_ID": "shop-server", "SHOP_HTTP_CLIENT_SECRET": "shop-secret"}


def refused(served: Served, token: str | None, status: int = 401) -> str:
    """The challenge of a refused request, none of which reaches the API."""
    answer = served.post(token)
    assert answer.status_code == status, answer.text
    assert not any(path.startswith("/api/") for path in served.peer.asked)
    return answer.headers.get("www-authenticate", "")


def now(seconds: float = 0) -> int:
    return int(time.time() + seconds)


def unsigned(claims: dict[str, Any]) -> str:
    parts = [json.dumps({"alg": "none", "kid": "ec-1"}), json.dumps(claims)]
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts) + "."


def with_shared_secret(served: Served) -> str:
    """HS256 with the public key as the secret, which everybody knows."""
    public = private_key("rsa-1").public_key()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    secret = public.public_bytes(serialization.Encoding.PEM, form)
    claims = served.peer.claims(served.url)
    signed = ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in ({"alg": "HS256", "kid": "rsa-1"}, claims)
    )
    mac = jwt.algorithms.get_default_algorithms()["HS256"].sign(signed.encode(), secret)
    return f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"


def changed(token: str) -> str:
    """Other claims under the old signature."""
    header, claims, signature = token.split(".")
    told = json.loads(base64.urlsafe_b64decode(claims + "==")) | {"sub": "root"}
    return f"{header}.{base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip('=')}.{signature}"


def short(served: Served) -> str:
    with warnings.catch_warnings(action="ignore"):
        return served.token(key="rsa-short")


REJECTED = {
    "unknown": lambda s: "nonsense",
    "no-bearer-token": lambda s: "a b",
    "too-long": lambda s: "a" * 20_000,
    "deep": lambda s: base64.urlsafe_b64encode(b"[" * 9_000).decode().rstrip("=") + ".e30.x",
    "expired": lambda s: s.token(exp=now(-40)),
    "no-expiry": lambda s: s.token(exp=None),
    "endless": lambda s: s.token(exp="soon"),
    "not-yet": lambda s: s.token(nbf=now(60)),
    "issued-later": lambda s: s.token(iat=now(600)),
    "other-audience": lambda s: s.peer.token("https://other.example/mcp"),
    "no-audience": lambda s: s.token(aud=None),
    "audience-as-prefix": lambda s: s.peer.token(s.url + "/more"),
    "other-issuer": lambda s: s.token(iss="https://other.example"),
    "no-issuer": lambda s: s.token(iss=None),
    "none": lambda s: unsigned(s.peer.claims(s.url)),
    "shared-secret": with_shared_secret,
    "unknown-key": lambda s: s.token(key="ec-9"),
    "foreign-key": lambda s: s.token(key="ec-9", header={"kid": "ec-1"}),
    "foreign-key-without-id": lambda s: s.token(key="ec-9", header={"kid": None}),
    "changed": lambda s: changed(s.token()),
    "other-kind": lambda s: s.token(header={"typ": "logout+jwt"}),
    "unknown-extension": lambda s: s.token(header={"crit": ["x"], "x": 1}),
    "key-of-other-kind": lambda s: s.token(key="rsa-1", header={"kid": "ec-1"}),
    "key-for-other-algorithm": lambda s: s.token(key="rsa-1", header={"kid": "rsa-512"}),
    "key-for-encryption": lambda s: s.token(key="rsa-1", header={"kid": "rsa-enc"}),
    "short-key": short,
    "secret-among-the-keys": lambda s: jwt.encode(s.peer.claims(s.url), b"x" * 32, "HS256", {"kid": "oct-1"}),
}


def test_what_is_rejected(package, peer, caplog) -> None:
    caplog.set_level("DEBUG")
    secret = {"kty": "oct", "kid": "oct-1", "k": base64.urlsafe_b64encode(b"x" * 32).decode().rstrip("=")}
    peer.jwks = [
        public_jwk("ec-1"),
        public_jwk("rsa-1"),
        public_jwk("rsa-1", kid="rsa-512", alg="RS512"),
        public_jwk("rsa-1", kid="rsa-enc", use="enc"),
        public_jwk("rsa-short"),
        secret,
        {"kty": "EC", "kid": "broken", "crv": "P-256", "x": "AA", "y": 1},
        "no key",
    ]
    with serving(package, peer) as served:
        metadata = f'resource_metadata="{served.base}/.well-known/oauth-protected-resource/mcp"'
        for row, make in REJECTED.items():
            token = make(served)
            assert refused(served, token) == (
                'Bearer error="invalid_token", error_description="The token is not valid for this server.", '
                + metadata
            ), row
            assert len(token) < 5 or token not in caplog.text, row
        assert refused(served, None) == f"Bearer {metadata}"
        for header in ("Basic abc", "Bearer"):
            assert served.post(Authorization=header).headers["www-authenticate"] == f"Bearer {metadata}"
        two = [("Authorization", f"Bearer {served.token()}")] * 2
        assert served.http.post(served.url, json={}, headers=two).status_code == 401
        assert served.post(served.token()).status_code == 200
        assert peer.authorizations == [None]
    assert "other-audience" not in caplog.text
    assert "InvalidAudienceError" in caplog.text


ACCEPTED = {
    "plain": lambda s: s.token(),
    "rsa": lambda s: s.token(key="rsa-1"),
    "pss": lambda s: s.token(key="rsa-1", header={"alg": "PS384"}),
    "ed25519": lambda s: s.token(key="ed-1"),
    "without-key-id": lambda s: s.token(header={"kid": None}),
    "key-without-id": lambda s: s.token(key="ec-2"),
    "typ-jwt": lambda s: s.token(header={"typ": "JWT"}),
    "typ-as-media-type": lambda s: s.token(header={"typ": "application/at+jwt"}),
    "several-audiences": lambda s: s.token(aud=["https://other.example", s.url]),
    "audience-with-slash": lambda s: s.peer.token(s.url + "/"),
    "issuer-with-slash": lambda s: s.token(iss=s.peer.url + "/"),
    "within-leeway": lambda s: s.token(exp=now(-5), nbf=now(5)),
}


def test_what_is_accepted(package, peer) -> None:
    anonymous = public_jwk("ec-2")
    del anonymous["kid"]
    peer.jwks = [public_jwk("ec-1"), public_jwk("rsa-1"), public_jwk("ed-1"), anonymous]
    with serving(package, peer) as served:
        for row, make in ACCEPTED.items():
            answer = served.post(make(served))
            assert answer.json()["result"]["structuredContent"] == {"ok": True, "data": {"id": 7}}, row
        assert peer.count("/jwks") == 1
        assert peer.count("/.well-known/oauth-authorization-server") == 1


@pytest.mark.anyio
async def test_the_clients_of_both_eras_get_through(package, peer, mode) -> None:
    with serving(package, peer) as served:
        assert (await served.call(served.token(), mode=mode))["ok"]


def test_an_audience_of_its_own(package, peer) -> None:
    with serving(package, peer, SHOP_HTTP_AUDIENCE="shop-api") as served:
        refused(served, served.token())
        assert served.post(peer.token("shop-api")).status_code == 200


def test_rotation(package, peer, monkeypatch) -> None:
    monkeypatch.setattr(jwks, "_PAUSE", 0.0)
    with serving(package, peer, SHOP_HTTP_JWKS_URL=f"{peer.url}/jwks") as served:
        old = served.token()
        assert served.post(old).status_code == 200
        peer.jwks = [public_jwk("ec-2")]
        assert served.post(served.token(key="ec-2")).status_code == 200
        assert peer.count("/jwks") == 2
        assert served.post(old).status_code == 401
        assert peer.count("/.well-known/oauth-authorization-server") == 0


def test_invented_keys_are_not_looked_for_each_time(package, peer) -> None:
    with serving(package, peer) as served:
        for number in range(5):
            refused(served, served.token(header={"kid": f"invented-{number}"}))
        assert peer.count("/jwks") == 1


@pytest.mark.parametrize("path", ["/jwks", "/.well-known/oauth-authorization-server"])
def test_without_keys_nothing_is_said_about_a_token(package, peer, monkeypatch, path) -> None:
    monkeypatch.setattr(jwks, "_PAUSE", 0.0)
    peer.broken.add(path)
    with serving(package, peer) as served:
        answer = served.post(served.token())
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "www-authenticate" not in answer.headers
        assert refused(served, None)
        peer.broken.clear()
        assert served.post(served.token()).status_code == 200
        peer.broken.add("/jwks")
        assert served.post(served.token()).status_code == 200
        assert served.post(served.token(key="ec-2")).status_code == 503


def test_metadata_that_can_not_be_used(package, peer, monkeypatch) -> None:
    monkeypatch.setattr(jwks, "_PAUSE", 0.0)
    good = dict(peer.metadata)
    with serving(package, peer) as served:
        for wrong in (
            {"issuer": "https://other.example"},
            {"jwks_uri": None},
            {"jwks_uri": "http://keys.example/jwks"},
            {"jwks_uri": "file:///etc/passwd"},
        ):
            peer.metadata = good | wrong
            assert served.post(served.token()).status_code == 503, wrong
        peer.metadata = good
        assert served.post(served.token()).status_code == 200


def test_where_metadata_is_looked_for() -> None:
    base = "https://id.example/.well-known"
    assert metadata_urls("https://id.example/") == [
        f"{base}/oauth-authorization-server",
        f"{base}/openid-configuration",
    ]
    assert metadata_urls("https://id.example/realm/") == [
        f"{base}/oauth-authorization-server/realm",
        f"{base}/openid-configuration/realm",
        "https://id.example/realm/.well-known/openid-configuration",
    ]


# -- keys in time


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


class Keys:
    """A source of keys that can fail."""

    def __init__(self) -> None:
        self.keys: Any = [public_jwk("ec-1")]
        self.failing = False
        self.asked = 0

    async def __call__(self) -> dict[str, Any]:
        self.asked += 1
        if self.failing:
            raise CannotVerify("down")
        return {"keys": self.keys}


@pytest.mark.anyio
async def test_keys_are_kept_renewed_and_survive_an_outage() -> None:
    source, clock = Keys(), Clock()
    keys = KeySet(source, clock)
    for _ in range(3):
        assert len(await keys.find("ec-1", "ES256")) == 1
    assert source.asked == 1
    clock.time = 601
    assert await keys.find("ec-1", "ES256")
    assert source.asked == 2
    source.failing = True
    for seconds in (1300, 1301, 1400):
        clock.time = seconds
        assert await keys.find("ec-1", "ES256")
    assert source.asked == 4
    with pytest.raises(CannotVerify):
        await keys.find("ec-2", "ES256")
    clock.time = 601 + 3601
    with pytest.raises(CannotVerify):
        await keys.find("ec-1", "ES256")
    asked, source.failing = source.asked, False
    with pytest.raises(CannotVerify):  # it was just tried
        await keys.find("ec-1", "ES256")
    assert source.asked == asked
    clock.time += 6
    assert await keys.find("ec-1", "ES256")
    assert await keys.find("ec-2", "ES256") == []


@pytest.mark.anyio
async def test_many_callers_make_one_fetch() -> None:
    source = Keys()
    keys = KeySet(source)
    async with anyio.create_task_group() as group:
        for _ in range(20):
            group.start_soon(keys.find, "ec-1", "ES256")
    assert source.asked == 1


@pytest.mark.anyio
@pytest.mark.parametrize("told", [{}, {"keys": None}, {"keys": {"kid": "ec-1"}}])
async def test_what_is_no_set_of_keys(told) -> None:
    async def source() -> Any:
        return told

    with pytest.raises(CannotVerify):
        await KeySet(source).find("ec-1", "ES256")


EXPECTED = Expected(("https://id.example",), ("https://shop.example/mcp",), "https://shop.example/mcp")

LOOP = asyncio.new_event_loop()
"""One for all examples."""

LETTERS = "abcXYZ019-_=.é☃ \n"

SEGMENT = st.one_of(
    st.text("abcXYZ019-_=", max_size=40),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.text(LETTERS, max_size=8)),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(st.text(LETTERS, max_size=4), inner, max_size=3),
    ).map(lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")),
    st.fixed_dictionaries(
        {"alg": st.sampled_from(["ES256", "RS256", "none", "HS256", 5, None])},
        optional={
            "kid": st.text(LETTERS, max_size=5) | st.integers(),
            "typ": st.none() | st.text(LETTERS, max_size=5),
        },
    ).map(lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")),
)


@given(st.one_of(st.text(LETTERS, max_size=60), st.lists(SEGMENT, min_size=1, max_size=4).map(".".join)))
def test_no_text_crashes_the_verifier_or_gets_through(text) -> None:
    verifiers = Verifiers(JwtVerifier(KeySet(Keys()), EXPECTED), None)
    with pytest.raises(TokenRejected):
        LOOP.run_until_complete(verifiers.verify(text))


@given(
    st.dictionaries(
        st.sampled_from(["exp", "nbf", "iat", "aud", "iss", "sub", "scope", "scp", "jti"]),
        st.one_of(
            st.none(),
            st.booleans(),
            st.floats(),
            st.text(LETTERS, max_size=5),
            st.integers(-(2**70), 2**70),
            st.lists(st.integers(), max_size=2),
        ),
    )
)
def test_no_signed_claims_crash_the_verifier(told) -> None:
    claims = {"iss": EXPECTED.issuers[0], "aud": EXPECTED.resource, "exp": now(60)} | told
    token = jwt.api_jws.PyJWS().encode(
        json.dumps(claims).encode(), private_key("ec-1"), "ES256", {"kid": "ec-1"}
    )
    verifier = JwtVerifier(KeySet(Keys()), EXPECTED)
    try:
        found = LOOP.run_until_complete(verifier.verify(token))
    except TokenRejected:
        return
    assert isinstance(found, AccessToken)


# -- looking tokens up


def test_opaque_tokens_are_looked_up(package, peer, caplog) -> None:
    caplog.set_level("DEBUG")
    given = INTROSPECTION | {"SHOP_HTTP_INTROSPECTION_URL": f"{peer.url}/introspect"}
    with serving(package, peer, **given) as served:
        active = {"active": True} | peer.claims(served.url)
        peer.opaque = {
            "good-token-1": active | {"token_type": "Bearer"},
            "bare-token-1": {"active": True, "aud": [served.url]},
            "gone-token-1": {"active": False},
            "late-token-1": active | {"exp": now(-40)},
            "early-token-1": active | {"nbf": now(60)},
            "alien-token-1": active | {"iss": "https://other.example"},
            "other-token-1": active | {"aud": "https://other.example"},
            "blank-token-1": {"active": True},
            "bound-token-1": active | {"token_type": "DPoP"},
            "endless-token-1": active | {"exp": "never"},
        }
        for token in peer.opaque:
            status = 200 if token.startswith(("good", "bare")) else 401
            for _ in range(2):
                assert served.post(token).status_code == status, token
        assert peer.count("/introspect") == len(peer.opaque) + 2  # what has ended is not kept
        assert served.post("unknown-token").status_code == 401
        # Only the authorization server knows whether a signed token was revoked.
        assert served.post(served.token()).status_code == 401
        assert peer.count("/jwks") == 0
    assert not any(token in caplog.text for token in (*peer.opaque, "shop-secret"))


def test_signed_and_opaque_tokens_side_by_side(package, peer) -> None:
    given = INTROSPECTION | {
        "SHOP_HTTP_INTROSPECTION_URL": f"{peer.url}/introspect",
        "SHOP_HTTP_JWKS_URL": f"{peer.url}/jwks",
    }
    with serving(package, peer, **given) as served:
        peer.opaque = {"a.b.c": {"active": True} | peer.claims(served.url)}
        assert served.post(served.token()).status_code == 200
        assert peer.count("/introspect") == 0
        assert served.post("a.b.c").status_code == 200


@pytest.mark.parametrize("secret", ["shop-secret", "wrong-secret"])
def test_a_look_up_that_fails_says_nothing_about_the_token(package, peer, secret) -> None:
    given = INTROSPECTION | {
        "SHOP_HTTP_INTROSPECTION_URL": f"{peer.url}/introspect",
        "SHOP_HTTP_CLIENT_SECRET": secret,
    }
    if secret == "shop-secret":
        peer.broken.add("/introspect")
    with serving(package, peer, **given) as served:
        answer = served.post("some-token")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


class Endpoint(TokenEndpoint):
    """Answers look-ups from memory."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.url = "https://id.example/introspect"
        self.identity = OAuthClient("shop")
        self.answer = answer
        self.asked = 0

    async def ask(self, url: str, form: Any) -> dict[str, Any]:
        self.asked += 1
        await anyio.sleep(0)
        return self.answer


@pytest.mark.anyio
@pytest.mark.parametrize(("active", "seconds"), [(True, 30), (False, 3)])
async def test_answers_are_used_again_for_a_short_time_only(active, seconds) -> None:
    clock = Clock()
    endpoint = Endpoint({"active": active, "aud": EXPECTED.resource, "exp": now(3600)})
    verifier = Introspector(endpoint, EXPECTED, lambda: MemoryStore(clock))

    async def verify() -> bool:
        try:
            await verifier.verify("one")
        except TokenRejected:
            return False
        return True

    for time_, asked in ((0, 1), (seconds - 0.1, 1), (seconds + 0.1, 2)):
        clock.time = time_
        assert await verify() is active
        assert endpoint.asked == asked


@pytest.mark.anyio
async def test_no_answer_outlives_its_token() -> None:
    clock = Clock()
    endpoint = Endpoint({"active": True, "aud": EXPECTED.resource, "exp": now(10)})
    verifier = Introspector(endpoint, EXPECTED, lambda: MemoryStore(clock))
    await verifier.verify("one")
    clock.time = 11
    await verifier.verify("one")
    assert endpoint.asked == 2


@pytest.mark.anyio
async def test_callers_do_not_pile_up_behind_the_authorization_server(monkeypatch) -> None:
    monkeypatch.setattr(introspection, "_WAITING", 5)
    endpoint = Endpoint({"active": True, "aud": EXPECTED.resource})
    verifier = Introspector(endpoint, EXPECTED)
    outcomes: list[str] = []

    async def verify(token: str) -> None:
        try:
            await verifier.verify(token)
            outcomes.append("ok")
        except CannotVerify:
            outcomes.append("later")

    async with anyio.create_task_group() as group:
        for number in range(30):
            group.start_soon(verify, f"token-{number}")
    assert outcomes.count("ok") == 13
    assert outcomes.count("later") == 17


@pytest.mark.anyio
@pytest.mark.parametrize("told", [{}, {"active": "yes"}, {"active": None}])
async def test_what_is_no_answer_to_a_look_up(told) -> None:
    with pytest.raises(CannotVerify):
        await Introspector(Endpoint(told), EXPECTED).verify("one")


def test_scopes_are_read_from_every_usual_place(package, peer) -> None:
    rows: list[tuple[dict[str, Any], int]] = [
        ({"scope": "shop.use shop.more"}, 200),
        ({"scope": None, "scp": "shop.use"}, 200),
        ({"scope": None, "scp": ["other", "shop.use"]}, 200),
        ({"scope": ["shop.use"]}, 200),
        ({"scope": "shop.user"}, 403),
        ({"scope": None}, 403),
        ({"scope": 5, "scp": {"shop.use": 1}}, 403),
    ]
    with serving(package, peer, SHOP_HTTP_SCOPES="shop.use") as served:
        for claims, status in rows:
            assert served.post(served.token(**claims)).status_code == status, claims
