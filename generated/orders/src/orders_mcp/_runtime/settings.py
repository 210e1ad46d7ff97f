"""The operator's settings: environment variables with the server's prefix, checked once at start-up."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from .catalog import Catalog
from .certificates import Certificate
from .files import FileAccess

EFFECTS = ("read", "write", "destructive")
CONFIRM = ("never", "destructive", "write")
MODES = ("all", "search")
LOGIN_STORES = ("auto", "keyring", "file")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_T = TypeVar("_T")


class SettingsError(Exception):
    """Wrong values in the environment; `problems` has one line for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True)
class Variable:
    """One setting as documentation shows it: the name after the prefix, its default and meaning."""

    name: str
    default: str
    meaning: str


VARIABLES = (
    Variable("BASE_URL", "", "replaces the server URL of the API description, base path included"),
    Variable("SERVER", "1", "which of the description's servers is used, by name or number"),
    Variable(
        "ALLOW_EFFECTS", "read,write", "which effects are registered as tools: read, write, destructive"
    ),
    Variable("CONFIRM", "destructive", "which calls ask the user first: never, destructive or write"),
    Variable("TOOLSETS", "", "which toolsets are registered, comma-separated (all when not set)"),
    Variable("MODE", "all", "all: every tool is listed; search: tools are found by searching"),
    Variable("PAGE_SIZE", "0", "tools in one page of the list; 0 is all in one page"),
    Variable("TIMEOUT", "30", "seconds that one call may take in all, repeats included"),
    Variable("MAX_RESULT_BYTES", "1048576", "how much of an answer reaches the model"),
    Variable("MAX_DOWNLOAD_BYTES", "33554432", "how much of an answer is read from the API at all"),
    Variable("FILES_DIR", "", "a folder whose files arguments may name by path (none when not set)"),
    Variable("MAX_UPLOAD_BYTES", "104857600", "how large a file argument may be"),
    Variable("ALLOWED_HOSTS", "", "Host names that HTTP clients may use, needed to listen beyond loopback"),
    Variable("ALLOWED_ORIGINS", "", "web origins that may call over HTTP"),
    Variable("STATE_KEYS", "", "keys of 32 bytes or more that seal confirmations, for several processes"),
    Variable("CLIENT_CERT", "", "client certificate file (PEM) for mutual TLS"),
    Variable("CLIENT_KEY", "", "private key file of the client certificate"),
    Variable("CLIENT_KEY_PASSWORD", "", "password of that private key"),
    Variable("FORWARD_AUTHORIZATION", "0", "1: the API gets the MCP caller's Authorization (HTTP only)"),
    Variable("LOGIN_STORE", "auto", "where logins are kept: keyring, file, or auto for the first that works"),
    Variable("STATE_DIR", "", "folder of the files that keep logins; by default one of the user's own"),
    Variable("LOG_LEVEL", "WARNING", "DEBUG, INFO, WARNING or ERROR; the log goes to standard error"),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings; see `VARIABLES` for what each means."""

    base_url: str | None = None
    server: str | None = None
    allow_effects: frozenset[str] = frozenset({"read", "write"})
    confirm: str = "destructive"
    toolsets: frozenset[str] | None = None
    mode: str = "all"
    page_size: int = 0
    timeout: float = 30.0
    max_result_bytes: int = 1 << 20
    max_download_bytes: int = 32 << 20
    files_dir: Path | None = None
    max_upload_bytes: int = 100 << 20
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    state_keys: tuple[str, ...] = ()
    client_cert: str | None = None
    client_key: str | None = None
    client_key_password: str | None = None
    forward_authorization: bool = False
    login_store: str = "auto"
    state_dir: str | None = None
    log_level: str = "WARNING"

    @property
    def file_access(self) -> FileAccess:
        """What file arguments may be."""
        return FileAccess(self.files_dir, self.max_upload_bytes)

    @classmethod
    def read(cls, catalog: Catalog, environ: Mapping[str, str]) -> Settings:
        """Reads and checks all settings.

        Raises:
            SettingsError: naming every wrong value, what is allowed, and what was close.
        """
        reader, default = _Reader(catalog.server.env_prefix, environ), cls()
        toolsets = tuple(sorted(catalog.toolsets))
        settings = cls(
            base_url=reader.value("BASE_URL", None, base_url),
            server=reader.value("SERVER", None, str),
            allow_effects=reader.value("ALLOW_EFFECTS", default.allow_effects, _subset(EFFECTS)),
            confirm=reader.value("CONFIRM", default.confirm, _one_of(CONFIRM)),
            toolsets=reader.value("TOOLSETS", None, _subset(toolsets)),
            mode=reader.value("MODE", default.mode, _one_of(MODES)),
            page_size=reader.value("PAGE_SIZE", default.page_size, _number(int, 0)),
            timeout=reader.value("TIMEOUT", default.timeout, _number(float, 0.1)),
            max_result_bytes=reader.value("MAX_RESULT_BYTES", default.max_result_bytes, _number(int, 1000)),
            max_download_bytes=reader.value(
                "MAX_DOWNLOAD_BYTES", default.max_download_bytes, _number(int, 1000)
            ),
            files_dir=reader.value("FILES_DIR", None, _folder),
            max_upload_bytes=reader.value("MAX_UPLOAD_BYTES", default.max_upload_bytes, _number(int, 1)),
            allowed_hosts=reader.value("ALLOWED_HOSTS", (), _items),
            allowed_origins=reader.value("ALLOWED_ORIGINS", (), _items),
            state_keys=reader.value("STATE_KEYS", (), _keys),
            client_cert=reader.value("CLIENT_CERT", None, str),
            client_key=reader.value("CLIENT_KEY", None, str),
            client_key_password=reader.value("CLIENT_KEY_PASSWORD", None, str),
            forward_authorization=reader.value("FORWARD_AUTHORIZATION", False, _switch),
            login_store=reader.value("LOGIN_STORE", default.login_store, _one_of(LOGIN_STORES)),
            state_dir=reader.value("STATE_DIR", None, str),
            log_level=reader.value(
                "LOG_LEVEL", default.log_level, lambda text: _one_of(LOG_LEVELS)(text.upper())
            ),
        )
        try:
            if settings.certificate is not None:
                settings.certificate.check()
        except ValueError as error:
            reader.problems.append(f"{reader.prefix}_CLIENT_CERT: {error}")
        if reader.problems:
            raise SettingsError(reader.problems)
        return settings

    @property
    def certificate(self) -> Certificate | None:
        """The certificate for every connection; a scheme can have one of its own."""
        if self.client_cert is None:
            return None
        return Certificate(self.client_cert, self.client_key, self.client_key_password)


class _Reader:
    """Reads variables and collects what is wrong with them, so that the operator sees all of it at once."""

    def __init__(self, prefix: str, environ: Mapping[str, str]) -> None:
        self.prefix = prefix
        self.environ = environ
        self.problems: list[str] = []

    def value(self, name: str, default: _T, parse: Callable[[str], _T]) -> _T:
        full = f"{self.prefix}_{name}"
        text = self.environ.get(full)
        if text is None:
            return default
        if not text.strip():
            if name in ("ALLOW_EFFECTS", "TOOLSETS"):  # nothing at all, or everything? Better to ask.
                self.problems.append(f"{full} is empty: name at least one, or unset it")
            return default
        try:
            return parse(text.strip())
        except ValueError as error:
            self.problems.append(f"{full}: {error}")
            return default


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _one_of(allowed: tuple[str, ...]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"{text!r} is not one of {', '.join(allowed)}{_close(text, allowed)}")
        return text

    return parse


def _subset(allowed: tuple[str, ...]) -> Callable[[str], frozenset[str]]:
    one = _one_of(allowed)
    return lambda text: frozenset(one(item) for item in _items(text))


def _close(text: str, allowed: Iterable[str]) -> str:
    hit = difflib.get_close_matches(text.lower(), allowed, n=1, cutoff=0.5)
    return f" (did you mean {hit[0]!r}?)" if hit else ""


def _number(kind: Callable[[str], _T], least: float) -> Callable[[str], _T]:
    def parse(text: str) -> _T:
        try:
            number = kind(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a number") from None
        if not float(text) >= least:
            raise ValueError(f"{text} is less than {least:g}")
        return number

    return parse


def _folder(text: str) -> Path:
    """An existing folder, links resolved once, so that what is inside can be told from what is not."""
    try:
        folder = Path(text).expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise ValueError("there is no such folder") from None
    if not folder.is_dir():
        raise ValueError("not a folder")
    if folder.parent == folder:
        raise ValueError("that is the whole file system; name a folder that holds nothing else")
    return folder


def _keys(text: str) -> tuple[str, ...]:
    keys = _items(text)
    if any(len(key.encode()) < 32 for key in keys):
        raise ValueError("every key needs at least 32 bytes")
    return keys


def _switch(text: str) -> bool:
    if text.lower() not in ("0", "1", "false", "true"):
        raise ValueError(f"{text!r} is neither 1 nor 0")
    return text.lower() in ("1", "true")


def base_url(text: str) -> str:
    """The text, when it can be the base of an API's addresses.

    Raises:
        ValueError: why it can't.
    """
    parts = urlsplit(text)  # an invalid port or IPv6 address is a ValueError of its own
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("not an absolute http or https URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("a base URL has no user, query or fragment; credentials have variables of their own")
    return text
