"""`mcpgen try`: one command from a document to a call over the wire."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main

SPEC = """
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example.com/api"}]
security: [{key: []}]
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1}}
      responses:
        "200":
          description: Pets.
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
  /pets/{pet_id}:
    delete:
      operationId: deletePet
      parameters:
        - {name: pet_id, in: path, required: true, schema: {type: string}, example: a/b}
      responses: {"204": {description: Gone.}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string, examples: [Rex]}}}
"""


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "pets.yaml"
    path.write_text(SPEC)
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["try", *arguments])


def test_default_is_a_read_that_needs_no_arguments(spec: str) -> None:
    result = run(spec)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("pets-mcp: 2 tools, served over stdio; the stub API is at http://127.0.0.1:")
    assert "> list_pets {}" in lines
    assert "  -> GET /api/pets" in lines
    assert "     x-key: ***" in lines
    assert '    [{"name": "Rex"}]' in lines


def test_named_calls_with_their_arguments_and_a_kept_project(spec: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    result = run(
        spec, "--keep", str(kept), "--call", "list_pets", "--args", '{"limit": 2}', "--call", "delete_pet", "--args", '{"pet_id": "ä/1"}'
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "  -> GET /api/pets?limit=2" in lines
    assert "  -> DELETE /api/pets/%C3%A4%2F1" in lines
    assert any(line.startswith("  ? asks the user:") for line in lines)
    assert (kept / "src" / "pets_mcp" / "catalog.json").is_file()


def test_call_without_arguments_takes_the_sample_of_the_document(spec: str) -> None:
    result = run(spec, "--call", "delete_pet")
    assert "  -> DELETE /api/pets/a%2Fb" in result.stdout.splitlines(), result.output


def test_failed_call_sends_nothing_and_fails_the_command(spec: str) -> None:
    result = run(spec, "--call", "list_pets", "--args", '{"limit": 0}')
    assert result.exit_code == 1
    assert "  (nothing was sent to the API)" in result.stdout.splitlines()


def test_quiet_prints_nothing(spec: str) -> None:
    result = run(spec, "--quiet")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--call", "list_pets", "--args", "{"], "is not JSON"),
        (["--call", "list_pets", "--args", "[]"], "is not a JSON object"),
        (["--args", "{}"], "pair them"),
        (["--call", "list_pet"], "Did you mean list_pets"),
    ],
)
def test_wrong_usage_is_explained(spec: str, arguments: list[str], message: str) -> None:
    result = run(spec, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_refused_document_leaves_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(json.dumps({"hello": "world"}))
    result = run(str(bad), "--keep", str(tmp_path / "kept"))
    assert result.exit_code == 1
    assert "spec-not-openapi" in result.stderr
    assert not (tmp_path / "kept").exists()


def test_server_that_does_not_start_is_reported_with_its_log(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "mcpgen.preview.trial.trial_environment", lambda plan, url: {"PETS_MODE": "upside-down"}
    )
    result = run(spec)
    assert result.exit_code == 1
    assert "server: " in result.stderr
    assert "upside-down" in result.stderr
    assert "Error: The generated server did not answer: Connection closed" in result.stderr
    assert "Traceback" not in result.output
