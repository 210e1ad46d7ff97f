"""The rules behind every tool, with operations of no API: what a refusal means, what to do next, what stays secret, what is allowed."""

from __future__ import annotations

import base64
import html
import json
import logging
import re
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, quote_plus

import anyio
import pytest
from harness import CATALOG, PACKAGE, environment
from mcp import MCPError
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from operations import body, operation

from library_mcp._runtime.api_errors.classify import Evidence, category_of
from library_mcp._runtime.api_errors.fields import Located
from library_mcp._runtime.api_errors.signals import Signal
from library_mcp._runtime.api_errors.words import quoted
from library_mcp._runtime.auth.certificates import Certificate
from library_mcp._runtime.auth.credentials import Credential, Credentials
from library_mcp._runtime.auth.schemes import ApiKey, HttpToken, MutualTls, Parts, Password, Scheme
from library_mcp._runtime.catalog import Catalog
from library_mcp._runtime.chain.authorizing import authorized
from library_mcp._runtime.chain.confirming import Confirmed, question
from library_mcp._runtime.outcomes.failures import CallFailed, Category, Failure, invalid
from library_mcp._runtime.outcomes.hints import Caller, direct, hint_for
from library_mcp._runtime.outcomes.planned_hints import Hint
from library_mcp._runtime.outcomes.result import Result
from library_mcp._runtime.secrecy.hiding import MASK
from library_mcp._runtime.secrecy.last_look import answer_without_secrets, without_secrets
from library_mcp._runtime.secrecy.redact import RedactingFormatter, Redactor
from library_mcp._runtime.setup.registration import allowed_tools
from library_mcp._runtime.setup.settings import Settings

HERE = (Located("name", "body"),)
SPOKEN: list[tuple[str, int | None, dict[str, Any]]] = [
    ("internal", None, {"coded": {Signal.BROKEN}}),
    ("validation", None, {"coded": {Signal.CHECKED}}),
    ("business", None, {"coded": {Signal.CHECKED, Signal.RULE}}),
    ("business", None, {}),
    ("not_found", None, {"codes": ("404",)}),
    ("transient", 400, {"coded": {Signal.TRANSIENT}}),
    ("permission", 400, {"coded": {Signal.PERMISSION}}),
    ("validation", 400, {"coded": {Signal.PERMISSION}, "fields": True}),
    ("business", 422, {"coded": {Signal.RULE}, "fields": True}),
    ("business", 422, {"coded": {Signal.SPENT}}),
    ("validation", 422, {"coded": {Signal.STATE}, "fields": True}),
    ("business", 422, {"coded": {Signal.STATE}}),
    ("not_found", 400, {"coded": {Signal.NOT_FOUND}}),
    ("validation", 400, {"coded": {Signal.VALIDATION}, "worded": {Signal.RULE}}),
    ("validation", 400, {"worded": {Signal.NOT_FOUND}}),
    ("not_found", None, {"worded": {Signal.NOT_FOUND}}),
    ("transient", 403, {"worded": {Signal.TRANSIENT}}),
    ("business", 403, {"coded": {Signal.STATE}}),
    ("permission", 403, {"coded": {Signal.STATE, Signal.PERMISSION}}),
    ("permission", 403, {"worded": {Signal.PERMISSION, Signal.RULE}}),
    ("business", 403, {"worded": {Signal.SPENT}}),
    ("validation", 404, {"located": HERE}),
    ("not_found", 404, {"located": (Located("id", "path"),)}),
    ("transient", 409, {"coded": {Signal.TRANSIENT}}),
    ("transient", 409, {"wait": 5}),
    ("transient", 409, {"worded": {Signal.TRANSIENT}}),
    ("business", 409, {"worded": {Signal.TRANSIENT, Signal.STATE}}),
    ("validation", 409, {"coded": {Signal.VALIDATION}, "located": HERE}),
    ("business", 428, {}),
    ("validation", 415, {"located": HERE}),
    ("internal", 415, {}),
    ("transient", 413, {"wait": 5}),
    ("business", 413, {"worded": {Signal.RULE}}),
    ("validation", 413, {}),
    ("internal", 414, {}),
    ("internal", 431, {}),
    ("business", 429, {"coded": {Signal.SPENT}, "wait": 5}),
    ("business", 429, {"worded": {Signal.ALLOWANCE, Signal.USED_UP}}),
    ("transient", 429, {"worded": {Signal.SPENT, Signal.PER_TIME}}),
    ("transient", 429, {"worded": {Signal.SPENT}, "wait": 60}),
    ("business", 429, {"worded": {Signal.SPENT}, "wait": 86_400}),
    ("internal", 500, {}),
    ("transient", 520, {}),
]  # fmt: skip
"""A category, a status, and what else a refusal says."""


