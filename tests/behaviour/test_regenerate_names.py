"""What callers and the team rely on keeps its name when the document changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, Outcome, generate

GET: dict[str, Any] = {"operationId": "getPet", "responses": {"200": {"description": "ok"}}}


def run(output: Path, title: str, paths: dict[str, Any], config: Config | None = None) -> Outcome:
    document = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "servers": [{"url": "https://a.test"}],
        "paths": paths,
    }
    request = GenerateRequest(
        spec="-", output=output, stdin=json.dumps(document).encode(), config=config or Config()
    )
    outcome = generate(request, Collector())
    assert not outcome.refused, outcome.diagnostics
    return outcome


def test_another_title_moves_no_file_and_no_variable(tmp_path: Path) -> None:
    output = tmp_path / "out"
    run(output, "Pet shop", {"/pets": {"get": GET}})
    hooks = output / "src/pet_shop_mcp/hooks.py"
    hooks.write_text(hooks.read_text() + "\n# ours\n")

    outcome = run(output, "Animal store", {"/pets": {"get": GET}})

    assert outcome.plan is not None
    assert (outcome.plan.package, outcome.plan.distribution, outcome.plan.env_prefix) == (
        "pet_shop_mcp",
        "pet-shop-mcp",
        "PET_SHOP",
    )
    assert [path.name for path in (output / "src").iterdir()] == ["pet_shop_mcp"]
    assert hooks.read_text().endswith("# ours\n")


def test_the_user_can_rename_the_package(tmp_path: Path) -> None:
    output = tmp_path / "out"
    run(output, "Pet shop", {"/pets": {"get": GET}})

    outcome = run(output, "Pet shop", {"/pets": {"get": GET}}, Config(package="animals"))

    assert outcome.plan is not None
    assert (outcome.plan.package, outcome.plan.env_prefix) == ("animals", "ANIMALS")


def test_a_new_operation_renames_no_tool(tmp_path: Path) -> None:
    output = tmp_path / "out"
    run(output, "Pet shop", {"/pets": {"get": GET}})

    outcome = run(output, "Pet shop", {"/a/pets": {"get": GET}, "/pets": {"get": GET}})

    assert outcome.plan is not None
    assert {tool.path: tool.name for tool in outcome.plan.tools}["/pets"] == "get_pet"


def test_a_new_field_renames_no_argument(tmp_path: Path) -> None:
    output = tmp_path / "out"
    parameter = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}

    def put(fields: dict[str, Any]) -> dict[str, Any]:
        body = {"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}}
        return {
            "/pets/{id}": {
                "put": {
                    "operationId": "updatePet",
                    "parameters": [parameter],
                    "requestBody": body,
                    "responses": GET["responses"],
                }
            }
        }

    def names(outcome: Outcome) -> dict[tuple[str, str | None], str]:
        assert outcome.plan is not None
        (tool,) = outcome.plan.tools
        return {(a.where, a.wire_name or a.pointer): a.name for a in tool.arguments}

    before = names(run(output, "Pet shop", put({"tag/x": {}})))
    after = names(run(output, "Pet shop", put({"tag/x": {}, "id": {"type": "integer"}, "tag_x": {}})))

    assert before == {("path", "id"): "id", ("body", "/tag~1x"): "tag_x"}
    assert {key: after[key] for key in before} == before
    assert len(set(after.values())) == 4
