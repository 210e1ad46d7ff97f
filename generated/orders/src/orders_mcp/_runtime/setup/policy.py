"""What an operator says about single tools: the sections `[tools.NAME]` of a configuration or policy file.

`NAME` is a tool or a pattern (`delete_*`, `*`). Sections are merged key by key: patterns in the order in which they are
written, then the tool's own name. The generator checks the same sections with this module.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from .parsing import close_to
from .variables import BY_FIELD, as_text

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

CategoryName = Literal["validation", "permission", "not_found", "business", "transient", "internal"]


class PolicyError(ValueError):
    """A policy that can't be followed; `problems` has one line for each fault."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class ArgumentLimit(_Section):
    """Bounds on one argument, beyond those that the API's description has.

    `clamp` moves a number to the nearest bound, and shortens a list or a text, instead of refusing the call; the result says so.
    Everything but `max_items` holds for each item of a list, and a number that is given as text is a number too.
    """

    minimum: float | int | None = None
    maximum: float | int | None = None
    max_length: int | None = Field(None, ge=0)
    max_items: int | None = Field(None, ge=0)
    allow: list[Any] | None = None
    deny: list[Any] = []
    clamp: bool = False

    @model_validator(mode="after")
    def _admits_something(self) -> ArgumentLimit:
        """Bounds that no value keeps are a slip of the pen: every call would be refused, or moved to a wrong value."""
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            values = {"minimum": self.minimum, "maximum": self.maximum}
            raise PydanticCustomError(
                "contradiction", "the minimum {minimum} is above the maximum {maximum}: no value fits", values
            )
        if self.allow is not None and all(value in self.deny for value in self.allow):
            raise PydanticCustomError("contradiction", "nothing that is allowed is left: no value fits")
        return self


class ToolPolicy(_Section):
    """What holds for one tool.

    Attributes:
        confirm: whether its calls ask the user first, whatever `CONFIRM` says.
        timeout: seconds that one call may take in all.
        max_result_bytes: how much of an answer reaches the model.
        fields: which parts of the answer are passed on: dotted names, through lists (`items.id`).
        choose_fields: the model may choose them, by an argument of its own.
        limits: by argument; an inner field is named with dots.
        categories: by status ("422", "4XX"), or status and the API's code ("422:card_declined").
        idempotent: the same request may be sent again, although its method does not say so.
        retries: how often a call is repeated.
        idempotency_header: the header that makes repeats safe; "" where the API's own is not to be used.
        repeat_window: seconds in which an equal write is answered with the first result.
        cache_seconds: how long an answer of a read is given again.
        scopes: what the caller's token must have (HTTP only).
    """

    confirm: Literal["always", "never"] | None = None
    timeout: float | int | None = Field(None, gt=0)
    max_result_bytes: int | None = Field(None, ge=1000)
    fields: list[str] = []
    choose_fields: bool = False
    limits: dict[str, ArgumentLimit] = {}
    categories: dict[str, CategoryName] = {}
    idempotent: bool | None = None
    retries: int | None = Field(None, ge=0, le=10)
    idempotency_header: str | None = Field(None, pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]*$")
    repeat_window: float | int = Field(0, ge=0)
    cache_seconds: float | int = Field(0, ge=0)
    scopes: list[str] = []


@dataclass(frozen=True, slots=True)
class ToolPolicies:
    """All sections, by name or pattern, as written."""

    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def over(self, stronger: Mapping[str, Mapping[str, Any]]) -> ToolPolicies:
        """These with others on top of them, key by key."""
        merged = {name: dict(section) for name, section in self.sections.items()}
        for name, section in stronger.items():
            merged[name] = {**merged.get(name, {}), **section}
        return ToolPolicies(merged)

    def of(self, tool: str) -> ToolPolicy:
        """What holds for one tool."""
        merged: dict[str, Any] = {}
        for name, section in self.sections.items():
            if name != tool and fnmatchcase(tool, name):
                merged |= section
        return ToolPolicy.model_validate(merged | dict(self.sections.get(tool, {})))

    def problems(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """What is wrong with the sections themselves: where (section, key, …), and what."""
        for name, section in self.sections.items():
            try:
                ToolPolicy.model_validate(section)
            except ValidationError as error:
                for fault in error.errors(include_url=False, include_context=False):
                    if fault["loc"][-1] != "int":  # of a union's two complaints the first will do
                        yield (name, *(str(step) for step in fault["loc"] if step != "float")), _told(fault)

    def unknown(self, tools: Mapping[str, Iterable[str]]) -> Iterator[tuple[tuple[str, ...], str]]:
        """As `problems`: tools and arguments that the server does not have; `tools` has the arguments of each."""
        for name, section in self.sections.items():
            matching = [tool for tool in tools if fnmatchcase(tool, name)]
            if not matching:
                yield (name,), f"no tool has this name{close_to(name, tools)}"
            arguments = {argument for tool in matching for argument in tools[tool]}
            for limited in section.get("limits", {}):
                if matching and limited.split(".")[0] not in arguments:
                    yield (name, "limits", limited), f"no such argument{close_to(limited, arguments)}"


def _told(fault: ErrorDetails) -> str:
    if fault["type"] == "extra_forbidden":
        known = ArgumentLimit if "limits" in fault["loc"] else ToolPolicy
        return f"unknown key{close_to(str(fault['loc'][-1]), known.model_fields)}"
    return fault["msg"][:1].lower() + fault["msg"][1:]


def told(place: tuple[str, ...], what: str) -> str:
    """A fault in a section of a tool, as one line."""
    return f"[tools.{place[0]}] {'.'.join(place[1:])}".rstrip() + f": {what}"


def server_texts(section: Any) -> dict[str, str]:
    """A section `[server]`: settings by name in lower case, each as the text that its variable would have.

    Raises:
        PolicyError: unknown names, values that are wrong, or settings that belong into the environment.
    """
    if not isinstance(section, Mapping):
        raise PolicyError(["server must be a section: [server]"])
    found: dict[str, str] = {}
    problems: list[str] = []
    for name, value in section.items():
        variable = BY_FIELD.get(name)
        if variable is None:
            problems.append(f"[server] {name}: unknown key{close_to(name, BY_FIELD)}")
        elif variable.local:
            problems.append(f"[server] {name}: belongs into the environment of the server, not into a file")
        else:
            try:
                found[name] = as_text(value)
                variable.parse(found[name])
            except ValueError as error:
                problems.append(f"[server] {name}: {error}")
    if problems:
        raise PolicyError(problems)
    return found


def read_policy_file(path: Path) -> Mapping[str, Any]:
    """The sections of a policy file, checked but for the names of tools.

    Raises:
        PolicyError: it can't be read, or something in it is wrong.
    """
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise PolicyError([f"the file can't be read: {error.strerror}"]) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PolicyError([f"the file is not TOML: {error}"]) from error
    problems = [
        f"unknown section [{name}]: only [server] and [tools.NAME] are read"
        for name in document
        if name not in ("server", "tools")
    ]
    tools = document.get("tools", {})
    if not isinstance(tools, dict) or not all(isinstance(section, dict) for section in tools.values()):
        problems.append("[tools] holds sections: [tools.NAME]")
    else:
        problems += [told(place, what) for place, what in ToolPolicies(tools).problems()]
    if problems:
        raise PolicyError(problems)
    return document