@pytest.mark.parametrize(("category", "status", "said"), SPOKEN)
def test_what_a_refusal_says_makes_its_category(
    category: str, status: int | None, said: dict[str, Any]
) -> None:
    sets: dict[str, Any] = {
        name: frozenset(value) if isinstance(value, set) else value for name, value in said.items()
    }
    assert category_of(Evidence(operation(), status=status, **sets)) == category


def test_arguments_and_effects_change_what_a_status_means() -> None:
    header = operation(
        arguments=[{"name": "m", "python": "m", "in": "header", "wire_name": "If-Match"}]
    )
    assert category_of(Evidence(header, status=428)) == "validation"
    assert category_of(Evidence(header, status=431)) == "validation"
    assert category_of(Evidence(header, status=414)) == "internal"
    assert category_of(Evidence(operation(effect="read"), status=500)) == "transient"
    assert category_of(Evidence(operation(effect="read"), status=404, located=HERE)) == "not_found"
    file = operation(**body("image/png", "binary"))
    assert category_of(Evidence(file, status=415)) == "validation"
    said = operation(
        categories={
            "409": "not_found",
            "409:late": "transient",
            "4XX": "internal",
            "default": "business",
        }
    )
    for status, codes, category in (
        (409, (), "not_found"),
        (409, ("late",), "transient"),
        (404, (), "internal"),
        (500, (), "business"),
    ):
        assert category_of(Evidence(said, status=status, codes=codes)) == category


HIDDEN = 'p&ss "wörd"/1234567890'


def test_no_form_of_a_credential_gets_through() -> None:
    redactor = Redactor()
    redactor.add(HIDDEN)
    redactor.add("short1")
    redactor.add("sh+rt2")
    written = [
        HIDDEN,
        html.escape(HIDDEN),
        html.escape(HIDDEN, quote=False),
        json.dumps(HIDDEN)[1:-1],
    ]
    written += [
        json.dumps(HIDDEN, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(HIDDEN)[1:-1])[1:-1],
    ]
    written += [
        quote(HIDDEN),
        quote(HIDDEN, safe=""),
        quote_plus(HIDDEN),
        quote(quote(HIDDEN, safe=""), safe=""),
    ]
    written += [HIDDEN.encode().hex(), HIDDEN.encode().hex().upper()]
    written += [
        HIDDEN.encode().decode("latin-1"),
        re.sub("%..", lambda found: found[0].lower(), quote(HIDDEN, safe="")),
    ]
    written += [
        base64.b64encode(HIDDEN.encode()).decode(),
        base64.b64encode(quote(HIDDEN, safe="").encode()).decode(),
    ]
    for text in written:
        assert text not in redactor.text(f"<{text}>"), text
        assert redactor.holds_secret(f"<{text}>")
        assert redactor.holds_secret(f"<{text}>".encode())
        assert redactor.value({"k": [f"<{text}>"]}) == {"k": [redactor.text(f"<{text}>")]}
    core = base64.b64encode(f"user:{HIDDEN}".encode()).decode()
    assert redactor.text(core) != core
    assert redactor.text("a short1 b") == f"a {MASK} b"
    assert redactor.text("ashort1b") == "ashort1b"
    assert redactor.text("a sh+rt2 b") == f"a {MASK} b"
    assert redactor.text("fine") == "fine"
    assert HIDDEN not in quoted(f"at {HIDDEN}", redactor)


