"""Effects and confirmation, in both protocol eras."""

from __future__ import annotations

import mcp_types as mt
import pytest
from mcp import Client, MCPError

pytestmark = pytest.mark.anyio


@pytest.fixture
def package(build, op):
    auth = {"key": {"type": "apiKey", "in": "header", "name": "X", "env": {"key": "SHOP_KEY"}}}
    text = {"type": "string"}
    return build(
        auth,
        get=op(),
        add=op(method="POST", effect="write"),
        drop=op(
            method="DELETE",
            path="/things/{id}",
            params=[("path", "id", text, {}), ("query", "why", text, {})],
            effect="destructive",
        ),
    )


ALL = {"SHOP_ALLOW_EFFECTS": "read,write,destructive"}


class User:
    def __init__(self, action: str, agrees: bool = True) -> None:
        self.action, self.agrees, self.asked = action, agrees, []

    async def __call__(self, context, params):
        self.asked.append(params.message)
        return mt.ElicitResult(
            action=self.action, content={"confirm": self.agrees} if self.action == "accept" else None
        )


async def test_destructive_tools_need_the_operators_word(package, mode) -> None:
    async with Client(package.server(), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["add", "get"]
        with pytest.raises(MCPError) as caught:
            await client.call_tool("drop", {"id": "1"})
    assert caught.value.error.code == mt.INVALID_PARAMS
    assert package.requests == []


async def test_an_accepted_call_is_made_once(package, mode) -> None:
    user = User("accept")
    given = {"id": "7", "why": "the key is hidden-key-value"}
    found = await package.told(
        "drop", given, mode=mode, elicitation_callback=user, SHOP_KEY="hidden-key-value", **ALL
    )
    assert found["ok"]
    assert package.sent.method == "DELETE"
    [message] = user.asked
    assert message.startswith("Drop\n")
    assert 'id: "7"' in message
    assert "can't be undone" in message
    assert "hidden-key-value" not in message


@pytest.mark.parametrize("user", [User("decline"), User("cancel"), User("accept", agrees=False)])
async def test_without_consent_nothing_is_done(package, mode, user) -> None:
    found = await package.told("drop", {"id": "7"}, mode=mode, elicitation_callback=user, **ALL)
    assert (found["category"], found["retryable"]) == ("permission", False)
    assert "did not agree" in found["error"]
    assert package.requests == []


async def test_a_client_that_can_not_ask_is_refused(package, mode) -> None:
    found = await package.told("drop", {"id": "7"}, mode=mode, **ALL)
    assert found["category"] == "permission"
    assert "no way to ask" in found["error"]
    assert package.requests == []


@pytest.mark.parametrize(
    ("policy", "tool", "asks"),
    [
        ("never", "drop", False),
        ("destructive", "add", False),
        ("write", "add", True),
        ("write", "get", False),
    ],
)
async def test_policies(package, policy, tool, asks) -> None:
    user = User("accept")
    given = {"id": "1"} if tool == "drop" else {}
    found = await package.told(tool, given, elicitation_callback=user, SHOP_CONFIRM=policy, **ALL)
    assert found["ok"]
    assert bool(user.asked) is asks


async def test_wrong_arguments_are_told_before_the_user_is_asked(package, mode) -> None:
    user = User("accept")
    found = await package.told("drop", {"id": []}, mode=mode, elicitation_callback=user, **ALL)
    assert found["category"] == "validation"
    assert user.asked == []


async def test_consent_without_a_question_or_for_another_call_does_not_count(package) -> None:
    yes = {"confirm": mt.ElicitResult(action="accept", content={"confirm": True})}
    async with Client(package.server(**ALL), elicitation_callback=User("accept")) as client:
        asked = await client.session.call_tool("drop", {"id": "1"}, allow_input_required=True)
        assert asked.request_state
        for arguments, state in (
            ({"id": "1"}, None),
            ({"id": "1"}, "confirm/v1"),
            ({"id": "2"}, asked.request_state),
        ):
            with pytest.raises(MCPError):
                await client.session.call_tool(
                    "drop", arguments, input_responses=yes, request_state=state, allow_input_required=True
                )
        assert package.requests == []
        await client.session.call_tool(
            "drop", {"id": "1"}, input_responses=yes, request_state=asked.request_state
        )
    assert package.sent.url.path == "/v1/things/1"
