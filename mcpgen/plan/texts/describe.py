"""Writes what a model reads about a tool: only what the document says, essentials first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mcpgen.ir.api import SCHEMA_PREFIX, Operation, Response, Schema
from mcpgen.plan.effects.inference import Effect, EffectDecision
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.texts.phrases import Phrases, phrases_for
from mcpgen.plan.texts.siblings import Sibling
from mcpgen.plan.texts.text import clean_text, first_sentence, one_line, sentences, shorten

TARGET = 1200
"""A description of this many characters is long; more would cost more than it tells."""
HARD_LIMIT = 4096
TITLE_LIMIT = 60
_FAILURES_LIMIT = 240
_RETURNS_LIMIT = 200

# What every operation of some API repeats, or what a caller of a tool has no use for.
_NOISE = re.compile(
    r"^(?:\**required scopes?\b|you must have at least one of these scopes|oauth scopes? required|scopes?:"
    r"|see (?:the )?(?:documentation|docs|more)\b|(?:for )?more (?:information|details?|info)\b.*\bsee\b|learn more\b"
    r"|read more\b|(?:for .*)?(?:please )?refer to\b|more information can be found|note: this endpoint is in beta)",
    re.IGNORECASE,
)
_SEND = re.compile(
    r"\bsend an? (?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+request\b|\b(?:curl|wget) +-", re.IGNORECASE
)
# Descriptions of responses that say no more than "it worked".
_EMPTY_RESPONSE = re.compile(
    r"^\W*(?:ok|okay|done|default|response|result|none|default response|the response|a? ?json response)\W*$"
    r"|success|no error|no content|expected response|request (?:has been )?(?:accepted|processed)|result of method"
    r"|(?:^|\b(?:was|were|been|is) )(?:created|updated|deleted|removed|accepted|modified|changed|found)\b"
    r"|^[\w ]{1,60} (?:created|updated|deleted|removed|accepted|modified|changed|started|retrieved|cancell?ed)\W*$"
    r"|^\W*(?:the |an? )?(?:\w+ ){0,2}response(?: object)?\W*$|\breturned\W*$|\bHTTP [`']?20\d"
    r"|^\W*20\d\b|成功|正常|业务响应|正常に|успешн|exitosa|éxito|sucesso|réussie?|erfolgreich|õnnestus",
    re.IGNORECASE,
)
_RESPONSE_PREFIX = re.compile(
    r"^(?:(?:success(?:ful)?(?: response)?|ok|200)\s*[-–:,.]\s*)?(?:(?:returns?|returned)(?: (?:a )?response of type)?\s+(?=\w))?",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"\b(?:list|array|object|details?|data|containing|contains|with the|including|record|page)\b|列表|详情|数据",
    re.IGNORECASE,
)
_STATUS_PREFIX = re.compile(
    r"^(?:4\d\d\W*)?(?:not found|conflict|unprocessable(?: entity| content)?|request timeout|precondition failed|gone"
    r"|payment required|locked)\b\W*",
    re.IGNORECASE,
)
_PLAIN_FAILURE = re.compile(
    r"^(?:the |an? |this )?(?:\w+ ){0,4}(?:was |were |is |could )?(?:not (?:be )?found|not exist|does(?: not|n't) exist"
    r"|unable to find.*|validation (?:error|failed)s?|error(?: response)?)(?: or does not exist)?$"
    r"|unable to find|validation error|requested resource|resource you were|request-uri|error$|not found",
    re.IGNORECASE,
)
_COMMON_FAILURES = frozenset({"400", "401", "403", "405", "406", "415", "429", "4XX"})
_STATUS_WORDS = {
    "402": "payment required", "409": "conflict", "410": "gone", "412": "precondition failed", "423": "locked",
    "428": "precondition required",
}  # fmt: skip
_HEADINGS = frozenset(
    "overview description usage notes note introduction summary details example examples request response".split()
)


def describe_tool(
    operation: Operation,
    *,
    effect: EffectDecision,
    siblings: Sequence[Sibling] = (),
    schemas: Mapping[str, Schema] | None = None,
    action: str = "",
    limit: int = TARGET,
) -> str:
    """Describes a tool for the model that chooses and calls it.

    What it does comes first, then what it returns, how it fails, when a sibling is better, and a warning when it
    is destructive. When that is too long, the text of the document gives way, never the summary.

    Args:
        operation: the source of every word but the fixed phrases.
        effect: what the tool does to the API.
        siblings: the tools to point at.
        schemas: `Api.schemas`, to name what is returned.
        action: the fixed value of a tool that is one action of its operation.
        limit: how many characters it should have; never more than 4,096.
    """
    limit = min(limit, HARD_LIMIT)
    summary = one_line(clean_text(operation.summary))
    detail = clean_text(operation.description)
    words = phrases_for(f"{summary}{detail}")
    lead = _ended(summary, words) or _ended(first_sentence(detail), words) or _from_names(operation, words)
    lead = shorten(lead, limit)
    tail = [
        words.deprecated if operation.deprecated else "",
        words.fixed.format(what=f'"{action}"') if action else "",
        _returns(operation, schemas or {}, f"{lead} {detail}", words),
        _failures(operation, words),
        *(words.siblings[item.kind].format(what=item.what or "item", name=item.name) for item in siblings),
        words.destructive if effect.effect is Effect.DESTRUCTIVE else "",
    ]
    notes = words.gap.join(part for part in tail if part)
    notes = notes if len(lead) + len(notes) + 1 <= limit else ""
    room = limit - len(lead) - len(notes) - 2
    body = _substance(detail, lead, limit=room)
    return "\n".join(part for part in (lead if not body else _joined(lead, body, words), notes) if part)


def _joined(lead: str, body: str, words: Phrases) -> str:
    return f"{lead}\n{body}" if "\n" in body else f"{lead}{words.gap}{body}"


def _ended(text: str, words: Phrases) -> str:
    """The text as a sentence. Code, brackets and quotes at the end stay as they are."""
    if not text or text[-1] in ".!?…:;。！？；：":
        return text
    return text + words.stop if text[-1].isalnum() or text[-1] in ")]}%`" else text


def _from_names(operation: Operation, words: Phrases) -> str:
    """Without any text: the words of the operationId and the call itself."""
    named = " ".join(split_words(operation.operation_id or ""))
    return f"{named[:1].upper()}{named[1:]} ({operation.key})." if named else f"{operation.key}."


def _substance(detail: str, lead: str, limit: int) -> str:
    """The description without what the lead says already and without noise, within the limit."""
    kept: list[str] = []
    for line in detail.split("\n"):
        if line.strip().lower().rstrip(":") in _HEADINGS:
            continue
        pieces = [piece for piece in sentences(line) if not _NOISE.search(piece) and not _SEND.search(piece)]
        fresh = [piece for piece in pieces if not _repeats(piece, lead)]
        if fresh:
            kept.append(" ".join(fresh))
    text = "\n".join(kept)
    return shorten(text, limit) if limit >= 40 else ""


def _repeats(piece: str, lead: str) -> bool:
    """Whether a sentence has no word that the lead does not have; inflection does not count."""
    left, right = _stems(piece), _stems(lead)
    return bool(left) and left <= right


def _stems(text: str) -> set[str]:
    if re.search(r"[\u3040-\u9fff]", text):
        return set(re.findall(r"[\u3040-\u9fff]|\w+", text))
    return {
        word[:-1] if word.endswith("s") else word for word in re.findall(r"[^\W_]+", text.lower())
    } - _SMALL


_SMALL = frozenset(
    "a an the of to for in on by with and or this that it is are be your you all one thi hi".split()
)


def _returns(operation: Operation, schemas: Mapping[str, Schema], known: str, words: Phrases) -> str:
    """What comes back: the success response's own words, else the name of its schema."""
    response = _success(operation.responses)
    if response is None:
        return ""
    text = one_line(clean_text(response.description)).rstrip(".。")
    text = _RESPONSE_PREFIX.sub("", text)
    empty = _EMPTY_RESPONSE.search(text) and not _DATA.search(text)
    if text and not empty and not _repeats(text, known) and "request is successful" not in text:
        return _ended(words.returns.format(text=shorten(text, _RETURNS_LIMIT)), words)
    named = _schema_name(response, schemas)
    if named and not re.search(
        r"\b(returns?|retrieves?|lists?|gets?)\b|返回|获取|查询", known, re.IGNORECASE
    ):
        return _ended(words.returns.format(text=named), words)
    return ""


