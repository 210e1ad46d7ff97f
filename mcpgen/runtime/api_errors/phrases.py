"""English phrases of API errors by what they point to (`signals.Signal`): lower case, single spaces.

They are looked for in words and in codes, and begin at the border of a word. All repetitions are bounded, because
the texts are anybody's.
"""

from __future__ import annotations

_STATES = (
    r"(?:closed|archived|locked|frozen|suspended|cancell?ed|completed|finali[sz]ed|settled|shipped|delivered|paid"
    r"|refunded|terminated|disabled|deactivated|inactive|reserved|booked|taken|used|in use|assigned"
    r"|published|approved|rejected|processed|captured|voided|redeemed)"
)
_DEEDS = (
    r"(?:cancel|refund|delet|remov|reopen|approv|reject|ship|clos|withdraw|transfer|book|reserv|schedul|renew|return"
    r"|archiv|publish|merg|leave|kick|pay|charg|captur|void|complet|start|stop|restart|terminat|deactivat|redeem)\w*"
)
_CHANGES = r"(?:edit|modif|chang|updat|alter|mov|add|creat)\w*"
_MEANS = (
    r"(?:funds?|balances?|credits?|money|points|stock|inventory|quantity|quota|capacity|margin|liquidity|seats?"
    r"|licen[cs]es?)"
)
_SECRETS = r"(?:tokens?|credentials?|api ?keys?|access keys?|signatures?|sessions?|jwt)"
_OTHER_TOKENS = r"(?<!page )(?<!next )(?<!sync )(?<!push )(?<!card )(?<!device )(?<!cursor )(?<!payment )"
_KINDS = r"(?:(?:access|bearer|auth|authentication|authorization|api|id|refresh|session|security|client|app|user) )"
_OWN = (
    r"(?:daily|weekly|monthly|yearly|annual|lifetime|plan|account|credit|spending|spend|transfer|withdrawal"
)
_OWN += r"|transaction|purchase|usage|free tier|subscription|trial|member|seat|storage|overdraft|cumulative|billing)"
_NOT_A_SIZE = r"(?<!rate )(?<!character )(?<!length )(?<!size )(?<!request )(?<!requests )(?<!page )(?<!payload )(?<!time )"

