"""What people and models learn about the API as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.lint.context import Context, found, listed
from mcpgen.lint.model import Finding, Question
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.texts.text import clean_text

_SHORTEST = 20


def check_document(context: Context) -> Iterator[Finding]:
    api = context.subject.api
    if api is None:
        return
    if len(clean_text(api.description)) < _SHORTEST:
        question = Question(
            context.subject.root, "info.description", "What is the API for, and what are its main things?"
        )
        message = "the document does not say what the API is for"
        yield found("document-undescribed", message, context.subject.root, repair=question)
    described = {tag.name for tag in api.tags if tag.description or tag.summary}
    used = dict.fromkeys(tag for operation in api.operations for tag in operation.tags[:1])
    bare = [tag for tag in used if tag not in described and split_words(tag)]
    if bare and len(used) > 1:
        message = f"{listed(bare)} {'is' if len(bare) == 1 else 'are'} not described under `tags`"
        yield found("tag-undescribed", message, context.subject.root)
