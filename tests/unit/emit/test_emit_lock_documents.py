"""What the lock remembers of the input: further documents by digest, and names that stay when the spec grows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Collector
from mcpgen.emit.lock import LOCK_NAME, read_lock
from mcpgen.emit.model import Action
from mcpgen.pipeline import GenerateRequest, Outcome, generate

OK = {"200": {"description": "ok"}}


def made(folder: Path, paths: dict[str, Any], parts: dict[str, Any]) -> Outcome:
    folder.mkdir(exist_ok=True)
    spec = {
        "openapi": "3.1.0",
        "info": {"title": "Fleet", "version": "1"},
        "servers": [{"url": "https://api.example.test"}],
        "paths": paths,
    }
    (folder / "api.json").write_text(json.dumps(spec))
    (folder / "parts.json").write_text(json.dumps(parts))
    outcome = generate(GenerateRequest(spec=str(folder / "api.json"), output=folder / "out"), Collector())
    assert not outcome.refused, outcome.diagnostics
    return outcome


def test_the_lock_holds_the_parts_of_a_spec_and_pins_its_names(tmp_path: Path) -> None:
    ships = {
        "get": {"operationId": "listShips", "parameters": [{"$ref": "parts.json#/size"}], "responses": OK}
    }
    parts = {"size": {"name": "size", "in": "query", "schema": {"type": "integer"}}}
    made(tmp_path, {"/ships": ships}, parts)
    text = (tmp_path / "out" / LOCK_NAME).read_text()
    digest = hashlib.sha256((tmp_path / "parts.json").read_bytes()).hexdigest()
    assert json.loads(text)["documents"] == [{"name": "parts.json", "sha256": digest}]
    assert str(tmp_path) not in text
    lock = read_lock(tmp_path / "out", Collector())
    assert lock is not None
    assert list(lock.info.documents) == [("parts.json", digest)]

    again = made(tmp_path, {"/ships": ships}, parts)
    assert again.changes is not None
    assert {change.action for change in again.changes} == {Action.IDENTICAL, Action.KEPT}

    grown = {"/ships": ships, "/v2/ships": {"get": {"operationId": "list_ships", "responses": OK}}}
    later = made(tmp_path, grown, parts)
    assert later.plan is not None
    assert later.plan.pins["GET /ships"] == "list_ships"
    assert len(set(later.plan.pins.values())) == 2


def test_a_spec_of_one_file_says_nothing_of_others(tmp_path: Path) -> None:
    made(tmp_path, {"/ships": {"get": {"responses": OK}}}, {})
    assert "documents" not in json.loads((tmp_path / "out" / LOCK_NAME).read_text())
