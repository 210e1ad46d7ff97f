"""A team's plugin: a filter for its documents, and a word that every title gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mcpgen.plan.model import PackagePlan, SpecText


class AcmePlugin:
    api_version = 1

    def filters(self) -> Mapping[str, Callable[..., Any]]:
        return {"shout": lambda text: f"{text}".upper()}

    def change_plan(self, plan: PackagePlan) -> PackagePlan:
        return replace(plan, title=SpecText(f"{plan.title} (Acme)"))
