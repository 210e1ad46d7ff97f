"""The texts of all tools: titles and descriptions, each with a view of its siblings."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.ir.api import Api
from mcpgen.plan.arguments import PreparedTool
from mcpgen.plan.effects.inference import Effect
from mcpgen.plan.texts.describe import describe_tool, title_for
from mcpgen.plan.texts.narrowing import narrowed
from mcpgen.plan.texts.siblings import SiblingIndex, ToolRef


class ToolTexts:
    """Writes the texts of one API's tools."""

    def __init__(self, api: Api, tools: Sequence[PreparedTool]) -> None:
        self._schemas = api.schemas
        self._refs = {tool.draft.key: _ref(tool) for tool in tools}
        self._index = SiblingIndex(self._refs.values())

    def title(self, tool: PreparedTool) -> str:
        """A title for people; a split tool's says which action it is."""
        draft = tool.draft
        if draft.action is not None:
            words = draft.name.replace("_", " ").strip()
            return words[:1].upper() + words[1:]
        return title_for(draft.operation, draft.name)

    def description(self, tool: PreparedTool) -> str:
        """The description that the model reads."""
        draft = tool.draft
        operation, action = draft.operation, ""
        if draft.action is not None:
            operation = narrowed(operation, draft.action.value, draft.action.others, self.title(tool))
            action = draft.action.value if draft.action.value not in operation.description else ""
        return describe_tool(
            operation,
            effect=draft.effect,
            siblings=self._index.of(self._refs[draft.key]),
            schemas=self._schemas,
            action=action,
        )


def _ref(tool: PreparedTool) -> ToolRef:
    draft = tool.draft
    arguments = {name: argument.required for name, argument in zip(tool.names, tool.arguments, strict=True)}
    renamed = {a.wire: name for name, a in zip(tool.names, tool.arguments, strict=True) if a.where == "path"}
    return ToolRef(draft.name, draft.operation, draft.effect.effect is Effect.READ, arguments, renamed)
