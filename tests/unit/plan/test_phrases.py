"""Catalogues of fixed phrases: complete, extendable, chosen by the language of the whole document."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.ir.api import Api, Operation
from mcpgen.plan.texts.describe import Level
from mcpgen.plan.texts.language import language_of
from mcpgen.plan.texts.options import TextRequest, text_options
from mcpgen.plan.texts.phrases import catalogues, phrases_in
from mcpgen.plan.texts.siblings import SiblingKind

HERE = Location("spec.yaml")


def api(*texts: str, description: str = "") -> Api:
    operations = tuple(Operation("GET", f"/{i}", HERE, summary=text) for i, text in enumerate(texts))
    return Api("A", "1", "3.1.0", HERE, description=description, operations=operations)


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("language", catalogues())
def test_a_catalogue_says_what_english_says_with_the_same_words_put_in(language: str) -> None:
    english, own = phrases_in("en").texts, phrases_in(language).texts
    free = ("formats.", "status.")
    assert {key for key in own if not key.startswith(free)} == {
        key for key in english if not key.startswith(free)
    }
    wrong = {key: text for key, text in own.items() if places(text) - places(english.get(key, ""))}
    assert wrong == {}


def test_every_kind_of_sibling_has_a_phrase() -> None:
    assert all(phrases_in("en").get(f"siblings.{kind}") for kind in SiblingKind)


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (("List the boats of a harbour",), "en"),
        (("查询船只列表", "Get boat"), "zh"),
        (("船の一覧を取得する",), "ja"),
        (("Получить список лодок",), "ru"),
        (("Liste der Boote und der Häfen", "Legt eine Fahrt für das Boot an"), "de"),
        (("Lista los barcos de una flota", "Crea un viaje para el barco con los datos"), "es"),
        (("x",), "en"),
        ((), "en"),
    ],
)
def test_the_document_decides_about_the_language(texts: tuple[str, ...], language: str) -> None:
    assert language_of(api(*texts)) == language


def refused(request: TextRequest) -> list[str]:
    collector = Collector()
    with pytest.raises(Refused):
        text_options(request, collector)
    return [item.message for item in collector]


def test_a_team_brings_its_own_phrases(tmp_path: Path) -> None:
    own = tmp_path / "nl.toml"
    own.write_text(
        'returns = "Geeft: {text}"\n[siblings]\nfind = "Zoek {what} met {name}."\n[status]\n"418" = "theepot"\n'
    )
    options = text_options(TextRequest("brief", "nl", own), Collector())
    assert options.level is Level.BRIEF
    assert options.phrases is not None
    assert options.phrases.say("returns", text="{x}") == "Geeft: {x}"
    assert options.phrases.get("status.418") == "theepot"
    assert options.phrases["deprecated"] == "Deprecated."


def test_a_language_can_be_said() -> None:
    options = text_options(TextRequest(language="zh-CN"), Collector())
    assert options.phrases is not None
    assert options.phrases["deprecated"] == "已弃用。"


def test_wrong_catalogues_are_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('retruns = "x"\nfails = "{name}"\nstop = 3\nfixed = "{what"\n')
    assert refused(TextRequest(phrases=own)) == [
        "There is no phrase retruns. Did you mean returns?",
        "fails has {name}, but there is {text} to put in.",
        "stop must be a text.",
        "fixed is no phrase: expected '}' before end of string.",
    ]
    own.write_text("= 1")
    assert refused(TextRequest(phrases=own))[0].startswith("The phrases are not a TOML file:")
    assert refused(TextRequest(phrases=tmp_path / "none.toml")) == [
        "The phrases cannot be read: No such file or directory."
    ]
    assert refused(TextRequest(language="nl"))[0].startswith(
        "There are no phrases in the language nl; known are de, en,"
    )
