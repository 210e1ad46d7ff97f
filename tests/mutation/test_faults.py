"""The faults themselves: each is a small change of the code, and the code is otherwise as it was."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import mcpgen.runtime

from .catalogue import catalogue_faults, listed_fault
from .equivalent import EQUIVALENT, key_of
from .faults import REMOVED, code_faults, data_fault
from .listed import LISTED
from .operators import OPERATORS

RUNTIME = Path(mcpgen.runtime.__file__).parent


def made(source: str, operator: str) -> list[str]:
    """What an operator makes of a function body, one line for each fault."""
    text = f"def f(a, b, call):\n    {source}\n"
    faults = [fault for fault in code_faults("x.py", text) if fault.operator == operator]
    return [fault.applied(text).split("\n", 1)[1].strip() for fault in faults]


@pytest.mark.parametrize(
    ("operator", "source", "expected"),
    [
        ("condition", "x = 1 if a == b else 2", ["x = 1 if a != b else 2"]),
        ("condition", "x = [c for c in a if not c]", ["x = [c for c in a if c]"]),
        ("condition", "x = 1 if a < b else 2", ["x = 1 if not a < b else 2"]),
        ("comparison", "return a <= b", ["return a < b"]),
        ("comparison", "return a is None", ["return a is not None"]),
        ("boolean", "return a and b", ["return a or b"]),
        ("statement", "call(a)", ["pass"]),
        ("statement", "raise a", ["pass"]),
        ("statement", "x = 1", []),
        ("statement", "log.warning(a)", []),
        ("returned", "return a", ["return None"]),
        ("returned", "return True", []),
        ("constant", "return True", ["return False"]),
        ("constant", "return 3", ["return 4"]),
        ("constant", "return 'words'", []),
        ("arithmetic", "return a + b", ["return a - b"]),
        ("arithmetic", "return 'words' + b", []),
        ("keyword", "return call(a, x=1, y=2)", ["return call(a, y=2)", "return call(a, x=1)"]),
        ("swapped", "return call(a, b)", ["return call(b, a)"]),
        ("swapped", "return call(a, 1)", []),
        ("entry", "return {'a': 1, 'b': 2}", ["return {'b': 2}", "return {'a': 1}"]),
        ("unwrapped", "return quote(a)", ["return a"]),
        ("unwrapped", "return a.lower()", ["return a"]),
        ("key", "return a['x']", ["return a['x_']"]),
        ("key", "return a.get('x', b)", ["return a.get('x_', b)"]),
        ("key", "return 'x'", []),
        ("word", "return 'path'", ["return 'query'"]),
        ("word", "return 'not_found'", ["return 'business'"]),
        ("word", "return 'DELETE'", ["return 'PATCH'"]),
        ("location", "return call.send(path={'x': a})", ["return call.send(query={'x': a})"]),
        ("early", "for x in a: call(x)", ["for x in ():\n        call(x)"]),
    ],
)  # fmt: skip
def test_operators(operator: str, source: str, expected: list[str]) -> None:
    assert made(source, operator) == expected


@pytest.mark.parametrize(
    ("name", "file", "source", "expected"),
    [
        ("swapped method", "_runtime/a.py", "return 'GET'", ["return 'POST'"]),
        ("swapped method", "_runtime/a.py", "return 'path'", []),
        ("wrong location", "_runtime/requests/a.py", "return 'path'", ["return 'query'"]),
        ("wrong location", "_runtime/secrecy/a.py", "return 'path'", []),
        ("wrong location", "_runtime/auth/a.py", "return parts.headers", ["return parts.query"]),
        ("wrong location", "tools/a.py", "return call.send(path=a)", ["return call.send(query=a)"]),
        ("dropped parameter", "tools/a.py", "return call.send(path={'x': a})", ["return call.send()", "return call.send(path={})"]),
        ("dropped parameter", "_runtime/requests/a.py", "a.append(b)", ["pass"]),
        ("skipped encoding", "_runtime/requests/a.py", "return quote(a, safe='')", ["return a"]),
        ("skipped encoding", "_runtime/secrecy/a.py", "return names.hide(a, b)", ["return False"]),
        ("skipped encoding", "_runtime/answers/a.py", "return redactor.value(a)", ["return a"]),
        ("dropped credential", "_runtime/auth/schemes.py", "parts.auth = a", ["pass"]),
        ("flipped isError", "_runtime/outcomes/result.py", "return {'ok': False}", ["return {'ok': True}"]),
        ("flipped isError", "_runtime/answers/outcome.py", "return 1 if status == 304 else 2", ["return 1 if status != 304 else 2"]),
        ("dropped hint", "_runtime/outcomes/a.py", "return call(a, hint=b)", ["return call(a)"]),
        ("wrong category", "_runtime/a.py", "return Category.INTERNAL", ["return Category.VALIDATION"]),
        ("opened gate", "_runtime/dispatch.py", "return 1 if a not in b else 2", ["return 1 if a in b else 2"]),
        ("opened gate", "_runtime/chain/a.py", "return 'read'", ["return 'write'"]),
    ],
)  # fmt: skip
def test_listed_faults_are_made_where_they_belong(
    name: str, file: str, source: str, expected: list[str]
) -> None:
    text = f"def f(a, b, call):\n    {source}\n"
    faults = code_faults(file, text, [name])
    assert [fault.applied(text).split("\n", 1)[1].strip() for fault in faults] == expected


def test_every_kind_of_listed_fault_is_made_of_the_catalogue_or_the_code() -> None:
    found = {fault.operator for fault in map(listed_fault, catalogue_faults(CATALOGUE)) if fault is not None}
    assert found == {
        "swapped method", "wrong location", "dropped parameter", "dropped credential", "dropped hint", "wrong category", "opened gate",
    }  # fmt: skip


def test_what_is_no_code_is_left_alone() -> None:
    text = '''
from typing import Literal
if TYPE_CHECKING:
    from a import b
Kind = Literal["path", "query"]

@decorated(limit=3)
def f(a: Literal["path"], b: "int | None") -> dict["read", 3]:
    """A docstring with path."""
    log.warning("words %d", 3)
'''
    assert code_faults("x.py", text) == []


@pytest.mark.parametrize(
    "path", ["requests/query.py", "auth/schemes.py", "api_errors/judging.py", "chain/once.py"]
)
def test_every_fault_changes_one_place_and_can_be_compiled(path: str) -> None:
    text = (RUNTIME / path).read_text("utf-8")
    faults = code_faults(path, text)
    assert len(faults) > 40
    assert len({(fault.operator, fault.place, fault.variant) for fault in faults}) == len(faults)
    plain = ast.unparse(ast.parse(text))
    for fault in faults[::7]:
        changed = fault.applied(text)
        compile(changed, path, "exec")
        assert changed.strip() != plain
        assert abs(len(changed) - len(plain)) < 3_000


CATALOGUE = {
    "auth": {"key": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_KEY"}}},
    "operations": {
        "get": {
            "effect": "destructive",
            "method": "GET",
            "path": "/x/{id}",
            "idempotent": True,
            "accept": "*/*",
            "security": [{"key": []}],
            "arguments": [{"name": "id", "in": "path", "wire_name": "id"}],
            "parameters": [{"name": "id", "in": "path", "style": "simple", "explode": False}],
            "hints": {"not_found": {"tool": "find"}},
            "categories": {"409": "business"},
        }
    },
    "tools": [
        {
            "name": "get",
            "annotations": {"readOnlyHint": False},
            "inputSchema": {"properties": {"id": {"type": "string", "maxLength": 3}}, "required": ["id"], "additionalProperties": False},
            "outputSchema": {"properties": {"ok": {}}, "required": ["ok"]},
        }
    ],
}  # fmt: skip


def test_the_catalogue_gets_every_fault_of_its_domain() -> None:
    faults = catalogue_faults(CATALOGUE)
    found = {(fault.operator, fault.where, fault.after) for fault in faults}
    assert found >= {
        ("method", "operations/get/method", '"POST"'),
        ("effect", "operations/get/effect", '"read"'),
        ("location", "operations/get/parameters/0/in", '"query"'),
        ("location", "operations/get/arguments/0", REMOVED),
        ("auth", "operations/get/security", "[]"),
        ("auth", "auth/key/in", '"cookie"'),
        ("hint", "operations/get/hints/not_found", REMOVED),
        ("category", "operations/get/categories/409", '"transient"'),
        ("annotation", "tools/0/annotations/readOnlyHint", "true"),
        ("schema", "tools/0/inputSchema/properties/id/maxLength", REMOVED),
    }
    assert not [
        fault for fault in faults if fault.operator == "style"
    ], "how a single text is spread changes nothing"
    text = json.dumps(CATALOGUE)
    changed = [json.loads(fault.applied(text)) for fault in faults]
    assert all(one != CATALOGUE for one in changed)


def test_a_removed_part_is_removed() -> None:
    fault = data_fault(CATALOGUE, "hint", ("operations", "get", "hints"))
    assert "hints" not in json.loads(fault.applied(json.dumps(CATALOGUE)))["operations"]["get"]


def test_the_list_of_equivalent_faults_is_not_out_of_date() -> None:
    files = {key[0] for key in EQUIVALENT}
    known = {
        key_of(fault)
        for file in files
        for fault in code_faults(
            f"_runtime/{file}", (RUNTIME / file).read_text("utf-8"), (*LISTED, *OPERATORS)
        )
    }
    assert EQUIVALENT.keys() - known == set()
    assert all(len(reason) > 20 for reason in EQUIVALENT.values())
