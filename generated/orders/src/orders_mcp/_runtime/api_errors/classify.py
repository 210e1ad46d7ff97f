"""The category of a refusal: what its status says, corrected by what its body says.

A correction needs evidence that points one way. Codes of machines count more than words of people, and a fault at
a field of the request pulls towards `validation`. What stays unclear keeps the category of its status.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..operation import Operation
from ..outcomes.failures import Category
from .fields import Located
from .model import squashed
from .signals import Signal

_STATUS_CATEGORY = {
    400: Category.VALIDATION,
    401: Category.PERMISSION,
    402: Category.BUSINESS,
    403: Category.PERMISSION,
    404: Category.NOT_FOUND,
    405: Category.INTERNAL,
    406: Category.INTERNAL,
    407: Category.PERMISSION,
    408: Category.TRANSIENT,
    410: Category.NOT_FOUND,
    411: Category.INTERNAL,
    413: Category.VALIDATION,
    414: Category.VALIDATION,
    415: Category.INTERNAL,
    416: Category.VALIDATION,
    417: Category.INTERNAL,
    419: Category.PERMISSION,  # not registered: a session that has ended
    420: Category.TRANSIENT,  # not registered: too fast
    421: Category.INTERNAL,
    422: Category.VALIDATION,
    425: Category.TRANSIENT,
    426: Category.INTERNAL,
    429: Category.TRANSIENT,
    431: Category.VALIDATION,
    440: Category.PERMISSION,  # not registered: a login that has ended
    498: Category.PERMISSION,  # not registered: a token that has ended
    502: Category.TRANSIENT,
    503: Category.TRANSIENT,
    504: Category.TRANSIENT,
    **dict.fromkeys((520, 521, 522, 523, 524, 529), Category.TRANSIENT),  # not registered: gateways, overload
}
"""By RFC 9110, 15.5 and the IANA registry. Other 4xx are the API's business rules; other 5xx depend on the call."""

_CLEAR = {
    Signal.TRANSIENT: Category.TRANSIENT,
    Signal.PERMISSION: Category.PERMISSION,
    Signal.RULE: Category.BUSINESS,
    Signal.STATE: Category.BUSINESS,
    Signal.SPENT: Category.BUSINESS,
    Signal.NOT_FOUND: Category.NOT_FOUND,
    Signal.VALIDATION: Category.VALIDATION,
}
_CATEGORIES = {str(category): category for category in Category}
_RULES = frozenset({Signal.RULE, Signal.STATE, Signal.SPENT})
_PAGE_TOKENS = ("pagetoken", "nexttoken", "continuationtoken", "synctoken")
_SHORT_WAIT = 3600.0
"""Seconds. An API that names a longer one speaks of a day or a month, not of a rate."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one refusal tells beside its status.

    Attributes:
        status: None for an answer that is no refusal by its status.
        codes: the machine codes of body and headers; `coded` is what they point to.
        worded: what the API's words point to.
        located: the arguments that the body finds fault with.
        fields: whether it finds fault with any field, also one that is no argument of this tool.
        wait: seconds that the API asks to wait.
        rate_spent: the headers say that no more calls are allowed for now.
    """

    operation: Operation
    status: int | None
    codes: tuple[str, ...] = ()
    coded: frozenset[Signal] = frozenset()
    worded: frozenset[Signal] = frozenset()
    located: tuple[Located, ...] = ()
    fields: bool = False
    wait: float | None = None
    rate_spent: bool = False

    @property
    def takes_secret(self) -> bool:
        """Whether a token or password is an argument: a wrong one can then be the caller's own."""
        ends = ("token", "password", "apikey", "credentials", "secret")
        names = (squashed(argument.name) for argument in self.operation.arguments)
        return any(name.endswith(ends) and not name.endswith(_PAGE_TOKENS) for name in names)


def category_of(evidence: Evidence) -> Category:
    """The category of a refusal, or of an answer that holds an error in place of data."""
    told = _told(evidence)
    if told is not None:
        return told
    status = evidence.status or _written_status(evidence.codes)
    if status is None:
        return _unspoken(evidence)
    default = status_category(status, evidence.operation)
    if not 400 <= status < 500:
        return default
    decide = _DECIDERS.get(status, _by_rules if default is Category.BUSINESS else _as_it_is)
    return decide(evidence, default)


def status_category(status: int, operation: Operation) -> Category:
    """What a status means by itself. A 500 of a call that is safe to repeat may be gone the next time."""
    known = _STATUS_CATEGORY.get(status)
    if known is not None:
        return known
    if 400 <= status < 500:
        return Category.BUSINESS
    return Category.TRANSIENT if status == 500 and operation.repeatable else Category.INTERNAL


def _told(evidence: Evidence) -> Category | None:
    """What the team says of this operation, the most precise key first: `422:card_declined`, `422`, `4XX`, `default`."""
    categories: Mapping[str, str] = evidence.operation.categories
    if not categories:
        return None
    status = evidence.status or 200
    keys = (str(status), f"{status // 100}XX", "default")
    for key in (*(f"{key}:{code}" for key in keys for code in evidence.codes), *keys):
        found = _CATEGORIES.get(str(categories.get(key)))
        if found is not None:
            return found
    return None


def _written_status(codes: tuple[str, ...]) -> int | None:
    """The HTTP status that a body names as its code."""
    return next(
        (int(code) for code in codes if len(code) == 3 and code.isascii() and "400" <= code < "600"), None
    )


