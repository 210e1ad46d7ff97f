"""Which operations become tools. Applied once, when names and effects of all tools are settled.

Names are made for all operations first, so that leaving one out, or taking one in later, renames no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mcpgen.diagnostics import Collector, Location, Refused, Severity
from mcpgen.ir.api import Api
from mcpgen.plan.drafts import ToolDraft
from mcpgen.plan.model import SkippedPlan
from mcpgen.plan.selectors import Selector, SelectorError, Term, parse_selector

CODE = "operation-excluded"
_SHOWN = 5
_DEPRECATED = "it is deprecated"


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user selects. Without `include`, everything; `exclude` wins over all else.

    Attributes:
        deprecated: whether deprecated operations become tools.
        places: where a selector is written, by its text; those of the command line have no place.
    """

    include: tuple[Selector, ...] = ()
    exclude: tuple[Selector, ...] = ()
    deprecated: bool = False
    places: Mapping[str, Location] = field(default_factory=dict)


def read_selection(
    include: Sequence[str],
    exclude: Sequence[str],
    deprecated: bool,
    places: Mapping[str, Location],
    *,
    diagnostics: Collector,
) -> Selection:
    """The selection that texts spell.

    Raises:
        Refused: one of them is no selector; the reasons are in `diagnostics`.
    """
    found: dict[str, Selector] = {}
    for text in (*include, *exclude):
        try:
            found[text] = parse_selector(text)
        except SelectorError as error:
            diagnostics.add("config-invalid", str(error), places.get(text))
    if len(found) < len({*include, *exclude}):
        raise Refused("a selector cannot be read")
    return Selection(
        tuple(found[text] for text in include), tuple(found[text] for text in exclude), deprecated, places
    )


@dataclass(frozen=True, slots=True)
class Selected:
    """The tools that are wanted, and the operations that are left out."""

    drafts: tuple[ToolDraft, ...]
    skipped: tuple[SkippedPlan, ...]


def select(
    drafts: Sequence[ToolDraft], selection: Selection, api: Api, *, diagnostics: Collector
) -> Selected:
    """Takes the tools that the user wants.

    Raises:
        Refused: a selector names what the API does not have, or nothing is left.
    """
    _check(drafts, selection, api, diagnostics)
    reasons = {draft.key: _reason(draft, selection) for draft in drafts}
    kept = tuple(draft for draft in drafts if reasons[draft.key] is None)
    left: dict[str, list[ToolDraft]] = {}
    for draft in drafts:
        reason = reasons[draft.key]
        if reason is not None:
            left.setdefault(reason, []).append(draft)
    if drafts and not kept:
        told = "; ".join(f"{_counted(len(group))} because {reason}" for reason, group in left.items())
        raise diagnostics.refuse(
            "selection-empty", f"no operation is left: {told}", api.origin, hint=_advice(left)
        )
    for reason, group in left.items():
        _tell(reason, group, diagnostics)
    return Selected(kept, tuple(_skipped(drafts, reasons)))


def _reason(draft: ToolDraft, selection: Selection) -> str | None:
    """Why a tool is left out, None where it is not. What is said about one operation is over `include`, not over `exclude`."""
    operation, effect = draft.operation, draft.effect.effect.value
    for selector in selection.exclude:
        if selector.matches(operation, effect):
            return f"`{selector.text}` is excluded"
    said = draft.override.include
    if said is not None:
        by = draft.override.said.get("include")
        whose = "the configuration" if by is not None and by.configured else "the document"
        return None if said else f"{whose} says so"
    if selection.include and not any(one.matches(operation, effect) for one in selection.include):
        return "no selector of `include` matches it"
    return _DEPRECATED if operation.deprecated and not selection.deprecated else None


def _check(drafts: Sequence[ToolDraft], selection: Selection, api: Api, diagnostics: Collector) -> None:
    """Selectors that match nothing. One that was meant to keep an operation out would otherwise let it in unseen."""
    wrong = False
    for selector in (*selection.include, *selection.exclude):
        if _matches_any(selector.terms, drafts):
            continue
        place = selection.places.get(selector.text)
        missing = [term for term in selector.terms if not _matches_any((term,), drafts)]
        slips = [term for term in missing if not term.may_match_nothing]
        for term in slips:
            wrong = True
            hint = term.suggestion(api.operations)
            diagnostics.add("selection-unmatched", f"`{term}` matches no operation", place, hint=hint)
        if not slips:
            severity = Severity.INFO if missing else Severity.WARNING
            message = f"`{selector.text}` matches no operation"
            diagnostics.add("selection-unmatched", message, place, severity=severity)
    if wrong:
        raise Refused("a selector matches no operation")


def _matches_any(terms: Sequence[Term], drafts: Sequence[ToolDraft]) -> bool:
    return any(
        all(term.matches(draft.operation, draft.effect.effect.value) for term in terms) for draft in drafts
    )


def _tell(reason: str, group: Sequence[ToolDraft], diagnostics: Collector) -> None:
    keys = [_called(draft) for draft in group]
    shown = ", ".join(keys[:_SHOWN]) + (f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else "")
    hint = _advice({reason: list(group)})
    message = f"left out because {reason}: {shown}"
    diagnostics.add(CODE, message, group[0].operation.origin, hint=hint)


def _called(draft: ToolDraft) -> str:
    return draft.operation.key + (f" (`{draft.action.value}`)" if draft.action is not None else "")


def _advice(left: Mapping[str, Sequence[ToolDraft]]) -> str | None:
    if _DEPRECATED in left:
        return "Take them in with --deprecated, or `deprecated = true` in [select]."
    return None


def _skipped(drafts: Sequence[ToolDraft], reasons: Mapping[str, str | None]) -> Iterator[SkippedPlan]:
    """What is left out, one entry for each operation or for each of its actions."""
    for draft in drafts:
        reason = reasons[draft.key]
        if reason is not None:
            which = f"its action `{draft.action.value}` is left out: " if draft.action is not None else ""
            operation = draft.operation
            yield SkippedPlan(operation.method, operation.path, CODE, which + reason, draft.name)


def _counted(number: int) -> str:
    return "one tool is left out" if number == 1 else f"{number} tools are left out"
