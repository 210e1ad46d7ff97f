"""The Jinja environment: sandboxed, undefined names are errors, and spec text can't get out unescaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jinja2 import BytecodeCache, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS as JINJA_FILTERS
from jinja2.runtime import Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from mcpgen.plan.model import Code, SpecText
from mcpgen.render.filters import FILTERS, Escaped
from mcpgen.render.languages import FILTERS_FOR, Language
from mcpgen.render.layers import Layer
from mcpgen.render.layout import LAYOUT
from mcpgen.render.loading import StackLoader
from mcpgen.render.marks import marked, unmarked
from mcpgen.render.views import CONTEXT_VERSION

OWN_FILTERS = frozenset({*FILTERS, *LAYOUT, *JINJA_FILTERS})
"""Names that filters of plugins cannot have."""
_WORD = re.compile(r"[A-Za-z0-9_.-]*")
_BY_CHANCE = ("random",)
_BY_CHANCE_GLOBALS = ("lipsum",)
_CODE_MAKING = "string"
"""`Code.string`, which makes code of text: that would pass every filter."""


class Rendered(str):
    """What blocks, macros and `{% set %}` give: every part of it went through `finalizer` before."""

    __slots__ = ()


class NotEscaped(TypeError):
    """Text is printed that no filter has escaped for the language of the file."""


class _Compiled(BytecodeCache):
    """Compiled templates by name and text, kept for the next run in this process."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if (code := self._kept.get((bucket.key, bucket.checksum))) is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


_COMPILED: dict[tuple[Language, bool], _Compiled] = {}
"""By what `finalizer` depends on, which Jinja asks already when it compiles. Filters of plugins it may ask too: they are not kept."""


def _joined(parts: Iterable[str]) -> Rendered:
    return Rendered("".join(parts))


def finalizer(language: Language, *, marking: bool = False) -> Callable[[Any], Any]:
    """Lets out only what can do no harm: escaped text, our own code, numbers, and plain words such as identifiers.

    Anything else is text that came from the spec and that no filter has escaped (`{{ tool.title }}` instead of
    `{{ tool.title | markdown }}`), or that one has escaped for another language.

    Args:
        language: of the file that is rendered.
        marking: whether escaped text gets marks (`marks`).
    """
    allowed = FILTERS_FOR[language]
    advice = f"for {language}: {', '.join(allowed)}" if allowed else f"and there is none for {language}"

    def finalize(value: Any) -> Any:
        if isinstance(value, Undefined):
            return str(value)  # raises
        if isinstance(value, Escaped):
            if value.by not in allowed:
                raise NotEscaped(f"the filter {value.by} does not escape {advice}")
            return marked(value) if marking else value
        if isinstance(value, Code | Rendered | int):
            return value if not marking or not isinstance(value, Code) else unmarked(value)
        if isinstance(value, str) and not isinstance(value, SpecText) and _WORD.fullmatch(value):
            return value
        raise NotEscaped(f"{value!r:.60} is printed without an escaping filter ({advice})")

    return finalize


def _defined(function: Callable[..., Escaped]) -> Callable[..., Escaped]:
    """A filter that fails with the name of what is undefined, not with its own words."""

    def strict(value: Any, *args: Any, **kwargs: Any) -> Escaped:
        if isinstance(value, Undefined):
            str(value)  # raises
        return function(value, *args, **kwargs)

    return strict


class TemplateEnvironment(ImmutableSandboxedEnvironment):
    """The environment of a stack of layers and of one language; templates only see what views give them."""

    concat = staticmethod(_joined)
    loader: StackLoader

    def __init__(
        self,
        stack: Sequence[Layer],
        language: Language,
        *,
        marking: bool = False,
        filters: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        super().__init__(
            loader=StackLoader(stack),
            undefined=StrictUndefined,
            finalize=finalizer(language, marking=marking),
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
            bytecode_cache=None if filters else _COMPILED.setdefault((language, marking), _Compiled()),
            autoescape=False,  # `finalize` and the filters escape for each language; Jinja's own knows HTML only
        )
        for name in _BY_CHANCE:
            del self.filters[name]
        for name in _BY_CHANCE_GLOBALS:
            del self.globals[name]
        self.filters.update(filters or {})
        self.filters.update({name: _defined(function) for name, function in FILTERS.items()})
        self.filters.update(LAYOUT)
        self.globals["context_version"] = CONTEXT_VERSION

    def join_path(self, template: str, parent: str) -> str:
        """What a template calls another one, as its full name."""
        return self.loader.resolve(template, parent)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """In a sandbox `str.format` gives the type of what it is called on, so also finished text: there is none here.

        Raises:
            SecurityError: a template calls it.
        """
        if super().wrap_str_format(value) is not None:
            raise SecurityError("text has no method format here; write ~ or the filter format")
        return None

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Attributes of views and plans, but nothing of Python's own and nothing that makes code."""
        return attr != _CODE_MAKING and super().is_safe_attribute(obj, attr, value)
