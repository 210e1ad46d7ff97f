"""The table of settings: what an operator can set, how it is written, what it means.

Each is an environment variable with the server's prefix; most can also be written in a configuration file, in
lower case. This module needs the standard library only: the generator reads it too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .parsing import base_url, endpoint, flag, folder, keys, number, one_of, pairs, subset, texts

EFFECTS = ("read", "write", "destructive")


@dataclass(frozen=True, slots=True)
class Variable:
    """One setting.

    Attributes:
        name: the environment variable's name after the prefix; in lower case, the field of `Settings`.
        default: as it would be written; empty for none.
        meaning: for documentation, one line.
        parse: text to value. Raises ValueError with what is wrong.
        local: it belongs to one machine or is secret, so no configuration file can hold it.
        secret: it is never shown anywhere.
    """

    name: str
    default: str
    meaning: str
    parse: Callable[[str], Any] = str
    local: bool = False
    secret: bool = False

    @property
    def field(self) -> str:
        return self.name.lower()


_LEVELS = one_of("DEBUG", "INFO", "WARNING", "ERROR")

VARIABLES = (
    # The API
    Variable(
        "BASE_URL", "", "replaces the server URL of the API description, base path included", base_url, True
    ),
    Variable("SERVER", "", "which of the description's servers is used, by name or number"),
    # Which tools there are
    Variable(
        "ALLOW_EFFECTS",
        "read,write",
        "which effects are registered as tools: read, write, destructive",
        subset(*EFFECTS),
    ),
    Variable("READ_ONLY", "0", "1: only tools that read are registered, whatever else is allowed", flag),
    Variable("TOOLSETS", "", "which toolsets are registered, comma-separated (all when not set)", texts),
    Variable(
        "TOOLS", "", "which tools are registered, comma-separated; * stands for any letters (all)", texts
    ),
    Variable("DENY_TOOLS", "", "which tools are not registered; wins over everything that allows", texts),
    Variable(
        "MODE",
        "all",
        "all: every tool is listed; search: tools are found by searching",
        one_of("all", "search"),
    ),
    Variable(
        "PAGE_SIZE",
        "0",
        "tools in one page of the list; 0 is all in one page, or all that a client takes at once",
        number(int, 0),
    ),
    Variable(
        "CONFIRM",
        "destructive",
        "which calls ask the user first: never, destructive or write",
        one_of("never", "destructive", "write"),
    ),
    Variable(
        "STATE_KEYS",
        "",
        "keys of 32 bytes or more that seal confirmations, for several processes",
        keys,
        True,
        secret=True,
    ),
    Variable(
        "POLICY",
        "",
        "a TOML file with [server] and [tools.NAME], over what was generated; none: neither of them",
        str,
        True,
    ),
    # Time
    Variable("TIMEOUT", "30", "seconds that one call may take in all, repeats included", number(float, 0.1)),
    Variable("CONNECT_TIMEOUT", "10", "seconds to reach the API", number(float, 0.1)),
    Variable("READ_TIMEOUT", "30", "seconds without a byte from the API", number(float, 0.1)),
    # Repeats
    Variable("RETRIES", "2", "how often a call that is safe to repeat is repeated", number(int, 0, 10)),
    Variable(
        "RETRY_BUDGET", "0.2", "how many repeats there may be for each call, on average", number(float, 0)
    ),
    Variable(
        "FAILURE_WINDOW",
        "60",
        "seconds in which a call that failed twice for good is not sent a third time; 0: never",
        number(float, 0),
    ),
    # Load
    Variable(
        "MAX_CONCURRENCY", "20", "requests in flight to one host of the API; 0: any number", number(int, 0)
    ),
    Variable("MAX_RATE", "0", "requests a second to one host of the API; 0: any number", number(float, 0)),
    Variable("MAX_QUEUE", "100", "requests that may wait for their turn", number(int, 0)),
    # Sizes
    Variable(
        "MAX_RESULT_BYTES",
        "1048576",
        "how much of an answer reaches the model; over HTTP no more than a client takes at once",
        number(int, 1000),
    ),
    Variable(
        "MAX_DOWNLOAD_BYTES",
        "33554432",
        "how much of an answer is read from the API at all",
        number(int, 1000),
    ),
    Variable(
        "FILES_DIR", "", "a folder whose files arguments may name by path (none when not set)", folder, True
    ),
    Variable("MAX_UPLOAD_BYTES", "104857600", "how large a file argument may be", number(int, 1)),
    # Secrets
    Variable("CLIENT_CERT", "", "client certificate file (PEM) for mutual TLS", str, True),
    Variable("CLIENT_KEY", "", "private key file of the client certificate", str, True),
    Variable("CLIENT_KEY_PASSWORD", "", "password of that private key", str, True, True),
    Variable("REDACT_NAMES", "", "further names of fields whose values are never logged or audited", texts),
    Variable(
        "LOGIN_STORE",
        "auto",
        "where logins are kept: keyring, file, or auto for the first that works",
        one_of("auto", "keyring", "file"),
    ),
    Variable(
        "STATE_DIR", "", "folder of the files that keep logins; by default one of the user's own", str, True
    ),
    # What the operator sees
    Variable(
        "LOG_LEVEL",
        "WARNING",
        "DEBUG, INFO, WARNING or ERROR; the log goes to standard error",
        lambda text: _LEVELS(text.upper()),
    ),
    Variable(
        "AUDIT",
        "",
        "where each call leaves a line of JSON, with a digest of the answer's data, and the data when it is small: "
        "a file, or stderr (nowhere)",
        str,
        True,
    ),
    Variable("SUMMARY", "0", "1: says at the end what was called, how it went and how long it took", flag),
    Variable("TELEMETRY", "0", "1: OpenTelemetry spans and metrics, set up by OTEL_* variables", flag),
    Variable("METRICS", "0", "1: Prometheus metrics at /metrics (HTTP only)", flag),
    # Serving over HTTP
    Variable("ALLOWED_HOSTS", "", "Host names that clients use, needed to listen beyond loopback", texts),
    Variable("ALLOWED_ORIGINS", "", "web origins that may call over HTTP", texts),
    Variable(
        "FORWARD_AUTHORIZATION", "0", "1: the API gets the MCP caller's Authorization (HTTP only)", flag
    ),
    Variable(
        "HTTP_URL", "", "this server's public URL, /mcp included: the resource of its tokens", base_url, True
    ),
    Variable("HTTP_ISSUER", "", "the authorization server whose tokens are accepted", base_url),
    Variable("HTTP_JWKS_URL", "", "where its keys are; found through its metadata when not set", endpoint),
    Variable("HTTP_INTROSPECTION_URL", "", "where opaque tokens are looked up (RFC 7662)", endpoint),
    Variable("HTTP_CLIENT_ID", "", "this server's client there, for looking tokens up", str, True),
    Variable("HTTP_CLIENT_SECRET", "", "that client's secret", str, True, True),
    Variable("HTTP_AUDIENCE", "", "the audience that tokens must name; HTTP_URL when not set"),
    Variable("HTTP_SCOPES", "", "scopes that every caller needs", texts),
    Variable(
        "HTTP_EFFECT_SCOPES", "", "scopes by effect: read=orders.read,write=orders.write", pairs(*EFFECTS)
    ),
    Variable("HTTP_RATE", "0", "requests a minute of one caller; 0: any number", number(int, 0)),
    Variable("HTTP_MAX_BYTES", "16777216", "how large one MCP request may be", number(int, 1000)),
    Variable("HTTP_DRAIN", "10", "seconds that calls in flight get to finish at the end", number(float, 0)),
    Variable("HTTP_OPEN", "0", "1: listens beyond loopback without authentication", flag),
)
BY_FIELD = {variable.field: variable for variable in VARIABLES}


def as_text(value: Any) -> str:
    """A value of a TOML document as an environment variable would have it.

    Raises:
        ValueError: it is no text, number, switch or list of texts.
    """
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int | float | str):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str) and "," not in item for item in value):
        return ",".join(value)
    raise ValueError("must be a text, a number, true or false, or a list of texts")
