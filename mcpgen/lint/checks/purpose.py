"""Whether texts say what a tool does: missing, the name again, no verb, a placeholder."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Patch, Question, Tool
from mcpgen.lint.words import IDEOGRAM, beyond, english
from mcpgen.plan.effects.verbs import name_verbs, text_verbs
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.texts.text import clean_text, first_sentence, one_line, sentences

_CALL = re.compile(
    r"^[^()]{0,120}\((?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY|TRACE) \S{1,300}\)\.?$|^[A-Z]{3,7} /\S{0,300}$"
)
"""What stands in a generated project for a description that the spec did not have."""
_PLACEHOLDER = re.compile(
    r"^\W{0,40}(?:todo|tbd|fixme|xxx+|n/?a|none|null|undefined|string|text|description|summary|test|lorem ipsum.{0,200}"
    r"|(?:your |add |insert |missing )?(?:description|summary)(?: goes)?(?: here)?|no (?:description|summary)(?: provided| available)?"
    r"|not (?:documented|implemented)(?: yet)?|todo:? .{0,60}|api endpoint that allows .{1,80} to be viewed or edited)?\W{0,40}$",
    re.IGNORECASE,
)

_OPENING = 2
_LABEL = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,3}:")
"""How the elements of a description after its purpose begin: `Returns:`, `Fails:`."""


def check_purpose(context: Context) -> Iterator[Finding]:
    """One finding at most for each operation, the most basic one."""
    for tool in context.subject.first_of_each_operation:
        summary, detail = _texts(tool)
        text = one_line(f"{summary} {detail}").strip()
        if not text:
            yield _missing(tool)
        elif _PLACEHOLDER.match(summary or detail) and (not detail or _PLACEHOLDER.match(detail)):
            message = f"`{text[:60]}` is a placeholder, not a description of {_called(tool)}"
            yield found("purpose-boilerplate", message, tool.location, tool=tool.name, repair=_ask(tool))
        elif _repeats(tool, text):
            message = f"`{text[:80]}` says no more than the name of {_called(tool)}"
            yield found("purpose-repeats-name", message, tool.location, tool=tool.name, repair=_ask(tool))
        elif english(text) and not _says_what_it_does(tool):
            message = f"`{first_sentence(text)[:80]}` has no verb that says what {_called(tool)} does"
            yield found("purpose-no-verb", message, tool.location, tool=tool.name)


def _texts(tool: Tool) -> tuple[str, str]:
    """Summary and description as the spec has them; of a project, the description that it serves."""
    if tool.operation is not None:
        return one_line(clean_text(tool.operation.summary)), clean_text(tool.operation.description)
    text = clean_text(tool.description)
    return "", "" if _CALL.match(text) else text


def _called(tool: Tool) -> str:
    return tool.operation.key if tool.operation is not None else f"`{tool.name}`"


def _missing(tool: Tool) -> Finding:
    message = f"{_called(tool)} has neither a summary nor a description"
    repair: Patch | Question = _ask(tool)
    words = split_words(tool.operation.operation_id or "") if tool.operation is not None else ()
    if len(words) > 1 and name_verbs(" ".join(words)) and name_verbs(words[0]):
        text = " ".join(words)
        repair = Patch(tool.location, {"summary": f"{text[:1].upper()}{text[1:]}"})
    return found("purpose-missing", message, tool.location, tool=tool.name, repair=repair)


def _ask(tool: Tool) -> Question:
    return Question(tool.location, "description", f"What does {_called(tool)} do, and what comes back?")


def _repeats(tool: Tool, text: str) -> bool:
    """Whether nothing is left of a text without the words of the names, and of method and path."""
    if IDEOGRAM.search(text):
        return False
    own = tool.operation.operation_id or "" if tool.operation is not None else ""
    return not beyond(text, tool.name, own, tool.method) and not any(char.isdigit() for char in text)


def _says_what_it_does(tool: Tool) -> bool:
    """Whether one of the two sentences that a published description begins with has a verb.

    What is published is looked at, so that a spec and the project made of it get the same finding.
    """
    opening = sentences(clean_text(tool.description))[:_OPENING]
    return any(bool(text_verbs(one_line(text))) for text in opening if not _LABEL.match(text.strip()))
