"""What in a text is meant for a model and not for people: characters that nobody sees, sentences that give orders.

The sentences are of the kinds that published attacks use (MCPTox, MSB, OWASP MCP03): override what was said before, keep something
from the user, fetch secrets first, prefer this tool to all others. Detection runs on the text in compatibility form without invisible
characters, so that neither splits a word. All repetitions are bounded.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from mcpgen.lint.words import plain

_LONGEST = 40_000
_SHOWN = 80
_SHORTEST = 14
"""Plain characters that an order has at least; names and values are mostly shorter."""
_BIDI = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
_ZERO_WIDTH = frozenset("\u200b\u2060\u2061\u2062\u2063\u2064\u180e\u00ad\u034f\u115f\u1160\u3164\uffa0")
_HARMLESS = frozenset("\ufeff\u200c\u200d\u200e\u200f\u202c\u2069\ufe0f\ufe0e\u061c")
"""Marks that scripts and emoji need, and the byte order mark: no finding unless there is a row of them."""
_ROW = 4
_SUSPECT = re.compile(
    r"[^\x09\x0a\x0d\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u0370-\u0600\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9f]"
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Invisible characters in a text: what they are, and whether they can only be there to deceive."""

    what: str
    hostile: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """A sentence that speaks to the model. `certain` where no text about an API says such a thing."""

    shown: str
    what: str
    certain: bool


