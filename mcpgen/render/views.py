"""What templates see: small flat records, made here so that templates hold no logic.

The names and types in this module are the template contract (`templates/README.md`, `templates/REFERENCE.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.models.model import ResultType
from mcpgen.plan.model import ArgumentPlan, AuthPlan, Code, PackagePlan, SpecText, ToolPlan, ToolsetPlan
from mcpgen.render.filters import py
from mcpgen.render.library import Needs
from mcpgen.render.settings import SettingView, runtime_settings

CONTEXT_VERSION = 1
"""Of what templates see: it goes up when a name or a block goes away or means something else."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """One entry of a dict in a call: the wire name, and the variable or literal that goes there."""

    wire: SpecText
    value: Code


@dataclass(frozen=True, slots=True)
class GroupView:
    """One keyword of `call.send`: a dict of entries, or one value."""

    keyword: str
    entries: tuple[EntryView, ...]
    value: Code | None = None


@dataclass(frozen=True, slots=True)
class ParameterView:
    """One parameter of a tool function, with its annotation and default."""

    name: str
    annotation: Code
    default: Code | None


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One tool function."""

    name: str
    parameters: tuple[ParameterView, ...]
    returns: Code
    doc: SpecText
    groups: tuple[GroupView, ...]


@dataclass(frozen=True, slots=True)
class ImportView:
    """`from ..models.MODULE import NAMES`; each name with its alias where it needs one."""

    module: str
    names: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class ToolModuleView:
    """One module of tool functions; `name` is that of the module."""

    title: SpecText
    typing_names: tuple[str, ...]
    runtime_names: tuple[str, ...]
    models: tuple[ImportView, ...]
    functions: tuple[FunctionView, ...]
    name: str


_SEND = (("path", "path"), ("query", "query"), ("header", "header"), ("cookie", "cookie"))
_RUNTIME = ("UNSET", "Call", "FileArgument", "JsonObject", "JsonValue", "Result", "Unset")


def tool_module(toolset: ToolsetPlan, types: Mapping[str, ResultType]) -> ToolModuleView:
    """The view of one toolset's module."""
    used = [types[tool.name] for tool in toolset.tools if types[tool.name].module is not None]
    functions_taken = {tool.function for tool in toolset.tools}
    aliases = _aliases(used, functions_taken | set(_RUNTIME) | {"Literal", "TYPE_CHECKING"})
    functions = tuple(_function(tool, types[tool.name], aliases) for tool in toolset.tools)
    texts = [text for f in functions for text in (f.returns, *(p.annotation for p in f.parameters))]
    defaults = [p.default for f in functions for p in f.parameters if p.default is not None]
    words = " ".join([*texts, *defaults])
    imports = _imports(aliases)
    typing_names = [
        name
        for name, used_here in (("TYPE_CHECKING", imports), ("Literal", "Literal[" in words))
        if used_here
    ]
    runtime = [name for name in _RUNTIME if name in ("Call", "Result") or _mentions(words, name)]
    return ToolModuleView(
        toolset.label, tuple(typing_names), tuple(runtime), imports, functions, toolset.module
    )


def _mentions(words: str, name: str) -> bool:
    return any(name == part for part in words.replace("[", " ").replace("]", " ").replace(",", " ").split())


def _aliases(used: Iterable[ResultType], taken: set[str]) -> dict[tuple[str, str], str]:
    """The local name of each model class; an alias where two modules, or a function, have the same name."""
    aliases: dict[tuple[str, str], str] = {}
    for module, name in sorted({(t.module or "", t.class_name) for t in used}):
        local = name
        while local in taken:
            local = f"{local}Model"
        taken.add(local)
        aliases[module, name] = local
    return aliases


def _imports(aliases: Mapping[tuple[str, str], str]) -> tuple[ImportView, ...]:
    modules = sorted({module for module, _ in aliases})
    return tuple(
        ImportView(
            module,
            tuple(
                Code(name if local == name else f"{name} as {local}")
                for (home, name), local in sorted(aliases.items())
                if home == module
            ),
        )
        for module in modules
    )


def _function(tool: ToolPlan, result: ResultType, aliases: Mapping[tuple[str, str], str]) -> FunctionView:
    if result.module is None:
        returns = result.plain
    else:
        local = aliases[result.module, result.class_name]
        returns = Code(f"list[{local}]" if result.many else local)
    ordered = sorted(tool.arguments, key=lambda argument: not argument.required)
    parameters = tuple(
        (
            ParameterView(a.python, a.annotation, None)
            if a.required
            else ParameterView(a.python, Code(f"{a.annotation} | Unset"), Code("UNSET"))
        )
        for a in ordered
    )
    doc = SpecText(f"{tool.description}\n\n{tool.method} {tool.path}")
    return FunctionView(tool.function, parameters, Code(f"Result[{returns}]"), doc, _groups(tool))


