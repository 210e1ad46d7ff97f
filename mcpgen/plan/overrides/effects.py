"""The effect that somebody says, over the one that is inferred; and the annotations that go with it."""

from __future__ import annotations

from mcpgen.ir.api import Operation
from mcpgen.plan.effects.inference import DANGER, Effect, EffectDecision
from mcpgen.plan.overrides.faults import Faults
from mcpgen.plan.overrides.model import Override, Said


def decided(
    operation: Operation, inferred: EffectDecision, override: Override, faults: Faults
) -> EffectDecision:
    """The effect of a tool. Contradictions are faults; a document that calls it less dangerous is warned of."""
    found = _decided(inferred, override, faults, operation.key)
    said = override.said.get("effect")
    if said is not None and not said.configured and DANGER[found.effect] < DANGER[inferred.effect]:
        # The gates rely on the effect, and the document may come from somebody else: a person should look.
        faults.warn(
            Said(operation.origin),
            "effect-lowered",
            f"{operation.key}: x-mcp says `{found.effect}`, but by its words it is `{inferred.effect}` "
            f"({inferred.reason}); the document is followed",
        )
    _check_annotations(operation, found, override, faults)
    return found


def _decided(inferred: EffectDecision, override: Override, faults: Faults, key: str) -> EffectDecision:
    said = [override.said[name] for name in ("effect", "additive", "idempotent") if name in override.said]
    if not said:
        return inferred
    effect = Effect(override.effect) if override.effect is not None else inferred.effect
    same = effect is inferred.effect
    additive = inferred.additive if same else (None if effect is Effect.READ else False)
    if override.additive and effect is not Effect.WRITE:
        what = "changes nothing" if effect is Effect.READ else "removes something"
        faults.add(
            override.said["additive"],
            f"{key}: additive: only a write can be additive; with the effect `{effect}` the tool {what}.",
        )
    elif override.additive is not None and effect is not Effect.READ:
        additive = override.additive
    idempotent = override.idempotent
    if idempotent is None:
        idempotent = inferred.idempotent or effect is Effect.READ
    configured = any(one.configured for one in said)
    reason = "The configuration says so (mcpgen.toml)." if configured else "The document says so (x-mcp)."
    return EffectDecision(effect, additive, idempotent, reason)


def _check_annotations(
    operation: Operation, decision: EffectDecision, override: Override, faults: Faults
) -> None:
    """Hints of the protocol that say something else than the effect are refused: the gates go by the effect."""
    reads = decision.effect is Effect.READ
    true = {
        "readOnlyHint": (reads, "effect"),
        "destructiveHint": (
            not reads and (decision.effect is Effect.DESTRUCTIVE or not decision.additive),
            "effect and additive",
        ),
        "idempotentHint": (decision.idempotent, "idempotent"),
    }
    for name, value in override.annotations.items():
        follows, key = true.get(name, (value, ""))
        if value is not follows:
            faults.add(
                override.said.get(f"annotations.{name}"),
                f"{operation.key}: annotations.{name} must be {str(follows).lower()}, since the effect is "
                f"`{decision.effect}`{_shape(decision)}; say {key} in its place.",
            )


def _shape(decision: EffectDecision) -> str:
    if decision.effect is Effect.READ:
        return ""
    additive = "additive" if decision.additive else "not additive"
    return f", {additive} and {'idempotent' if decision.idempotent else 'not idempotent'}"