def _unspoken(evidence: Evidence) -> Category:
    """An error without any status."""
    if Signal.BROKEN in evidence.coded:
        return Category.INTERNAL
    checked = Signal.CHECKED in evidence.coded and not evidence.coded & _RULES
    return _by_content(evidence, Category.VALIDATION if checked else Category.BUSINESS)


def _as_it_is(_: Evidence, default: Category) -> Category:
    return default


def _by_content(evidence: Evidence, default: Category) -> Category:
    """400, 422 and errors without a status: APIs use them for everything."""
    coded, worded = evidence.coded, evidence.worded
    asks_for_login = not evidence.fields and not evidence.takes_secret
    if Signal.TRANSIENT in coded:
        return Category.TRANSIENT
    if Signal.PERMISSION in coded and asks_for_login:
        return Category.PERMISSION
    if coded & {Signal.RULE, Signal.SPENT}:
        return Category.BUSINESS
    if evidence.fields:
        return Category.VALIDATION
    if Signal.STATE in coded:
        return Category.BUSINESS
    if Signal.NOT_FOUND in coded:
        return Category.NOT_FOUND
    if Signal.VALIDATION in coded:
        return Category.VALIDATION
    meant = {_CLEAR[signal] for signal in worded if signal in _CLEAR}
    if not asks_for_login:
        meant.discard(Category.PERMISSION)
    if evidence.status is not None:  # which record is missing, the caller can correct
        meant.discard(Category.NOT_FOUND)
    return meant.pop() if len(meant) == 1 else default


def _forbidden(evidence: Evidence, default: Category) -> Category:
    """403: a missing right, unless it is a limit."""
    coded, worded = evidence.coded, evidence.worded
    if Signal.TRANSIENT in coded or evidence.wait is not None or evidence.rate_spent:
        return Category.TRANSIENT
    rules = coded & _RULES
    if rules and not (rules == {Signal.STATE} and Signal.PERMISSION in coded):  # such as a disabled account
        return Category.BUSINESS
    if Signal.PERMISSION in worded:
        return default
    if Signal.TRANSIENT in worded:
        return Category.TRANSIENT
    return Category.BUSINESS if worded & _RULES else default


def _missing(evidence: Evidence, default: Category) -> Category:
    """404 and 410: what the address names is missing, unless a write is told which of its values is wrong."""
    writes = evidence.operation.effect != "read"
    inside = any(located.where != "path" for located in evidence.located)
    return Category.VALIDATION if writes and inside else default


def _by_rules(evidence: Evidence, default: Category) -> Category:
    """402, 409, 412, 423, 428 and what nobody has registered: rules of the API, unless it says otherwise."""
    coded, worded = evidence.coded, evidence.worded
    if Signal.TRANSIENT in coded or evidence.wait is not None:
        return Category.TRANSIENT
    if Signal.TRANSIENT in worded and not (coded | worded) & _RULES:
        return Category.TRANSIENT
    faulty = bool(coded & {Signal.VALIDATION, Signal.CHECKED}) and bool(evidence.located)
    return Category.VALIDATION if faulty and not coded & _RULES else default


def _precondition_required(evidence: Evidence, default: Category) -> Category:
    """428: the call lacks a header such as `If-Match`, which the caller can give where it is an argument."""
    names = {squashed(argument.wire_name or "") for argument in evidence.operation.arguments}
    conditional = {"ifmatch", "ifunmodifiedsince", "ifnonematch", "ifmodifiedsince"}
    return Category.VALIDATION if names & conditional else default


def _of_this_server(evidence: Evidence, default: Category) -> Category:
    """405, 406, 415: method and media types are the tool's, unless an argument is named, or a file has a type."""
    body = evidence.operation.body
    takes_type = evidence.status == 415 and body is not None and (bool(body.files) or body.kind == "binary")
    return Category.VALIDATION if evidence.located or takes_type else default


def _too_large(evidence: Evidence, default: Category) -> Category:
    """413: less can be sent, unless it is just now (RFC 9110, 15.5.14) or no room is left."""
    if evidence.wait is not None:
        return Category.TRANSIENT
    return Category.BUSINESS if Signal.RULE in evidence.coded | evidence.worded else default


def _too_long(evidence: Evidence, default: Category) -> Category:
    """414 and 431: arguments make the address or the headers long; without any it is the tool."""
    places = {"path", "query", "querystring"} if evidence.status == 414 else {"header", "cookie"}
    return default if any(a.where in places for a in evidence.operation.arguments) else Category.INTERNAL


def _too_many(evidence: Evidence, default: Category) -> Category:
    """429: a rate, which is soon renewed, unless the quota of a plan, a month or an account is used up."""
    signals = evidence.coded | evidence.worded
    if Signal.SPENT in evidence.coded:
        return Category.BUSINESS
    soon = evidence.wait is not None and evidence.wait <= _SHORT_WAIT
    if soon or Signal.PER_TIME in signals:
        return default
    spent = Signal.SPENT in signals or {Signal.ALLOWANCE, Signal.USED_UP} <= signals
    return Category.BUSINESS if spent else default


_DECIDERS: dict[int, Callable[[Evidence, Category], Category]] = {
    400: _by_content,
    403: _forbidden,
    404: _missing,
    405: _of_this_server,
    406: _of_this_server,
    410: _missing,
    413: _too_large,
    414: _too_long,
    415: _of_this_server,
    422: _by_content,
    428: _precondition_required,
    429: _too_many,
    431: _too_long,
}
