"""The evidence for an operation's effect: which verb each of its texts uses, in the sense its object gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mcpgen.ir.api import Operation
from mcpgen.plan.effects.senses import object_words, sense
from mcpgen.plan.effects.verbs import id_verbs, name_verbs, text_verbs
from mcpgen.plan.effects.words import ECHOES, READ_NOUNS, WEAK, Act, Verb
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.toolsets import is_prefix, static_segments


@dataclass(frozen=True, slots=True)
class Claim:
    """What one text of the operation says that the operation does."""

    verbs: tuple[Verb, ...]
    source: str
    clear: bool = True

    @property
    def acts(self) -> tuple[Act, ...]:
        return tuple(verb.act for verb in self.verbs)

    @property
    def reads(self) -> bool:
        return all(verb.act is Act.READ for verb in self.verbs)

    @property
    def undoes(self) -> bool:
        """Whether it says that a state is taken back or set that can be set again."""
        return all(verb.act is Act.TOGGLE and verb.word not in _NO_UNDO for verb in self.verbs)

    @property
    def text(self) -> str:
        words = '" and "'.join(dict.fromkeys(verb.word for verb in self.verbs))
        worst = max(self.verbs, key=lambda verb: _ORDER.index(verb.act))
        return f'{self.source} says "{words}": it {worst.act.value}'


_ORDER = (
    Act.READ, Act.LINK, Act.CREATE, Act.SEND, Act.START, Act.TOGGLE, Act.UPDATE, Act.SAVE, Act.RENEW,
    Act.DESTROY, Act.ROTATE, Act.PAYOUT,
)  # fmt: skip
# Taking something away under these names is no mere change of state when the method is DELETE.
_NO_UNDO = frozenset(
    {"archive", "stop", "close", "halt", "skip", "restore", "归档", "archivier", "unpublish"}
)
# Nouns that still are the verb when a GET path ends with them: browsers call them.
_CALLABLE = frozenset("logout login reset shutdown rollback exec start stop".split())
_CHANGES = frozenset({Act.CREATE, Act.UPDATE, Act.DESTROY, Act.ROTATE, Act.SAVE, Act.RENEW})
_FINDS = frozenset("search query list find get fetch retrieve lookup preview count".split())
_PLAIN_READS = frozenset(
    "get list read fetch retrieve find search query preview validate calculate show".split()
)
_READ_SEGMENTS = frozenset(
    "search query list preview validate check calculate estimate lookup count introspect evaluate simulate find get fetch retrieve compare diff whoami ping describe".split()
)
_OUTCOMES = frozenset(
    "status state info details history stats progress preflight preview count result results".split()
)
_EMPTY = frozenset("put do make use perform handle process apply".split())
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
_FINAL_ECHOES = {"POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "destroy", "GET": "list"}
_IRREVERSIBLE = re.compile(
    r"can(?:no|'|’)t be (?:undone|reversed|recovered|restored)|irreversibl\w+|permanently (?:delete|remove|erase)\w*"
    r"|无法恢复|不可恢复|不可逆|no se puede deshacer|irréversible|unwiderruflich|необратим|取り消せません",
    re.IGNORECASE,
)


def claims_of(operation: Operation) -> list[Claim]:
    """What summary, operationId, path and (when these are silent) description say, in this order."""
    found = [
        *_text_claims(operation, operation.summary, "the summary"),
        *_id_claims(operation),
        *_path_claims(operation),
    ]
    first = first_words(operation.description)
    if not any(claim.source in ("summary", "operationId") for claim in found):
        described = list(_text_claims(operation, first, "the description"))
        if operation.method.upper() != "POST" or not (described and described[0].verbs[0].word == "return"):
            found += described
    elif operation.method.upper() not in _SAFE:
        found = _with_description(found, list(_text_claims(operation, first, "the description")))
    if not found and re.match(r"identical to `?GET\b", first, re.IGNORECASE):
        found.append(Claim((Verb("identical to GET", Act.READ),), "description"))
    return found


def _with_description(found: list[Claim], described: list[Claim]) -> list[Claim]:
    """Adds what the first sentence of the description says beyond the summary: a removal, or "create or update"."""
    if not described or not described[0].verbs[0].leading:
        return found
    claim = described[0]
    if not claim.clear and len(claim.verbs) == 1:
        return found
    if {Act.DESTROY, Act.ROTATE, Act.PAYOUT}.intersection(claim.acts):
        return [*found, claim]
    own = found[0].verbs[0].word
    if found[0].source == "summary" and len(claim.verbs) > 1 and own in {verb.word for verb in claim.verbs}:
        return [replace(claim, source="summary"), *found[1:]]
    return found


def first_words(text: str) -> str:
    """The first sentence of a description, markup included."""
    return re.split(r"(?<=[.!?。])\s|\n\s*\n|\n(?=[A-Z])", text.strip(), maxsplit=1)[0]


def contradicted(operation: Operation, claims: Sequence[Claim]) -> bool:
    """Whether an unsafe method that seems to read has a reason not to.

    The description names a change; or only the path says so, and the answer is `201 Created` (`POST
    /stages/validate` creates a stage) or the verb works on one item (`POST /job/{id}/evaluate`); or only the
    description says so, against the id or about something else; or the method sets things (PUT, PATCH) and the verb is a weak one.
    """
    described = text_verbs(first_words(operation.description)[:600])
    if described and described[0].leading and described[0].clear and described[0].act in _CHANGES:
        return True
    good = {response.status for response in operation.responses if response.status.startswith("2")}
    sources = {claim.source for claim in claims}
    if sources == {"path"} and (good == {"201"} or ("{" in operation.path and not _finds(claims))):
        return True
    if sources == {"description"} and (_created(operation) or not _fits(operation, claims[0].verbs[0])):
        return True
    return operation.method.upper() in ("PUT", "PATCH") and claims[0].verbs[0].word not in _PLAIN_READS


def _created(operation: Operation) -> bool:
    return split_words(operation.operation_id or "")[-1:] == ("create",)


def _fits(operation: Operation, verb: Verb) -> bool:
    """Whether a description speaks of what path and id name: copied descriptions do not."""
    if any(not word.isascii() for word in verb.after):
        return True
    named = {singular(word) for word in split_words(f"{operation.path} {operation.operation_id or ''}")}
    return any(singular(word) in named for word in verb.after)


def _finds(claims: Sequence[Claim]) -> bool:
    return all(verb.word in _FINDS for claim in claims for verb in claim.verbs)


def _text_claims(operation: Operation, text: str, label: str) -> Iterator[Claim]:
    source = label.removeprefix("the ")
    verbs = text_verbs(re.sub(r"<[^>]{1,40}>|[*`]", " ", text)[:600])
    if not verbs:
        return
    if verbs[0].word in WEAK and verbs[0].leading:
        if _carries_read(operation, verbs[0]):
            yield Claim((replace(verbs[0], act=Act.READ),), source)
            return
        if verbs[0].word in _EMPTY:
            return
    if not verbs[0].leading and verbs[0].act is Act.READ and operation.method.upper() not in _SAFE:
        return
    yield _claim(operation, verbs, source)


def _carries_read(operation: Operation, verb: Verb) -> bool:
    """Whether a verb without meaning of its own carries a read: "run a query", "submit ... for evaluation"."""
    if verb.word in ("submit", "send", "post", "put", "issue"):
        segments = [split_words(part) for part in static_segments(operation.path)[-2:]]
        reads = any(words and words[0] in _READ_SEGMENTS for words in segments)
        return reads and "for" in verb.after and bool(READ_NOUNS.intersection(verb.after))
    words = object_words(verb.after)
    return bool(words) and words[-1] in READ_NOUNS and verb.word != "start"


def _id_claims(operation: Operation) -> Iterator[Claim]:
    text = operation.operation_id or ""
    verbs = id_verbs(text)
    if not verbs:
        return
    word, method = verbs[0].word, operation.method.upper()
    final = not verbs[0].leading and (word == _FINAL_ECHOES.get(method) or word == "create")
    if (word in ECHOES and word == method.lower()) or (final and word != "list"):
        rest = re.sub(rf"^\W*{word}|{word}\W*$", "", text, flags=re.IGNORECASE)
        verbs = tuple(
            v for v in name_verbs(rest) if v.clear and v.word not in ECHOES and v.act is not Act.READ
        )
        verbs = verbs if final else ()
    if method in _SAFE and split_words(text)[-1:] and split_words(text)[-1] in _OUTCOMES:
        verbs = (Verb(split_words(text)[-1], Act.READ),)
    if verbs and not verbs[0].leading and verbs[0].act is Act.READ and method not in _SAFE:
        # `answerCallbackQuery` is no query; `employees_query` is one.
        verbs = verbs if re.search(r"[_./-]", text) else ()
    if verbs and verbs[0].word not in ("post", "put", "handle", "process", "do", "submit", "perform", "make"):
        yield _claim(operation, verbs, "operationId")


def _path_claims(operation: Operation) -> Iterator[Claim]:
    """The verb of the last segment, or of the one before it when that is one clear verb (`/restore/{id}`)."""
    path = re.sub(r"\{[^{}]*\}", "{}", operation.path.partition("?")[0].partition("#")[0])
    parts = [part for part in re.split(r"[/:]|(?<=[a-z])\.(?=[a-z])", path) if part and not is_prefix(part)]
    static = [part for part in parts if "{" not in part]
    for place, part in enumerate(reversed(static[-2:])):
        words = split_words(part)
        last = place == 0
        verbs = name_verbs(part)
        if not verbs or (not last and (len(words) > 1 or not verbs[0].clear)):
            continue
        if not _acceptable(operation, verbs[0], words, last and not parts[-1].startswith("{")):
            continue
        claim = _claim(operation, verbs, "path")
        if last or not claim.reads:
            yield claim


def _acceptable(operation: Operation, verb: Verb, words: Sequence[str], final: bool) -> bool:
    if verb.act is Act.READ:
        return verb.word in _READ_SEGMENTS and final
    if operation.method.upper() in _SAFE:
        return final and ((verb.clear and verb.leading) or (len(words) == 1 and verb.word in _CALLABLE))
    if not verb.leading:
        return verb.clear
    return verb.clear or (
        final and (len(words) == 1 or verb.word in ("set", "send")) and verb.word not in WEAK
    )


def _claim(operation: Operation, verbs: Sequence[Verb], source: str) -> Claim:
    seen = tuple(replace(verb, act=sense(operation, verb, source)) for verb in verbs)
    clear = all(
        (verb.clear and (verb.leading or source == "path")) or verb.word in _CALLABLE for verb in seen
    )
    return Claim(seen, source, clear)


def irreversible(operation: Operation) -> str | None:
    """The words with which the description says that there is no way back."""
    if operation.method.upper() in ("GET", "HEAD"):
        return None
    found = _IRREVERSIBLE.search(operation.description)
    return found.group() if found else None


def only_dry_runs(operation: Operation) -> bool:
    """Whether a required parameter admits nothing but a dry run."""
    return any(
        split_words(item.name) in (("dry", "run"), ("dryrun",), ("validate", "only"))
        and item.required
        and (item.schema.get("const") is True or item.schema.get("enum") == [True])
        for item in operation.parameters
    )
