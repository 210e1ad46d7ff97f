"""Values that the API itself gave, for arguments that only the API knows: identifiers above all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import SchemaError

from mcpgen.ir.api import Operation
from mcpgen.plan.model import ArgumentPlan, ToolPlan
from mcpgen.runtime.patterns.keywords import bounded_validator

_KEPT = 20
_NODES = 2000
_DEPTH = 8
_GOLDEN = 0.618034
"""Its multiples, without their whole part, are spread evenly (the additive recurrence of the golden ratio)."""
_IDENTIFIERS = frozenset({"id", "uuid", "guid", "key", "name", "slug", "number", "code", "sha", "ref"})
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_BODY = "$response.body#"

Scalar = str | int
Context = Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class Seen:
    """A value, and what it belongs to: identifiers of the things around it, by their names."""

    value: Scalar
    around: Context


class Known:
    """Remembers values of answers by name. `order_id`, `orderId`, and the `id` of something among `orders` are one name."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, Seen]] = {}

    def learn(
        self, tool: ToolPlan, operation: Operation, arguments: Mapping[str, Any], answer: bytes
    ) -> None:
        """Takes what a successful answer in JSON says; anything else says nothing."""
        try:
            value = json.loads(answer)
        except (ValueError, RecursionError):
            return
        around = {
            name: arguments[argument.name]
            for argument in tool.arguments_in("path")
            for name in _names(operation.path, argument)[:1]
            if isinstance(arguments.get(argument.name), str | int)
        }
        segments = [part for part in operation.path.split("/") if part and "{" not in part]
        last_is_value = operation.path.rstrip("/").endswith("}")
        self._walk(value, _singular(segments[-1]) if segments else "", around)
        if last_is_value and isinstance(value, dict):
            self._walk(value, "", around)
        for response in operation.responses:
            for link in response.links:
                for name, expression in link.parameters.items():
                    target = f"{link.operation_id} {name.rpartition('.')[2]}"
                    self._follow(target, expression, value, around)

    def choose(
        self, tool: ToolPlan, operation: Operation, arguments: Mapping[str, Any], turn: int
    ) -> dict[str, Any]:
        """The arguments with real values for those that identify something, as far as any are known.

        `turn` goes through the values, far apart: neighbours in a list are often alike. Identifiers that came together go
        together.
        """
        found = dict(arguments)
        fixed: dict[str, Scalar] = {}
        for argument in reversed([one for one in tool.arguments if identifies(one)]):
            names = _keys(operation, argument)
            seen = self._candidates(names, argument)
            together = next((fixed[name] for name in names if name in fixed), None)
            if together is not None and _fits(together, argument):
                found[argument.name] = together
            elif seen:
                chosen = seen[int(turn * _GOLDEN % 1 * len(seen))]
                found[argument.name] = chosen.value
                fixed |= {name: value for name, value in chosen.around.items() if name not in fixed}
        return found

    def knows(self, tool: ToolPlan, operation: Operation) -> bool:
        """Whether there is a value for every argument that identifies something, and there is such an argument."""
        asked = [one for one in tool.arguments if identifies(one)]
        return bool(asked) and all(self._candidates(_keys(operation, one), one) for one in asked)

    def _candidates(self, names: Sequence[str], argument: ArgumentPlan) -> list[Seen]:
        found = {key: seen for name in names for key, seen in self._seen.get(name, {}).items()}
        return [seen for seen in found.values() if _fits(seen.value, argument)]

    def _note(self, name: str, value: Any, around: Context) -> None:
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            return
        entries = self._seen.setdefault(name, {})
        if len(entries) < _KEPT:
            entries.setdefault(json.dumps(value), Seen(value, dict(around)))

    def _walk(self, value: Any, thing: str, around: Context) -> None:
        for owner, name, scalar, outer in _scalars(value, thing, around):
            self._note(name, scalar, outer)
            if name in _IDENTIFIERS and owner:
                self._note(owner + name, scalar, outer)

    def _follow(self, name: str, expression: Any, value: Any, around: Context) -> None:
        """What an OpenAPI link gives (OpenAPI 3.2, Runtime Expressions); only bodies of answers are followed."""
        if not isinstance(expression, str) or not expression.startswith(_BODY):
            return
        for token in expression.removeprefix(_BODY).split("/")[1:]:
            step = token.replace("~1", "/").replace("~0", "~")
            if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            elif isinstance(value, dict) and step in value:
                value = value[step]
            else:
                return
        self._note(name, value, around)


def identifies(argument: ArgumentPlan) -> bool:
    """Whether an argument is likely to name something that has to exist: those in the path, and required `…id` elsewhere."""
    if argument.where == "path":
        return not argument.schema.keys() & {"enum", "const"}
    return (
        argument.required and argument.where == "query" and (argument.wire_name or "").lower().endswith("id")
    )


def _scalars(value: Any, thing: str, around: Context) -> Iterator[tuple[str, str, Any, Context]]:
    """Every text and number: what it is a property of, its name, itself, and the identifiers around it."""
    waiting: list[tuple[Any, str, Context, int]] = [(value, thing, around, 0)]
    left = _NODES
    while waiting and left:
        node, owner, outer, depth = waiting.pop(0)
        left -= 1
        if isinstance(node, list):
            waiting += [(item, owner, outer, depth) for item in node[:_KEPT] if isinstance(item, dict | list)]
        elif isinstance(node, dict) and depth < _DEPTH:
            own = dict(outer)
            for key, member in node.items():
                name = _plain(key)
                if isinstance(member, dict | list):
                    continue
                yield owner, name, member, outer
                if isinstance(member, str | int) and not isinstance(member, bool) and name.endswith("id"):
                    own[owner + name if name in _IDENTIFIERS else name] = member
            for key, member in node.items():
                if isinstance(member, dict | list):
                    inner = owner if key.lower() in ("data", "items", "results", "value") else _singular(key)
                    waiting.append((member, inner, own, depth + 1))


def _keys(operation: Operation, argument: ArgumentPlan) -> list[str]:
    """What a link gave for just this argument, and then what has its name."""
    return [f"{operation.operation_id} {argument.wire_name}", *_names(operation.path, argument)]


def _names(path: str, argument: ArgumentPlan) -> list[str]:
    """The names under which values for an argument may be known, the surest first."""
    wire = argument.wire_name or argument.name
    plain = _plain(wire)
    before = _segment_before(path, wire) if argument.where == "path" else ""
    if plain in _IDENTIFIERS:
        return [before + plain] if before else [plain]
    names = [plain]
    if before and plain.endswith("id"):
        names.append(before + "id")
    elif argument.where == "path":
        names += [plain + "id", plain + "name", *([before + "id", before + "name"] if before else [])]
    return names


def _segment_before(path: str, wire: str) -> str:
    before = ""
    for segment in path.split("/"):
        if wire in _PLACEHOLDER.findall(segment):
            return before
        if segment and "{" not in segment:
            before = _singular(segment)
    return before


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _singular(name: str) -> str:
    plain = _plain(name)
    for end, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ss", "ss"), ("us", "us"), ("s", "")):
        if plain.endswith(end) and len(plain) > len(end) + 1:
            return plain.removesuffix(end) + instead
    return plain


def _fits(value: Any, argument: ArgumentPlan) -> bool:
    try:
        return bool(bounded_validator()(dict(argument.schema)).is_valid(value))
    except (SchemaError, ValueError, TypeError, RecursionError):
        return False
