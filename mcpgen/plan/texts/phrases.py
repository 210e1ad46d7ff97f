"""The fixed phrases of descriptions, in the languages that documents are kept in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.plan.texts.siblings import SiblingKind


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language. `{name}` is a tool, `{what}` an argument or a noun; `stop` ends a sentence."""

    stop: str
    gap: str
    returns: str
    fails: str
    separator: str
    destructive: str
    deprecated: str
    fixed: str
    siblings: dict[SiblingKind, str]


ENGLISH = Phrases(
    stop=".",
    gap=" ",
    returns="Returns: {text}",
    fails="Fails: {text}",
    separator="; ",
    destructive="Destructive: it can't simply be undone.",
    deprecated="Deprecated.",
    fixed="Does only {what}.",
    siblings={
        SiblingKind.FIND: "To find {what}, use {name}.",
        SiblingKind.ONE: "For one {what} by its id, use {name}.",
        SiblingKind.SEARCH: "To search instead of listing, use {name}.",
        SiblingKind.PARTIAL: "To change only some fields, use {name}.",
    },
)

CHINESE = Phrases(
    stop="。",
    gap="",
    returns="返回：{text}",
    fails="失败情况：{text}",
    separator="；",
    destructive="破坏性操作，难以撤销。",
    deprecated="已弃用。",
    fixed="仅执行 {what}。",
    siblings={
        SiblingKind.FIND: "查找 {what} 请用 {name}。",
        SiblingKind.ONE: "按 id 获取单个 {what} 请用 {name}。",
        SiblingKind.SEARCH: "需要搜索时请用 {name}。",
        SiblingKind.PARTIAL: "只修改部分字段请用 {name}。",
    },
)

_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")


def phrases_for(text: str) -> Phrases:
    """The phrases in the language of a text: Chinese when a good part of it is, else English."""
    han = len(_HAN.findall(text))
    return CHINESE if han * 5 >= len(text) and han and not _KANA.search(text) else ENGLISH
