"""Free keys of a caller never change the method of a request."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.outcomes.failures import CallFailed, Category
from mcpgen.runtime.requests.overriding import refuse_overriding


@pytest.mark.parametrize("name", ["_method", "_METHOD", "X-HTTP-Method-Override", "x-method-override"])
def test_a_name_that_changes_the_method_is_refused(name: str) -> None:
    with pytest.raises(CallFailed) as caught:
        refuse_overriding(["page", name], {})
    assert caught.value.failure.category is Category.VALIDATION
    assert name in caught.value.failure.message


@pytest.mark.parametrize(
    ("names", "fixed"), [(["method", "_methods", "q"], {}), (["_method"], {"_method": "PUT"}), ([], {})]
)
def test_other_names_and_the_tools_own_value_pass(names: list[str], fixed: dict[str, Any]) -> None:
    refuse_overriding(names, fixed)
