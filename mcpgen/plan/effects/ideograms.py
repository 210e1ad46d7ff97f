"""Finds the verbs in Chinese, Japanese and Korean texts, where no spaces show what belongs together.

The verb stands first ("删除用户"), or last ("用户删除", Japanese and Korean), or after a prepositional phrase
("根据 ID 查询用户"). Words that are as often nouns count as the object where another verb follows ("退款查询").
"""

from __future__ import annotations

import re

from mcpgen.plan.effects.words import Act, Verb
from mcpgen.plan.effects.words_foreign import (
    IDEOGRAM_ENDINGS,
    IDEOGRAM_MODIFIERS,
    IDEOGRAM_NOUNS,
    IDEOGRAM_PARTICIPLES,
    IDEOGRAM_PREPOSITIONS,
    IDEOGRAM_SOFT,
    IDEOGRAMS,
)

_Hit = tuple[int, str, Act]
_HANDLING = frozenset("导出 导入 下载 上传 发送 设置 配置 分享 备份 授权 发布 設定".split())
_SCRIPTS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_ideographic(text: str, *, anywhere: bool = False) -> bool:
    """Whether a text starts with or largely consists of such characters, or has any at all."""
    if anywhere:
        return _SCRIPTS.search(text) is not None
    plain = text.strip()
    return bool(_SCRIPTS.match(plain)) or (bool(plain) and len(_SCRIPTS.findall(plain)) * 3 >= len(plain))


def ideogram_verbs(text: str) -> tuple[Verb, ...]:
    """The verbs that say what an operation does, from a text in Chinese, Japanese or Korean."""
    plain = re.sub(r"^[\W_]+", "", re.split(r"[。；;\n]", text.strip())[0])
    for ending in IDEOGRAM_ENDINGS:
        plain = plain.removesuffix(ending)
    for modifier in IDEOGRAM_MODIFIERS:
        if plain.startswith(modifier) and not any(plain.startswith(word) for word in IDEOGRAMS):
            plain = plain.removeprefix(modifier)
    hits = _hits(plain)
    if not hits:
        return ()
    chosen = _heads(plain, hits)
    soft = any(mark in plain for mark in IDEOGRAM_SOFT)
    return tuple(
        Verb(
            word,
            Act.TOGGLE if soft and act is Act.DESTROY and word in "取消撤销解除移除删除" else act,
            (plain,),
            leading=place == 0 or plain.endswith(word) or plain.startswith(IDEOGRAM_PREPOSITIONS),
        )
        for place, word, act in chosen
    )


def _hits(text: str) -> list[_Hit]:
    hits: list[_Hit] = []
    place = 0
    while place < len(text):
        if re.match(r"通过(?=[/、或和]|申请|审批|请求|审核|好友)", text[place:]):
            hits.append((place, "通过", Act.UPDATE))
            place += 2
            continue
        word = next(
            (text[place : place + n] for n in (7, 6, 5, 4, 3, 2, 1) if text[place : place + n] in IDEOGRAMS),
            "",
        )
        agent = re.match("者|人|时间|日期|方式|次数|人数", text[place + len(word) :])
        if word and not agent and not (place and text[place - 1] in IDEOGRAM_PARTICIPLES):
            hits.append((place, word, IDEOGRAMS[word]))
        place += len(word) or 1
    return hits


def _heads(text: str, hits: list[_Hit]) -> list[_Hit]:
    first, last = hits[0], hits[-1]
    ends = text.endswith(last[1])
    object_ = text[first[0] + len(first[1]) : last[0]]
    if (
        ends
        and last[2] is Act.READ
        and (first[0] > 0 or (first[1] in IDEOGRAM_NOUNS and not _lists(object_, first[1], last[1])))
    ):
        return [last]
    if ends and object_ and first[1] in IDEOGRAM_NOUNS and last[2] in (Act.DESTROY, Act.PAYOUT):
        return [last]  # 登录日志删除: the first verb is part of what is removed
    if first[0] == 0 and not text.startswith(IDEOGRAM_PREPOSITIONS):
        heads = [first]
        for hit in hits[1:]:
            gap = text[heads[-1][0] + len(heads[-1][1]) : hit[0]]
            if gap in ("/", "、", "或", "和", "及", "与", "并", ",", "，", "或者", "・"):
                heads.append(hit)
        return _forwarded(heads, hits)
    if text.startswith(IDEOGRAM_PREPOSITIONS):
        # The verb follows the noun of the prepositional phrase: 根据 ID 查询...
        after = [hit for hit in hits if re.search(r"[A-Za-z0-9\s名号码称键件数值间型态]$", text[: hit[0]])]
        return after[:1] or ([last] if ends and len(hits) > 1 and first[1] in IDEOGRAM_NOUNS else hits)
    return [last] if ends else hits


def _lists(between: str, first: str, last: str) -> bool:
    """Whether the list is what the first word works on: 导出用户列表 exports one, 登录日志列表 shows one."""
    return bool(between) and first in _HANDLING and last in ("列表", "详情", "统计", "一覧", "목록")


def _forwarded(heads: list[_Hit], hits: list[_Hit]) -> list[_Hit]:
    """合并转发 ("forward merged") sends; it merges nothing."""
    if (
        heads == hits[:1]
        and hits[0][1] == "合并"
        and len(hits) > 1
        and hits[1][0] == 2
        and hits[1][2] is Act.SEND
    ):
        return [hits[1]]
    return heads
