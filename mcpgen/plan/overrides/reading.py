"""Reads what is said about operations: `x-mcp` in the document, sections `[operations.KEY]` of the configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation
from mcpgen.plan.overrides.faults import Faults
from mcpgen.plan.overrides.model import (
    UNSAID,
    ArgumentOverride,
    HintOverride,
    Override,
    Said,
    Split,
    TextOverrides,
)
from mcpgen.plan.overrides.shapes import (
    ArgumentShape,
    OperationShape,
    Place,
    Shape,
    ToolShape,
    problems,
)

EXTENSION = "x-mcp"
_SHORT = "x-mcp-effect"
"""The effect alone."""
_TEXTS = ("title", "description", "purpose", "inputs", "limits", "when_to_use")

Where = Callable[[Place], Said]
_S = TypeVar("_S", bound=Shape)


def read_extension(operation: Operation, faults: Faults) -> Override:
    """What the document says about an operation: an object, or just whether it becomes a tool."""
    found = Override()
    told = operation.extensions.get(EXTENSION)
    where = _in_document(operation.origin, EXTENSION)
    if isinstance(told, bool):
        found = Override(include=told, said={"include": where(())})
    elif told is not None:
        shape = _checked(told, OperationShape, where, faults, f"{operation.key}: {EXTENSION}")
        found = override_of(shape, where) if shape is not None else found
    short = operation.extensions.get(_SHORT)
    if short is not None and found.effect is None:
        where = _in_document(operation.origin, _SHORT)
        effect = {"effect": short}
        shape = _checked(effect, OperationShape, lambda _: where(()), faults, f"{operation.key}: {_SHORT}")
        found = Override(effect=shape.effect, said={"effect": where(())}) if shape is not None else found
    return found


def read_argument_extension(
    told: Any, origin: Location, name: str, faults: Faults
) -> ArgumentOverride | None:
    """What the document says about an argument, where it describes a parameter or a field of the body.

    Args:
        told: the value of `x-mcp`, None where there is none.
        origin: the parameter, or the body that has the field.
        name: the parameter or field, for the message.
    """
    if told is None:
        return None
    where = _in_document(origin, EXTENSION)
    shape = _checked(told, ArgumentShape, where, faults, f"{name}: {EXTENSION}")
    return None if shape is None else argument_of(shape, where, ())


def read_section(key: str, told: Any, faults: Faults) -> Override | None:
    """One section `[operations.KEY]`; None where it is wrong."""

    def where(place: Place) -> Said:
        return Said(place=("operations", key, *place))

    shape = _checked(told, OperationShape, where, faults, f"[operations.{key}]")
    return None if shape is None else override_of(shape, where)


def override_of(shape: ToolShape, where: Where, place: Place = ()) -> Override:
    """The override that a table says."""
    said = {".".join(key): where((*place, *key)) for key in _keys_said(shape)}
    given: dict[str, Any] = {}
    if isinstance(shape, OperationShape):
        given = {
            "include": shape.include,
            "split": _split(shape),
            "paging": shape.paging,
            "actions": {
                value: override_of(tool, where, (*place, "actions", value))
                for value, tool in shape.actions.items()
            },
        }
    return Override(
        name=shape.name,
        texts=TextOverrides(
            **{key: getattr(shape, key) for key in _TEXTS},
            example=shape.example if isinstance(shape.example, str) else None,
        ),
        effect=shape.effect,
        additive=shape.additive,
        idempotent=shape.idempotent,
        annotations=shape.annotations.model_dump(exclude_none=True),
        hints={
            status: HintOverride(hint.tool, hint.arguments, hint.same, hint.text)
            for status, hint in shape.hints.items()
        },
        example=shape.example if isinstance(shape.example, dict) else None,
        arguments={
            name: argument_of(one, where, (*place, "arguments", name))
            for name, one in shape.arguments.items()
        },
        icons=(
            None if shape.icons is None else tuple(icon.model_dump(exclude_none=True) for icon in shape.icons)
        ),
        meta=shape.meta,
        said=said,
        **given,
    )


def argument_of(shape: ArgumentShape, where: Where, place: Place) -> ArgumentOverride:
    """The override that a table says about one argument."""
    given = shape.model_fields_set
    examples = tuple(shape.examples) if shape.examples is not None else None
    if "example" in given:
        examples = (shape.example, *(examples or ()))
    return ArgumentOverride(
        name=shape.name,
        description=shape.description,
        hidden=shape.hidden,
        fixed=shape.fixed if "fixed" in given else UNSAID,
        default=shape.default if "default" in given else UNSAID,
        examples=examples,
        said={"": where(place), **{key: where((*place, key)) for key in sorted(given)}},
    )


def _split(shape: OperationShape) -> Split | bool | None:
    told = shape.split
    if told is None or told is False:
        return told
    if isinstance(told, str):
        return Split(told)
    values: dict[str, str | None] = dict.fromkeys(told.values)
    return Split(told.argument, {**values, **told.effects})


def _keys_said(shape: Shape) -> Iterator[Place]:
    """The keys of a table as they are written, and those of the tables right below it (`hints`, `404`)."""
    for name, field in type(shape).model_fields.items():
        if name not in shape.model_fields_set:
            continue
        key = field.alias or name
        yield (key,)
        inner = getattr(shape, name)
        if isinstance(inner, Mapping):
            yield from ((key, step) for step in inner)
        elif name == "annotations":
            yield from ((key, step) for step in sorted(inner.model_fields_set))


def _in_document(origin: Location, key: str) -> Where:
    def where(place: Place) -> Said:
        steps = (key, *(step.replace("~", "~0").replace("/", "~1") for step in place))
        return Said(Location(origin.file, "/".join((origin.pointer, *steps))))

    return where


def _checked(told: Any, shape: type[_S], where: Where, faults: Faults, name: str) -> _S | None:
    try:
        return shape.model_validate(told)
    except ValidationError as error:
        for place, what in problems(error, shape):
            key = ".".join(place)
            told_of = f"{name}: {key}" if key else name
            faults.add(where(place), f"{told_of}{':' if what.startswith('unknown') else ''} {what}")
        return None
