"""Names that are made to be mistaken for others: letters of two scripts in one word, signs that nobody sees, `1` for `l`, names of
tools of other servers.

The names of tools are ASCII and unique, so such a name does no harm by itself; but who writes it may want the tool to be taken for another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from mcpgen.diagnostics import Collector
from mcpgen.plan.arguments import PreparedTool

_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
"""Scripts with letters that look like those of another."""
_FORMS = re.compile("[\uff21-\uff5a\U0001d400-\U0001d7ff]")
"""Letters for mathematics and in full width: the same letters in another form."""
_FOREIGN = re.compile(r"(?i)mcp__\w+?__\w")
"""How hosts write a tool together with its server."""
_SHOWN = 80
_ALIKE = str.maketrans("015", "ols")
_PAIRS = (("rn", "m"), ("vv", "w"), ("i", "l"))


def report_look_alikes(prepared: Sequence[PreparedTool], diagnostics: Collector) -> None:
    """Says which names are made to be mistaken for others."""
    for tool in prepared:
        operation = tool.draft.operation
        what = disguise(operation.operation_id or "")
        if what is not None:
            shown = ascii(operation.operation_id)[:_SHOWN]
            message = f"The operationId {shown} {what}; the tool is `{tool.draft.name}`."
            diagnostics.add("name-spoofed", message, operation.origin)
    places = {tool.draft.name: tool.draft.operation.origin for tool in prepared}
    for group in look_alikes(places):
        names = " and ".join(f"`{name}`" for name in group)
        diagnostics.add("name-spoofed", f"The tools {names} have names that look the same.", places[group[0]])


def disguise(name: str) -> str | None:
    """How a name of the document is made to look like another; None where it is not."""
    if _FOREIGN.match(name):
        return "is that of a tool of another server"
    if name.isascii():
        return None
    if any(unicodedata.category(sign) in ("Cf", "Co", "Mn") for sign in name):
        return "holds signs that nobody sees"
    if _FORMS.search(name):
        return "holds letters that only look like those of the alphabet"
    for word in re.findall(r"[^\W\d_]+", name):
        scripts = {
            script for sign in word for script in _SCRIPTS if unicodedata.name(sign, "").startswith(script)
        }
        if len(scripts) > 1:
            return "mixes letters of two scripts in one word"
    return None


def look_alikes(names: Iterable[str]) -> Iterator[list[str]]:
    """Groups of names that differ only in letters and digits that look the same, such as `1` and `l`."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(" ".join(map(_looks, re.findall(r"[^\W_]+", name))), []).append(name)
    yield from (group for group in groups.values() if len({name.lower() for name in group}) > 1)


def _looks(word: str) -> str:
    """What a word looks like; a number looks like itself."""
    if word.isdigit():
        return word
    word = word.lower().translate(_ALIKE)
    for drawn, like in _PAIRS:
        word = word.replace(drawn, like)
    return word
