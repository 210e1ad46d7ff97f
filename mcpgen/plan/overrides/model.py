"""What can be said about one operation; every field is optional, and None leaves the decision to mcpgen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mcpgen.diagnostics import Location


class Unsaid(StrEnum):
    """The one value of "nobody said a value", where null is a value that can be said."""

    UNSAID = "unsaid"


UNSAID = Unsaid.UNSAID


@dataclass(frozen=True, slots=True)
class Said:
    """Where something is said: a place of the document, or one (section, key, ...) of the user's configuration."""

    location: Location | None = None
    place: tuple[str, ...] = ()

    @property
    def configured(self) -> bool:
        return bool(self.place)


@dataclass(frozen=True, slots=True)
class Split:
    """One tool for each value of an argument. `values` maps each to its effect, None where it is inferred.

    `argument` is the name in the document (a body field or a query parameter). Empty `values` are those that the
    schema of the argument lists.
    """

    argument: str
    values: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextOverrides:
    """Texts that replace those that mcpgen writes; an empty part drops that element.

    `description` is the whole text, and then the parts do not count.
    """

    title: str | None = None
    description: str | None = None
    purpose: str | None = None
    inputs: str | None = None
    example: str | None = None
    limits: str | None = None
    when_to_use: str | None = None


@dataclass(frozen=True, slots=True)
class ArgumentOverride:
    """What is said about one argument.

    Attributes:
        name: its published name, in place of the one made of the wire name.
        description: its published description.
        hidden: it is not published.
        fixed: the value that the tool always sends; the argument is not published.
        default: the value that is sent where the caller leaves the argument out; the schema says so.
        examples: values that the schema shows; the first is the one that tests send.
        said: where the values of these keys are said; "" is the argument as a whole.
    """

    name: str | None = None
    description: str | None = None
    hidden: bool | None = None
    fixed: Any = UNSAID
    default: Any = UNSAID
    examples: tuple[Any, ...] | None = None
    said: Mapping[str, Said] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HintOverride:
    """The next step after a status: a tool of this server, what to pass to it, and what to say after that.

    `arguments` has values by name; `same` names arguments of that tool that take the value which an argument of this
    call has.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Override:
    """What is said about one operation, or about one of the tools that it was cut into.

    Attributes:
        name: the tool's name.
        texts: title and description.
        effect, additive, idempotent: over what is inferred.
        include: whether the operation becomes a tool at all.
        split: how the operation is cut by the values of an argument; False keeps it in one piece.
        paging: how the list is paged (`paging` in the README), False where it is not.
        annotations: hints of the protocol, over those that follow from the effect.
        hints: next steps by status (`404`, `4XX`) or category of the result contract.
        example: arguments of an example call, by published names.
        arguments: by the name of the argument as it is said: published, on the wire, or with its place (`path:id`).
        icons, meta: as the tool has them on the wire.
        actions: overrides of single tools, by the value of the action argument.
        said: where each key is said.
    """

    name: str | None = None
    texts: TextOverrides = field(default_factory=TextOverrides)
    effect: str | None = None
    additive: bool | None = None
    idempotent: bool | None = None
    include: bool | None = None
    split: Split | bool | None = None
    paging: Mapping[str, Any] | bool | None = None
    annotations: Mapping[str, bool] = field(default_factory=dict)
    hints: Mapping[str, HintOverride] = field(default_factory=dict)
    example: Mapping[str, Any] | None = None
    arguments: Mapping[str, ArgumentOverride] = field(default_factory=dict)
    icons: tuple[Mapping[str, Any], ...] | None = None
    meta: Mapping[str, Any] | None = None
    actions: Mapping[str, Override] = field(default_factory=dict)
    said: Mapping[str, Said] = field(default_factory=dict)