ENGLISH: dict[str, tuple[str, ...]] = {
    "transient": (
        r"rate[- ]?limit",
        r"too many (?:requests|calls|attempts)",
        r"throttl",
        r"slow ?down\b",
        r"(?:try|retry)(?: again| your request| the request)? (?:later|shortly|soon|in (?:an? |\d))",
        r"please retry\b",
        r"temporarily (?:unavailable|overloaded)",
        r"(?:server|system|service) (?:is )?(?:too |currently )?(?:busy|unavailable|overloaded)",
        r"request limit exceeded",
        r"throughput exceeded",
        r"lock (?:wait )?time ?out",
        r"deadlock",
        r"(?:gateway|request|upstream|connection|query|operation) time(?:d )? ?out",
    ),
    "per_time": (
        r"per (?:second|sec|minute|min|hour)\b",
        r"[rqt]p[smh]\b",
        r"(?:try|retry)(?: again)? (?:in|after) (?:an? |\d)",
        r"retry[- ]after",
        r"resets? (?:in|at|after) ",
        r"concurrent requests",
    ),
    "permission": (
        rf"{_KINDS}?{_OTHER_TOKENS}{_SECRETS} (?:\w+ ){{0,6}}(?:expired|invalid|revoked|missing|incorrect|timed out)\b",
        rf"{_KINDS}?{_OTHER_TOKENS}{_SECRETS} (?:is |are )?(?:not valid|required)\b",
        rf"(?:invalid|expired|missing|bad|wrong|incorrect|revoked) {_KINDS}{{0,2}}{_SECRETS}\b",
        r"invalid (?:client )?auth(?:entication|orization)?\b",
        r"un(?:authori[sz]ed|authenticated)",
        r"not (?:been )?(?:authori[sz]ed|authenticated|authed|logged in|signed in)\b",
        r"(?:authentication|authorization|login) (?:is )?(?:required|failed|failure|needed|timeout)",
        r"access (?:is |was |has been )?denied",
        r"permissions? (?:is |was )?denied",
        r"(?:insufficient|missing|lacks?|lacking|without|no|requires?|not have|don't have|doesn't have)"
        r" (?:the |any |sufficient |enough |required |necessary |appropriate |proper ){0,3}"
        r"(?:\w+ )?(?:permissions?|privileges?|scopes?|access rights)\b",
        r"^forbidden\b",
        r"access (?:is )?forbidden\b",
        r"only (?:\w+ ){0,3}(?:admin\w*|owners?|moderators?)\b",
        r"not (?:allowed|permitted) to (?!be\b)",
        r"not (?:an? )?(?:admin|administrator|owner)\b",
        r"unrecogni[sz]ed client",
        r"signature does not match",
        r"incomplete signature",
        r"(?:account|user|api key) (?:is |was |has been )?(?:suspended|disabled|deactivated|inactive|blocked|banned)\b",
        r"credentials have timed out",
    ),
    "not_found": (
        r"not ?found\b",
        r"no such (?!column|file|field|property)",
        r"does(?: not|n't) exist",
        r"could not (?:be found|find)\b",
        r"resource (?:is )?missing\b",
    ),
    "validation": (
        r"invalid (?:argument|parameter|param|value|field|format|input|type|json|body|date|time|range|number|length"
        r"|enum|syntax|query|filter|email|url|uuid|id|identifier|character|option|choice|attribute|currency|country)",
        r"(?<!payment )(?<!subscription )(?<!upgrade )(?<!authentication )(?<!verification )(?<!login )is required\b",
        r"must (?:not )?(?:be (?:an? |at |one |between |greater |less |in |of |positive|unique|valid|non|set |provided"
        r"|specified|present|null|empty|blank|equal|after |before |longer|shorter|no |\d)|contain|have |match|start"
        r"|end |include)",
        r"should (?:be|match|have) ",
        r"(?:can ?not|can't|may not|must not|should not) be (?:null|blank|empty|negative|zero|less|greater|more|longer"
        r"|shorter|missing|undefined|before|after|in the)",
        r"missing (?:required|mandatory|parameter|param|field|argument|value|property|query|header|body)",
        r"malformed",
        r"not (?:a |an )?(?:valid|integer|number|string|uuid|date)\b",
        r"(?:unknown|unrecogni[sz]ed|unexpected) (?:field|parameter|argument|attribute|property|value|key)",
        r"expected (?:an? |to be |string|integer|number|object|array)",
        r"too (?:long|short|large|small|big)\b(?! (?:for|to))",
        r"too many (?!requests|calls|attempts)",
        r"out of range\b",
        r"(?:could|can)(?: ?not|n't) (?:be )?(?:parse|decode|deserialize|convert)",
        r"unexpected token",
        r"syntax error",
        r"bad user input",
    ),
    "rule": (
        rf"(?:insufficient|not enough|inadequate) (?:\w+ ){{0,2}}{_MEANS}\b",
        r"(?:balance|funds|credit|stock) (?:\w+ ){0,3}(?:insufficient|too low|exhausted|depleted|not sufficient)\b",
        r"exceed\w* (?:the |your |its |account )?(?:\w+ )?(?:available|remaining|current|outstanding) (?:\w+ )?"
        r"(?:balance|funds|credit|stock|quantity|inventory)\b",
        r"out of (?:stock|credits?|funds|money|quota|capacity|inventory)\b",
        r"stock ?out\b",
        r"sold out\b",
        r"(?:fully |over)booked\b",
        rf"no (?:more )?{_MEANS} (?:left|remaining|available)\b",
        r"declined\b",
        r"do not honou?r\b",
        r"fraud",
        r"(?:rejected|blocked|refused) by (?:\w+ ){0,2}(?:bank|issuer|risk|compliance|processor)\b",
        r"exceed\w* your (?:\w+ ){0,3}(?:limit|cap|allowance|balance)\b",
        rf"{_OWN} (?:\w+ ){{0,2}}(?:limits?|caps?|allowance|maximum)\b",
        r"quota",
        r"upgrade (?:your|to|the|plan|required|subscription)\b",
        r"your (?:\w+ )?(?:plan|subscription|tier)\b",
        r"(?:on|in|by|with|for|under|of) (?:the|this)(?: current| free)? (?:plan|tier)\b",
        r"plan (?:limit|upgrade|required|does not (?:include|allow|support|cover))\b",
        r"subscription (?:\w+ ){0,2}(?:required|expired|inactive|ended|lapsed)\b",
        r"trial (?:\w+ ){0,3}(?:ended|expired|over)\b",
        r"payment (?:is )?required\b",
        r"past due\b",
        r"unpaid\b",
        r"billing\b(?! (?:address|details|email|name|contact|info|city|country|zip|postal|phone|street|state))",
        r"(?:violat\w+|against|prohibited by|blocked by|denied by|forbidden by|not allowed by) (?:\w+ ){0,4}"
        r"(?:polic(?:y|ies)|terms|rules?|regulations?|guidelines)\b",
        r"(?:policy|rule|compliance) violation",
        r"content policy",
        r"business (?:rule|logic|error)",
        r"failed precondition\b",
        r"precondition (?:check )?failed\b",
        r"conditional check failed\b",
        r"(?:state|status) (?:transition|conflict)",
        r"not (?:\w+ )?eligible\b",
        r"ineligible\b",
    ),
    "state": (
        r"already\b",
        r"duplicate (?:entry|key|record|name|value|order|request|resource|transaction|error|exception)",
        r"with (?:this|that|the same) (?:\w+ ){1,3}exists\b",
        r"(?:being used|used by|referenced by|still (?:has|have|contains)|conflict\w* with)\b",
        r"has (?:active|open|existing|pending|outstanding|associated|dependent) \w",
        rf"(?:is|was|are|were|been) (?:currently )?{_STATES}\b(?! (?:for|to|as|by|in)\b)",
        rf"(?:can ?not|cant|can't|unable to|not possible to|could not) (?:be )?{_DEEDS}\b",
        rf"(?:can ?not|can't|unable to) (?:be )?{_CHANGES} (?:\w+ ){{0,6}}(?:once|after|because|while|when|until|any ?more)\b",
        r"(?:invalid|illegal|wrong|unexpected|incompatible) (?:\w+ )?(?:state|status) (?:for|to)\b",
        r"(?:offer|coupon|voucher|quote|order|link|invitation|code|promotion|card|reservation|hold|listing|auction"
        r"|contract|licen[cs]e|period|it) (?:is|has|was|have) (?:already )?expired\b",
        r"in (?:its |the |this |an? )?(?:current|present|\w+) (?:state|status)\b",
        r"(?:current|present) (?:state|status)\b",
        r"no longer\b",
        r"too (?:late|early) (?:to|for)\b",
        r"deadline\b",
        r"cut-?off\b",
        r"(?:window|period) (?:\w+ ){0,3}(?:passed|closed|ended|over|elapsed)\b",
        r"outside (?:of )?(?:\w+ )?(?:business|opening|trading|market|working|office) hours",
        rf"{_NOT_A_SIZE}limits? (?:\w+ ){{0,3}}(?:reached|exceeded|hit)\b",
        r"max(?:imum)? (?:number|amount|count|quantity) of (?:\w+ ){1,8}(?:reached|exceeded)\b",
        r"(?:reached|hit) (?:the|your|its|an?) (?:\w+ ){0,3}(?:limit|maximum|cap)\b",
    ),
    "allowance": (
        r"quota",
        r"credits?\b",
        r"billing\b",
        r"(?:daily|weekly|monthly|yearly|annual)\b",
        r"(?:your|current|free|trial) (?:\w+ )?(?:plan|tier|subscription)\b",
        r"plan(?:'s)? (?:limit|allowance)",
        r"(?:usage|spend(?:ing)?) (?:limit|cap)",
        r"free tier\b",
        r"allowance\b",
    ),
    "used_up": (
        r"exceed",
        r"reached\b",
        r"exhaust",
        r"used (?:up|all)\b",
        r"deplet",
        r"consumed\b",
        r"r[ua]n out\b",
        r"out of\b",
        r"no (?:more )?(?:\w+ )?(?:remaining|left)\b",
        r"insufficient\b",
    ),
    "spent": (
        r"insufficient (?:\w+ )?(?:quota|credits?|balance|funds)\b",
        r"out of credits?\b",
        r"no credits? (?:left|remaining)\b",
        r"(?:billing|spend(?:ing)?) (?:hard )?(?:limit|cap)",
        r"payment required\b",
    ),
}

