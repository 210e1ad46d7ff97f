"""Reading overlays: from a file to actions whose queries are compiled (Overlay 1.1, Overlay, Info and Action Objects)."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jsonpath_rfc9535 import JSONPathError, JSONPathQuery

from mcpgen.diagnostics import Collector, Location
from mcpgen.source.document import Document
from mcpgen.source.files import read_file
from mcpgen.source.overlays.jsonpath import Environment, problem_with
from mcpgen.source.overlays.model import Action, Overlay
from mcpgen.source.parse import parse
from mcpgen.source.pointer import join
from mcpgen.source.problem import SourceProblem

_VERSION = re.compile(r"1\.[01]\.\d+")
_FIELDS = ("overlay", "info", "extends", "actions")
_INFO = ("title", "version", "description")
_ACTION = ("target", "description", "update", "copy", "remove")
_SHOWN = 120


def read_overlay(
    path: Path, environment: Environment, max_bytes: int, diagnostics: Collector
) -> tuple[Overlay | None, bytes]:
    """One overlay with the bytes it was read from; None where it is unusable, and `diagnostics` then says why."""
    name = str(path)
    try:
        data = read_file(path, max_bytes)
        parsed = parse(data, prefer_yaml=name.lower().endswith((".yaml", ".yml")))
    except SourceProblem as problem:
        place = Location(name, "", *(problem.position or (None, None)))
        diagnostics.add(problem.code, f"{name} {problem.message}", place, hint=problem.hint)
        return None, b""
    for position, sentence in parsed.notes:
        diagnostics.add("spec-repaired", sentence, Location(name, "", *(position or (None, None))))
    digest = hashlib.sha256(data).hexdigest()
    document = Document(name, parsed.value, parsed.positions, digest, len(data), path.resolve())
    return _Reader(document, environment, diagnostics).overlay(), data


class _Reader:
    """Reads one document, and says everything that is wrong with it."""

    def __init__(self, document: Document, environment: Environment, diagnostics: Collector) -> None:
        self._document = document
        self._environment = environment
        self._diagnostics = diagnostics
        self._sound = True

    def overlay(self) -> Overlay | None:
        root = self._document.value
        if not isinstance(root, dict) or "overlay" not in root:
            hint = "An overlay begins with `overlay: 1.1.0`."
            self._wrong(f"{self._document.name} is no OpenAPI Overlay", "", hint)
            return None
        version = root["overlay"]
        if not isinstance(version, str) or not _VERSION.fullmatch(version):
            hint = 'Known are 1.0 and 1.1; write the version as text, such as "1.1.0".'
            self._wrong(f"the overlay's version {_short(version)} is not supported", "/overlay", hint)
            return None
        self._unknown(root, "", _FIELDS)
        self._info(root.get("info"))
        extends = root.get("extends")
        if "extends" in root and not isinstance(extends, str):
            self._wrong("`extends` must be a URI reference", "/extends")
        listed = root.get("actions")
        if not isinstance(listed, list) or not listed:
            self._wrong("`actions` must be a list of at least one action", "/actions")
            return None
        found = [self._action(item, join("/actions", index), version) for index, item in enumerate(listed)]
        actions = tuple(action for action in found if action is not None)
        return Overlay(self._document, version, extends, actions) if self._sound else None

    def _info(self, info: Any) -> None:
        if not isinstance(info, dict):
            self._wrong("`info` must be an object with `title` and `version`", "/info")
            return
        self._unknown(info, "/info", _INFO)
        self._described(info, "/info")
        # A version such as 1.0 without quotes is a number in YAML; nothing depends on it.
        for key, kinds in (("title", str), ("version", (str, int, float))):
            if not isinstance(info.get(key), kinds):
                self._wrong(f"`info` must have a text `{key}`", join("/info", key))

    def _action(self, item: Any, pointer: str, version: str) -> Action | None:
        if not isinstance(item, dict):
            self._wrong("an action must be an object", pointer)
            return None
        self._unknown(item, pointer, _ACTION)
        self._described(item, pointer)
        if not isinstance(item.get("target"), str):
            self._wrong("an action must have a `target`, a JSONPath", join(pointer, "target"))
            return None
        query = self._query(item["target"], join(pointer, "target"))
        remove = item.get("remove", False)
        if not isinstance(remove, bool):
            self._wrong(f"`remove` must be true or false, not {_short(remove)}", join(pointer, "remove"))
        if remove is True:
            return Action(pointer, item["target"], query, remove=True) if query is not None else None
        copy = self._copy(item, pointer, version) if "copy" in item else None
        if query is None:
            return None
        if copy is not None:
            return Action(pointer, item["target"], query, copy=copy)
        return Action(pointer, item["target"], query, update=item.get("update"), has_update="update" in item)

    def _copy(self, item: dict[str, Any], pointer: str, version: str) -> JSONPathQuery | None:
        place = join(pointer, "copy")
        if version.startswith("1.0."):
            self._wrong(
                "`copy` needs version 1.1 of the Overlay Specification", place, "Write overlay: 1.1.0."
            )
        elif "update" in item:
            self._wrong("`update` and `copy` switch each other off; an action can have one of them", place)
        elif not isinstance(item["copy"], str):
            self._wrong("`copy` must be a JSONPath", place)
        else:
            return self._query(item["copy"], place)
        return None

    def _query(self, text: str, pointer: str) -> JSONPathQuery | None:
        try:
            return self._environment.compile(text)
        except JSONPathError as error:
            self._wrong(f"`{text[:_SHOWN]}` is no JSONPath: {problem_with(error)}", pointer, _advice(text))
        except (RecursionError, ValueError):
            self._wrong(f"`{text[:_SHOWN]}` is no usable JSONPath", pointer)
        return None

    def _described(self, value: dict[str, Any], pointer: str) -> None:
        if not isinstance(value.get("description", ""), str):
            self._wrong("`description` must be text", join(pointer, "description"))

    def _unknown(self, value: dict[str, Any], pointer: str, known: Iterable[str]) -> None:
        for key in value:
            if key not in known and not key.startswith("x-"):
                close = difflib.get_close_matches(key, list(known), n=1)
                hint = f"Did you mean `{close[0]}`?" if close else f"Known are: {', '.join(known)}."
                self._wrong(f"`{key[:_SHOWN]}` is no field of an overlay here", join(pointer, key), hint)

    def _wrong(self, message: str, pointer: str, hint: str | None = None) -> None:
        self._sound = False
        self._diagnostics.add("overlay-invalid", message, self._document.locate(pointer), hint=hint)


def _advice(text: str) -> str:
    if not text.startswith("$"):
        return "A JSONPath (RFC 9535) begins with `$`."
    return "JSONPath is that of RFC 9535; keys with other characters than letters stand in brackets: $.paths['/a-b']."


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
