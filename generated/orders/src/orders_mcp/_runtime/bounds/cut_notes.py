"""Says what was left out of an answer, and how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .measuring import size_of
from .trimming import DEEPEST, Cut, Kind, Trimmed
from .ways import Ways

_LONGEST_PATH = 60
_MOST_CUTS = 3
_SHORTEST = "A part of the answer is left out because of its size."


def cut_note(trimmed: Trimmed, value: Any, ways: Ways, longest: int, *, leads: bool, goes_on: bool) -> str:
    """The note for a value that was cut.

    Args:
        value: what it was before.
        longest: bytes of the note.
        leads: the result's `next` leads to the first item that was left out.
        goes_on: its `next` leads to what follows the items of this answer.
    """
    told = ""
    for part in _parts(trimmed, value, ways, leads=leads, goes_on=goes_on):
        more = f"{told} {part}".lstrip()
        if size_of(more) > longest:
            break
        told = more
    return told or _SHORTEST


def _parts(trimmed: Trimmed, value: Any, ways: Ways, *, leads: bool, goes_on: bool) -> Iterator[str]:
    cuts = trimmed.cuts
    if not trimmed.whole:
        yield "The answer is too large: only the beginning of its JSON text is given."
    else:
        order = (Kind.ITEMS, Kind.FIELDS, Kind.TEXT, Kind.DEEPER)
        first = sorted(cuts, key=lambda cut: (order.index(cut.kind), len(cut.path)))[:_MOST_CUTS]
        for cut in first:
            yield _told(cut)
        yield "The rest is left out because of its size."
        if len(cuts) > len(first):
            yield f"{len(cuts) - len(first)} further places are cut."
    items = any(cut.kind is Kind.ITEMS for cut in cuts)
    if leads:
        yield "`next` begins with the first item that is left out."
    elif items and goes_on:
        yield "`next` goes on after the last item that there is, not after the last one given."
    advice = ways.advice(items=items, fields=not isinstance(value, str))
    if advice is not None:
        yield advice


def _told(cut: Cut) -> str:
    place = _short(cut.pointer)
    if cut.kind is Kind.ITEMS:
        given = f"first {cut.kept}" if cut.kept > 1 else "first" if cut.kept == 1 else ""
        what = f"The {given} of {cut.total} items" if given else f"None of the {cut.total} items"
        return f"{what}{f' in `{place}`' if place else ''} {'are' if cut.kept > 1 else 'is'} given."
    if cut.kind is Kind.FIELDS:
        return f"{cut.kept} of {cut.total} fields{f' of `{place}`' if place else ''} are given."
    if cut.kind is Kind.TEXT:
        what = f"The text `{place}`" if place else "The text"
        return f"{what} is cut: the first {cut.kept} of {cut.total} characters are given."
    return f"What is deeper than {DEEPEST} levels is left out."


def _short(pointer: str) -> str:
    """A place, with its middle left out where it is long."""
    half = _LONGEST_PATH // 2
    return pointer if len(pointer) <= _LONGEST_PATH else f"{pointer[:half]}…{pointer[-half:]}"