def _success(responses: Sequence[Response]) -> Response | None:
    good = [item for item in responses if item.status.startswith("2")]
    return min(good, key=lambda item: item.status) if good else None


def _schema_name(response: Response, schemas: Mapping[str, Schema]) -> str:
    for media in response.media:
        schema = media.schema or media.item_schema or {}
        many = schema.get("type") == "array"
        inner = schema.get("items", {}) if many else schema
        reference = inner.get("$ref", "") if isinstance(inner, Mapping) else ""
        if isinstance(reference, str) and reference.startswith(SCHEMA_PREFIX):
            name = str(
                schemas.get(reference.removeprefix(SCHEMA_PREFIX), {}).get("title")
                or reference.removeprefix(SCHEMA_PREFIX)
            )
            return f"{name}[]" if many else name
    return ""


def _failures(operation: Operation, words: Phrases) -> str:
    """The failures worth knowing before the call: those that say something about this operation."""
    found: list[str] = []
    for response in sorted(operation.responses, key=lambda item: item.status):
        status = response.status
        if not status.startswith("4") or status in _COMMON_FAILURES:
            continue
        text = first_sentence(clean_text(response.description)).rstrip(".。")
        text = re.sub(r"^returned (?=if|when)", "", _STATUS_PREFIX.sub("", text), flags=re.IGNORECASE)
        if text and len(text) <= 120 and not _PLAIN_FAILURE.search(text):
            found.append(f"{status}: {text}")
        elif status in _STATUS_WORDS:
            found.append(f"{status} {_STATUS_WORDS[status]}")
    listed = words.separator.join(found)
    return _ended(words.fails.format(text=shorten(listed, _FAILURES_LIMIT)), words) if found else ""


def title_for(operation: Operation, tool_name: str) -> str:
    """A title for people: the summary when it is short, else the words of the tool's name."""
    summary = one_line(clean_text(operation.summary)).rstrip(".。")
    if summary and len(summary) <= TITLE_LIMIT:
        return summary
    words = tool_name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] or tool_name
