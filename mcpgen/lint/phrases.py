"""How texts in several languages say limits, failures, examples, results, and when a tool is the right one.

English, Chinese, German, Japanese, and the plainest forms of French, Spanish, Portuguese and Russian. All patterns have bounded
repetitions only: the texts come from documents that anyone can write.
"""

from __future__ import annotations

import re


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


RETURNS = _any(
    r"\breturn(?:s|ed|ing)?\b", r"\brespon(?:ds?|ses?)\b", r"\bresults? (?:is|are|contains?|includes?|holds?|has|have)\b",
    r"\b(?:yields?|outputs?|answers? with|gives? back|comes? back)\b", r"\bget back\b", r"\boutput:",
    r"\b(?:list|array|page|map|collection|stream|number|count) of\b", r"\b(?:including|together with|along with|containing)\b",
    r"\bwith (?:its|their|all)\b", r"\bresults? come\b", r"\bcontents? of\b",
    r"^(?:lists?|gets?|fetch(?:es)?|retrieves?|search(?:es)?|finds?|shows?|reads?)\b.{1,80}\bwith\b", "返回", "响应", "输出", "结果(?:为|是|包含|中)", "列表", "详情",
    r"\b(?:gibt|liefert|enthält|zurück(?:gegeben)?|Rückgabe|Ergebnis|Antwort|Liste (?:der|von|aller))\b",
    "返します", "返す", "返却", "返り値", "戻り値", "レスポンス", "一覧", "結果(?:を|は|に)", "が含まれ",
    r"\b(?:renvoie|retourne|donne|contient)\b", r"\b(?:devuelve|retorna|regresa|contiene)\b", r"\bвозвраща\w+", r"\bспис(?:ок|ка)\b",
)  # fmt: skip

NO_RETURN = _any(
    r"\b(?:returns?|responds?)(?: with)?(?: an?| the)?(?: \w+)? ?(?:errors?|[45]\d\d|[45]xx)\b", "返回(?:错误|[45]\\d\\d)", "报错", "エラー",
)  # fmt: skip
"""What comes back when it fails."""

EXAMPLE = _any(
    r"\be\.?g\.", r"\bfor (?:example|instance)\b", r"\bexamples?\s*[:=(`\"]", r"\bsuch as\b", r"\blike [`\"'“]", r"\blike [a-z#/][\w./#-]{0,30}\d", r"\bsample:",
    "例如", "比如", "示例", "例[:：]", "如[:：“\"`]", r"\bz\. ?B\.", r"\bzum Beispiel\b", r"\bbeispiel(?:sweise)?\b", "例えば",
    "たとえば", "例として", "など（", r"\b(?:par|por) (?:exemple|ejemplo|exemplo)\b", r"\bp\. ?(?:ex|ej)\.", r"\bнапример\b",
)  # fmt: skip

LIMIT = _any(
    r"\bmax(?:imum|imal)?\b", r"\bmin(?:imum|imal)\b", r"\bat (?:most|least)\b", r"\bup to \d", r"\bno (?:more|fewer|less) than\b",
    r"\blimit(?:s|ed|ation|ations)?\b", r"\bper (?:page|second|minute|hour|day|request|call)\b", r"\brate[- ]limit", r"\bquota\b",
    r"\bonly\b", r"\bcan(?:no|'|’)?t\b", r"\bcan not\b", r"\bmust(?: not)? (?:be|have|own|exist|contain|match|use|already)\b", r"\brequires?\b",
    r"\bneeds? (?:the |an? )?\w+ (?:permission|scope|role|rights|access)\b", r"\bpermission", r"\bscopes?\b",
    r"\b(?:irreversibl|permanent|destructive|undone|expires?|asynchronous|eventually|deprecated|not supported|unsupported)\w*",
    r"\bchanges? nothing\b", r"\bno (?:longer|side effects?)\b", r"\bany ?more\b", r"\bread-only\b",
    r"\bcan be (?:undone|restored|reverted|reversed|taken back)\b", r"\bcan (?:destroy|delete|overwrite|remove|break|cost)\b",
    r"\beach call (?:adds|creates|takes)\b", r"\bwithin \d+", r"\bafter \d+ ", r"\bdoes(?: not|n't)\b", r"\bexclud(?:es?|ing)\b", r"\bignored\b", r"\boverwrit(?:es?|ten)\b",
    "最多", "最大", "至少", "上限", "不超过", "限制", "限流", "频率", "权限", "只能", "仅(?:支持|限|返回|能|当)?", "不支持", "不可",
    "无法", "不能", "必须", "需要", "异步", "注意", "不会", "覆盖", "撤销", "只读", "每次调用都", "每页", 
    r"\bje Seite\b", r"\b(?:höchstens|mindestens|maximal|minimal|nur|nicht|darf|muss|müssen|erforder\w+|benötigt|berechtigung\w*|endgültig|"
    r"unwiderruflich|rückgängig)\b",
    "以内", "以下", "まで", "のみ", "だけ", "できません", "必要があります", "権限", "制限", "取り消せません", "読み取り専用", "呼び出すたびに", "1 ?ページ", "元に戻せません", "非同期", "必須", "しません",
    r"\b(?:maximum|au plus|seulement|uniquement|ne peut|doit|nécessite)\b", r"\b(?:máximo|mínimo|sólo|solo|no puede|debe|requiere)\b",
    r"\bкаждый вызов\b", r"\bcada llamada (?:añade|surte)", r"\bjeder aufruf (?:legt|wirkt)", r"\b(?:не более|максимум|только|нельзя|необходимо|требует\w*|лимит\w*|огранич\w+)\b",
)  # fmt: skip

