"""Model modules: where classes go, what they are called, and that hostile names stay names."""

from __future__ import annotations

import ast
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Collector
from mcpgen.models.generate import generate_models
from mcpgen.models.model import Models
from mcpgen.pipeline import GenerateRequest, plan_spec

ORDER = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "customer": {"$ref": "#/components/schemas/Customer"}},
    "required": ["id"],
}
CUSTOMER = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "secret": {"type": "string", "writeOnly": True}},
}


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def models(answers: dict[str, tuple[str, Any]], schemas: dict[str, Any]) -> Models:
    """The models of an API with one GET for each entry: path -> (tag, schema of the answer)."""
    paths = {
        path: {
            "get": {
                "operationId": f"get{path.strip('/').title()}",
                "tags": [tag],
                "responses": {
                    "200": {"description": "", "content": {"application/json": {"schema": schema}}}
                },
            }
        }
        for path, (tag, schema) in answers.items()
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
    }
    planned = plan_spec(GenerateRequest(spec="-", stdin=json.dumps(document).encode()), Collector())
    return generate_models(planned.plan, planned.api.schemas, diagnostics=Collector())


def classes(source: str) -> dict[str, list[str]]:
    tree = ast.parse(source)
    return {
        node.name: [
            s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        ]
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def test_what_several_toolsets_use_is_shared() -> None:
    found = models(
        {
            "/orders": ("orders", ref("Order")),
            "/customers": ("crm", {"type": "array", "items": ref("Customer")}),
        },
        {"Order": ORDER, "Customer": CUSTOMER},
    )

    assert classes(found.modules["orders"]) == {"Order": ["id", "customer"]}
    assert classes(found.modules["shared"]) == {"Customer": ["name"]}
    orders, customers = found.types["get_orders"], found.types["get_customers"]
    assert (orders.module, orders.class_name, orders.many) == ("orders", "Order", False)
    assert (customers.module, customers.class_name, customers.many) == ("shared", "Customer", True)


def test_plain_answers_need_no_class() -> None:
    found = models(
        {"/a": ("x", {"type": "string"}), "/b": ("x", ref("Id")), "/c": ("x", {})},
        {"Id": {"type": "integer"}},
    )

    assert found.modules == {}
    assert [found.types[name].plain for name in ("get_a", "get_b", "get_c")] == ["str", "int", "JsonValue"]


def test_an_inline_answer_gets_a_class_of_its_own() -> None:
    found = models({"/a": ("x", {"type": "object", "properties": {"n": {"type": "integer"}}})}, {})

    assert found.types["get_a"].class_name in classes(found.modules["x"])


def test_composed_parts_become_one_class() -> None:
    both = {"allOf": [ref("Customer"), {"type": "object", "properties": {"age": {"type": "integer"}}}]}

    found = models({"/a": ("x", ref("Both"))}, {"Both": both, "Customer": CUSTOMER})

    assert set(classes(found.modules["x"])["Both"]) == {"name", "age"}


def test_circles_end() -> None:
    node = {
        "type": "object",
        "properties": {"next": ref("Node"), "all": {"type": "array", "items": ref("Node")}},
    }

    found = models({"/a": ("x", ref("Node"))}, {"Node": node})

    assert classes(found.modules["x"]) == {"Node": ["next", "all"]}


hostile = st.sampled_from(
    [
        '"""',
        "x\ny",
        "__import__('os')",
        "a'b",
        "class",
        "None",
        "{x}",
        "\\",
        "x\u2028",
        "self",
        "model_dump",
        "中文",
        "list",
        "\r",
    ]
) | st.text(min_size=1, max_size=12).filter(
    lambda text: "\x00" not in text and not any("\ud800" <= c <= "\udfff" for c in text)
)


@given(name=hostile, field=hostile, value=hostile)
def test_hostile_names_stay_names(name: str, field: str, value: str) -> None:
    component = name.replace("~", "-").replace("/", "-").replace("%", "-")
    found = models(
        {"/a": ("x", ref(component))},
        {component: {"type": "object", "properties": {field: {"enum": [value]}}}},
    )

    for source in found.modules.values():
        for node in ast.walk(ast.parse(source)):
            assert (
                not isinstance(node, ast.Call)
                or ast.unparse(node.func) in ("Field", "RootModel", "ConfigDict")
                or ast.unparse(node.func).endswith("model_rebuild")
            )


def test_a_described_reference_is_no_class_of_its_own() -> None:
    order = {
        "type": "object",
        "properties": {
            "buyer": {"description": "Who pays.", "type": "object", "allOf": [ref("Customer")]},
            "payer": {"allOf": [ref("Customer"), {"type": ["object", "null"]}]},
        },
        "required": ["buyer", "payer"],
    }

    found = models({"/a": ("x", ref("Order"))}, {"Order": order, "Customer": CUSTOMER})

    assert classes(found.modules["x"]) == {"Customer": ["name"], "Order": ["buyer", "payer"]}
    assert "    buyer: Customer\n    payer: Customer | None\n" in found.modules["x"]


def test_what_is_only_a_part_of_an_answer_is_no_class() -> None:
    both = {"allOf": [ref("Customer"), {"type": "object", "properties": {"age": {"type": "integer"}}}]}

    found = models(
        {"/a": ("x", {"type": "array", "items": ref("Both")})}, {"Both": both, "Customer": CUSTOMER}
    )

    assert set(classes(found.modules["x"])) == {"Both"}


def test_an_answer_in_allof_is_its_component() -> None:
    found = models({"/a": ("x", {"allOf": [ref("Customer")]})}, {"Customer": CUSTOMER})

    assert found.types["get_a"].class_name == "Customer"


def test_quotes_inside_names_survive() -> None:
    names = ["it's", 'say "hi"', "both ' and \"", "plain-name"]
    schema = {"type": "object", "properties": {name: {"enum": [name]} for name in names}}

    source = models({"/a": ("x", ref("Odd"))}, {"Odd": schema}).modules["x"]

    found = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    assert set(names) <= found


def test_models_are_built_when_they_are_used() -> None:
    node = {"type": "object", "properties": {"next": ref("Node")}}

    assert "model_rebuild" not in models({"/a": ("x", ref("Node"))}, {"Node": node}).modules["x"]


def test_a_property_called_like_the_function_of_pydantic_does_not_hide_it() -> None:
    """`Field: str | None = None` would make the next `Field(...)` of its class a call of None."""
    answer = {"type": "object", "properties": {"Field": {"type": "string"}, "b-c": {"type": "string"}}}
    made = models({"/a": ("a", answer)}, {}).modules["a"]
    (fields,) = classes(made).values()
    assert "Field" not in fields
    assert len(fields) == 2
    assert 'alias="Field"' in made
