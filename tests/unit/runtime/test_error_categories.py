"""The category of a refusal: by its status, by what its body says, by what the team says of the operation."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any

import httpx2
import pytest

from mcpgen.runtime.answers.answer_headers import rate_limit_reset, rate_limit_spent, retry_after
from mcpgen.runtime.api_errors.signals import Signal, of_code, of_words

from .refusals import ARGUMENTS, READ, failure, operation, refusal

pytestmark = pytest.mark.anyio
BUSINESS, VALIDATION, PERMISSION, NOT_FOUND = "business", "validation", "permission", "not_found"
TRANSIENT, INTERNAL = "transient", "internal"


# ---------------------------------------------------------------- the status alone

BARE = {
    VALIDATION: [400, 413, 414, 416, 422, 431],
    PERMISSION: [401, 403, 407, 419, 440, 498],
    NOT_FOUND: [404, 410],
    BUSINESS: [402, 409, 412, 418, 423, 424, 428, 449, 451],
    TRANSIENT: [408, 420, 425, 429, 502, 503, 504, 522, 529],
    INTERNAL: [405, 406, 411, 415, 417, 421, 426, 500, 501, 505, 508, 300],
}


@pytest.mark.parametrize(("category", "statuses"), BARE.items())
def test_a_status_has_a_category(category: str, statuses: list[int]) -> None:
    for status in statuses:
        found = failure(status)
        assert (found.category, found.status) == (category, status)
        assert found.retryable is (category in (VALIDATION, TRANSIENT))


def test_what_an_argument_could_change_decides() -> None:
    plain = operation(arguments=[], properties={})
    assert failure(500, operation=READ).category == TRANSIENT
    assert failure(414, operation=plain).category == INTERNAL
    assert failure(431, operation=plain).category == INTERNAL
    conditional = [
        *ARGUMENTS,
        {"name": "if_match", "python": "if_match", "in": "header", "wire_name": "If-Match"},
    ]
    assert failure(428, operation=operation(arguments=conditional)).category == VALIDATION
    upload = {"content_type": "multipart/form-data", "kind": "multipart", "files": {"photo": "one"}}
    assert failure(415, operation=operation(body=upload)).category == VALIDATION
    assert failure(415, operation=operation(body=upload | {"files": {}})).category == INTERNAL


# ---------------------------------------------------------------- words

RULES = [
    "Insufficient funds",
    "The account balance is too low",
    "Daily transfer limit exceeded",
    "You have reached the maximum number of projects",
    "Team is at its member limit",
    "Order has already been cancelled",
    "Order cannot be cancelled in its current state",
    "Cannot refund an order that is not paid",
    "You cannot modify an order after it has shipped",
    "This coupon has expired",
    "The booking window has closed",
    "Appointment slot is no longer available",
    "Item is sold out",
    "Not eligible for the promotion",
    "Transaction declined",
    "This content violates our policy",
    "Cannot delete customer: it is referenced by 3 orders",
    "Loan exceeds your remaining credit limit",
    "Upgrade your plan to add members",
    "Redirect address already exists.",
    "余额不足",
    "订单已取消",
    "用户名已存在",
    "Bestellung wurde bereits storniert",
    "Solde insuffisant",
    "El pedido ya ha sido cancelado",
    "O limite foi atingido: já existe",
    "Недостаточно средств",
    "Заказ уже отменён",
    "残高不足です",
    "이미 존재하는 이름",
]
MISTAKES = [
    "Something went wrong",
    "days must be at most 90",
    "limit must be between 1 and 100",
    "Invalid state code",
    "Invalid status value",
    "unknown field plan",
    "billing address is invalid",
    "The account field is required",
    "Character limit exceeded",
    "File size limit exceeded",
    "The ids must not contain duplicates.",
    "Invalid page token",
    "expected status in [open, closed]",
    "closed must be boolean",
    "email cannot be blank",
    '"days" is not allowed to be empty',
    "Extra inputs are not permitted",
    "No results for query",
    "Invalid credit card number",
    "The monthly limit must be between 1 and 5",
    "The order number has already been used, or is invalid: must be a number",
    "参数不能为空",
    "参数status格式错误",
    "用户不存在",
    "Ungültiges Datum",
    "Le champ nom est obligatoire",
    "El campo es obligatorio",
    "Неверный формат",
    "必須項目です",
]


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(
    ("category", "texts"),
    [
        (BUSINESS, RULES),
        (VALIDATION, MISTAKES),
        (
            PERMISSION,
            [
                "Invalid API key",
                "The security token included in the request is expired",
                "Not authorized",
                "You do not have permission to do this",
                "登录已过期",
                "Zugriff verweigert",
            ],
        ),
        (TRANSIENT, ["Too many requests", "Rate limit exceeded", "操作频繁", "Слишком много запросов"]),
    ],
)
def test_words_tell_rules_from_mistakes(status: int, category: str, texts: list[str]) -> None:
    for text in texts:
        assert (failure(status, {"message": text}).category, text) == (category, text)
        assert (failure(status, text).category, text) == (category, text)


CODES = {
    BUSINESS: "INSUFFICIENT_FUNDS ORDER_ALREADY_CAPTURED order_not_cancellable INVALID_STATE_TRANSITION LimitExceededException "
    "ResourceInUseException payment_intent_unexpected_state coupon_expired out_of_inventory bank_account_exists "
    "QuotaExceeded credit_limit_exceeded COMPLIANCE_VIOLATION ACCOUNT_FROZEN APPOINTMENT_SLOT_TAKEN OutOfStock "
    "cant_kick_self DUPLICATE_INVOICE_ID FAILED_PRECONDITION",
    PERMISSION: "AccessDeniedException ExpiredTokenException UNAUTHENTICATED invalid_api_key token_revoked session_expired "
    "PERMISSION_DENIED FORBIDDEN insufficient_permissions missing_scope",
    TRANSIENT: "ThrottlingException RequestLimitExceeded TooManyRequestsException rate_limited RATE_LIMIT_EXCEEDED",
    NOT_FOUND: "ResourceNotFoundException no_such_order NOT_FOUND",
    VALIDATION: "INVALID_ARGUMENT missing_field VALIDATION_ERROR invalid_request MalformedQueryString OUT_OF_RANGE E1001 "
    "amount_too_small invalid_page_token cannot_be_empty cannot_parse_date",
}


@pytest.mark.parametrize(("category", "codes"), CODES.items())
def test_codes_tell_rules_from_mistakes(category: str, codes: str) -> None:
    for code in codes.split():
        assert (failure(400, {"code": code, "message": "Failed"}).category, code) == (category, code)
        assert (failure(422, {"error": {"code": code}}).category, code) == (category, code)


def at_field(code: str = "", message: str = "no", field: str = "days") -> dict[str, Any]:
    return {"errors": [{"field": field, "message": message} | ({"code": code} if code else {})]}


CASES = [
    # A field pulls towards validation, but not away from money, quota and policy.
    (422, at_field(message="has already been taken"), VALIDATION),
    (422, at_field("already_exists"), VALIDATION),
    (422, at_field("already_exists", field="unknown"), VALIDATION),
    (422, at_field("insufficient_funds"), BUSINESS),
    (422, {"code": "already_exists", "message": "An order with this number exists"}, BUSINESS),
    (409, at_field(message="already taken"), BUSINESS),
    (409, at_field("invalid_format"), VALIDATION),
    (402, at_field("invalid_expiry"), VALIDATION),
    (402, at_field("card_expired"), BUSINESS),
    (400, {"error": {"code": "Failed", "message": "No.", "innererror": {"code": "QuotaExceeded"}}}, BUSINESS),
    (405, at_field(), VALIDATION),
    # A missing record, and a value that names none.
    (404, at_field(message="no such customer", field="customerName"), VALIDATION),
    (404, at_field(message="no such order", field="orderId"), NOT_FOUND),
    (400, {"__type": "ResourceNotFoundException", "message": "none"}, NOT_FOUND),
    # Rights and limits.
    (403, {"message": "You do not have permission to cancel this order"}, PERMISSION),
    (403, {"message": "Forbidden by the account's policy: user is not authorized"}, PERMISSION),
    (403, {"code": "account_suspended"}, PERMISSION),
    (403, {"message": "You have no permission: the order has already been cancelled"}, PERMISSION),
    (403, {"message": "Your plan does not include this. Upgrade your plan."}, BUSINESS),
    (403, {"error": "quota_exceeded"}, BUSINESS),
    (403, {"error": {"code": "ALREADY_SHIPPED"}}, BUSINESS),
    (403, {"message": "Secondary rate limit exceeded"}, TRANSIENT),
    (401, {"message": "quota exceeded"}, PERMISSION),
    # Conflicts that pass by themselves.
    (409, {"error": {"status": "ABORTED", "message": "again"}}, TRANSIENT),
    (409, {"message": "Another deployment is running, try again later"}, TRANSIENT),
    (409, {"message": "A deployment is already in progress, try again later"}, BUSINESS),
    (413, {"message": "Storage quota exceeded"}, BUSINESS),
    # Rates are renewed soon; the quota of a plan is not.
    (429, {"message": "Too many requests"}, TRANSIENT),
    (429, {"message": "Too many requests. Upgrade your plan to increase limits."}, TRANSIENT),
    (429, {"message": "Quota exceeded for 'reads' and limit 'reads per minute per user'"}, TRANSIENT),
    (429, {"message": "Rate limit reached on tokens per min. Try again in 1.2s, or see billing"}, TRANSIENT),
    (429, {"code": "limit_exceeded"}, TRANSIENT),
    (429, "请求过于频繁，请稍后再试", TRANSIENT),
    (429, {"message": "Monthly quota exceeded"}, BUSINESS),
    (429, {"message": "You have used all of your monthly calls"}, BUSINESS),
    (429, {"message": "Usage limit reached for this billing period"}, BUSINESS),
    (429, {"message": "No credits remaining"}, BUSINESS),
    (429, {"error": {"code": "insufficient_quota", "message": "Check your plan"}}, BUSINESS),
    (429, {"code": "QUOTA_EXCEEDED", "message": "Out of quota."}, BUSINESS),
    (429, "本月配额已用完", BUSINESS),
    # A broken server does not know what it says.
    (503, {"message": "Insufficient funds"}, TRANSIENT),
    (500, {"message": "Insufficient funds"}, INTERNAL),
]


@pytest.mark.parametrize(("status", "body", "category"), CASES)
def test_a_body_corrects_its_status(status: int, body: Any, category: str) -> None:
    assert failure(status, body).category == category


def test_a_read_has_no_values_that_a_404_could_be_about() -> None:
    assert failure(404, at_field(field="customerName"), operation=READ).category == NOT_FOUND


def test_a_token_that_is_an_argument_can_be_corrected() -> None:
    def check(name: str) -> str:
        argument = {"name": name, "python": name, "in": "query", "wire_name": name}
        taker = operation(arguments=[argument], properties={name: {"type": "string"}})
        return failure(400, {"error": "invalid_token"}, operation=taker).category

    assert check("token") == VALIDATION
    assert check("page_token") == PERMISSION


# ---------------------------------------------------------------- waits


def in_seconds(seconds: float) -> str:
    return formatdate(time.time() + seconds, usegmt=True)


@pytest.mark.parametrize(
    ("status", "headers", "category"),
    [
        (403, {"retry_after": "3"}, TRANSIENT),
        (403, {"x_ratelimit_remaining": "0"}, TRANSIENT),
        (403, {"x_ratelimit_remaining": "7"}, PERMISSION),
        (403, {"ratelimit": '"hour";r=0;t=9'}, TRANSIENT),
        (409, {"retry_after": "3"}, TRANSIENT),
        (413, {"retry_after": "3"}, TRANSIENT),
        (423, {"retry_after": "3"}, TRANSIENT),
        (404, {"retry_after": "3"}, NOT_FOUND),
        (400, {"retry_after": "3"}, VALIDATION),
    ],
)
def test_headers_correct_the_status(status: int, headers: dict[str, str], category: str) -> None:
    found = failure(status, {"message": "no"}, **headers)
    assert found.category == category
    assert (found.wait is not None) is (category == TRANSIENT and "x_ratelimit_remaining" not in headers)


@pytest.mark.parametrize(("wait", "category"), [("20", TRANSIENT), ("1209600", BUSINESS)])
def test_a_short_wait_is_no_month(wait: str, category: str) -> None:
    found = failure(429, {"message": "Monthly quota exceeded"}, retry_after=wait)
    assert found.category == category
    assert found.wait == (20 if category == TRANSIENT else None)


@pytest.mark.parametrize(
    ("name", "value", "least", "most"),
    [
        ("retry-after", "30", 30, 30),
        ("retry-after", lambda: in_seconds(60), 40, 60),
        ("ratelimit-reset", "50", 50, 50),
        ("ratelimit", '"default";r=0;t=31', 31, 31),
        ("ratelimit", "limit=100, remaining=0, reset=32", 32, 32),
        ("x-ratelimit-reset", "33", 33, 33),
        ("x-ratelimit-reset", lambda: str(int(time.time()) + 60), 40, 60),
        ("x-ratelimit-reset", lambda: str(int(time.time() * 1000) + 60_000), 40, 60),
        ("x-ratelimit-reset", "1000000000", 0, 0),
        ("x-ratelimit-reset", "1m30s", 90, 90),
        ("x-ratelimit-reset", "2099-01-01T00:00:00Z", 366 * 86_400, 366 * 86_400),
        ("x-rate-limit-reset", lambda: in_seconds(60), 40, 61),
        ("x-ratelimit-reset-after", "1.2", 2, 2),
        ("x-ratelimit-reset", "9" * 400, None, None),
        ("x-ratelimit-reset", "-5", None, None),
        ("x-ratelimit-reset", "nan", None, None),
        ("x-ratelimit-reset", "soon", None, None),
        ("ratelimit", "t=1.5", None, None),
    ],
)
def test_a_wait_is_read_from_headers(name: str, value: Any, least: int | None, most: int | None) -> None:
    text = value() if callable(value) else value
    found = failure(429, "slow", **{name.replace("-", "_"): text}).wait
    if least is None or most is None:
        assert found is None
    else:
        assert found is not None
        assert least <= found <= most


def test_what_the_api_asks_for_comes_before_the_window() -> None:
    body = {"message": "slow", "retry_after": 7}
    assert failure(429, body, retry_after="5", x_ratelimit_reset="60").wait == 5
    assert failure(429, body, x_ratelimit_reset="60").wait == 7
    assert failure(429, {"message": "slow", "retryAfterMs": 1500}).wait == 2
    assert failure(429, {"message": "slow", "retry_after": 10**400}).wait is None
    assert failure(422, body, retry_after="5").wait is None


def test_odd_headers_are_no_limits() -> None:
    odd = httpx2.Headers({"x-ratelimit-remaining": "none", "ratelimit": "r=00;t=", "retry-after": "9" * 5000})
    assert not rate_limit_spent(odd)
    assert rate_limit_reset(odd) is None
    assert retry_after(odd) == 366 * 86_400


# ---------------------------------------------------------------- what the team says


@pytest.mark.parametrize(
    ("categories", "status", "body", "category"),
    [
        ({"422": "business"}, 422, {"message": "days must be at most 90"}, BUSINESS),
        ({"4XX": "business"}, 404, "", BUSINESS),
        ({"4XX": "business"}, 500, "", INTERNAL),
        ({"default": "transient"}, 500, "", TRANSIENT),
        ({"4XX": "business", "404": "validation"}, 404, "", VALIDATION),
        (
            {"422:card_declined": "business"},
            422,
            {"error": {"code": "card_declined", "param": "days"}},
            BUSINESS,
        ),
        ({"422:card_declined": "business"}, 422, {"error": {"code": "other"}}, VALIDATION),
        ({"422": "validation", "4XX:E7": "permission"}, 422, {"code": "E7"}, PERMISSION),
        ({"400:1001": "not_found"}, 400, {"code": 1001, "msg": "x"}, NOT_FOUND),
        ({"422": "nonsense", "4XX": None, "default": ["business"]}, 422, "", VALIDATION),
    ],
)
def test_the_team_has_the_last_word(
    categories: dict[str, Any], status: int, body: Any, category: str
) -> None:
    found = failure(status, body, operation=operation(categories=categories))
    assert found.category == category
    assert found.retryable is (category in (VALIDATION, TRANSIENT))


async def test_the_catalogue_can_say_it(build, op, mode) -> None:
    shop = build(pay=op(more={"categories": {"409:locked": "transient", "409": "validation"}}))
    shop.answer(httpx2.Response(409, json={"code": "locked"}))
    assert (await shop.told("pay", mode=mode))["category"] == TRANSIENT
    shop.answer(httpx2.Response(409, json={"code": "other"}))
    assert (await shop.told("pay", mode=mode))["category"] == VALIDATION


# ---------------------------------------------------------------- errors with the status of a success


@pytest.mark.parametrize(
    ("body", "category"),
    [
        ({"ok": False, "error": "ratelimited"}, TRANSIENT),
        ({"ok": False, "error": "channel_not_found"}, NOT_FOUND),
        ({"ok": False, "error": "invalid_cursor"}, VALIDATION),
        ({"ok": False, "error": "is_archived"}, BUSINESS),
        ({"ok": False, "error": "not_in_channel"}, BUSINESS),
        ({"success": False, "message": "nope"}, BUSINESS),
        ({"success": False, "errors": {"days": ["too many"]}}, VALIDATION),
        ({"status": "error", "message": "nope", "data": None}, BUSINESS),
        ({"code": 40001, "msg": "余额不足", "data": {}}, BUSINESS),
        ({"errcode": 40013, "errmsg": "参数错误"}, VALIDATION),
        ({"code": 404, "message": "nope"}, NOT_FOUND),
        ({"code": "422", "message": "nope"}, VALIDATION),
        ({"errors": [{"message": "x", "extensions": {"code": "UNAUTHENTICATED"}}], "data": None}, PERMISSION),
        ({"errors": [{"message": "x", "extensions": {"code": "INTERNAL_SERVER_ERROR"}}]}, INTERNAL),
        ({"errors": [{"message": "x", "extensions": {"code": "BAD_USER_INPUT"}}]}, VALIDATION),
        ({"error": {"code": "quota_exceeded", "message": "x"}}, BUSINESS),
        ({"Error": {"Code": "ThrottlingException", "Message": "x"}}, TRANSIENT),
        ({"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "Invalid params"}}, VALIDATION),
        ({"result": None, "error": {"code": "quota_exceeded", "message": "x"}}, BUSINESS),
    ],
)
def test_an_error_is_told_apart_from_data(body: Any, category: str) -> None:
    found = refusal(body)
    assert found is not None
    assert (found.category, found.status) == (category, 200)
    assert found.message.startswith("The API answered 200, but with an error")


@pytest.mark.parametrize(
    "body",
    [
        {"ok": True, "error": "x"},
        {"message": "done"},
        {"code": 0, "msg": "ok"},
        {"code": 200, "msg": "ok"},
        {"status": "error"},
        {"code": 829, "message": "gone", "kind": "Status", "metadata": {}},  # a field of the thing itself
        {"code": 1234, "message": "Your code", "to": "+1"},
        {"errors": [{"message": "partly"}], "data": {"x": 1}},
        {"errors": [], "data": None},
        {"error": "none", "orders": [1]},
        {"success": False, "message": "x", "result": [1]},
        [],
        None,
        "error",
    ],
)
def test_doubtful_values_stay_data(body: Any) -> None:
    assert refusal(body) is None


def test_what_the_api_documents_stays_data() -> None:
    documented = operation(data={"type": "object", "required": ["ok"]})
    assert refusal({"ok": False, "error": "not_in_channel"}) is not None
    assert refusal({"ok": False, "error": "not_in_channel"}, documented) is None
    assert refusal({"ok": False, "error": "not_in_channel"}, operation(data={})) is None


# ---------------------------------------------------------------- signals


def test_codes_are_read_word_by_word() -> None:
    for code in (
        "rateLimitExceeded",
        "RATE_LIMIT_EXCEEDED",
        "rate-limit-exceeded",
        "com.shop.RateLimitExceeded",
    ):
        assert Signal.TRANSIENT in of_code(code), code
    assert of_code("TokenExpired") >= {Signal.PERMISSION}
    assert not of_code("corporate")
    assert not of_words("The corporate tier")


def test_words_of_no_meaning_point_nowhere() -> None:
    for text in ("", "zq", "?", "The order of the day is fish"):
        assert of_words(text) == of_code(text) == frozenset()
