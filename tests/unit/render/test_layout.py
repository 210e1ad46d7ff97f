"""Tool modules and models come out of the templates in black's shape, so that black has little left to do."""

from __future__ import annotations

import json
from typing import Any

import black
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Collector
from mcpgen.emit.format import MODE, format_files
from mcpgen.emit.model import RenderedFile
from mcpgen.models.generate import generate_models
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import Code, SpecText
from mcpgen.render.layout import imports, send, signature
from mcpgen.render.renderer import render
from mcpgen.render.views import EntryView, FunctionView, GroupView, ImportView, ParameterView

words = st.sampled_from(["id", "order_id", "a" * 30, "b" * 45, "very_long_parameter_name_that_goes_on"])
annotations = st.sampled_from(["str", "int | None", 'Literal["a", "b"]', "list[JsonObject]"])


@st.composite
def functions(draw: st.DrawFn) -> FunctionView:
    names = [f"{word}{number}" for number, word in enumerate(draw(st.lists(words, max_size=7)))]
    parameters = tuple(
        ParameterView(name, Code(f"{draw(annotations)} | Unset"), Code("UNSET")) for name in names
    )
    entries = tuple(
        EntryView(SpecText(draw(st.sampled_from([n, f"{n}-名", f'{n}"']))), Code(n)) for n in names
    )
    cut = draw(st.integers(0, len(entries)))
    groups = [
        GroupView(key, part) for key, part in (("path", entries[:cut]), ("body", entries[cut:])) if part
    ]
    if names and draw(st.booleans()):
        groups.append(GroupView("extra", (), Code(names[0])))
    returns = Code(f"Result[{draw(st.sampled_from(['None', 'JsonObject', 'A' * 40]))}]")
    return FunctionView(draw(words), parameters, returns, SpecText("Does it."), tuple(groups))


@given(functions())
def test_functions_are_laid_out_as_black_would(function: FunctionView) -> None:
    text = f'{signature(function)}\n    """Does it."""\n    {send(function)}\n'

    assert black.format_str(text, mode=MODE) == text


@pytest.mark.parametrize("count", [1, 3, 12])
@pytest.mark.parametrize("length", [5, 40, 80])
def test_imports_are_laid_out_as_black_would(count: int, length: int) -> None:
    view = ImportView("orders", tuple(Code(f"{'A' * length}{number}") for number in range(count)))
    text = f"if TYPE_CHECKING:\n    {imports(view)}\n"

    assert black.format_str(text, mode=MODE) == text


def operation(name: str, **more: Any) -> dict[str, Any]:
    answer = {"description": "", "content": {"application/json": {"schema": more.pop("answer", {})}}}
    return {"operationId": name, "tags": [more.pop("tag", "a")], "responses": {"200": answer}, **more}


def shaped_files() -> list[RenderedFile]:
    long = [f"a value that takes space {number}" for number in range(9)]
    item = {
        "type": "object",
        "properties": {"it's": {"enum": long}, "kind": {"enum": ["x"]}, 'say "hi"': {"type": "string"}},
    }
    choice = {"name": "choice", "in": "query", "schema": {"type": "string", "enum": long}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {
            "/plain": {"get": operation("plain", tag="no models")},
            "/items": {
                "get": operation("listItems", parameters=[choice], answer={"items": item, "type": "array"})
            },
            "/one": {
                "get": operation("getOne", answer=item),
                "post": operation("addOne", tag="b", answer=item),
            },
        },
    }
    planned = plan_spec(GenerateRequest(spec="-", stdin=json.dumps(document).encode()), Collector())
    models = generate_models(planned.plan, planned.api.schemas, diagnostics=Collector())
    files = render(planned.plan, models, {}, diagnostics=Collector())
    return [file for file in files if file.shaped]


def test_black_changes_nothing_but_long_lines_of_what_is_rendered() -> None:
    files = shaped_files()
    formatted = format_files(files, Collector())

    assert {file.path.parent.name for file in files} == {"tools", "models"}
    for before, after in zip(files, formatted, strict=True):
        assert after.data.decode() == black.format_str(before.text, mode=MODE)
