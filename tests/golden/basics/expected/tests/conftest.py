"""Fixtures of the generated tests."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from harness import ERAS, Era, Session, Stub, served

gc.set_threshold(
    200_000, 20, 100
)  # thousands of tests leave little garbage, and catalogues are slow to look through


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="session")
def stub() -> Stub:
    return Stub()


@pytest.fixture(scope="session")
def sessions(portal: BlockingPortal, stub: Stub) -> Iterator[dict[Era, Session]]:
    """A client of each protocol era; they stay connected, because a long list of tools is slow to read."""
    with ExitStack() as stack:
        found = {era: stack.enter_context(served(portal, stub, era)) for era in ERAS}
        gc.freeze()  # the catalogue is large and stays: no use in looking through it for garbage again and again
        yield found


@pytest.fixture(params=ERAS)
def session(request: pytest.FixtureRequest, sessions: dict[Era, Session]) -> Session:
    """A client of the current protocol (`auto`) or of the handshake era (`legacy`)."""
    return sessions[request.param]


@pytest.fixture
def policy(tmp_path: Path) -> Callable[[str], str]:
    """Writes a policy file; gives its place."""

    def write(text: str) -> str:
        path = tmp_path / "policy.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
