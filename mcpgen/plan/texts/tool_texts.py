"""The texts of all tools: titles, descriptions, and those of their arguments, each with a view of its siblings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mcpgen.ir.api import Api, Operation
from mcpgen.plan.arguments import ArgumentDraft, PreparedTool
from mcpgen.plan.cutting.model import Action
from mcpgen.plan.effects.inference import Effect, EffectDecision
from mcpgen.plan.following import PagingPlan
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.places import last_noun, last_parameter
from mcpgen.plan.projection import Projected
from mcpgen.plan.texts.boilerplate import shared_failures, shared_sentences
from mcpgen.plan.texts.calls import example_text
from mcpgen.plan.texts.describe import Facts, Manner, describe_tool
from mcpgen.plan.texts.field_texts import FieldTexts, is_label
from mcpgen.plan.texts.language import language_of
from mcpgen.plan.texts.narrowing import narrowed
from mcpgen.plan.texts.options import TextOptions
from mcpgen.plan.texts.parameters import argument_text
from mcpgen.plan.texts.phrases import phrases_in
from mcpgen.plan.texts.returns import Answered
from mcpgen.plan.texts.samples import FieldSamples
from mcpgen.plan.texts.siblings import Sibling, SiblingIndex, SiblingKind, ToolRef
from mcpgen.plan.texts.text import clean_text, first_sentence, one_line
from mcpgen.plan.texts.titles import distinct_titles, named_title, title_for
from mcpgen.plan.texts.values import Values
from mcpgen.plan.toolsets import is_prefix

_IDS = (("id",), ("uuid",), ("gid",), ("guid",), ("pk",))
_BEFORE = re.compile(r"([^/{}]+)/\{([^{}]*)\}")


class ToolTexts:
    """Writes the texts of one API's tools."""

    def __init__(self, api: Api, tools: Sequence[PreparedTool], options: TextOptions | None = None) -> None:
        options = options or TextOptions()
        phrases = options.phrases or phrases_in(language_of(api))
        self._manner = Manner(
            phrases,
            options.level,
            shared_sentences(api.operations),
            shared_failures(api.operations),
            api.schemas,
        )
        self._samples, self._fields = FieldSamples(api), FieldTexts(api)
        self._refs = {tool.draft.key: _ref(tool) for tool in tools}
        self._titles = distinct_titles(
            {tool.draft.name: title_for(tool.draft.operation, tool.draft.name) for tool in tools}
        )
        self._index = SiblingIndex(self._refs.values())
        self._siblings: dict[str, tuple[Sibling, ...]] = {}

    def title(self, tool: PreparedTool) -> str:
        """A title for people; a split tool's says which action it is."""
        draft = tool.draft
        if draft.action is not None and not draft.action.left_out and not draft.action.inherent:
            return named_title(draft.name)
        return self._titles[draft.name]

    def with_argument_texts(self, tool: PreparedTool, published: Projected) -> Projected:
        """The published input schema with what is known of each argument in its description."""
        nouns, noun = _nouns(tool), self._index.noun_of(self._refs[tool.draft.key])
        found = self._finders(tool)
        properties = dict(published.schema["properties"])
        for name, draft in zip(tool.names, tool.arguments, strict=True):
            schema = properties[name]
            thing, finder = nouns.get(name, ""), found.get(name, "")
            if not finder:
                named, finder = self._index.finder(name, self._refs[tool.draft.key])
                thing = named or thing
            text = argument_text(
                name,
                schema,
                example=self._example(draft, tool, schema, noun),
                identifies=thing,
                finder=finder,
                phrases=self._manner.phrases,
                elsewhere=self._fields.find(name, noun) or self._fields.find(draft.wire, noun),
                owner=noun if draft.where == "body" and draft.pointer else "",
            )
            if text and text != schema.get("description") and draft.override.description is None:
                properties[name] = _described(schema, text)
        return replace(published, schema={**published.schema, "properties": properties})

    def _example(self, draft: ArgumentDraft, tool: PreparedTool, schema: Mapping[str, Any], noun: str) -> Any:
        """A value for an argument: its own, that of the body's example, or for one without words that of its namesakes."""
        if draft.examples:
            return draft.examples[0]
        body = tool.draft.operation.body if draft.where == "body" else None
        whole = next((one for media in body.media for one in media.examples), None) if body else None
        if isinstance(whole, Mapping) and draft.wire in whole:
            return whole[draft.wire]
        told = str(schema.get("description") or "")
        plain = schema.get("type") == "string" and (not told or is_label(told, draft.wire))
        value = self._samples.find(draft.wire, noun, "") if plain else None
        return value if isinstance(value, str) else None

    def description(
        self,
        tool: PreparedTool,
        inputs: Mapping[str, Any],
        example: Mapping[str, Any] | None,
        answer: Answered,
        paging: PagingPlan | None,
    ) -> str:
        """The description that the model reads.

        Args:
            inputs: the published input schema.
            example: a valid call with the required arguments, None where none is known.
            answer: what comes back.
            paging: how its list is paged.
        """
        draft = tool.draft
        operation, action = draft.operation, ""
        if draft.action is not None:
            operation = narrowed(operation, draft.action, self.title(tool))
            action = _only(draft.action, operation)
        values = Values(self._samples, last_noun(operation.path), self._finders(tool), self._manner.phrases)
        facts = Facts(
            operation,
            draft.effect.effect is Effect.DESTRUCTIVE,
            self._of(tool),
            answer,
            inputs,
            paging,
            action,
            example_text(inputs, example, values, self._manner.phrases),
            draft.name,
            _repeated(draft.effect, self._index.creates(self._refs[draft.key])),
            draft.effect.effect is Effect.READ,
        )
        return describe_tool(facts, self._manner, draft.override.texts)

    def _finders(self, tool: PreparedTool) -> dict[str, str]:
        """By argument, the tool that finds it. What gets one item takes it from who lists them."""
        last = [
            name
            for name, draft in zip(tool.names, tool.arguments, strict=True)
            if draft.wire == last_parameter(tool.draft.operation.path)
        ]
        found: dict[str, str] = {}
        for sibling in self._of(tool):
            if sibling.kind is SiblingKind.FIND:
                found[sibling.what] = sibling.name
            elif sibling.kind is SiblingKind.BROWSE and last:
                found.setdefault(last[0], sibling.name)
        return found

    def _of(self, tool: PreparedTool) -> tuple[Sibling, ...]:
        key = tool.draft.key
        if key not in self._siblings:
            self._siblings[key] = self._index.of(self._refs[key])
        return self._siblings[key]