def _groups(tool: ToolPlan) -> tuple[GroupView, ...]:
    """The keywords of `call.send`, in a fixed order."""
    groups: list[GroupView] = []
    for where, keyword in _SEND:
        entries = [EntryView(SpecText(a.wire_name or ""), Code(a.python)) for a in tool.arguments_in(where)]
        entries += _fixed(tool, where)
        if entries:
            groups.append(GroupView(keyword, tuple(entries)))
    whole = [Code(argument.python) for argument in tool.arguments_in("querystring")]
    whole += [entry.value for entry in _fixed(tool, "querystring")]
    groups += [GroupView("querystring", (), value) for value in whole]
    return (*groups, *_body_groups(tool))


def _fixed(tool: ToolPlan, where: str) -> list[EntryView]:
    return [
        EntryView(SpecText(name), Code(py(value)))
        for name, value in tool.fixed.items()
        if tool.fixed_where[name] == where
    ]


def _body_groups(tool: ToolPlan) -> list[GroupView]:
    body: tuple[ArgumentPlan, ...] = tool.arguments_in("body")
    fields = [EntryView(SpecText(a.field), Code(a.python)) for a in body if a.pointer]
    entries = [*_fixed(tool, "body"), *fields]
    rest = [a for a in body if not a.pointer]
    if entries:
        groups = [GroupView("body", tuple(entries))]
        return groups + [GroupView("extra", (), Code(a.python)) for a in rest]
    return [GroupView("body", (), Code(a.python)) for a in rest]


@dataclass(frozen=True, slots=True)
class PackageView:
    """The package as a whole, for the README, `pyproject.toml` and the like."""

    plan: PackagePlan
    generator: str
    version: str
    runtime_requirements: tuple[Code, ...]
    runtime_notes: tuple[Code, ...]
    client_env: tuple[str, ...]
    destructive: tuple[ToolPlan, ...]
    logins: tuple[AuthPlan, ...]
    options: Mapping[str, Code]
    settings: tuple[SettingView, ...]
    defaults: Mapping[str, SpecText]


_TOLD_APART = frozenset(
    "BASE_URL SERVER ALLOW_EFFECTS CONFIRM TOOLSETS MODE FORWARD_AUTHORIZATION LOGIN_STORE STATE_DIR".split()
)
"""Settings that the documents explain with this package's own values."""

FIRST_VERSION = "0.1.0"
"""Of a project that has not been updated yet."""

AUTH_OPTIONS = {
    "token_url": Code("address of the token endpoint"),
    "authorization_url": Code("address of the authorization endpoint"),
    "device_url": Code("address of the device authorization endpoint"),
    "openid_url": Code("address of the OpenID Connect discovery document"),
    "scope": Code("scopes to ask for, in place of those that the tools need"),
    "audience": Code("audience that tokens are asked for"),
    "resource": Code("resource that tokens are asked for (RFC 8707)"),
    "client_auth": Code("how the client proves itself (basic, post or none)"),
    "client_cert": Code("client certificate file (PEM)"),
    "client_key": Code("private key file of the client certificate"),
    "client_key_password": Code("password of that private key"),
}
"""What each variable in `AuthPlan.options` means, for the README and `.env.example`."""


def package_view(
    plan: PackagePlan, generator: str, needs: Needs, version: str = FIRST_VERSION
) -> PackageView:
    """The view of the whole package; `needs` is what its run-time library takes, `version` that of the generated project."""
    variables = [name for auth in plan.auth[:1] for name in auth.env.values()]
    if plan.base_url is None or not variables:
        variables.insert(0, f"{plan.env_prefix}_BASE_URL")
    settings = runtime_settings(plan.settings)
    return PackageView(
        plan=plan,
        generator=generator,
        version=version,
        runtime_requirements=needs.requirements,
        runtime_notes=needs.notes,
        client_env=tuple(variables),
        logins=tuple(auth for auth in plan.auth if auth.login),
        options=AUTH_OPTIONS,
        settings=tuple(setting for setting in settings if setting.name not in _TOLD_APART),
        defaults={setting.name: setting.default for setting in settings},
        destructive=tuple(tool for tool in plan.tools if tool.effect == "destructive"),
    )
