"""Error bodies of every common shape: what they say, and which argument they are about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from .refusals import failure, words

pytestmark = pytest.mark.anyio


@dataclass
class Case:
    """One body of one shape, and what is made of it."""

    status: int
    body: Any
    words: str
    category: str = "validation"
    wait: int | None = None
    media_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)


GRPC = "type.googleapis.com/google.rpc."

CASES = {
    "RFC 9457 with errors": Case(
        422,
        {
            "type": "https://shop.example/problems/bad-order",
            "title": "The order is not valid",
            "status": 422,
            "errors": [
                {"detail": "has to be 90 or less", "pointer": "#/days"},
                {"detail": "has to be positive", "pointer": "#/items/2/unit_price"},
            ],
        },
        "The order is not valid; days: has to be 90 or less; items[2].unitPrice: has to be positive",
        media_type="application/problem+json",
    ),
    "RFC 7807 invalid-params": Case(
        400,
        {"title": "Look again", "invalid-params": [{"name": "days", "reason": "is no number"}]},
        "Look again; days: is no number",
    ),
    "RFC 9457 type as code": Case(
        403,
        {"type": "https://shop.example/problems/out-of-credit", "title": "Not today"},
        "Not today",
        "business",
    ),
    "JSON:API pointer": Case(
        422,
        {
            "errors": [
                {
                    "status": "422",
                    "code": "TOO_SHORT",
                    "title": "Bad attribute",
                    "detail": "Say the whole name.",
                    "source": {"pointer": "/data/attributes/customer-name"},
                }
            ]
        },
        "customer_name: Say the whole name. (TOO_SHORT)",
        media_type="application/vnd.api+json",
    ),
    "JSON:API parameter and header": Case(
        400,
        {
            "errors": [
                {"title": "No flag", "source": {"parameter": "dry-run"}},
                {"title": "No id", "source": {"header": "x-request-id"}},
            ]
        },
        "dry_run: No flag; request_id: No id",
    ),
    "Google field violations": Case(
        400,
        {
            "error": {
                "code": 400,
                "status": "INVALID_ARGUMENT",
                "message": "Not a good order.",
                "details": [
                    {
                        "@type": GRPC + "BadRequest",
                        "fieldViolations": [
                            {"field": "order.items[0].unit_price", "description": "is missing"}
                        ],
                    },
                    {"@type": GRPC + "DebugInfo", "detail": "at com.shop.Orders", "stackEntries": ["a", "b"]},
                    {
                        "@type": GRPC + "Help",
                        "links": [{"description": "Docs", "url": "https://docs.example"}],
                    },
                ],
            }
        },
        "Not a good order.; items[0].unitPrice: is missing",
    ),
    "Google retry info": Case(
        429,
        {
            "error": {
                "status": "RESOURCE_EXHAUSTED",
                "message": "You exceeded your current quota, see your plan.",
                "details": [{"@type": GRPC + "RetryInfo", "retryDelay": "26.2s"}],
            }
        },
        "You exceeded your current quota, see your plan.",
        "transient",
        wait=27,
    ),
    "Google error info": Case(
        400,
        {
            "error": {
                "status": "INVALID_ARGUMENT",
                "message": "The key is no good.",
                "details": [{"@type": GRPC + "ErrorInfo", "reason": "API_KEY_INVALID"}],
            }
        },
        "The key is no good.; API_KEY_INVALID",
        "permission",
    ),
    "Google precondition": Case(
        400,
        {
            "error": {
                "message": "Not now.",
                "details": [
                    {
                        "@type": GRPC + "PreconditionFailure",
                        "violations": [
                            {"type": "AGE", "subject": "orders/1", "description": "It is too old."}
                        ],
                    }
                ],
            }
        },
        "Not now.; It is too old.",
        "business",
    ),
    "Google quota failure": Case(
        429,
        {
            "error": {
                "message": "No more today.",
                "details": [
                    {
                        "@type": GRPC + "QuotaFailure",
                        "violations": [{"subject": "project", "description": "Daily quota exceeded"}],
                    }
                ],
            }
        },
        "No more today.; Daily quota exceeded",
        "business",
    ),
    "Google, older": Case(
        403,
        {
            "error": {
                "code": 403,
                "message": "Slower, please",
                "errors": [
                    {"domain": "usageLimits", "reason": "userRateLimitExceeded", "message": "Slower, please"}
                ],
            }
        },
        "Slower, please; userRateLimitExceeded",
        "transient",
    ),
    "AWS JSON": Case(
        400,
        {"__type": "com.shop.orders#ConditionalCheckFailedException", "message": "The order has changed"},
        "The order has changed",
        "business",
    ),
    "AWS JSON with a header": Case(
        400,
        {"Message": "Rate exceeded"},
        "Rate exceeded",
        "transient",
        headers={"x_amzn_errortype": "ThrottlingException:http://internal.example/"},
    ),
    "AWS XML": Case(
        400,
        '<ErrorResponse xmlns="https://shop.example/doc"><Error><Type>Sender</Type><Code>InvalidParameterValue</Code>'
        "<Message>900 days are too many</Message></Error><RequestId>1-2</RequestId></ErrorResponse>",
        "900 days are too many (InvalidParameterValue)",
        media_type="text/xml",
    ),
    "S3 XML": Case(
        404,
        '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>Nothing is there</Message></Error>',
        "Nothing is there (NoSuchKey)",
        "not_found",
        media_type="application/xml",
    ),
    "XML list with attributes": Case(
        422,
        '<errors><error field="days" code="MAX">at most 90</error><error field="sku">unknown</error></errors>',
        "days: at most 90 (MAX); sku: unknown",
        media_type="application/xml",
    ),
    "SOAP fault": Case(
        400,
        '<s:Envelope xmlns:s="http://schemas.example/"><s:Body><s:Fault><faultcode>s:Client</faultcode>'
        "<faultstring>Too many days</faultstring></s:Fault></s:Body></s:Envelope>",
        "Too many days",
        media_type="text/xml",
    ),
    "GraphQL": Case(
        400,
        {
            "errors": [
                {
                    "message": "Not this many",
                    "path": ["createOrder", "total"],
                    "locations": [{"line": 1, "column": 2}],
                    "extensions": {"code": "BAD_USER_INPUT", "argumentName": "days"},
                }
            ]
        },
        "days: Not this many (BAD_USER_INPUT)",
    ),
    "GraphQL, the path is one of the answer": Case(
        400,
        {"errors": [{"message": "Boom", "path": ["createOrder"], "locations": []}]},
        "Boom",
    ),
    "OData": Case(
        400,
        {
            "error": {
                "code": "BadArgument",
                "message": "Two mistakes",
                "target": "order",
                "details": [{"code": "NullValue", "target": "customerName", "message": "has to be given"}],
                "innererror": {"message": "NullReference", "stacktrace": "at Shop.Orders", "code": "E7"},
            }
        },
        "Two mistakes (BadArgument); customer_name: has to be given (NullValue)",
    ),
    "Stripe": Case(
        400,
        {
            "error": {
                "type": "invalid_request_error",
                "code": "parameter_missing",
                "param": "items[0][unitPrice]",
                "message": "Give a price.",
                "doc_url": "https://docs.example/parameter-missing",
            }
        },
        "items[0].unitPrice: Give a price. (parameter_missing)",
    ),
    "Stripe, declined": Case(
        402,
        {
            "error": {
                "type": "card_error",
                "code": "card_declined",
                "decline_code": "no_funds",
                "message": "Declined.",
            }
        },
        "Declined. (no_funds)",
        "business",
    ),
    "Spring": Case(
        400,
        {
            "timestamp": "2026-01-02T03:04:05Z",
            "status": 400,
            "error": "Bad Request",
            "message": "Why?",
            "path": "/days",
        },
        "Why?",
    ),
    "Spring with bindings": Case(
        400,
        {
            "status": 400,
            "error": "Bad Request",
            "message": "Look at the order",
            "trace": "java.lang.Exception\n\tat com.shop.Orders.create(Orders.java:7)",
            "errors": [
                {
                    "objectName": "order",
                    "field": "items[1].unitPrice",
                    "rejectedValue": -1,
                    "defaultMessage": "has to be positive",
                    "code": "Positive",
                    "codes": ["Positive.order"],
                    "arguments": [{"code": "unitPrice", "defaultMessage": "unitPrice"}],
                }
            ],
        },
        "Look at the order; items[1].unitPrice: has to be positive",
    ),
    "Bean validation": Case(
        400,
        {"violations": [{"propertyPath": "createOrder.arg0.items[0].sku", "message": "has to be known"}]},
        "items[0].sku: has to be known",
    ),
    "FastAPI": Case(
        422,
        {
            "detail": [
                {
                    "type": "missing",
                    "loc": ["body", "items", 0, "unitPrice"],
                    "msg": "Field required",
                    "input": {},
                },
                {
                    "type": "bool",
                    "loc": ["query", "dry-run"],
                    "msg": "No bool",
                    "url": "https://docs.example",
                },
                {"type": "str", "loc": ["path", "orderId"], "msg": "No id"},
            ]
        },
        "items[0].unitPrice: Field required; dry_run: No bool; order_id: No id",
    ),
    "FastAPI with a dict": Case(
        409,
        {"detail": {"code": "ORDER_SHIPPED", "message": "It is on its way."}},
        "It is on its way. (ORDER_SHIPPED)",
        "business",
    ),
    "Rails by field": Case(
        422,
        {"errors": {"customer_name": ["can't be blank"], "base": ["Something is odd"]}},
        "customer_name: can't be blank; Something is odd",
    ),
    "Rails in full": Case(
        422, {"errors": ["Days are too many", "Name is odd"]}, "Days are too many; Name is odd"
    ),
    "Django REST framework": Case(
        400,
        {
            "days": ["Give a whole number."],
            "items": [{}, {"unitPrice": ["Give a price."]}],
            "address": {"zip_code": ["Five digits."]},
            "non_field_errors": ["They do not fit."],
        },
        "days: Give a whole number.; items[1].unitPrice: Give a price.; address.zip_code: Five digits.; "
        "They do not fit.",
    ),
    "Django REST framework, detail": Case(403, {"detail": "Not for you."}, "Not for you.", "permission"),
    ".NET": Case(
        400,
        {
            "type": "https://www.example.org/rfc9110#section-15.5.1",
            "title": "Some errors occurred.",
            "status": 400,
            "errors": {
                "CustomerName": ["Who is it?"],
                "$.items[0].unitPrice": ["No number."],
                "": ["No body."],
            },
            "traceId": "00-1-2-00",
        },
        "Some errors occurred.; customer_name: Who is it?; items[0].unitPrice: No number.; No body.",
    ),
    "express-validator": Case(
        400,
        {
            "errors": [
                {
                    "type": "field",
                    "value": "x",
                    "msg": "No price",
                    "path": "items[0].unitPrice",
                    "location": "body",
                },
                {"value": "x", "msg": "No flag", "param": "dry-run", "location": "query"},
            ]
        },
        "items[0].unitPrice: No price; dry_run: No flag",
    ),
    "express-validator, mapped": Case(
        400,
        {"errors": {"days": {"msg": "Too many", "path": "days", "location": "body", "value": 9}}},
        "days: Too many",
    ),
    "Laravel": Case(
        422,
        {
            "message": "Not valid.",
            "errors": {"items.0.unitPrice": ["Give one."], "address.zip_code": ["No such."]},
        },
        "Not valid.; items[0].unitPrice: Give one.; address.zip_code: No such.",
    ),
    "OAuth": Case(
        400,
        {"error": "invalid_token", "error_description": "It has ended"},
        "It has ended; invalid_token",
        "permission",
    ),
    "challenge": Case(
        400, "", "", "permission", headers={"www_authenticate": 'Bearer realm="x", error="invalid_token"'}
    ),
    "NestJS": Case(
        400,
        {
            "statusCode": 400,
            "message": ["days must be a number", "sku must be known"],
            "error": "Bad Request",
        },
        "days must be a number; sku must be known",
    ),
    "class-validator": Case(
        400,
        {"message": [{"property": "days", "constraints": {"max": "90 at most"}, "children": []}]},
        "days: 90 at most",
    ),
    "Joi": Case(
        400,
        {"validation": {"body": {"source": "body", "keys": ["days"], "message": '"days" must be a number'}}},
        'days: "days" must be a number',
    ),
    "Zod": Case(
        400,
        {
            "success": False,
            "error": {"issues": [{"code": "too_small", "path": ["items", 0, "sku"], "message": "Short"}]},
        },
        "items[0].sku: Short (too_small)",
    ),
    "JSON Schema": Case(
        400,
        [
            {
                "instancePath": "/items/0",
                "keyword": "required",
                "params": {"missingProperty": "sku"},
                "message": "lacks sku",
            }
        ],
        "items[0].sku: lacks sku",
    ),
    "Mongoose": Case(
        400,
        {
            "errors": {
                "address.zip_code": {
                    "name": "ValidatorError",
                    "message": "Give it.",
                    "path": "address.zip_code",
                }
            }
        },
        "address.zip_code: Give it.",
    ),
    "PayPal": Case(
        422,
        {
            "name": "UNPROCESSABLE_ENTITY",
            "message": "It can't be done.",
            "details": [
                {
                    "field": "/items/0/sku",
                    "location": "body",
                    "issue": "UNKNOWN_SKU",
                    "description": "No such.",
                }
            ],
            "links": [{"href": "https://docs.example", "rel": "information_link"}],
        },
        "It can't be done.; items[0].sku: No such. (UNKNOWN_SKU)",
    ),
    "codes without words": Case(
        422,
        {"message": "Failed.", "errors": [{"resource": "Order", "field": "days", "code": "missing_field"}]},
        "Failed.; days: missing_field",
    ),
    "a place without words": Case(
        400, {"message": "Bad.", "errors": [{"instancePath": "/days"}]}, "Bad.; days: is not accepted"
    ),
    "names of fields": Case(
        400, {"message": "Missing", "fields": ["days", "sku"]}, "days: Missing; sku: Missing"
    ),
    "JSend": Case(
        400,
        {"status": "fail", "data": {"days": "Too many", "title": "Give one"}},
        "days: Too many; title: Give one",
    ),
    "Atlassian": Case(
        400,
        {"errorMessages": ["There is no board."], "errors": {"days": "Too many."}},
        "days: Too many.; There is no board.",
    ),
    "Kubernetes": Case(
        422,
        {
            "kind": "Status",
            "status": "Failure",
            "message": "Order is invalid",
            "reason": "Invalid",
            "details": {
                "name": "a",
                "kind": "Order",
                "uid": "1",
                "causes": [
                    {"reason": "FieldValueRequired", "message": "Required value", "field": "items[0].sku"}
                ],
            },
            "code": 422,
        },
        "Order is invalid; Invalid; items[0].sku: Required value",
    ),
    "errors inside of records": Case(
        400,
        {
            "Message": "Some are bad",
            "Elements": [{"Name": "First", "ValidationErrors": [{"Message": "No name."}]}],
        },
        "Some are bad; No name.",
    ),
    "an envelope of its own": Case(
        400,
        {
            "shop_response": {
                "code": "40004",
                "msg": "Failed",
                "sub_code": "SHOP.PAID",
                "sub_msg": "交易已被支付",
            },
            "sign": "x",
        },
        "Failed (SHOP.PAID); 交易已被支付",
        "business",
    ),
    "Chinese": Case(400, {"code": 40013, "msg": "参数days不合法", "data": None}, "参数days不合法 (40013)"),
    "Chinese, older": Case(400, {"errcode": 45009, "errmsg": "余额不足"}, "余额不足 (45009)", "business"),
    "Discord": Case(
        429, {"message": "Slowly.", "retry_after": 0.65, "global": False}, "Slowly.", "transient", wait=1
    ),
    "Telegram": Case(
        429,
        {"ok": False, "error_code": 429, "description": "Later", "parameters": {"retry_after": 14}},
        "Later",
        "transient",
        wait=14,
    ),
    "quoted JSON": Case(
        400, {"error": '{"error": {"message": "From inside", "code": "bad_days"}}'}, "From inside (bad_days)"
    ),
    "JSON as text": Case(400, '{"message": "Not so"}', "Not so", media_type="text/plain"),
    "JSON under the type of the success": Case(
        400, b'{"message": "Not so"}', "Not so", media_type="image/png"
    ),
    "a form": Case(
        400,
        "error=invalid_request&error_description=Not+so",
        "Not so; invalid_request",
        media_type="application/x-www-form-urlencoded",
    ),
    "a page": Case(
        409,
        "<html><head><title>It is gone</title></head><body>x</body></html>",
        "It is gone",
        "business",
        media_type="text/html",
    ),
    "a page about its status": Case(
        400,
        "<!doctype html><title>400 Bad Request</title><h1>Bad Request</h1><p>Too many days.</p>",
        "Too many days.",
        media_type="text/html",
    ),
    "a page of a broken server": Case(
        503,
        "<html><title>503 Service Temporarily Unavailable</title><p>Ask root@shop.</p></html>",
        "",
        "transient",
        wait=7,
        media_type="text/html",
        headers={"retry_after": "7"},
    ),
    "plain text": Case(400, "Square is not empty.", "Square is not empty."),
    "bytes": Case(400, b"\x00\x01\xff", "", media_type="application/octet-stream"),
    "only its status": Case(404, {"status": 404, "error": "Not Found"}, "", "not_found"),
    "nothing": Case(400, "", ""),
    "unreadable JSON": Case(400, {"x": {"y": 17}}, '{"x":{"y":17}}'),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_body_is_read(case: Case) -> None:
    found = failure(case.status, case.body, case.media_type, **case.headers)
    assert words(found) == case.words
    assert (found.category, found.wait, found.status) == (case.category, case.wait, case.status)
    assert found.retryable is (case.category in ("validation", "transient"))
    assert found.message.startswith(f"The API answered {case.status}")


# ---------------------------------------------------------------- through the client


@pytest.fixture
def shop(build, op):
    return build(
        create_order=op(
            method="POST",
            effect="write",
            params=[("query", "dry-run", {"type": "boolean"}, {})],
            body={"content_type": "application/json", "kind": "json"},
            fields={"days": {"type": "integer"}},
            data={"type": "object", "required": ["id"]},
        )
    )


async def test_a_field_error_names_the_argument(shop, mode) -> None:
    body = {
        "detail": [{"loc": ["body", "days"], "msg": "90 at most"}, {"loc": ["query", "dry-run"], "msg": "no"}]
    }
    shop.answer(httpx2.Response(422, json=body))
    found = await shop.told("create_order", {"days": 900}, mode=mode)
    assert found["error"] == "The API answered 422 Unprocessable Content: days: 90 at most; dry_run: no"
    assert (found["category"], found["retryable"], found["status"]) == ("validation", True, 422)
    assert "Correct the arguments" in found["hint"]


async def test_a_refusal_by_a_rule_is_not_to_be_repeated(shop, mode) -> None:
    body = {"code": "limit_reached", "message": "Your account has reached its monthly limit of orders"}
    shop.answer(httpx2.Response(422, json=body))
    found = await shop.told("create_order", {"days": 9}, mode=mode)
    assert (found["category"], found["retryable"]) == ("business", False)
    assert "hint" not in found


async def test_a_wait_in_the_body_is_a_hint(shop, mode) -> None:
    shop.answer(httpx2.Response(403, json={"error": "rate_limited", "retry_after": 12}))
    found = await shop.told("create_order", {"days": 9}, mode=mode)
    assert (found["category"], found["retryable"]) == ("transient", True)
    assert "12 seconds" in found["hint"]


async def test_an_error_with_the_status_of_a_success(shop, mode) -> None:
    shop.answer(httpx2.Response(200, json={"ok": False, "error": "invalid_auth"}))
    found = await shop.told("create_order", {"days": 9}, mode=mode)
    assert found["error"] == "The API answered 200, but with an error: invalid_auth"
    assert (found["ok"], found["category"], found["status"]) == (False, "permission", 200)


async def test_secrets_that_come_back_by_their_names(shop, mode) -> None:
    sent = {"authorization": "Bearer other.token", "password": "pa55-w0rd", "token": "is too old"}
    shop.answer(httpx2.Response(400, json={"request": sent}))
    found = await shop.told("create_order", {"days": 9}, mode=mode)
    assert "authorization: [redacted]; password: [redacted]; token: is too old" in found["error"]


async def test_a_strange_success_stays_one(shop, mode) -> None:
    shop.answer(httpx2.Response(200, json={"message": "done"}))
    assert (await shop.told("create_order", {"days": 9}, mode=mode))["raw"] == {"message": "done"}
