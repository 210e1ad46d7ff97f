"""To which actions an argument belongs, by the clear words of its description: "only for action=refund"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcpgen.plan.cutting.choices import Choice
from mcpgen.plan.texts.text import clean_text

_CLAUSES = re.compile(
    r"[;；。\n]|\.(?=\s|$)|[,，](?=\s*(?:but|and is|otherwise|required|optional|ignored|not|但|否则|必填|可选|忽略))"
)
_QUOTES = "`\"'“”‘’「」『』"
_Q = f"[{_QUOTES}]?"
_START, _END = "(?<![A-Za-z0-9_-])", "(?![A-Za-z0-9_-])"
"""The borders of a word that may stand among ideograms without spaces."""
_IS = r"\s*(?:={1,3}|:|：|＝|\bis\b|\bequals?\b|\bset to\b|\bin\b|为|是|等于|选择)\s*(?:\bone of\b|\bset to\b|\beither\b)?\s*[\[(（{]?\s*"
_JOIN = r"\s*(?:,|，|/|\||、|\bor\b|\band\b|或者?|和|及|与)\s*(?:\bor\b|\band\b)?\s*"
_NEGATIVE = re.compile(
    r"\bnot (?:used|applicable|allowed|needed|required|valid|supported|relevant)|\bignored\b|\bmust not\b|\bhas no effect\b|\bunused\b"
    r"|无需|不需要|不用|忽略|无效|不可用|不支持|禁止",
    re.IGNORECASE,
)
_UNCLEAR = re.compile(
    r"\bunless\b|\bexcept\b|\bother than\b|!=|≠|\bis not\b|\bdefaults?\b|除非|除了|以外|不为|不是|默认",
    re.IGNORECASE,
)
_REQUIRED = re.compile(
    r"(?<!not )\b(?:required|mandatory|must be (?:given|provided|set|present|specified)|needed)\b|必填|必传|必须|必需|必選|必須|obligatori|erforderlich|обязател|obligatoire",
    re.IGNORECASE,
)
_ONLY = r"\b(?:only|solely|exclusively)\b|仅|只|のみ|nur\b|solo\b|sólo\b|uniquement\b|только"


@dataclass(frozen=True, slots=True)
class Belonging:
    """What the words of an argument say: the keys of the values it is for, is required for, and is not for."""

    only: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def applies(self, key: str) -> bool:
        return key not in self.without and (not self.only or key in self.only)


def belonging(description: str, name: str, choices: Sequence[Choice]) -> Belonging:
    """Reads one description. Only words that name values of the action bind an argument to them.

    Args:
        description: of the argument.
        name: the action argument, as the document spells it.
        choices: its values.
    """
    text = clean_text(description)
    only: set[str] = set()
    required: set[str] = set()
    excluded: set[str] = set()
    free = False
    for clause in (one.strip() for one in _CLAUSES.split(text)):
        named = _bound(clause, name, choices)
        if named and _UNCLEAR.search(clause):
            free = True
        elif named and _NEGATIVE.search(clause):
            excluded |= named
        elif named:
            only |= named
            required |= named if _REQUIRED.search(clause) else set()
        elif any(_quoted(clause, choice) for choice in choices):
            only |= {choice.key for choice in choices if _quoted(clause, choice)}
    if free:
        return Belonging(frozenset(), frozenset(required), frozenset(excluded))
    return Belonging(frozenset(only), frozenset(required), frozenset(excluded))


def _bound(clause: str, name: str, choices: Sequence[Choice]) -> set[str]:
    """The values that a clause names as a condition: "when action is a or b", "only for a", "a only", "仅 a 时"."""
    found: set[str] = set()
    spelt = {word: choice.key for choice in choices for word in (choice.key, choice.label) if word}
    values = "|".join(re.escape(word) for word in sorted(spelt, key=len, reverse=True))
    value = rf"{_Q}{_START}(?:{values}){_END}{_Q}" if spelt else ""
    if re.search(r"[\u3040-\u9fff]", values):
        value = rf"{_Q}(?:{values}){_Q}"
    listed = rf"({value}(?:{_JOIN}{value})*)"
    action = rf"{_Q}{_START}{re.escape(name)}{_END}{_Q}(?:\s*(?:field|parameter|argument|value|参数|字段))?"
    patterns = [rf"{action}{_IS}{listed}"]
    if not all(choice.coded for choice in choices):
        for_ = r"(?:for|when|if|with|in)(?:\s+the)?(?:\s+actions?)?\s+"
        patterns += [
            rf"(?:{_ONLY})[^,]{{0,30}}?\b{for_}{listed}",
            rf"\b{for_}{listed}(?:\s+(?:actions?|operations?|requests?))?\s*(?:{_ONLY})",
            rf"^[(（\[]?{listed}(?:\s+(?:actions?|operations?))?\s*(?:{_ONLY})",
            rf"[(（\[]{listed}\s*(?:{_ONLY})\s*[)）\]]",
            rf"(?:{_REQUIRED.pattern})\s+(?:only\s+)?{for_}{listed}",
            rf"(?:仅|只)(?:当|在|用于|适用于|限于?|对|有)?\s*{listed}",
            rf"{listed}\s*(?:操作|动作)?(?:时|時)?(?:必填|必传|必须|必需|必須|使用|有效|需要|填写)",
        ]
    for pattern in patterns:
        for match in re.finditer(pattern, clause, re.IGNORECASE):
            said = match.group(match.lastindex or 1) or ""
            found |= {spelt_key for word, spelt_key in spelt.items() if _has(said, word)}
    return found


def _has(text: str, word: str) -> bool:
    if not word.isascii():
        return word in text
    return re.search(rf"{_START}{re.escape(word)}{_END}", text, re.IGNORECASE) is not None


def _quoted(text: str, choice: Choice) -> bool:
    """Whether a text names a value as a value: `cancel`, "cancel" or 'cancel'. Digits in quotes can be anything."""
    return not choice.key.isdigit() and (
        re.search(rf"[{_QUOTES}]{re.escape(choice.key)}[{_QUOTES}]", text) is not None
    )
