"""The names that somebody says for tools."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.plan.naming.identifiers import fold
from mcpgen.plan.overrides.faults import Faults
from mcpgen.plan.overrides.model import Override


def with_said_names(
    names: Mapping[str, str], overrides: Mapping[str, Override], faults: Faults
) -> dict[str, str]:
    """The names of all tools by key, those that are said in place of ours. Nobody else's name changes for them.

    Args:
        names: the names that the tools have by themselves, by key.
        overrides: what is said about each tool, by key.
    """
    said = {key: override.name for key, override in overrides.items() if override.name is not None}
    found = {key: name for key, name in names.items() if key not in said}
    taken = {fold(name): (key, name) for key, name in found.items()}
    for key, name in said.items():
        other, theirs = taken.get(fold(name), (key, name))
        if other != key:
            also = "is also said for" if other in said else "is the name of"
            faults.add(
                overrides[key].said.get("name"),
                f"{key}: name: `{theirs}` {also} {other}; choose another one.",
            )
        found[key] = name if other == key else names[key]
        taken.setdefault(fold(found[key]), (key, found[key]))
    return {key: found[key] for key in names}
