"""The faults, each as a function from a place to what may stand there instead.

None of them touches the wording of messages: a text is changed only where it is a key, or one of the words that
requests and results are described with.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping

from .places import Place

Operator = Callable[[Place], Iterable[ast.AST]]

_OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_BOUNDARIES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_ARITHMETIC: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip
ENCODERS = {
    "encode", "encode_name", "quote", "quote_plus", "b64encode", "dumps", "redact", "hide", "hidden", "redacted", "str", "escape",
}  # fmt: skip
_WITHOUT_ARGUMENTS = {"lower", "upper", "casefold", "strip", "rstrip", "lstrip", "copy", "encode", "decode"}
_RINGS = (
    ("path", "query", "header", "cookie", "body"),
    ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"),
    ("validation", "permission", "not_found", "business", "transient", "internal"),
    ("read", "write", "destructive"),
    ("simple", "label", "matrix"),
    ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    ("json", "form", "multipart", "text", "binary"),
    ("always", "never"),
    ("http", "https"),
)
_NEXT = {word: ring[(at + 1) % len(ring)] for ring in reversed(_RINGS) for at, word in enumerate(ring)}
_FEW = 12


def condition(place: Place) -> Iterator[ast.AST]:
    """The opposite of a condition."""
    node = place.node
    if not isinstance(node, ast.expr) or place.field not in ("test", "ifs", "guard"):
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITES:
        yield ast.Compare(node.left, [_OPPOSITES[type(node.ops[0])]()], node.comparators)
    else:
        yield ast.UnaryOp(ast.Not(), node)


def comparison(place: Place) -> Iterator[ast.AST]:
    """Another comparison: the opposite in a value, the neighbour where there is an order."""
    node = place.node
    if not isinstance(node, ast.Compare):
        return
    for at, operator in enumerate(node.ops):
        others = [_BOUNDARIES.get(type(operator))]
        if place.field not in ("test", "ifs", "guard") or len(node.ops) > 1:
            others.append(_OPPOSITES.get(type(operator)))
        for other in others:
            if other is not None:
                yield ast.Compare(node.left, [*node.ops[:at], other(), *node.ops[at + 1 :]], node.comparators)


def boolean(place: Place) -> Iterator[ast.AST]:
    """`and` for `or`, and the other way round; no `not`."""
    match place.node:
        case ast.BoolOp(op=ast.And(), values=values):
            yield ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(op=ast.Or(), values=values):
            yield ast.BoolOp(ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand) if place.field not in ("test", "ifs", "guard"):
            yield operand


def statement(place: Place) -> Iterator[ast.AST]:
    """A statement that is left out. An assignment to a name is not: the name would be missing, which anything shows."""
    match place.node:
        case ast.Expr() | ast.Raise() | ast.AugAssign() | ast.Delete() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()


def returned(place: Place) -> Iterator[ast.AST]:
    """A function that returns nothing."""
    match place.node:
        case ast.Return(value=ast.Constant(value=None | True | False)) | ast.Return(value=None):
            return
        case ast.Return():
            yield ast.Return(ast.Constant(None))


def early(place: Place) -> Iterator[ast.AST]:
    """A loop that never runs."""
    if place.field == "iter" and isinstance(place.parent, ast.For | ast.AsyncFor) and place.in_function:
        yield ast.Tuple([], ast.Load())


def constant(place: Place) -> Iterator[ast.AST]:
    """A number that is one off, a switch that is the other way round."""
    match place.node:
        case ast.Constant(value=bool() as switch):
            yield ast.Constant(not switch)
        case ast.Constant(value=int() | float() as number):
            yield ast.Constant(number + 1)


def arithmetic(place: Place) -> Iterator[ast.AST]:
    """The other operation; of a union only the first part."""
    node = place.node
    if not isinstance(node, ast.BinOp) or not place.in_function:
        return
    texts = (node.left, node.right)
    if type(node.op) in _ARITHMETIC and not any(_is_text(side) for side in texts):
        yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node.op, ast.BitOr | ast.BitAnd) and not _in_type_test(place):
        yield node.left


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _in_type_test(place: Place) -> bool:
    parent = place.parent
    return (
        isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "isinstance"
    )


def keyword(place: Place) -> Iterator[ast.AST]:
    """A named argument that is not given."""
    node = place.node
    if isinstance(node, ast.Call):
        for at, given in enumerate(node.keywords):
            if given.arg not in ("strict", "repr", "compare", "stacklevel"):
                yield ast.Call(node.func, node.args, [*node.keywords[:at], *node.keywords[at + 1 :]])


def swapped(place: Place) -> Iterator[ast.AST]:
    """The first two arguments, if they look alike, or the values of the first two entries, change places."""
    match place.node:
        case ast.Call(func=func, args=[first, second, *rest], keywords=keywords):
            if type(first) is type(second) and not isinstance(first, ast.Starred):
                yield ast.Call(func, [second, first, *rest], keywords)
        case ast.Dict(keys=keys, values=[first, second, *rest]) if place.in_function:
            if None not in keys[:2]:
                yield ast.Dict(keys, [second, first, *rest])


def entry(place: Place) -> Iterator[ast.AST]:
    """An entry of a dictionary, an element of a list of constants, that is missing."""
    node = place.node
    if isinstance(node, ast.Dict) and place.in_function and len(node.keys) <= _FEW:
        for at in range(len(node.keys)):
            yield ast.Dict(node.keys[:at] + node.keys[at + 1 :], node.values[:at] + node.values[at + 1 :])
    elif isinstance(node, ast.Set | ast.Tuple | ast.List) and _is_short_list(node.elts):
        for at in range(len(node.elts)):
            shorter = copy.copy(node)
            shorter.elts = node.elts[:at] + node.elts[at + 1 :]
            yield shorter


def _is_short_list(elements: list[ast.expr]) -> bool:
    return 2 <= len(elements) <= _FEW and all(isinstance(element, ast.Constant) for element in elements)


def unwrapped(place: Place) -> Iterator[ast.AST]:
    """A value that is not encoded, not hidden, not brought into its form."""
    match place.node:
        case ast.Call(func=ast.Attribute(value=value, attr="encode" | "decode"), args=[_, *_]) if not (
            isinstance(value, ast.Name) and value.id.startswith("base")
        ):
            yield value
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if (
            name in ENCODERS
        ):
            yield first
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[]) if name in _WITHOUT_ARGUMENTS:
            yield value


def key(place: Place) -> Iterator[ast.AST]:
    """The wrong key: of a lookup, an entry, a membership."""
    match place.node:
        case ast.Constant(value=str(name)) if place.in_function and _is_key(place):
            yield ast.Constant(name + "_")


def _is_key(place: Place) -> bool:
    match place.parent:
        case ast.Call(func=ast.Attribute(attr="get" | "pop" | "setdefault")):
            return place.field == "args" and place.index == 0
        case ast.Dict():
            return place.field == "keys"
        case ast.Subscript():
            return place.field == "slice"
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return place.field == "left"
        case _:
            return False


def word(place: Place) -> Iterator[ast.AST]:
    """Another location, method, category, effect, style or kind of body."""
    match place.node:
        case ast.Constant(value=str(text)) if text in _NEXT and not (place.in_function and _is_key(place)):
            yield ast.Constant(_NEXT[text])


def location(place: Place) -> Iterator[ast.AST]:
    """What a tool sends in the path goes into the query, and so on."""
    node = place.node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "send":
        for at, given in enumerate(node.keywords):
            if given.arg in _NEXT:
                others = [*node.keywords[:at], *node.keywords[at + 1 :]]
                free = next(
                    name
                    for name in _RINGS[0]
                    if name not in {other.arg for other in node.keywords} | {given.arg}
                )
                yield ast.Call(node.func, node.args, [ast.keyword(free, given.value), *others])


OPERATORS: Mapping[str, Operator] = {
    operator.__name__: operator
    for operator in (
        condition, comparison, boolean, statement, returned, early, constant, arithmetic, keyword, swapped, entry, unwrapped,
        key, word, location,
    )
}  # fmt: skip