FAILURE = _any(
    r"\bfail(?:s|ed|ure|ures|ing)?\b", r"\b\w{0,40}errors?\b", r"\b[45]\d\d\b(?!\s?(?:[a-z]|%|,\d))", r"\b[45]xx\b", r"\bnot found\b", r"\bconflicts?\b",
    r"\binvalid\b", r"\breject(?:s|ed)\b", r"\brefuse[sd]?\b", r"\bforbidden\b", r"\bunauthori[sz]ed\b", r"\bdenied\b",
    r"\bdo(?:es)?(?: not|n't) exist\b", r"\bno (?:such|matching)\b", r"\balready exists?\b", r"\b(?:throws?|raises?)\b", r"\btimes? out\b",
    "失败", "错误", "报错", "不存在", "异常", "无效", "冲突", "拒绝",
    r"\b(?:fehler\w*|fehlschl\w+|schlägt \w+|nicht gefunden|ungültig\w*|abgelehnt|existiert nicht|konflikt)\b",
    "失敗", "エラー", "存在しない", "見つからない", "無効", "拒否",
    r"\b(?:échoue|erreur|introuvable|invalide)\b", r"\b(?:falla|error|no existe|inválid\w+)\b", r"\b(?:ошибк\w+|не найден\w*|не существует)\b",
)  # fmt: skip

WHEN = _any(
    r"\buse (?:this|it)(?: \w+){0,2} (?:when|to|for|if|instead|before|after|only|with)\b", r"\bwhen you (?:need|want|know|have|only)\b",
    r"\buseful (?:for|when|to|if)\b", r"\bcall (?:this|it)(?: \w+){0,2} (?:when|before|after|first|once|to|if)\b",
    r"\bonly (?:use|call)\b", r"\b(?:do not|don't|never|avoid) (?:us(?:e|ing)|call(?:ing)?)\b", r"\buse when\b", r"\bbest for\b",
    r"\bintended (?:for|to)\b", r"\bprefer(?:red|ably)?\b", r"\bif you (?:need|want|only|already|know|have)\b", r"\bnot for\b",
    r"\bbefore (?:calling|using|creating|updating|deleting|sending|you)\b", r"\bafter (?:calling|using|you|creating)\b", r"\bstart (?:here|with)\b", r"\b(?:call|run|use) \w{2,64} first\b", r"\bsuited\b",
    "用于", "适用于", "当(?:你|您|用户|需要)", "(?:请|应|建议|优先)(?:先)?(?:使用|调用|改用|用)", "(?:时|场景)(?:下)?(?:使用|调用)", "调用前", "不要用",
    "如需", "若需", r"\b(?:verwende\w*|nutze\w*|benutze\w*|eignet sich|geeignet|gedacht für|falls|sobald|vor dem aufruf)\b",
    "(?:場合|とき|際)(?:に|は)", "使って(?:ください)?", "使用して(?:ください)?", "ご利用ください", "使います", "向け", "使わない",
    r"\b(?:utilise[rz]?|à utiliser|lorsque|quand vous)\b", r"\b(?:use esta|usa esta|utilice|úselo|cuando (?:necesite|quiera))\b",
    r"\b(?:используйте|применяйте|когда нужно|если нужно|предназначен\w*)\b",
)  # fmt: skip

ELSE = _any(
    r"\binstead\b", r"\brather than\b", r"\bunlike\b", r"\bin contrast\b", r"\botherwise\b", r"\balternatively\b", r"\bnot for\b",
    r"\bfor (?:all |other |any |one |a |an |the |more |single |full |several )?[\w' -]{1,60}?,? (?:use|call|see)\b", r"\bfor \"[^\"]{1,80}\", use\b", r"\bto [\w' -]{2,60}, (?:use|call|see)\b",
    r"\bif you (?:need|want|only)[\w' -]{1,60}, (?:use|call|see)\b", r"\b(?:do not|don't|never) use\b", r"\bcompare with\b",
    "改用", "而不是", "而非", "请(?:使用|用|调用)", "请先(?:使用|用|调用)", "不要用", "则(?:使用|用|调用)",
    r"\b(?:stattdessen|statt|anstelle|anstatt|im gegensatz|andernfalls|sonst|dagegen)\b", r"\bfür [\w ,-]{1,60} (?:verwende|nutze|dient)\w*",
    "代わりに", "ではなく", "以外は", "は[^。]{1,40}を(?:使|利用|ご利用)", r"\b(?:plutôt que|au lieu|à la place)\b", r"\b(?:en lugar|en vez)\b", r"\bвместо\b",
)  # fmt: skip
