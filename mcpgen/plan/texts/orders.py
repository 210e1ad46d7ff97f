"""How texts give orders to a model, in several languages: the patterns, from the surest kind to the least sure.

All repetitions are bounded: the texts come from documents that anyone can write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of order. Without any of the `words` (in lower case) a text has none of it: a quick look saves the slow one.

    `certain` where no text about an API says such a thing.
    """

    what: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    certain: bool


# Words and what stands between them have no sign in common, so that there is one way to read a text.
_WORDS = r"(?:[\w'’-]{1,30}[^\w'’-]{1,3}){0,4}?"
_GAP = r"\W{1,3}"
_FILE = r"(?:~/\.|/etc/(?:passwd|shadow)|\.ssh\b|\bid_(?:rsa|ed25519)\b|\.env\b(?! (?:var|file format))|\bmcp\.json\b)"
_TALK = r"(?:chat|conversation|message) history\b|\bsystem prompt\b|\b(?:full|whole|entire) conversation\b"
_TOLD = r"(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|show(?:ing)?)"
_USER = r"(?:the|your|any)?\W{0,3}(?:user|human)\b(?!\W{0,3}(?:id|name|data|object|interface|avatar|agent|account|profile|list))"

_OVERRIDE = (
    rf"\b(?:ignore|disregard|forget|override|bypass){_GAP}{_WORDS}(?:previous|prior|above|earlier|preceding|existing|system|safety){_GAP}"
    r"(?:[\w-]{1,20}[^\w-]{1,3}){0,2}(?:instructions?|prompts?|rules|directions|messages|guidelines|context)\b"
    rf"|\bfrom now on{_GAP}you\b|\b(?:new|updated|additional){_GAP}instructions?{_GAP}for{_GAP}(?:the{_GAP})?(?:assistant|model|agent|ai|llm)\b"
    r"|\b(?:rules|instructions|guidelines|restrictions)\b.{0,20}\byou (?:were|have been) (?:given|told)\b"
    rf"|\b(?:previous|prior|earlier){_GAP}(?:instructions?|prompts?|rules|guidelines){_GAP}(?:\w{{1,10}}{_GAP}){{0,2}}(?:void|invalid|obsolete|cancell?ed)\b"
    r"|(?:忽略|忘记|忘掉|无视)(?:之前|以上|上述|此前|先前|所有|前面|上面).{0,8}(?:指令|指示|提示|规则|要求)|从现在(?:起|开始).{0,3}你(?:是|必须|要|将)"
    r"|(?:以前|これまで|上記|上)の.{0,6}(?:指示|命令|ルール).{0,6}(?:無視|忘れ)|(?:이전|위|앞).{0,8}(?:지시|명령|규칙).{0,6}(?:무시|잊)"
    r"|\b(?:ignorier\w*|vergiss|vergessen sie)\b.{0,30}\b(?:anweisung\w*|instruktion\w*|regeln)|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,30}\b(?:instructions|consignes)"
    r"|\b(?:ignora|olvida|ignore|esqueça|dimentica)\b.{0,30}\b(?:instrucciones|instruções|istruzioni)|(?:игнорируй|забудь).{0,30}(?:инструкц|указани)"
)
_SECRECY = (
    rf"\b(?:do not|don['’]?t|never|without){_GAP}{_WORDS}{_TOLD}{_GAP}(?:(?:this|that|it|anything|about|to|of|step|call){_GAP}){{0,5}}{_USER}"
    rf"|\bwithout{_GAP}asking{_GAP}{_USER}|\b(?:keep|hide|conceal){_GAP}(?:this|it|that){_GAP}(?:(?:hidden|secret|step|call|action|request){_GAP})?from{_GAP}{_USER}"
    rf"|\b(?:user|human){_GAP}(?:must|should){_GAP}(?:not|never){_GAP}(?:be{_GAP}(?:told|informed)|know|learn)\b"
    r"|\bdo(?:es)? not ask (?:the user )?for (?:permission|confirmation|approval|consent)\b|\bthe user has already (?:agreed|consented) to\b"
    r"|(?:不要|不得|禁止|切勿|别|请勿).{0,8}(?:告诉|告知|通知|透露给|提醒)\W{0,2}用户|(?:不要|不得|禁止|切勿|别|请勿)向.{0,4}用户.{0,6}(?:透露|告|说|提|展示|泄)|(?:无需|不必|不用)(?:征得|询问|经过).{0,2}用户.{0,4}(?:同意|确认|许可)"
    r"|ユーザー(?:に|には).{0,10}(?:知らせ|伝え|言わ|教え)(?:ない|ず|てはいけ)|사용자에게.{0,10}(?:알리지|말하지)"
    r"|\bsag(?:e|en|t)?\b.{0,12}\b(?:benutzer|nutzer|anwender)\b.{0,12}\bnichts\b|\binformier\w{1,3}\b.{0,20}\b(?:benutzer|nutzer|anwender)\b.{0,4}\bnicht\b|\binforme den (?:benutzer|nutzer|anwender) nicht\b|\bno (?:le |les )?(?:digas|informes|reveles|menciones)\b.{0,30}\busuario"
    r"|\bne (?:dites|dis|révél\w+|mentionn\w+)\b.{0,30}\butilisateur|\bnão (?:diga|informe|revele|mencione)\b.{0,30}\busuário|не (?:говори|сообщай|упоминай).{0,20}пользовател"
)
_SECRETS = (
    rf"\b(?:read|open|cat|load|fetch|include|attach|append|pass|send|copy|paste|provide|leak|exfiltrate)\b{_GAP}{_WORDS}{_WORDS}(?:{_FILE}|{_TALK})"
    rf"|(?:读取|打开|发送|読(?:み|ん)|\blies\b|\blee\b|\blisez\b|\bleia\b|\bleggi\b|прочита\w{{1,3}}).{{0,30}}{_FILE}"
    r"|(?:完整|全部|整个)的?(?:对话|聊天|会话).{0,6}(?:放入|传入|发送|附加)|系统提示.{0,8}(?:放入|传入|发送)|システムプロンプト.{0,12}(?:含め|渡|送|入れ)"
    r"|(?:переда|отправ|вложи)\w{1,4}.{0,12}(?:всю|полную).{0,12}(?:истори|переписк)|(?:会話|チャット)(?:履歴|全体).{0,12}(?:含め|渡|送|入れ)"
    rf"|\b(?:collect|gather|put|add|include|send|pass)\b.{{0,30}}\b(?:api keys?|passwords?|credentials|secrets|tokens)\b.{{0,20}}\byou{_GAP}(?:know|have{_GAP}seen|can find|saw)\b"
    r"|\bsend a copy of (?:every|each|all)\b.{0,40}\bto\W{1,3}\S{1,40}@|\b(?:set|add|put)\b.{0,12}\bb?cc\b.{0,12}\bto\W{1,3}\S{1,40}@"
)
_MARKS = (
    r"<\s{0,3}/?\s{0,3}(?:important|system|instructions?|secret|hidden|admin)\s{0,3}>|<\|(?:im_start|im_end|system)\|>|\[/?INST\]|\bBEGIN SYSTEM PROMPT\b"
    r"|\[system\]|^#{0,4} ?system ?(?:prompt|message|override)? ?:(?= \w)"
)
_PREFERENCE = (
    rf"\b(?:always|must|only){_GAP}(?:use|call|prefer|choose|select|invoke|run){_GAP}(?:only{_GAP})?this{_GAP}(?:tool|function)\b"
    rf"|\b(?:instead of|rather than|in preference to|over|before){_GAP}(?:any|all|every){_GAP}other{_GAP}(?:tools?|functions?)\b"
    rf"|\b(?:do not|don['’]?t|never){_GAP}(?:use|call){_GAP}(?:any{_GAP})?other{_GAP}(?:tools?|functions?)\b|\bhighest priority tool\b"
    r"|\bother tools\b.{0,30}\b(?:broken|unsafe|unreliable|never)\b|(?:必须|务必|始终|总是|优先)(?:使用|调用)(?:本|此|该|这个)(?:工具|函数)"
    r"|(?:必ず|常に)この(?:ツール|関数)|他のツール(?:は|を)使(?:わない|うな)|\b(?:immer|ausschließlich) dieses? (?:werkzeug|tool)\b|\bniemals\b.{0,10}\bandere[sn]? (?:werkzeug|tool)"
    r"|\b(?:siempre|sempre|toujours)\b.{0,12}\b(?:esta herramienta|esta ferramenta|cet outil)\b|всегда (?:используй|вызывай)\w{0,2} (?:этот|данный) инструмент"
)
_CALLS = (
    rf"\b(?:before|after|whenever|every time|each time){_GAP}(?:you{_GAP})?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|execut(?:e|ing)){_GAP}"
    rf"(?:any|every|another|all|other){_GAP}(?:other{_GAP})?(?:tools?|functions?)\b|\b(?:any|every|each){_GAP}other{_GAP}tool{_GAP}(?:is|gets){_GAP}(?:used|called|invoked|run)\b"
    rf"|(?:使用|调用)(?:其他|任何|别的)(?:工具|函数)(?:之前|前|之后|后|时)|\bmcp__\w{{1,60}}|\bcall{_GAP}{_WORDS}server['’]s{_GAP}\w{{1,40}}_\w{{1,40}}|\bserver['’]s{_GAP}\w{{2,60}}{_GAP}tool\b"
    rf"|\btools?{_GAP}(?:of|from|on){_GAP}(?:the|another){_GAP}[\w-]{{1,30}}{_GAP}(?:mcp{_GAP})?server\b"
    rf"|(?:^|[,;:.] |\bthen )(?:call|invoke|run|execute){_GAP}(?:the{_GAP})?\w{{1,40}}_\w{{1,40}}{_GAP}(?:tool|function)\b"
)
_SPEECH = (
    rf"\b(?:as|you are|you're) an? (?:ai|llm|language model|ai assistant|ai agent)\b|\b(?:dear|attention|note to|hey){_GAP}(?:the{_GAP})?(?:ai{_GAP})?(?:ai|llm|assistant|agent|model)s?\b"
    r"|\bact as an? (?:unrestricted|unlimited|unfiltered)\b|作为(?:一个|一名)?(?:人工智能|AI|大语言模型|语言模型)(?:助手|模型)?[,，]|(?:AI|人工知能)(?:アシスタント|モデル|エージェント)?へ[:：、]"
)
_TABLE = (
    (
        "tells the model to forget what it was told",
        (
            "ignor", "disregard", "forget", "overrid", "bypass", "from now on", "instruction", "previous", "prior", "earlier", "you were", "you have been", "忽略", "忘记", "忘掉", "无视", "从现在",
            "無視", "忘れ", "무시", "잊", "vergiss", "vergessen", "oubli", "olvid", "esqueça", "dimentica", "игнорируй", "забудь",
        ),
        _OVERRIDE,
        True,
    ),
    (
        "tells the model to keep something from the user",
        (
            "the user", "human", "your user", "any user", "for permission", "for confirmation", "for approval", "for consent", "用户",
            "ユーザー", "사용자", "nutzer", "anwender", "usuario", "usuário", "utilisateur", "пользовател",
        ),
        _SECRECY,
        True,
    ),
    (
        "sends the model for secrets",
        (
            "~/.", "passwd", "shadow", ".ssh", "id_rsa", "id_ed25519", ".env", "mcp.json", " history", "system prompt", "conversation", "api key",
            "password", "credential", "secrets", "tokens", "@", "对话", "聊天", "会话", "系统提示", "システムプロンプト", "会話", "チャット", "истори", "переписк",
        ),
        _SECRETS,
        True,
    ),
    ("is a mark that prompts are built with", ("<", "inst]", "begin system", "[system]", "system:", "system override:", "system prompt:", "system message:"), _MARKS, False),
    ("asks to be preferred to other tools", ("tool", "function", "工具", "函数", "ツール", "関数", "werkzeug", "herramienta", "ferramenta", "outil", "инструмент"), _PREFERENCE, False),
    ("orders calls that have nothing to do with it", ("tool", "function", "工具", "函数", "mcp"), _CALLS, False),
    ("speaks to a model", ("ai", "llm", "model", "assistant", "agent", "act as", "人工智能", "语言模型", "人工知能"), _SPEECH, False),
)  # fmt: skip
KINDS = tuple(
    Kind(what, words, re.compile(pattern, re.IGNORECASE | re.MULTILINE), certain)
    for what, words, pattern, certain in _TABLE
)