IN_CODES: dict[str, tuple[str, ...]] = {
    "transient": (
        r"ratelimited",
        r"^(?:operation |request |transaction )?aborted$",
        r"^unavailable$",
        r"temporarily unavailable$",
        r"enhance your calm",
    ),
    "permission": (
        r"forbidden\b",
        r"missing scope",
        r"insufficient scope",
        r"no permission",
        r"invalid client\b",
        r"invalid user auth",
    ),
    "not_found": (r"unknown (?:user|order|customer|account|resource|object|channel|message)$", r"gone$"),
    "validation": (
        r"missing (?:\w+ )?(?:parameter|param|field|argument|property)",
        r"invalid argument",
        r"parse error",
    ),
    "checked": (
        r"validation",
        r"invalid",
        r"unprocessable",
        r"bad request",
        r"malformed",
        r"missing",
        r"required",
    ),
    "rule": (
        r"monthly",
        r"not applicable to plan",
        r"dependency violation",
        r"resource in use",
        r"delete conflict",
    ),
    "state": (
        rf"{_STATES}(?: error| exception)?$",
        r"expired$",
        r"(?:invalid|illegal|wrong|incorrect|unexpected|incompatible) (?:\w+ )?state(?: error| exception)?$",
        r"exists(?: error| exception)?$",
        r"duplicated?(?: error| exception)?$",
        r"^duplicated? ",
        r"(?:restricted|refused)$",
        r"conflict(?: error| exception)?$",
        r"(?:cannot|cant|can not)\b(?! (?:be )?(?:null|empty|blank|pars|read|decod))",
        r"not (?!accept|avail|applic|process)\w+able\b",
        rf"{_NOT_A_SIZE}limit exceeded",
        r"entity exists",
    ),
    "spent": (r"(?:monthly|plan|spend\w*|billing|credit) (?:\w+ )?(?:limit|quota|cap)\b",),
    "broken": (r"internal (?:server )?error", r"internal$", r"fatal error", r"server error", r"unhandled"),
}
