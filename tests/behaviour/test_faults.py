"""The matrix of `make faults` as tests: every kind of tool meets every outcome, in both protocol eras."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))

from matrix import CALLS, OUTCOMES, Outcome
from run import ERAS, World, cancelled, cells, world

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("faults") / "project") as found:
        yield found


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda outcome: outcome.name)
async def test_every_cell_is_right(shop: World, outcome: Outcome, era: str) -> None:
    assert await cells(shop, outcome, era) == {tool: [] for tool in CALLS}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", ["search_items", "create_item"])
async def test_a_client_that_gives_up_takes_the_request_with_it(shop: World, tool: str, era: str) -> None:
    assert await cancelled(shop, tool, era) == []
