"""The repairs of a report as an OpenAPI Overlay 1.0 document: what needs no decision as updates, the rest as marked questions.

Targets are JSONPaths (RFC 9535) that find exactly one place. Overlay 1.0 merges an update into an object and appends it to a list, so
no update holds a list for a place that has one. A question is an extension of its object, which
changes nothing for any tool:

    x-mcpgen-question:
      description: {value: "", explanation: What does the operation do?}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from mcpgen.diagnostics import Location, Severity
from mcpgen.lint.model import Finding, Patch, Question, Subject
from mcpgen.source.model import tokens

QUESTION = "x-mcpgen-question"
_HEADER = """\
# Repairs of {target}, found by `mcpgen lint`. An OpenAPI Overlay 1.0.
# Repairs that need no decision: {patches}. Questions: {questions}.
#
# A question stands under `x-mcpgen-question` and changes nothing. To answer it, replace it by the key that it names with your
# value, next to it in the same `update`; delete the questions that you do not want to answer.
"""


@dataclass(frozen=True, slots=True)
class Overlay:
    """The document and what is in it. `elsewhere` counts repairs of other files, where an overlay of the root can't reach."""

    document: Mapping[str, Any]
    patches: int
    questions: int
    elsewhere: int

    def text(self, target: str) -> str:
        """The document as YAML, with a comment on how to go on."""
        shown = "".join(char for char in target if char.isprintable())
        header = _HEADER.format(target=shown, patches=self.patches, questions=self.questions)
        # Through JSON, so that no value is written as an alias of an equal one.
        body = yaml.safe_dump(
            json.loads(json.dumps(self.document)), sort_keys=False, allow_unicode=True, width=110
        )
        return header + body


@dataclass(slots=True)
class _Action:
    update: dict[str, Any]
    reasons: dict[str, None]


def overlay_of(subject: Subject, findings: Iterable[Finding]) -> Overlay:
    """The overlay for a spec. Questions of mere hints are left out: there would be thousands.

    Raises:
        ValueError: the subject is a generated project, which has no spec to repair.
    """
    if subject.api is None:
        raise ValueError("only a spec can be repaired")
    root = subject.documents[0][1]
    patches: dict[str, _Action] = {}
    appended: list[tuple[str, Mapping[str, Any], str]] = []
    questions: dict[str, _Action] = {}
    elsewhere = 0
    for finding in findings:
        repair = finding.repair
        if repair is None or (isinstance(repair, Question) and finding.severity is Severity.INFO):
            continue
        value = _value(root, repair.target, subject.root.file)
        if isinstance(repair, Patch) and isinstance(value, list):
            appended.append((path_of(root, repair.target.pointer), repair.update, finding.message))
        elif not isinstance(value, dict) or "$ref" in value:
            elsewhere += 1
        elif isinstance(repair, Patch):
            _add(patches, repair.target, dict(repair.update), finding.message)
        else:
            asked = {QUESTION: {repair.key: {"value": "", "explanation": repair.explanation}}}
            _add(questions, repair.target, asked, finding.message)
    actions = [*_actions(root, patches), *_appending(appended), *_actions(root, questions)]
    document = {
        "overlay": "1.0.0",
        "info": {"title": f"Repairs of {subject.api.title}", "version": "1.0.0"},
        "actions": actions or [_nothing()],
    }
    asked_for = sum(len(action.update[QUESTION]) for action in questions.values())
    return Overlay(document, len(patches) + len(appended), asked_for, elsewhere)


def path_of(root: Any, pointer: str) -> str:
    """The place of a JSON pointer in a document as a JSONPath (RFC 9535).

    Parameters are named, not counted: an overlay lives longer than the order of a list. The rest is a normalized path.
    """
    path, value = "$", root
    for token in tokens(pointer):
        if isinstance(value, list):
            path, value = path + (_by_name(value, int(token)) or f"[{int(token)}]"), value[int(token)]
        else:
            path, value = f"{path}['{_quoted(token)}']", value[token]
    return path


def _by_name(entries: list[Any], index: int) -> str | None:
    """A filter that finds the parameter at an index and no other entry."""
    keys = [(entry.get("name"), entry.get("in")) if isinstance(entry, dict) else None for entry in entries]
    key = keys[index]
    if key is None or keys.count(key) != 1 or not all(isinstance(part, str) for part in key):
        return None
    return f"[?@.name == '{_quoted(str(key[0]))}' && @.in == '{_quoted(str(key[1]))}']"


def _quoted(token: str) -> str:
    """RFC 9535, section 2.7: only the quote, the backslash and control characters are escaped."""
    text = token.replace("\\", "\\\\").replace("'", "\\'")
    named = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
    return "".join(named.get(char, f"\\u{ord(char):04x}" if char < " " else char) for char in text)


def _value(root: Any, target: Location, file: str) -> Any:
    if target.file != file:
        return None
    value = root
    for token in tokens(target.pointer):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            return None
    return value


def _add(actions: dict[str, _Action], target: Location, update: dict[str, Any], reason: str) -> None:
    action = actions.setdefault(target.pointer, _Action({}, {}))
    _merge(action.update, update)
    action.reasons[reason] = None


def _merge(into: dict[str, Any], update: Mapping[str, Any]) -> None:
    for key, value in update.items():
        if isinstance(value, Mapping) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        elif isinstance(value, list) and isinstance(into.get(key), list):
            into[key] = [*into[key], *value]
        else:
            into.setdefault(key, value)


def _actions(root: Any, found: Mapping[str, _Action]) -> list[dict[str, Any]]:
    return [
        {"target": path_of(root, pointer), "description": "; ".join(action.reasons), "update": action.update}
        for pointer, action in found.items()
    ]


def _appending(found: Iterable[tuple[str, Mapping[str, Any], str]]) -> list[dict[str, Any]]:
    return [
        {"target": target, "description": reason, "update": dict(update)} for target, update, reason in found
    ]


def _nothing() -> dict[str, Any]:
    """An overlay must have an action; this one changes nothing."""
    return {"target": "$", "description": "Nothing to repair.", "update": {}}