def hidden_in(text: str) -> Hidden | None:
    """The worst kind of invisible character in a text, if there is one."""
    signs = _SUSPECT.findall(text[:_LONGEST])
    if not signs:
        return None
    if any(0xE0000 <= ord(sign) <= 0xE007F for sign in signs):
        return Hidden("tag characters, which spell a text that only models read", True)
    if any(0xE0100 <= ord(sign) <= 0xE01EF for sign in signs):
        return Hidden("variation selectors, which can carry any bytes", True)
    if any(sign in _BIDI for sign in signs):
        return Hidden("marks that change the order in which people read it", True)
    if any(sign == "\x1b" for sign in signs):
        return Hidden("escape sequences for terminals", True)
    if re.search(rf"[{''.join(_ZERO_WIDTH | _HARMLESS)}]{{{_ROW}}}", text[:_LONGEST]):
        return Hidden("a row of characters without width", True)
    if any(sign in _ZERO_WIDTH for sign in signs):
        return Hidden("characters without width", False)
    if any(unicodedata.category(sign) in ("Cc", "Co") for sign in signs):
        return Hidden("control characters", False)
    return None


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of sentence. Without any of the `words` (in lower case) a text has none of it: a quick look saves the slow one."""

    what: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    certain: bool


# Words and what stands between them have no sign in common, so that there is one way to read a text.
_WORDS = r"(?:[\w'’-]{1,30}[^\w'’-]{1,3}){0,4}?"
_CERTAIN = (
    (
        "tells the model to forget what it was told",
        (
            "ignor",
            "disregard",
            "forget",
            "overrid",
            "bypass",
            "忽略",
            "無視",
            "忘れ",
            "vergiss",
            "vergessen",
            "oubli",
            "olvid",
            "игнорируй",
            "забудь",
        ),
        rf"\b(?:ignore|disregard|forget|override|bypass)\W{{1,3}}{_WORDS}(?:previous|prior|above|earlier|preceding|existing|system|safety)\W{{1,3}}"
        r"(?:[\w-]{1,20}[^\w-]{1,3}){0,2}(?:instructions?|prompts?|rules|directions|messages|guidelines|context)\b"
        r"|忽略(?:之前|以上|上述|此前|先前|所有|前面).{0,8}(?:指令|指示|提示|规则|要求)|(?:以前|これまで|上記|上)の.{0,6}(?:指示|命令|ルール).{0,4}(?:無視|忘れ)"
        r"|\b(?:ignorier\w*|vergiss|vergessen sie)\b.{0,30}\b(?:anweisung\w*|instruktion\w*|regeln)|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,30}\b(?:instructions|consignes)"
        r"|\b(?:ignora|olvida|ignore)\b.{0,30}\b(?:instrucciones|instruções)|(?:игнорируй|забудь).{0,30}(?:инструкц|указани)",
    ),
    (
        "tells the model to keep something from the user",
        ("the user", "human", "your user", "any user", "用户", "ユーザー", "пользовател"),
        rf"\b(?:do not|don['’]?t|never|without)\W{{1,3}}{_WORDS}(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|disclos(?:e|ing)"
        rf"|show(?:ing)?)\W{{1,3}}(?:(?:this|that|it|anything|about|to|of)\W{{1,3}}){{0,4}}(?:the|your|any)?\W{{0,3}}(?:user|human)\b(?!\W{{0,3}}(?:id|name|data|object|interface|avatar))"
        r"|(?:不要|不得|禁止|切勿|别)(?:告诉|告知|通知|透露给|提醒|向).{0,4}用户|ユーザー(?:に|には).{0,10}(?:知らせ|伝え|言わ|教え)(?:ない|ず|てはいけ)"
        r"|не (?:говори|сообщай|упоминай).{0,20}пользовател",
    ),
    (
        "sends the model for secrets",
        (
            "~/.",
            "passwd",
            "shadow",
            ".ssh",
            "id_rsa",
            ".env",
            "mcp.json",
            " history",
            "system prompt",
            "full conversation",
        ),
        rf"\b(?:read|open|cat|load|fetch|include|attach|append|pass|send|copy|paste|provide|leak|exfiltrate)\b\W{{1,3}}{_WORDS}{_WORDS}"
        r"(?:~/\.|/etc/(?:passwd|shadow)|\.ssh\b|id_rsa\b|\.env\b(?! (?:var|file format))|mcp\.json\b|chat history|conversation history|system prompt|full conversation)",
    ),
)
_LIKELY = (
    (
        "is a mark that prompts are built with",
        ("<", "inst]", "begin system"),
        r"<\s{0,3}/?\s{0,3}(?:important|system|instructions?|secret|hidden|admin)\s{0,3}>|<\|(?:im_start|im_end|system)\|>|\[/?INST\]|\bBEGIN SYSTEM PROMPT\b",
    ),
    (
        "asks to be preferred to other tools",
        ("tool", "function", "工具", "函数"),
        r"\b(?:always|must|only)\W{1,3}(?:use|call|prefer|choose|select|invoke|run)\W{1,3}(?:only\W{1,3})?this\W{1,3}(?:tool|function)\b"
        r"|\b(?:instead of|rather than|in preference to|over)\W{1,3}(?:any|all|every)\W{1,3}other\W{1,3}(?:tools?|functions?)\b"
        r"|\b(?:do not|don['’]?t|never)\W{1,3}(?:use|call)\W{1,3}(?:any\W{1,3})?other\W{1,3}(?:tools?|functions?)\b|\bhighest priority tool\b"
        r"|(?:必须|务必|始终|总是|优先)(?:使用|调用)(?:本|此|该|这个)(?:工具|函数)",
    ),
    (
        "orders calls that have nothing to do with it",
        ("tool", "function"),
        r"\b(?:before|after|whenever|every time|each time)\W{1,3}(?:you\W{1,3})?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|execut(?:e|ing))\W{1,3}"
        r"(?:any|every|another|all|other)\W{1,3}(?:other\W{1,3})?(?:tools?|functions?)\b",
    ),
    (
        "speaks to a model",
        ("ai", "llm", "model", "assistant", "agent"),
        r"\b(?:as|you are|you're) an? (?:ai|llm|language model|ai assistant|ai agent)\b|\b(?:dear|attention|note to|hey)\W{1,3}(?:the\W{1,3})?(?:ai|llm|assistant|agent|model)s?\b",
    ),
)
_KINDS = [
    _Kind(what, words, re.compile(pattern, re.IGNORECASE), certain)
    for rules, certain in ((_CERTAIN, True), (_LIKELY, False))
    for what, words, pattern in rules
]


def instruction_in(text: str) -> Instruction | None:
    """The first sentence of a text that speaks to the model, the surest kind first."""
    if len(text) < _SHORTEST and text.isascii() and "<" not in text and "[" not in text:
        return None
    shown = plain(text[:_LONGEST])
    folded = shown.lower()
    for kind in _KINDS:
        match = kind.pattern.search(shown) if any(word in folded for word in kind.words) else None
        if match is not None:
            return Instruction(" ".join(match.group().split())[:_SHOWN], kind.what, kind.certain)
    return None
