"""The fixed phrases of descriptions, in the languages that documents are kept in.

A catalogue is a TOML file (`catalogues/<language>.toml`). What it leaves out is said in English. A team brings its own file for a
language that is not there, or to say something in its own words.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

from mcpgen.diagnostics import Collector, Location, Refused

FALLBACK = "en"
_DETECTION = "language"
_FREE = frozenset({"formats", "status"})
"""Sections that can have keys which English does not have."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language. The keys are those of the catalogue, `section.key` in a section."""

    language: str
    texts: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.texts[key]

    def get(self, key: str) -> str:
        """The phrase, or nothing where no catalogue has it."""
        return self.texts.get(key, "")

    def say(self, key: str, **words: object) -> str:
        """The phrase with its words put in. The words are data: braces in them mean nothing."""
        return self.texts[key].format(**words)


@lru_cache(maxsize=1)
def catalogues() -> dict[str, dict[str, Any]]:
    """All catalogues of the package by language."""
    folder = files("mcpgen.plan.texts") / "catalogues"
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".toml"))
    return {name.removesuffix(".toml"): tomllib.loads((folder / name).read_text("utf-8")) for name in names}


@lru_cache(maxsize=16)
def phrases_in(language: str) -> Phrases:
    """The phrases of a language; English for one that has no catalogue. `zh-CN` is `zh`."""
    known = catalogues()
    own = known.get(language) or known.get(language.split("-", maxsplit=1)[0].lower()) or {}
    return Phrases(language, {**_flat(known[FALLBACK]), **_flat(own)})


def own_phrases(path: Path, language: str, diagnostics: Collector) -> Phrases:
    """The phrases of a language with those of a team's own file over them.

    Raises:
        Refused: the file can't be read or is no catalogue (`config-invalid`, one diagnostic for each fault).
    """
    place = Location(str(path))
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        message = f"The phrases cannot be read: {error.strerror}."
        raise diagnostics.refuse("config-invalid", message, place) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise diagnostics.refuse(
            "config-invalid", f"The phrases are not a TOML file: {error}.", place
        ) from error
    found = list(_faults(document))
    for message in found:
        diagnostics.add("config-invalid", message, place)
    if found:
        raise Refused("the catalogue of phrases is wrong")
    return Phrases(language, {**phrases_in(language).texts, **_flat(document)})


def _flat(catalogue: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in catalogue.items():
        if isinstance(value, Mapping):
            found |= {} if key == _DETECTION else {f"{key}.{name}": text for name, text in value.items()}
        else:
            found[key] = value
    return found


def _faults(document: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a team's catalogue, in sentences."""
    known = _flat(catalogues()[FALLBACK])
    for key, text in _flat(document).items():
        if not isinstance(text, str):
            yield f"{key} must be a text."
        elif key not in known and key.split(".")[0] not in _FREE:
            close = difflib.get_close_matches(key, list(known), n=1)
            yield f"There is no phrase {key}.{f' Did you mean {close[0]}?' if close else ''}"
        elif (wrong := _wrong_places(text, known.get(key, ""))) is not None:
            yield f"{key} {wrong}."


def _wrong_places(text: str, model: str) -> str | None:
    """Why the `{places}` of a phrase can't be filled, compared with the English phrase; None when they can."""
    try:
        places = [part[1:] for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        return f"is no phrase: {error}"
    if any(form or conversion for _, form, conversion in places):
        return "formats a place; only its name can stand in braces, as in {text}"
    used = {field for field, _, _ in places if field is not None}
    allowed = {field for _, field, _, _ in Formatter().parse(model) if field is not None}
    unknown = sorted(used - allowed)
    if not unknown:
        return None
    offered = ", ".join("{" + name + "}" for name in sorted(allowed)) or "nothing"
    return f"has {{{unknown[0]}}}, but there is {offered} to put in"