def test_logs_and_errors_hold_no_secret() -> None:
    redactor = Redactor(["ssn"])
    redactor.add(HIDDEN)
    redactor.watch(
        {"password": "hunter22222", "deep": [{"api_key": "kkkkkkkkkk"}], "note": "open sesame"}
    )
    record = logging.LogRecord(
        "x", logging.INFO, "x.py", 1, f"hunter22222 kkkkkkkkkk {HIDDEN} open sesame", None, None
    )
    assert (
        RedactingFormatter(redactor, "%(message)s").format(record)
        == f"{MASK} {MASK} {MASK} open sesame"
    )
    error = without_secrets(
        MCPError(code=1, message=f"at {HIDDEN}", data={"at": HIDDEN}), redactor
    ).error
    assert (error.code, error.message, error.data) == (1, f"at {MASK}", {"at": MASK})
    for name, value, hidden in (
        ("password", "x", True), ("customer_ssn", "x", True), ("max_tokens", 5, False), ("pin", 5, True),
        ("token_type", "x", False), ("next_page_token", "x", False), ("has_password", True, False), ("clientSecret", "x", True),
    ):  # fmt: skip
        shown, told = redactor.shown({name: value})
        assert (shown != {name: value}, bool(told)) == (hidden, hidden), name
        assert redactor.names.hide(name, value) is hidden
    answer = answer_without_secrets(Result(data={"k": HIDDEN}), "t", redactor)
    assert HIDDEN not in json.dumps(answer.model_dump(mode="json"), ensure_ascii=False)
    assert answer.structured_content == {"ok": True, "data": {"k": MASK}}
    assert answer.is_error is False
    failed = answer_without_secrets(
        Result(failure=Failure(Category.BUSINESS, "no"), hint="Go."), "t", redactor
    )
    assert failed.is_error is True
    assert failed.structured_content == {
        "ok": False, "error": "no", "category": "business", "retryable": False, "trace_id": "t", "hint": "Go.",
    }  # fmt: skip


HINTS = {
    "404": {
        "tool": "find",
        "arguments": {"q": "x"},
        "same": {"id": "id"},
        "again": {"id": "items[0].id"},
    },
    "409": {"tool": "look", "same": {"id": "id"}},
    "unknown": {"tool": "look", "text": "Then look."},
    "reference": {"tool": "list_users", "when": "user", "text": "Pick one."},
    "4XX": [{"tool": "off"}, {"tool": "help"}],
}
REGISTERED = frozenset({"find", "look", "list_users", "help"})


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (
            Failure(Category.NOT_FOUND, "no", status=404),
            'Call find with {"q":"x","id":7}. Then call a_tool again with id from data.items[0].id.',
        ),
        (
            Failure(Category.BUSINESS, "no", status=409),
            'Call look with {"id":7}. It shows the current state.',
        ),
        (Failure(Category.BUSINESS, "no such user.", status=422), "Call list_users. Pick one."),
        (Failure(Category.VALIDATION, "no such user.", status=422), "Call list_users. Pick one."),
        (Failure(Category.NOT_FOUND, "no such user.", status=410), "Call list_users. Pick one."),
        (Failure(Category.PERMISSION, "no such user.", status=403), "Call help."),
        (Failure(Category.BUSINESS, "no", status=422), "Call help."),
        (Failure(Category.INTERNAL, "no", status=500), None),
        (Failure(Category.TRANSIENT, "no", outcome_unknown=True), "Call look. Then look."),
        (
            Failure(Category.TRANSIENT, "no", wait=9),
            "Wait 9 seconds, then call a_tool again with the same arguments.",
        ),
        (
            Failure(Category.TRANSIENT, "no"),
            "Wait 5 seconds, then call a_tool again with the same arguments.",
        ),
        (
            Failure(Category.VALIDATION, "no"),
            "Correct the arguments as the error says, then call a_tool again.",
        ),
        (Failure(Category.VALIDATION, "no", hint="Mine."), "Mine."),
    ],
)
def test_a_failure_has_the_hint_that_fits(failure: Failure, expected: str | None) -> None:
    told = operation(hints=HINTS)
    assert hint_for(failure, told, REGISTERED, direct, Caller({"id": 7})) == expected


def test_a_hint_is_read_whole_and_passed_on_whole() -> None:
    told = {
        "tool": "t",
        "arguments": {"a": 1},
        "same": {"b": "c"},
        "values": {"d": "body#/e"},
        "again": {"f": "g"},
        "when": "h",
        "text": "i",
    }
    [hint] = operation(hints={"404": told}).hints["404"]
    assert hint == Hint("t", {"a": 1}, {"b": "c"}, {"d": "body#/e"}, {"f": "g"}, "h", "i")
    assert invalid("no", hint="Go.").failure == Failure(
        Category.VALIDATION, "no", retryable=True, hint="Go."
    )
    failure = Failure(Category.BUSINESS, "no")
    assert Result(failure=failure, hint="Go.").hinted_failure == Failure(
        Category.BUSINESS, "no", hint="Go."
    )
    assert Result(failure=failure).hinted_failure is failure


def test_only_methods_that_may_be_repeated_are() -> None:
    repeatable = {
        method
        for method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST", "PATCH")
        if operation(method=method).repeatable
    }
    assert repeatable == {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}
    assert operation(idempotent=True).repeatable
    assert operation(effect="read").repeatable


