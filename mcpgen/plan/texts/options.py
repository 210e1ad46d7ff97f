"""What a user decides about descriptions: how long they are, and in which language their fixed phrases are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mcpgen.diagnostics import Collector, Location
from mcpgen.plan.texts.describe import Level
from mcpgen.plan.texts.phrases import FALLBACK, Phrases, catalogues, own_phrases, phrases_in


@dataclass(frozen=True, slots=True)
class TextRequest:
    """As the configuration says it. `phrases` is a team's own catalogue, `origin` the file that names it."""

    level: str = Level.STANDARD.value
    language: str | None = None
    phrases: Path | None = None
    origin: Path | None = None


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How descriptions are written; without `phrases`, in the language of the document."""

    level: Level = Level.STANDARD
    phrases: Phrases | None = None


def text_options(request: TextRequest, diagnostics: Collector) -> TextOptions:
    """Reads the catalogues that are asked for.

    Raises:
        Refused: there is no such language, or the team's catalogue is wrong (`config-invalid`).
    """
    level = Level(request.level)
    if request.phrases is not None:
        return TextOptions(level, own_phrases(request.phrases, request.language or FALLBACK, diagnostics))
    if request.language is None:
        return TextOptions(level)
    if request.language.split("-")[0].lower() not in catalogues():
        known = ", ".join(catalogues())
        raise diagnostics.refuse(
            "config-invalid",
            f"There are no phrases in the language {request.language}; known are {known}.",
            Location(str(request.origin)) if request.origin is not None else None,
            hint="Bring your own with `phrases`.",
        )
    return TextOptions(level, phrases_in(request.language))
