"""Credentials are known in all their forms; arguments that are secret are kept out of the log."""

from __future__ import annotations

import base64
import html
import json
import logging
import subprocess
import sys
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.secrecy.hiding import MASK
from mcpgen.runtime.secrecy.redact import RedactingFormatter, Redactor, log_to_stderr

_CREDENTIAL = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f"), min_size=8, max_size=40
).filter(lambda text: len(set(text)) > 4)


@given(_CREDENTIAL, st.binary(max_size=5), st.binary(max_size=5))
def test_every_form_of_a_credential_is_masked(credential: str, before: bytes, after: bytes) -> None:
    redactor = Redactor()
    redactor.add(credential)
    raw = credential.encode()
    written = [
        credential,
        quote(credential, safe=""),
        quote_plus(credential),
        json.dumps(credential)[1:-1],
        json.dumps(json.dumps(credential))[3:-3],
        html.escape(credential),
        base64.b64encode(raw).decode(),
        base64.urlsafe_b64encode(raw).decode(),
        raw.hex(),
        raw.hex().upper(),
        raw.decode("latin-1"),  # as frameworks read header fields
        base64.b64encode(raw.decode("latin-1").encode()).decode(),
    ]
    for form in written:
        masked = redactor.text(f"<{form}>")
        assert form.rstrip("=") not in masked
        assert MASK in masked
    inside = base64.b64encode(before + raw + after).decode()
    assert MASK in redactor.text(inside)


def test_the_keys_of_data_are_masked_too_and_what_holds_nothing_is_the_same_object() -> None:
    redactor = Redactor()
    redactor.add("sk-12345678")
    assert redactor.value({"sk-12345678": ["x sk-12345678"]}) == {MASK: [f"x {MASK}"]}
    plain = {"a": ["b", 1]}
    assert redactor.value(plain) is plain
    assert redactor.holds_secret("… sk-12345678")
    assert redactor.holds_secret(b"\x00sk-12345678\xff")
    assert not redactor.holds_secret("sk-1234")


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("password hunter-22 is too weak", f"password {MASK} is too weak"),
        ("api_key=k9k9k9k9 is not known", f"api_key={MASK} is not known"),
        ("max_tokens=4096 is more than 2048", "max_tokens=4096 is more than 2048"),
        ("pin=1234 is wrong", f"pin={MASK} is wrong"),
        ("max_tokens=² is no number", f"max_tokens={MASK} is no number"),
        ("password: must have 8 characters", "password: must have 8 characters"),
    ],
)
def test_what_an_api_says_about_a_failure(said: str, quoted: str) -> None:
    redactor = Redactor()
    redactor.watch({"password": "hunter-22"})
    assert redactor.quotation(said) == quoted


def test_short_credentials_are_masked_as_words_only() -> None:
    redactor = Redactor()
    redactor.add("abcd")
    redactor.add("abc")
    assert redactor.text("abcd abcde xabcd abc") == f"{MASK} abcde xabcd abc"


def test_tokens_that_pass_are_remembered_in_bounds_and_the_last_used_longest() -> None:
    redactor = Redactor()
    redactor.add("lasting-credential")
    redactor.add_token("first-token-of-all")
    for number in range(200):
        redactor.add_token(f"token-number-{number:04}")
        redactor.add_token("first-token-of-all")
    assert redactor.text("lasting-credential first-token-of-all") == f"{MASK} {MASK}"
    assert redactor.text("token-number-0199") == MASK
    assert redactor.text("token-number-0001") == "token-number-0001"
    assert len(redactor._all._texts) < 400


def test_two_credentials_of_one_caller() -> None:
    redactor = Redactor()
    redactor.add_for_this_call("caller-one-token")
    redactor.add_for_this_call("caller-two-token")
    assert redactor.text("caller-one-token caller-two-token") == f"{MASK} {MASK}"


def line(redactor: Redactor, message: str, *values: object) -> str:
    record = logging.LogRecord("x", logging.INFO, "f", 1, message, values, None)
    return RedactingFormatter(redactor, "%(message)s").format(record)


def test_the_log_shows_no_secret_argument_wherever_it_comes_up() -> None:
    redactor = Redactor(["ssn"])
    redactor.watch({"user": "mia", "password": "open sesame", "inner": [{"pin": 4711}], "ssn": "123-45"})
    assert line(redactor, "the API says: %s", "no user mia with open sesame, 4711, 123-45") == (
        f"the API says: no user mia with {MASK}, {MASK}, {MASK}"
    )
    assert redactor.text("open sesame") == "open sesame"
    assert redactor.value({"said": "open sesame"}) == {"said": "open sesame"}
    assert redactor.shown({"said": "open sesame", "ssn": 5})[0] == {"said": MASK, "ssn": MASK}


def test_tracebacks_are_masked() -> None:
    redactor = Redactor()
    redactor.add("sk-12345678")
    redactor.watch({"password": "open sesame"})
    try:
        raise ValueError("input 'open sesame' with sk-12345678 and password='other'")
    except ValueError as error:
        record = logging.LogRecord("x", 40, "f", 1, "crashed", (), (type(error), error, error.__traceback__))
    text = RedactingFormatter(redactor, "%(message)s").format(record)
    assert f"input '{MASK}' with {MASK} and password={MASK}" in text
    assert "sesame" not in text.split("Error: ")[1]


@pytest.fixture
def logging_as_before():
    root, own, team = logging.getLogger(), logging.getLogger("mcpgen"), logging.getLogger("orders_mcp")
    before = root.handlers[:], root.level, own.level, team.level
    yield
    root.handlers[:], root.level, own.level, team.level = before


@pytest.mark.usefixtures("logging_as_before")
def test_debug_is_for_the_servers_own_lines(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr(Redactor(), "DEBUG")
    logging.getLogger("mcpgen.runtime.call").debug("own line")
    logging.getLogger("sse_starlette.sse").debug("whole message")
    logging.getLogger("httpx2").info("whole address")
    logging.getLogger("uvicorn.error").info("library line")
    told = capsys.readouterr().err
    assert "own line" in told
    assert "library line" in told
    assert "whole" not in told


@pytest.mark.usefixtures("logging_as_before")
def test_lines_of_the_team_are_the_servers_own_wherever_the_library_lies(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log_to_stderr(Redactor(), "DEBUG", "orders_mcp")
    logging.getLogger("orders_mcp.hooks").debug("line of the team")
    logging.getLogger("mcpgen.runtime.call").debug("own line")
    told = capsys.readouterr().err
    assert "line of the team" in told
    assert "own line" in told


@pytest.mark.parametrize("crash", ["raise error", "threading.Thread(target=fail).start()"])
def test_a_crash_of_the_process_shows_no_secret(crash: str) -> None:
    code = f"""
import threading
from mcpgen.runtime.secrecy.redact import Redactor, log_crashes, log_to_stderr
redactor = Redactor()
redactor.add("sk-" + "12345678")
log_to_stderr(redactor, "ERROR")
log_crashes()
error = RuntimeError("no luck with sk-" + "12345678")
def fail():
    raise error
{crash}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "RuntimeError: no luck with [redacted]" in done.stderr
    assert "sk-12345678" not in done.stderr
    assert done.stdout == ""