def _repeated(decision: EffectDecision, creates: bool) -> str:
    """What a second call with the same arguments does, where a caller should know it."""
    if decision.effect is not Effect.WRITE:
        return ""
    if decision.idempotent:
        return "nothing"
    return "adds" if decision.additive and creates else "again"


def _described(schema: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The schema with a description, after its type as everywhere."""
    rest = {key: value for key, value in schema.items() if key != "description"}
    kind = {"type": rest.pop("type")} if "type" in rest else {}
    return {**kind, "description": text, **rest}


def _nouns(tool: PreparedTool) -> dict[str, str]:
    """What the ids among the path's arguments identify, where their names do not say it: the segment before each."""
    wires = {
        draft.wire: name
        for name, draft in zip(tool.names, tool.arguments, strict=True)
        if draft.where == "path"
    }
    found: dict[str, str] = {}
    for segment, wire in _BEFORE.findall(tool.draft.operation.path):
        words, own = split_words(segment), split_words(wire)
        noun = (*words[:-1], singular(words[-1])) if words else ()
        if (
            noun
            and wire in wires
            and not is_prefix(segment)
            and (own[-1:] in _IDS or own == noun[-len(own) :])
        ):
            found[wires[wire]] = " ".join(noun)
    return found


def _only(action: Action, operation: Operation) -> str:
    """The action, for tools that do nothing else; nothing where the description says it already."""
    said = set(split_words(f"{operation.summary} {operation.description}"))
    known = action.label in operation.description or said.issuperset(split_words(action.label) or ("",))
    return "" if known or action.left_out or action.further or action.inherent else action.label


def _ref(tool: PreparedTool) -> ToolRef:
    draft = tool.draft
    arguments = {name: argument.required for name, argument in zip(tool.names, tool.arguments, strict=True)}
    renamed = {a.wire: name for name, a in zip(tool.names, tool.arguments, strict=True) if a.where == "path"}
    reads = draft.effect.effect is Effect.READ
    summary = "" if draft.action is not None else _summary(draft.operation)
    return ToolRef(draft.name, draft.operation, reads, arguments, renamed, summary)


def _summary(operation: Operation) -> str:
    summary = one_line(clean_text(operation.summary)).rstrip(".。")
    return summary or first_sentence(clean_text(operation.description)).rstrip(".。")
