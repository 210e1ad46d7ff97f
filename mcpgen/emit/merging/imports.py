"""Merges the beginning of a module, where both sides often need another name from the same import."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcpgen.emit.merging.lines import lines_of, merge_lines
from mcpgen.emit.merging.model import Choice, Merged

_FROM = re.compile(
    r"^(?P<indent>[ \t]*)from (?P<module>[.\w]+) import (?P<names>\([^()#]*\)|[^()#\\\n]+)\n", re.MULTILINE
)
_NAME = re.compile(r"\w+(?: as \w+)?")


def merge_head(
    base: Sequence[str],
    ours: Sequence[str],
    theirs: Sequence[str],
    choice: Choice | None,
    *,
    start: int,
    place: str,
) -> Merged:
    """Merges the lines before the first definition.

    Where an import of the same module differs on all three sides, the names that each side added or removed are
    carried out on the new one; then the lines are merged as any others.
    """
    texts = ["".join(lines) for lines in (base, ours, theirs)]
    before, mine, new = map(_imports, texts)
    for key in new:
        if key in before and key in mine and len({before[key], mine[key], new[key]}) == 3:
            names = _names(new[key]) + [name for name in _names(mine[key]) if name not in _names(new[key])]
            gone = [n for one in (mine, new) for n in _names(before[key]) if n not in _names(one[key])]
            agreed = _spelt(key, [name for name in names if name not in gone], new[key])
            texts = [
                text.replace(old, agreed, 1)
                for text, old in zip(texts, (before[key], mine[key], new[key]), strict=True)
            ]
    base, ours, theirs = (lines_of(text) for text in texts)
    return merge_lines(base, ours, theirs, choice, start=start, place=place)


def _imports(text: str) -> dict[tuple[str, str], str]:
    """Indent and module of each import -> its text, for modules that are imported once at that depth."""
    found: dict[tuple[str, str], str] = {}
    twice: set[tuple[str, str]] = set()
    for match in _FROM.finditer(text):
        key = (match["indent"], match["module"])
        twice |= {key} & found.keys()
        found[key] = match[0]
    return {key: value for key, value in found.items() if key not in twice}


def _names(statement: str) -> list[str]:
    return _NAME.findall(statement.partition(" import ")[2])


def _spelt(key: tuple[str, str], names: Sequence[str], like: str) -> str:
    """The import in the layout of `like`, in one line where that is short."""
    indent, module = key
    names = sorted(names, key=lambda name: (not name.isupper(), not name[:1].isupper(), name))
    one = f"{indent}from {module} import {', '.join(names)}\n"
    if "(" not in like and len(one) <= 101:
        return one
    inner = "".join(f"{indent}    {name},\n" for name in names)
    return f"{indent}from {module} import (\n{inner}{indent})\n"
