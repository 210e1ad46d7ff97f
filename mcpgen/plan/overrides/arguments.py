"""What is said about arguments: renamed, described, given a default or examples, hidden, or sent with a fixed value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.arguments import ArgumentDraft, FixedArgument, PreparedTool
from mcpgen.plan.examples.checking import Checker
from mcpgen.plan.naming.identifiers import fold
from mcpgen.plan.naming.names import ArgumentRequest, argument_names
from mcpgen.plan.overrides.faults import Faults, close_to
from mcpgen.plan.overrides.merging import merged_argument
from mcpgen.plan.overrides.model import UNSAID, ArgumentOverride
from mcpgen.plan.overrides.reading import EXTENSION, read_argument_extension


class ArgumentOverrides:
    """Puts what is said about arguments into the tools of one API."""

    def __init__(self, schemas: Mapping[str, Schema], faults: Faults) -> None:
        self._schemas = schemas
        self._faults = faults
        self._checker = Checker(schemas, "request")

    def into(self, tool: PreparedTool) -> PreparedTool:
        """The tool with what the document and the configuration say about its arguments."""
        said = self._said(tool)
        if not any(said.values()):
            return tool
        subjects = [
            self._subject(tool, index, draft, said[index] or ArgumentOverride())
            for index, draft in enumerate(tool.arguments)
        ]
        names = self._names(tool, subjects)
        fixed = self._fixed(tool, subjects)
        kept = [
            (name, one.draft)
            for name, one in zip(names, subjects, strict=True)
            if one.fixed is None and not one.hidden
        ]
        drafts = _with_body([draft for _, draft in kept], fixed)
        return replace(
            tool, arguments=tuple(drafts), names=tuple(name for name, _ in kept), fixed=tuple(fixed)
        )

    def _said(self, tool: PreparedTool) -> dict[int, ArgumentOverride | None]:
        """What is said about each argument, by its index: the document's own parts first, then the operation's."""
        found = {index: self._in_document(draft) for index, draft in enumerate(tool.arguments)}
        said = tool.draft.override.arguments
        if not said:
            return found
        known = _Known(tool)
        for key, override in said.items():
            matching = known.find(key)
            if len(matching) == 1:
                weaker = found[matching[0]] or ArgumentOverride()
                found[matching[0]] = merged_argument(weaker, override)
            elif problem := known.problem(key, matching):
                self._faults.add(
                    override.said.get(""), f"{tool.draft.operation.key}: arguments.{key}: {problem}"
                )
        return found

    def _in_document(self, draft: ArgumentDraft) -> ArgumentOverride | None:
        told = draft.extension
        if told is None:
            told = flatten(draft.schema, self._schemas)[0].get(EXTENSION)
        if told is None or draft.origin is None:
            return None
        return read_argument_extension(told, draft.origin, draft.wire, self._faults)

    def _subject(
        self, tool: PreparedTool, index: int, draft: ArgumentDraft, said: ArgumentOverride
    ) -> _Subject:
        place = f"{tool.draft.operation.key}: {draft.wire}"
        self._check_values(place, draft, said)
        if said.description is not None:
            draft = replace(draft, schema={**draft.schema, "description": said.description})
        if said.examples is not None:
            draft = replace(draft, examples=(*said.examples, *draft.examples))
        draft = replace(draft, override=said)
        always = said.fixed
        if always is UNSAID and said.hidden:
            always = said.default
        if always is not UNSAID:
            if problem := _unfixable(tool, draft):
                self._faults.add(said.said.get(""), f"{place}: {problem}.")
            return _Subject(index, draft, said, FixedArgument(draft, always))
        if said.default is not UNSAID:
            draft = replace(draft, required=False, required_in_body=False)
        if said.hidden and (draft.required or draft.required_in_body):
            self._faults.add(
                said.said.get("hidden"),
                f"{place}: hidden: the API requires it; give it a value with `fixed` or `default`.",
            )
        return _Subject(index, draft, said, None)

    def _check_values(self, place: str, draft: ArgumentDraft, said: ArgumentOverride) -> None:
        if said.fixed is not UNSAID and said.default is not UNSAID:
            self._faults.add(
                said.said.get("default"), f"{place}: default: a value that is `fixed` needs no default."
            )
        values = [("fixed", said.fixed), ("default", said.default)]
        key = "examples" if "examples" in said.said else "example"
        values += [(key, value) for value in said.examples or ()]
        for key, value in values:
            if value is not UNSAID and (problem := self._checker.problem(value, draft.schema)):
                self._faults.add(
                    said.said.get(key), f"{place}: {key} breaks the argument's schema: {problem}."
                )

    def _fixed(self, tool: PreparedTool, subjects: Sequence[_Subject]) -> list[FixedArgument]:
        """The values that the tool sends by itself. The catalogue knows them by their names on the wire alone."""
        found: dict[str, FixedArgument] = {}
        for one in subjects:
            if one.fixed is not None and found.setdefault(one.draft.wire, one.fixed) is not one.fixed:
                self._faults.add(
                    one.said.said.get(""),
                    f"{tool.draft.operation.key}: {one.draft.wire}: only one argument of this name can be fixed.",
                )
        return list(found.values())

    def _names(self, tool: PreparedTool, subjects: Sequence[_Subject]) -> list[str]:
        """The names, those that are said in place of ours."""
        names = [one.said.name or name for one, name in zip(subjects, tool.names, strict=True)]
        taken: dict[str, _Subject] = {}
        shown = [one for one in subjects if one.fixed is None and not one.hidden]
        for one in sorted(shown, key=lambda one: one.said.name is not None):
            other = taken.setdefault(fold(names[one.index]), one)
            if other is not one:
                self._faults.add(
                    one.said.said.get("name"),
                    f"{tool.draft.operation.key}: {one.draft.wire}: name: `{names[other.index]}` is the name of "
                    f"`{other.draft.wire}` ({other.draft.where}); choose another one.",
                )
                names[one.index] = tool.names[one.index]
        return names


@dataclass(frozen=True, slots=True)
class _Subject:
    """One argument with what is said about it; `fixed` where it always has the same value."""

    index: int
    draft: ArgumentDraft
    said: ArgumentOverride
    fixed: FixedArgument | None

    @property
    def hidden(self) -> bool:
        return bool(self.said.hidden)


class _Known:
    """The arguments of a tool by the names that somebody may say for them."""

    def __init__(self, tool: PreparedTool) -> None:
        self._tool = tool
        # Names of the last run may be said ones already; the keys of the configuration are not about those.
        requests = [ArgumentRequest(draft.wire, draft.where) for draft in tool.arguments]
        self._own = argument_names(requests)

    def find(self, key: str) -> list[int]:
        """The indices of those with a name: published, with its place, on the wire."""
        drafts = self._tool.arguments
        ways: Iterator[list[bool]] = iter(
            (
                [name == key for name in self._own],
                [f"{draft.where}:{draft.wire}" == key for draft in drafts],
                [draft.wire == key for draft in drafts],
                [name == key for name in self._tool.names],
            )
        )
        return next((found for way in ways if (found := [i for i, hit in enumerate(way) if hit])), [])

    def problem(self, key: str, matching: Sequence[int]) -> str | None:
        """Why a key names no argument; None where it names one that only another action has."""
        if matching:
            drafts = [self._tool.arguments[index] for index in matching]
            return f"there are several: say {' or '.join(f'{d.where}:{d.wire}' for d in drafts)}."
        action = self._tool.draft.action
        if action is not None and key == action.name:
            return "the tool sets it itself."
        if any(key in (draft.wire, f"{draft.where}:{draft.wire}") for draft in self._tool.left_out):
            return None
        return f"the operation has no such argument.{close_to(key, self._own)}"


def _unfixable(tool: PreparedTool, draft: ArgumentDraft) -> str | None:
    """Why an argument can't have the same value in every call."""
    if draft.pointer == "":
        return "only single fields of a body can be fixed"
    key = tool.idempotency
    if key is not None and draft.where == "header" and draft.wire == key.name:
        return "this key tells calls apart, so it can't be the same for all"
    return None


def _with_body(drafts: Sequence[ArgumentDraft], fixed: Sequence[FixedArgument]) -> list[ArgumentDraft]:
    """A body with a value that is always sent is always there: what it must have then is required."""
    sure = any(one.draft.where == "body" for one in fixed) or any(
        draft.where == "body" and draft.override.default is not UNSAID for draft in drafts
    )
    return [
        replace(draft, required=True, required_in_body=False) if sure and draft.required_in_body else draft
        for draft in drafts
    ]
