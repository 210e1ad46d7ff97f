"""What an operation does to the API: `read`, `write` or `destructive`, and whether it only adds and can be repeated.

The evidence is the method (RFC 9110, section 9.2) and the words of the operation. Words outvote the method; where
they disagree with each other, the more dangerous answer counts. Definitions: `destructive` is what a person would
want to be asked about first, because it can't simply be put back; soft reversals (archive, lock, mute) are writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from mcpgen.ir.api import Operation
from mcpgen.plan.effects.evidence import (
    Claim,
    claims_of,
    contradicted,
    first_words,
    irreversible,
    only_dry_runs,
)
from mcpgen.plan.effects.senses import sense
from mcpgen.plan.effects.verbs import id_verbs, text_verbs
from mcpgen.plan.effects.words import SOFT_RELATIONS, STATES, Act, Verb


class Effect(StrEnum):
    """The kind of side effect, from harmless to dangerous."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


DANGER = {Effect.READ: 0, Effect.WRITE: 1, Effect.DESTRUCTIVE: 2}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
_ENDING = frozenset({"stop", "halt", "close", "disable", "deactivate"})
_REMOVING = frozenset({Act.DESTROY, Act.ROTATE, Act.PAYOUT})


@dataclass(frozen=True, slots=True)
class EffectDecision:
    """The effect and its reason. `additive`: the call only adds something new (None for reads).

    `idempotent`: repeating the call with the same arguments changes nothing further.
    """

    effect: Effect
    additive: bool | None
    idempotent: bool
    reason: str


def infer_effect(operation: Operation) -> EffectDecision:
    """Decides what an operation does, from its words, else its method (`plan.overrides` has what somebody says instead)."""
    if only_dry_runs(operation):
        return EffectDecision(Effect.READ, None, True, "The operation only ever runs dry.")
    decision = _decide(operation, claims_of(operation))
    if decision.effect is Effect.WRITE and (word := irreversible(operation)):
        reason = f'The description says "{word}".'
        return EffectDecision(Effect.DESTRUCTIVE, False, decision.idempotent, reason)
    return decision


def infer_action(operation: Operation, value: str, text: str = "", noun: str = "the value") -> EffectDecision:
    """Decides what an operation does when its action argument has the given value.

    A value without a known verb gets the more dangerous of "write" and what the whole operation does.

    Args:
        operation: the whole operation.
        value: the value, or what it is called where it is a code.
        text: what the document says about the value; it can make the call more dangerous, never less.
        noun: what `value` is, for the reason.
    """
    verbs = id_verbs(value)
    words = value.lower().replace("-", "_").replace(" ", "_").split("_")
    if not verbs and (words[0] in STATES or words[-1] in STATES):
        verbs = (Verb(value, Act.READ),)
    told = tuple(verb for verb in text_verbs(first_words(text)) if verb.leading)
    if not verbs and not told:
        whole = infer_effect(operation)
        reason = f'"{value}" is no word we know, so the call counts as what the whole operation can do.'
        effect = max(Effect.WRITE, whole.effect, key=DANGER.__getitem__)
        return EffectDecision(effect, False, False, reason)
    plain = replace(operation, method="POST", path="/", description=text)
    found = []
    if verbs:
        acts = tuple(replace(verb, act=_ended(operation, verb)) for verb in verbs)
        found.append(_decide(plain, [Claim(acts, f'{noun} "{value}"')]))
    if told:
        found.append(_decide(plain, [Claim(told, f'the description of "{value}"')]))
    decision = max(found, key=lambda one: DANGER[one.effect])
    if decision.effect is not Effect.DESTRUCTIVE and (word := irreversible(plain)):
        reason = f'The description of "{value}" says "{word}".'
        return EffectDecision(Effect.DESTRUCTIVE, False, decision.idempotent, reason)
    return decision


def worse(first: EffectDecision, second: EffectDecision) -> EffectDecision:
    """The more dangerous of two decisions, the first where they are equal."""
    return second if DANGER[second.effect] > DANGER[first.effect] else first


def _ended(operation: Operation, verb: Verb) -> Act:
    """Stopping a job and disabling a token end them, also where the value of an argument says so."""
    return sense(operation, verb, "value") if verb.word in _ENDING else verb.act


def _decide(operation: Operation, claims: Sequence[Claim]) -> EffectDecision:
    method = operation.method.upper()
    if method in _SAFE:
        return _decide_safe(operation, claims)
    if method == "DELETE":
        return _decide_delete(operation, claims)
    changing = [claim for claim in claims if not claim.reads]
    reading = [claim for claim in claims if claim.reads]
    if reading and not changing and not contradicted(operation, reading):
        return _read(f"{reading[0].text}.")
    soft = claims[0] if claims and claims[0].undoes else None
    removing = [claim for claim in changing if _REMOVING.intersection(claim.acts)]
    if removing and not soft:
        return _by_claim(operation, removing[0])
    if changing:
        return _by_claim(operation, changing[0])
    return _by_method(operation)


