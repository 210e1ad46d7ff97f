"""The tools against a real API. Skipped unless FORMS_LIVE_BASE_URL says where it is.

Only tools that read are called; FORMS_LIVE_EFFECTS=read,write,destructive opens more. Credentials come from the usual
variables. The arguments are those of the minimal calls, which are made up; `tests/live.json`, a file of your own, has
better ones: {"TOOL": {"ARGUMENT": "VALUE"}}.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from checks import contract_problems
from harness import CASES, CATALOG, PREFIX, Session, call_tool, cases_of
from mcp import Client

from forms_mcp.server import build

WHERE = f"{PREFIX}_LIVE_BASE_URL"
if not os.environ.get(WHERE):
    pytest.skip(f"set {WHERE} to the address of a real API", allow_module_level=True)
EFFECTS = [effect.strip() for effect in os.environ.get(f"{PREFIX}_LIVE_EFFECTS", "read").split(",")]
OWN = Path(__file__).parent / "live.json"
ARGUMENTS: dict[str, Any] = json.loads(OWN.read_text(encoding="utf-8")) if OWN.exists() else {}
TOOLS = {
    tool: case
    for folder in sorted(path for path in CASES.iterdir() if path.is_dir())
    for tool, case in cases_of(folder.name).items()
    if CATALOG["operations"].get(tool, {}).get("effect") in EFFECTS
}


@pytest.fixture(scope="module")
def live(portal: BlockingPortal) -> Iterator[Session]:
    """A client of a server with this process's credentials, and with the real API behind it."""
    settings = {
        "BASE_URL": os.environ[WHERE],
        "ALLOW_EFFECTS": ",".join(EFFECTS),
        "CONFIRM": "never",
    }
    server = build(
        environ=os.environ | {f"{PREFIX}_{name}": value for name, value in settings.items()}
    )
    with portal.wrap_async_context_manager(Client(server)) as client:
        yield Session(portal, client)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_api_keeps_its_description(tool: str, live: Session) -> None:
    """A success keeps the published schema. A made-up argument that the API refuses says nothing about that."""
    calls = [call["arguments"] for call in TOOLS[tool]["calls"][:1]]
    arguments = ARGUMENTS.get(tool, calls[0] if calls else None)
    if arguments is None:
        pytest.skip(
            f"no call can be made up ({TOOLS[tool].get('why_no_calls')}): put arguments into {OWN.name}"
        )

    result = live.run(lambda client: call_tool(client, tool, arguments))

    told = result.structured_content or {}
    assert contract_problems(tool, result) == []
    assert "raw" not in told, f"the answer breaks the API's own description: {told.get('note')}"
    if not told["ok"]:
        status = told.get("status") or 0
        if status == 401 or not 300 <= status < 500:
            pytest.fail(
                f"{tool}: {told['error']} Credentials come from the variables in .env.example.",
                pytrace=False,
            )
        pytest.skip(
            f"the API refuses the arguments ({status}): put better ones for {tool} into {OWN.name}"
        )
