"""Side effects that texts, methods and annotations disagree about, and failures that nobody describes."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.diagnostics import Severity
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Tool
from mcpgen.plan.effects.verbs import name_verbs, text_verbs
from mcpgen.plan.effects.words import Act, Verb
from mcpgen.plan.texts.text import clean_text, first_sentence

_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
_MANY = 10
_REMOVING = frozenset({Act.DESTROY, Act.ROTATE, Act.PAYOUT})


def check_behaviour(context: Context) -> Iterator[Finding]:
    for tool in context.subject.tools:
        yield from _contradiction(tool)
        if tool.method in _SAFE and tool.effect != "read":
            message = f"`{tool.name}` is called with {tool.method}, but {_lowered(str(tool.entry.get('reason', '')))}"
            yield found("effect-method-mismatch", message, tool.location, tool=tool.name)
    yield from _silent(context)


def _silent(context: Context) -> Iterator[Finding]:
    """Operations that describe no failure; where nearly all do not, once for all of them."""
    tools = context.subject.first_of_each_operation
    silent = [
        tool
        for tool in tools
        if tool.operation is not None
        and not any(item.status.startswith(("4", "5")) for item in tool.operation.responses)
    ]
    if len(silent) > _MANY and len(silent) * 10 > len(tools) * 8:
        message = f"{len(silent)} of {len(tools)} operations describe no failure"
        yield found("failures-undocumented", message, context.subject.root)
        return
    for tool in silent:
        message = f"{tool.method} {tool.path} describes no failure"
        yield found("failures-undocumented", message, tool.location, tool=tool.name)


def _contradiction(tool: Tool) -> Iterator[Finding]:
    """Annotations against words. Words decide about effects anyway, so a spec shows this only where it overrules them."""
    annotations = tool.definition.get("annotations") or {}
    reads = annotations.get("readOnlyHint", tool.effect == "read")
    destroys = annotations.get("destructiveHint", tool.effect == "destructive")
    verb = _verb(tool)
    if reads is True and destroys is True:
        message = f"the annotations of `{tool.name}` say both that it only reads and that it destroys"
    elif reads is not (tool.effect == "read"):
        message = f"the annotations of `{tool.name}` do not fit its effect, `{tool.effect}`"
    elif reads and verb is not None and verb.act in _REMOVING and tool.method not in _SAFE:
        message = (
            f"`{tool.name}` is annotated as read-only, but its text says `{verb.word}`: it {verb.act.value}"
        )
    elif not destroys and tool.method == "DELETE" and verb is not None and verb.act in _REMOVING:
        message = (
            f"`{tool.name}` is annotated as harmless, but its text says `{verb.word}`: it {verb.act.value}"
        )
    else:
        return
    overruled = "x-mcp" in str(tool.entry.get("reason", ""))
    severity = Severity.WARNING if overruled else None
    yield found("effect-contradiction", message, tool.location, tool=tool.name, severity=severity)


def _verb(tool: Tool) -> Verb | None:
    """The verb of the text, else of the name, where it can hardly be anything else."""
    said = text_verbs(first_sentence(clean_text(tool.description))) or name_verbs(tool.name)
    return said[0] if said and said[0].leading and said[0].clear else None


def _lowered(reason: str) -> str:
    text = reason.rstrip(".")
    return text[:1].lower() + text[1:]