def _read(reason: str) -> EffectDecision:
    return EffectDecision(Effect.READ, None, True, reason[:1].upper() + reason[1:])


def _decide_safe(operation: Operation, claims: Sequence[Claim]) -> EffectDecision:
    """A safe method reads, unless a clear verb says otherwise: some APIs log out or delete by GET."""
    method = operation.method.upper()
    if claims and claims[0].reads and claims[0].source == "summary":
        return _read(f"{method} only reads.")
    changing = [
        claim for claim in claims if not claim.reads and (claim.clear or _described(operation, claim))
    ]
    echoed = any(
        claim.reads and claim.source == "operationId" and claim.verbs[0].word != "get" for claim in claims
    )
    if not changing or echoed:
        return _read(f"{method} only reads.")
    worst = max(changing, key=lambda claim: bool(_REMOVING.intersection(claim.acts)))
    additive, idempotent = _shape(worst.acts, "POST", False)
    effect = Effect.DESTRUCTIVE if _REMOVING.intersection(worst.acts) else Effect.WRITE
    return EffectDecision(
        effect, additive, idempotent, _sentence(f"{worst.text}, although the method is {method}")
    )


def _described(operation: Operation, claim: Claim) -> bool:
    """Whether the description says the same change as an id that alone would not be clear: `GET /views.update`.

    One that speaks of the method passes it on ("connect GET requests to the proxy").
    """
    words = first_words(operation.description)[:600]
    said = {verb.act for verb in text_verbs(words)}
    agrees = bool(said) and said <= set(claim.acts) and f"{operation.method} request" not in words
    return claim.source == "operationId" and not operation.summary and agrees


def _decide_delete(operation: Operation, claims: Sequence[Claim]) -> EffectDecision:
    """DELETE is destructive, unless it takes back a state: "unlock", "unfollow", `DELETE .../star`."""
    parts = [part for part in operation.path.lower().split("/") if part]
    undone = next((claim for claim in claims if claim.undoes), None)
    removed = any(_REMOVING.intersection(verb.act for verb in text_verbs(text)) for text in _texts(operation))
    if undone and not removed and not any(_REMOVING.intersection(claim.acts) for claim in claims):
        return EffectDecision(Effect.WRITE, False, True, _sentence(f"{undone.text}, which can be put back"))
    relation = parts[-1] if parts else ""
    objects = set(claims[0].verbs[0].after) if claims and claims[0].verbs else set()
    if relation in SOFT_RELATIONS and "{" not in relation and (not objects or objects & SOFT_RELATIONS):
        return EffectDecision(
            Effect.WRITE, False, True, f'DELETE takes back "{relation}", which can be set again.'
        )
    return EffectDecision(Effect.DESTRUCTIVE, False, True, "DELETE removes something.")


def _texts(operation: Operation) -> tuple[str, str]:
    return operation.summary, first_words(operation.description)


def _by_claim(operation: Operation, claim: Claim) -> EffectDecision:
    effect = Effect.DESTRUCTIVE if _REMOVING.intersection(claim.acts) else Effect.WRITE
    additive, idempotent = _shape(
        claim.acts, operation.method.upper(), operation.path.rstrip("/").endswith("}")
    )
    return EffectDecision(effect, additive, idempotent, _sentence(claim.text))


def _by_method(operation: Operation) -> EffectDecision:
    method = operation.method.upper()
    if method in ("PUT", "PATCH"):
        return EffectDecision(Effect.WRITE, False, True, f"{method} sets what is there.")
    if method == "POST":
        if operation.path.rstrip("/").endswith("}"):
            return EffectDecision(Effect.WRITE, False, True, "POST to one item changes it.")
        return EffectDecision(Effect.WRITE, True, False, "POST creates or triggers something.")
    return EffectDecision(Effect.DESTRUCTIVE, False, False, f"Nothing says what {operation.method} does.")


_SHAPES: dict[Act, tuple[bool, bool]] = {
    Act.CREATE: (True, False),
    Act.SEND: (True, False),
    Act.LINK: (True, True),
    Act.UPDATE: (False, True),
    Act.SAVE: (False, False),
    Act.TOGGLE: (False, True),
    Act.START: (True, False),
    Act.RENEW: (False, False),
    Act.DESTROY: (False, True),
    Act.ROTATE: (False, False),
    Act.PAYOUT: (False, False),
    Act.READ: (True, True),
}


def _shape(acts: Iterable[Act], method: str, item: bool) -> tuple[bool, bool]:
    """Additive and idempotent of a call that does all these things."""
    kinds = set(acts)
    if method in ("PUT", "PATCH") and kinds <= {Act.SEND, Act.SAVE, Act.START}:
        return False, Act.START not in kinds
    if method == "PUT" and item and kinds == {Act.CREATE}:
        return False, True
    if kinds == {Act.CREATE, Act.UPDATE}:
        return False, True
    return all(_SHAPES[kind][0] for kind in kinds), all(_SHAPES[kind][1] for kind in kinds)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
