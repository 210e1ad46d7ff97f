"""What a tool does, in the words of the document: its summary, and of its description what says more."""

from __future__ import annotations

import re
from collections.abc import Set

from mcpgen.ir.api import Operation
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.texts.text import clean_text, first_sentence, one_line, sentences, shorten
from mcpgen.plan.texts.words import ended, repeats, weight

# What every operation of some API repeats, or what a caller of a tool has no use for.
_NOISE = re.compile(
    r"^(?:\**required scopes?\b|you must have at least one of these scopes|oauth scopes? required|scopes?:"
    r"|see (?:also\b|the\b|our\b|documentation|docs|more)\b|(?:for )?more (?:information|details?|info)\b.*\bsee\b|learn more\b"
    r"|for (?:more |further |full )?(?:information|details?|examples?)\b.*\b(?:see|visit|check|read)\b|check out\b.*\b(?:docs|guide|documentation)\b"
    r"|read more\b|(?:for .*)?(?:please )?refer to\b|more information can be found|note: this endpoint is in beta"
    r"|the following table|请求示例|响应示例|more on\b|(?:api )?documentation:|https?://\S+$|подробнее|siehe auch\b)",
    re.IGNORECASE,
)
_SEND = re.compile(
    r"\bsend an? (?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+request\b|\b(?:curl|wget) +-", re.IGNORECASE
)
_WEIGHTY = re.compile(
    r"\b(?:only|must|can ?not|can't|never|not|limit\w*|max\w*|at most|up to|requires?|permission|deprecated|irreversibl\w+|permanent\w*"
    r"|async\w*|fails?|errors?|unless|returns?|when|if)\b|只|必须|不能|最多|需要|仅|上限|返回|только|нельзя|должен|возвращает",
    re.IGNORECASE,
)
"""Sentences that change how a tool is used come first when not all fit."""
_HEADINGS = frozenset(
    "overview description usage notes note introduction summary details example examples request response remarks"
    " 描述 说明 备注 注意".split()
)
_LEAD = 50
"""Tokens up to which a sentence can take the place of the summary that it repeats."""
_ANNOUNCES = (":", "：")
_UNDER = re.compile(r"(?:[-|{}\[\]\"`]|\d{1,2}[.)]\s)")
_POINTING = re.compile(
    r"^(?:this|it|that|these|those|they|such|also|then|however|otherwise)\b", re.IGNORECASE
)


class Purpose:
    """The texts of one operation: `lead` says what it does, `body` what else the document says."""

    def __init__(self, operation: Operation, name: str, stop: str, shared: Set[str]) -> None:
        summary = one_line(clean_text(operation.summary))
        detail = clean_text(operation.description)
        self.detail = detail
        self.lead = (
            ended(summary, stop) or ended(_first(detail, shared), stop) or _from_names(operation, name)
        )
        self._units = _units(detail, self.lead, stop, shared)
        if self._units and repeats(self.lead, self._units[0]) and weight(self._units[0]) <= _LEAD:
            self.lead = ended(self._units.pop(0), stop)  # it says all that the summary says, and more

    def body(self, room: int) -> str:
        """What of the description fits into so many tokens: whole sentences, those that matter first, in their order."""
        kept: set[int] = set()
        by_worth = sorted(
            range(len(self._units)),
            key=lambda i: (i > 0, not _WEIGHTY.search(self._units[i]) or "\n" in self._units[i], i),
        )
        for index in by_worth:
            cost = weight(self._units[index])
            if cost <= room and (index == 0 or not _hangs(self._units, index, kept)):
                kept.add(index)
                room -= cost
        if not kept and self._units and room >= 12:
            return shorten(self._units[0].split("\n")[0], room * 4)
        return _joined([self._units[index] for index in sorted(kept)])

    def whole(self, limit: int) -> str:
        """All of the description within so many characters."""
        return shorten(_joined(self._units), limit) if limit >= 40 else ""


def _first(detail: str, shared: Set[str]) -> str:
    """The first sentence that is not the same for all operations."""
    pieces = [piece for line in detail.split("\n") for piece in sentences(line)]
    own = next((piece for piece in pieces if piece not in shared and not _NOISE.search(piece)), None)
    return one_line(own) if own is not None else first_sentence(detail)


def _from_names(operation: Operation, name: str) -> str:
    """Without any text: the words of the operationId or of the tool's name, and the call itself."""
    named = " ".join(split_words(operation.operation_id or name))
    return f"{named[:1].upper()}{named[1:]} ({operation.key})." if named else f"{operation.key}."


def _units(detail: str, lead: str, stop: str, shared: Set[str]) -> list[str]:
    """The description in pieces that stand alone: sentences, and lists with the line that announces them."""
    found: list[str] = []
    under = False
    lines = detail.split("\n")
    for number, line in enumerate(lines):
        if line.strip().lower().rstrip(":：") in _HEADINGS or (number > 0 and _is_heading(line)):
            under = False
            continue
        if found and (under or found[-1].endswith(_ANNOUNCES)) and _UNDER.match(line):
            found[-1] = f"{found[-1]}\n{line}"
            under = True
            continue
        under = False
        for piece in sentences(line):
            if piece in shared or _NOISE.search(piece) or _SEND.search(piece) or repeats(piece, lead):
                continue
            found.append(piece if piece.startswith("- ") else ended(piece, stop))
    return [unit for unit in dict.fromkeys(found) if not (unit.endswith(_ANNOUNCES) and "\n" not in unit)]


def _is_heading(line: str) -> bool:
    """A few words on a line of their own."""
    return line[-1:].isalnum() and line[:1].isupper() and len(line.split()) <= 5 and line.isascii()


def _hangs(units: list[str], index: int, kept: Set[int]) -> bool:
    """Whether a sentence points at the one before it, which is not there."""
    return _POINTING.match(units[index]) is not None and index - 1 not in kept


def _joined(units: list[str]) -> str:
    text = ""
    for unit in units:
        alone = "\n" in unit or text.rpartition("\n")[2].startswith("- ") or unit.startswith("- ")
        glue = "" if not text else "\n" if alone else " " if text[-1].isascii() else ""
        text = f"{text}{glue}{unit}"
    return text
