"""Models of the answers of secrets."""

from __future__ import annotations

from pydantic import RootModel


class ListSecretsResult(RootModel[list[str]]):
    root: list[str]
