"""Over HTTP, what is remembered of one caller's calls is not given to another one."""

from __future__ import annotations

import pytest

from .http_serving import peer_running, serving

pytestmark = pytest.mark.anyio

POLICY = """
[tools.get_thing]
cache_seconds = 60
[tools.add_thing]
repeat_window = 60
"""


@pytest.fixture
def peer(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with peer_running() as found:
        yield found


@pytest.fixture
def served(build, op, peer, tmp_path):
    package = build(
        get_thing=op(),
        add_thing=op(effect="write", path="/added"),
        find_things=op(path="/broken", params=[("query", "n", {"type": "integer"}, {})]),
    )
    (tmp_path / "policy.toml").write_text(POLICY)
    with serving(package, peer, SHOP_POLICY=str(tmp_path / "policy.toml")) as found:
        yield found


async def test_reads_are_cached_for_each_subject(served, mode) -> None:
    for subject, cached in (("mia", False), ("mia", True), ("ann", False), ("mia", True), ("ann", True)):
        found = await served.call(served.token(sub=subject), "get_thing", mode=mode)
        assert ("cache" in found.get("note", "")) is cached
    assert served.peer.count("/api/things") == 2


async def test_equal_writes_of_two_subjects_are_both_sent(served, mode) -> None:
    for subject, sent in (("mia", True), ("mia", False), ("ann", True)):
        found = await served.call(served.token(sub=subject), "add_thing", mode=mode)
        assert found["ok"]
        assert ("nothing was sent" in found.get("note", "")) is not sent
    assert served.peer.count("/api/added") == 2


async def test_failures_are_counted_for_each_subject(served) -> None:
    for subject, refused in (("mia", False), ("mia", False), ("ann", False), ("mia", True), ("ann", False)):
        found = await served.call(served.token(sub=subject), "find_things", {"n": "x"})
        assert found["category"] == "validation"
        assert ("was not sent again" in found["error"]) is refused


async def test_without_tokens_a_machine_is_a_caller_but_not_a_proxy(build, op, peer, tmp_path) -> None:
    package = build(get_thing=op())
    (tmp_path / "policy.toml").write_text("[tools.get_thing]\ncache_seconds = 60\n")
    with serving(package, peer, tokens=False, SHOP_POLICY=str(tmp_path / "policy.toml")) as served:
        for _ in range(2):
            assert served.post().status_code == 200
        assert peer.count("/api/things") == 1
        for _ in range(2):
            assert served.post(**{"X-Forwarded-For": "10.0.0.7"}).status_code == 200
        assert peer.count("/api/things") == 3
