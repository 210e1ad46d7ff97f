"""Where logins are kept between runs: the system's keyring, or files that only their owner can read."""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

log = logging.getLogger(__name__)

_LOCK_SECONDS = 30.0
_LOCK_PAUSE = 0.05


class StoreError(Exception):
    """Logins can't be kept where the operator wants them."""


@dataclass(frozen=True, slots=True)
class StoredToken:
    """One login. `expires_at` is wall-clock time, because another process may read it."""

    access_token: str = field(repr=False)
    expires_at: float
    refresh_token: str | None = field(default=None, repr=False)
    scope: str | None = None


class TokenStore:
    """Keeps one `StoredToken` for each key. All methods block: call them from a worker thread.

    Args:
        service: the server's name.
        kind: `keyring`, `file`, or `auto` for the keyring where there is one that works.
        folder: for files and locks; made when something is first kept.
    """

    def __init__(self, service: str, kind: str, folder: Path) -> None:
        self._service = f"mcpgen:{service}"
        self._kind = kind
        self._folder = folder

    def load(self, key: str) -> StoredToken | None:
        """The login kept under this key, if there is one that can be read."""
        text = self._from_keyring(key)
        if text is None and self._kind != "keyring":
            text = self._from_file(key)
        return None if text is None else _parsed(text)

    def save(self, key: str, token: StoredToken) -> str:
        """Keeps a login; gives the place for people to read.

        Raises:
            StoreError: it can't be kept.
        """
        text = json.dumps(asdict(token))
        if self._to_keyring(key, text):
            with suppress(OSError):
                self._file(key).unlink(missing_ok=True)
            return "the keyring"
        if self._kind == "keyring":
            raise StoreError(
                "the keyring does not take it: is the package `keyring` installed, and unlocked?"
            )
        try:
            self._to_file(key, text)
        except OSError as error:
            raise StoreError(f"{self._file(key)} can't be written ({error.strerror})") from error
        # A login that stayed in the keyring would be found before the file.
        self._forget_keyring(key)
        return str(self._file(key))

    def delete(self, key: str) -> bool:
        """Forgets a login everywhere; tells whether there was one."""
        found = self._forget_keyring(key)
        with suppress(FileNotFoundError):
            self._file(key).unlink()
            found = True
        return found

    @contextmanager
    def locked(self, key: str) -> Iterator[None]:
        """Holds this login for one process: a refresh token that is used twice ends the login (RFC 9700, 4.14.2).

        Raises:
            StoreError: the lock can't be had.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(self._file(key).with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreError(f"{self._folder} can't be used ({error.strerror})") from error
        try:
            _lock(handle)
            yield
        finally:
            os.close(handle)  # which also gives up the lock

    def _file(self, key: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9_-]+", "-", key)[:40].strip("-")
        return self._folder / f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"

    def _from_file(self, key: str) -> str | None:
        path = self._file(key)
        try:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return None
        with open(handle, encoding="utf-8") as file:
            if os.name == "posix" and os.fstat(handle).st_mode & 0o077:
                log.warning("%s can be read by others and is not used. Log in again.", path)
                return None
            try:
                return file.read()
            except (OSError, UnicodeDecodeError):
                return None

    def _to_file(self, key: str, text: str) -> None:
        """Writes beside and renames, so that nobody ever reads half a file; `mkstemp` makes it 0600."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=self._folder, prefix=".token-")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(handle)
            os.replace(name, self._file(key))
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise

    def _keyring(self) -> Any:
        """The module `keyring`, an optional extra; None when it is not wanted or not there."""
        if self._kind == "file":
            return None
        try:
            return importlib.import_module("keyring")
        except ImportError:
            return None

    def _from_keyring(self, key: str) -> str | None:
        module = self._keyring()
        try:
            found = None if module is None else module.get_password(self._service, key)
        except Exception as error:  # every backend has exceptions of its own
            self._complain("read", error)
            return None
        return found if isinstance(found, str) else None

    def _to_keyring(self, key: str, text: str) -> bool:
        module = self._keyring()
        if module is None:
            return False
        try:
            module.set_password(self._service, key, text)
            return bool(module.get_password(self._service, key) == text)  # the null backend forgets all
        except Exception as error:  # as above
            self._complain("written", error)
            return False

    def _forget_keyring(self, key: str) -> bool:
        module = self._keyring()
        try:
            if module is None or module.get_password(self._service, key) is None:
                return False
            module.delete_password(self._service, key)
        except Exception as error:  # as above
            self._complain("written", error)
            return False
        return True

    def _complain(self, what: str, error: Exception) -> None:
        level = logging.WARNING if self._kind == "keyring" else logging.DEBUG
        log.log(level, "The keyring can't be %s (%s).", what, type(error).__name__)


def _parsed(text: str) -> StoredToken | None:
    try:
        told = json.loads(text)
        refresh, scope = told.get("refresh_token"), told.get("scope")
        return StoredToken(
            access_token=str(told["access_token"]),
            expires_at=float(told["expires_at"]),
            refresh_token=str(refresh) if refresh else None,
            scope=str(scope) if scope else None,
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        log.warning("A kept login can't be read. Log in again.")
        return None


def _lock(handle: int) -> None:
    """Waits for the lock of an open file. It ends with the process, so that nothing stays locked.

    Raises:
        StoreError: another process holds it for too long.
    """
    end = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            if sys.platform == "win32":
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            if time.monotonic() > end:
                raise StoreError("another process is using the login for too long") from None
        time.sleep(_LOCK_PAUSE)


def state_folder(name: str, given: str | None, environ: Mapping[str, str]) -> Path:
    """The folder for a server's logins: the operator's, else the user's own (XDG Base Directory Specification)."""
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        base = Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        told = Path(environ.get("XDG_STATE_HOME", ""))
        base = told if told.is_absolute() else Path.home() / ".local" / "state"
    return base / name
