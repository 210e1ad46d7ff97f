"""The settings of the run-time library as documents show them, from its own table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.plan.model import SpecText
from mcpgen.runtime.setup.variables import VARIABLES


@dataclass(frozen=True, slots=True)
class SettingView:
    """One setting: its name after the project's prefix, its default, and what it means."""

    name: str
    default: SpecText
    meaning: SpecText


def runtime_settings(own: Mapping[str, str]) -> tuple[SettingView, ...]:
    """The entries of the table, in its order; `own` are the defaults of the project, by name in lower case."""
    return tuple(
        SettingView(v.name, SpecText(own.get(v.field, v.default)), SpecText(v.meaning)) for v in VARIABLES
    )
