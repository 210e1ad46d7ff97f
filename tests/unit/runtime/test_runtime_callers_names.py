"""Refusals of what can't be written into a request name the arguments that the caller knows."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.auth.credentials import Credential
from mcpgen.runtime.operation import Operation, read_operation
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.request import Values, build_request


@pytest.fixture
def operation(op: Any) -> Operation:
    """An API that calls something `user` in the path, in a header and in the body."""
    string = {"type": "string"}
    params = [("path", "user", string, {}), ("header", "X-User", string, {})]
    tool, entry, _ = op("PUT", "/users/{user}", params=params).entries("put")
    parameters = {"user": "path_user", "X-User": "x_user"}
    for argument in entry["arguments"]:
        argument["name"] = parameters[argument["wire_name"]]
    entry["arguments"] += [{"name": "user", "python": "user", "in": "body", "pointer": "/user"}]
    return read_operation("put", entry, tool)


@pytest.mark.parametrize(
    ("values", "named", "not_named"),
    [
        (Values(path={"user": ""}), "`path_user`", "`user`"),
        (Values(path={"user": ".."}), "`path_user`", "`user`"),
        (Values(path={"user": "a"}, header={"X-User": "a\r\nb: c"}), "`x_user`", "`X-User`"),
    ],
)
def test_a_refusal_names_the_argument_at_its_place(
    operation: Operation, values: Values, named: str, not_named: str
) -> None:
    with pytest.raises(CallFailed) as caught:
        build_request(operation, "https://api.example.com", values, Credential())
    assert named in caught.value.failure.message
    assert not_named not in caught.value.failure.message


def test_a_header_and_a_cookie_of_one_name_are_told_apart(op: Any) -> None:
    string = {"type": "string"}
    params = [("header", "user", string, {}), ("cookie", "user", string, {})]
    tool, entry, _ = op("GET", "/users", params=params).entries("get")
    for argument in entry["arguments"]:
        argument["name"] = f"{argument['in']}_user"
    with pytest.raises(CallFailed) as caught:
        build_request(
            read_operation("get", entry, tool),
            "https://api.example.com",
            Values(header={"user": "a\nb"}, cookie={"user": "c"}),
            Credential(),
        )
    assert "`header_user`" in caught.value.failure.message