def test_a_hint_gives_no_secret_away() -> None:
    told = operation(hints={"404": {"tool": "find", "same": {"key": "api_key"}}})
    failure = Failure(Category.NOT_FOUND, "no", status=404)
    assert (
        hint_for(failure, told, REGISTERED, direct, Caller({"api_key": "abc"}))
        == 'Call find with {"key":"the same value as in this call"}.'
    )
    assert hint_for(failure, told, REGISTERED, direct, Caller({})) is None
    assert hint_for(failure, told, frozenset(), direct, Caller({"api_key": "abc"})) is None


def parts_of(scheme: Scheme) -> Parts:
    """What a scheme adds to a request."""
    parts = Parts()
    anyio.run(scheme.apply, (), parts)
    return parts


def test_each_scheme_puts_its_credential_where_it_belongs() -> None:
    redactor = Redactor()
    for where, place in (("header", "headers"), ("query", "query"), ("cookie", "cookies")):
        parts = parts_of(ApiKey({"in": where, "name": "X-Key"}, {"key": "k"}))
        assert getattr(parts, place) == [("X-Key", "k")]
        assert len([*parts.headers, *parts.query, *parts.cookies]) == 1
    basic = parts_of(
        Password({"scheme": "Basic"}, {"username": "u", "password": "pässword"}, redactor)
    )
    assert basic.headers == [
        ("Authorization", "Basic " + base64.b64encode("u:pässword".encode()).decode())
    ]
    assert redactor.text(basic.headers[0][1]) == f"Basic {MASK}"
    digest = parts_of(Password({"scheme": "digest"}, {"username": "u", "password": "p"}, redactor))
    assert (type(digest.auth).__name__, digest.headers) == ("DigestAuth", [])
    for scheme, token, expected in (
        ("bearer", "t", "Bearer t"),
        ("", "t", "Bearer t"),
        ("Bearer", "bearer t", "Bearer t"),
        ("Token", "t", "Token t"),
    ):
        assert parts_of(HttpToken({"scheme": scheme}, {"token": token})).headers == [
            ("Authorization", expected)
        ]
    own, common = Certificate("own.pem"), Certificate("common.pem")
    assert parts_of(MutualTls({}, own, common, "X")).certificate == own
    assert parts_of(MutualTls({}, None, common, "X")).certificate is None


def test_the_first_alternative_that_can_be_met_is_used() -> None:
    def key(name: str, where: str = "header", value: str | None = "k-of-this-api") -> ApiKey:
        return ApiKey({"in": where, "name": name}, {} if value is None else {"key": value})

    schemes: dict[str, Scheme] = {
        "a": key("A"), "b": key("B", "query"), "c": key("C", "cookie"), "none": key("N", value=None),
        "bearer": HttpToken({"scheme": "bearer"}, {"token": "t-of-the-operator"}),
        "digest": Password({"scheme": "digest"}, {"username": "u", "password": "p"}, Redactor()),
        "tls": MutualTls({}, Certificate("own.pem"), None, "X"),
    }  # fmt: skip
    redactor = Redactor()

    def chosen(*alternatives: str, caller: str | None = None, forwarding: bool = False) -> Any:
        wanted = tuple({name: () for name in alternative.split()} for alternative in alternatives)
        return anyio.run(
            Credentials(schemes, redactor, forwarding=forwarding).choose, wanted, caller
        )

    assert chosen("a").headers == (("A", "k-of-this-api"),)
    both = chosen("none", "b c", "a")
    assert (both.headers, both.query, both.cookies) == (
        (),
        (("B", "k-of-this-api"),),
        (("C", "k-of-this-api"),),
    )
    assert type(chosen("digest").auth).__name__ == "DigestAuth"
    assert chosen("tls").certificate == Certificate("own.pem")
    assert chosen("", "a").headers == (("A", "k-of-this-api"),)
    for nothing in ((), ("",), ("none", ""), ("none a", "")):
        assert chosen(*nothing) == Credential()
    assert chosen("bearer", caller="Bearer t-of-the-caller").headers == (
        ("Authorization", "Bearer t-of-the-operator"),
    )
    assert chosen("bearer", caller="Bearer t-of-the-caller", forwarding=True).headers == (
        ("Authorization", "Bearer t-of-the-caller"),
    )
    for wanted, caller in (
        ("none", None),
        ("unknown", None),
        ("a none", None),
        ("bearer", None),
        ("bearer", " "),
        ("bearer", "Basic x"),
    ):
        with pytest.raises(CallFailed) as refusal:
            chosen(wanted, caller=caller, forwarding=True)
        assert refusal.value.failure.category is Category.PERMISSION
        assert ("caller's own" in refusal.value.failure.message) is (wanted == "bearer")


