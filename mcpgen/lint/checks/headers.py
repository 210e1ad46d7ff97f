"""Headers that texts ask for and no parameter declares."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Api
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Question
from mcpgen.plan.texts.text import clean_text, sentences

_HEADER = re.compile(
    r"(?<![\w/-])(X-[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+){0,6}|[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*){0,4}-(?:Version|Token|Secret|Tenant|Account"
    r"|Organization|Organisation|Workspace|Client|Key|Id|ID))(?![\w-])"
)
_DEMAND = re.compile(
    r"\b(?:must|required?|requires|need(?:s|ed)?|include|pass|send|set|provide|add|specify|supply|should|with an?|using)\b|必须|需要|请求头|指定",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(r"\bheaders?\b|请求头|ヘッダ|заголов", re.IGNORECASE)
_ANSWERED = re.compile(
    r"\b(?:returned?|returns|responses?|respond\w*|contains?|indicat\w+|received?|reply|replies|sent by|sends back|webhooks?|signature|we (?:send|include|add))\b|响应",
    re.IGNORECASE,
)
_SET_ANYWAY = frozenset(
    "x-forwarded-for x-forwarded-proto x-forwarded-host x-real-ip x-request-id x-http-method-override content-id".split()
)
_TEXTS = 400


def check_headers(context: Context) -> Iterator[Finding]:
    """One finding for each header, where it is asked for first."""
    api = context.subject.api
    if api is None:
        return
    known = _declared(api) | _SET_ANYWAY
    for place, text in _texts(api):
        if "header" not in text.lower() and not _SPOKEN_OF.search(text):
            continue
        for piece in sentences(clean_text(text))[:_TEXTS]:
            if not _SPOKEN_OF.search(piece) or not _DEMAND.search(piece) or _ANSWERED.search(piece):
                continue
            for name in _HEADER.findall(piece):
                if name.lower() not in known and not name.lower().startswith(
                    ("x-rate", "x-ratelimit", "x-total")
                ):
                    known.add(name.lower())
                    asked = f"Does every call need the header `{name}`, with which value?"
                    question = Question(context.subject.root, "parameters", asked)
                    message = f"the text asks for the header `{name}`, which no parameter and no security scheme declares"
                    yield found("header-undeclared", message, place, repair=question)


def _declared(api: Api) -> set[str]:
    names = {
        item.name.lower()
        for operation in api.operations
        for item in operation.parameters
        if item.where == "header"
    }
    keys = {scheme.parameter_name.lower() for scheme in api.security_schemes.values()}
    answered = {
        name.lower()
        for operation in api.operations
        for response in operation.responses
        for name in response.headers
    }
    return names | keys | answered


def _texts(api: Api) -> Iterator[tuple[Location, str]]:
    yield api.origin, api.description
    for tag in api.tags:
        yield api.origin, tag.description
    for operation in api.operations:
        yield operation.origin, f"{operation.summary}\n{operation.description}"