@pytest.mark.parametrize(
    ("policy", "effect", "own", "asks"),
    [
        ("never", "destructive", None, False), ("destructive", "destructive", None, True), ("destructive", "write", None, False),
        ("destructive", "read", None, False), ("write", "write", None, True), ("write", "destructive", None, True),
        ("write", "read", None, False), ("never", "read", "always", True), ("write", "destructive", "never", False),
    ],
)  # fmt: skip
def test_who_is_asked_before_a_call(policy: str, effect: str, own: str | None, asks: bool) -> None:
    app: Any = SimpleNamespace(settings=SimpleNamespace(confirm=policy), redactor=Redactor())

    async def done(call: Any) -> str:
        return "done"

    link: Any = Confirmed(app)
    arguments: dict[str, Any] = {"name": "a\u202eb", "password": "hunter2"}
    call: Any = SimpleNamespace(
        operation=operation(effect=effect, fixed={"kind": "x"}),
        policy=SimpleNamespace(confirm=own),
        arguments=arguments,
        context=None,
        consent=None,
    )
    if not asks:
        assert anyio.run(link, call, done) == "done"
        return
    with pytest.raises(CallFailed, match="needs the user's consent") as refusal:
        anyio.run(link, call, done)
    assert refusal.value.failure.category is Category.PERMISSION
    end = "This can't be undone." if effect == "destructive" else "This changes data."
    told = f'a_tool\nname: "a\\u202eb"\npassword: "{MASK}"\nkind: "x"\n{end} Go ahead?'
    assert question(call.operation, arguments, app.redactor) == told


@pytest.mark.parametrize(
    ("scopes", "allowed"), [("all of them", True), ("all", False), ("", False), (None, False)]
)
def test_a_caller_needs_the_scopes(scopes: str | None, allowed: bool) -> None:
    settings = SimpleNamespace(
        http_scopes=("all",), http_effect_scopes={"write": ("of",), "read": ("more",)}
    )
    call: Any = SimpleNamespace(
        context=SimpleNamespace(request=object()), app=SimpleNamespace(settings=settings), operation=operation(),
        policy=SimpleNamespace(scopes=["them"]), trace_id="t",
    )  # fmt: skip

    result = Result[Any](data="done")

    async def done(call: Any) -> Result[Any]:
        return result

    async def ask() -> Any:
        token = (
            None
            if scopes is None
            else AuthenticatedUser(AccessToken(token=MASK, client_id="c", scopes=scopes.split()))
        )
        auth_context_var.set(token)
        return await authorized(call, done)

    if allowed:
        assert anyio.run(ask) is result
    else:
        with pytest.raises(CallFailed, match="does not allow this tool"):
            anyio.run(ask)
    call.context = None
    assert anyio.run(authorized, call, done) is result


def test_only_what_everything_allows_and_nothing_denies_is_registered() -> None:
    catalog = Catalog.load(PACKAGE)
    effects = {name: entry["effect"] for name, entry in CATALOG["operations"].items()}
    sets = {name: entry["toolset"] for name, entry in CATALOG["operations"].items()}
    one = next(iter(effects))

    def allowed(**settings: str) -> set[str]:
        return set(allowed_tools(catalog, Settings.read(catalog, environment(**settings))))

    assert allowed() == set(effects)
    assert allowed(READ_ONLY="1") == {name for name, effect in effects.items() if effect == "read"}
    assert allowed(READ_ONLY="1", ALLOW_EFFECTS="write,destructive") == set()
    assert allowed(ALLOW_EFFECTS="read,write") == {
        name for name, effect in effects.items() if effect != "destructive"
    }
    assert allowed(TOOLS=one) == {one}
    assert allowed(DENY_TOOLS=one) == effects.keys() - {one}
    assert allowed(TOOLS=one, DENY_TOOLS=one) == set()
    assert allowed(TOOLSETS=sets[one]) == {
        name for name, toolset in sets.items() if toolset == sets[one]
    }
    assert allowed(TOOLS=one, ALLOW_EFFECTS=effects[one]) == {one}
    other = next(effect for effect in ("read", "write", "destructive") if effect != effects[one])
    assert allowed(TOOLS=one, ALLOW_EFFECTS=other) == set()
