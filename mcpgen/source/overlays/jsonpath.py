"""JSONPath (RFC 9535) with a bound on the work.

The library evaluates queries; here its segments count what they look at, because queries inside filters and repeated descents
can take time that grows with a power of the document's size.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import regex
from iregexp_check import check
from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathError, JSONPathNode, JSONPathNodeList, JSONPathQuery
from jsonpath_rfc9535.filter_expressions import Expression, FilterContext, RelativeFilterQuery
from jsonpath_rfc9535.function_extensions import ExpressionType, FilterFunction
from jsonpath_rfc9535.parse import Parser
from jsonpath_rfc9535.segments import (
    JSONPathChildSegment,
    JSONPathRecursiveDescentSegment,
    JSONPathSegment,
)
from jsonpath_rfc9535.selectors import IndexSelector, NameSelector
from jsonpath_rfc9535.tokens import Token, TokenStream

MAX_STEPS = 10_000_000
"""Values that the queries of one run may look at: about a minute. A descent through a large real document takes a
quarter of a million."""

_MATCH_SECONDS = 1.0
_DOTS = regex.compile(r"(\\.|\[(?:\\.|[^\\\]])*\])|\.", regex.DOTALL)


class TooMuchWork(Exception):
    """The queries looked at more values than they may."""


class Meter:
    """What is left of the work that queries may do."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Counts some work.

        Raises:
            TooMuchWork: nothing is left.
        """
        self.left -= steps
        if self.left < 0:
            raise TooMuchWork


class _Children(JSONPathChildSegment):
    """A child segment (RFC 9535, section 2.5.1)."""

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterable[JSONPathNode]:
        for node in nodes:
            yield from _selected(self, node)


class _Descendants(JSONPathRecursiveDescentSegment):
    """A descendant segment (RFC 9535, section 2.5.2), without recursion: parents before children, in document order."""

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterable[JSONPathNode]:
        for start in nodes:
            stack = [start]
            while stack:
                node = stack.pop()
                yield from _selected(self, node)
                value = node.value
                inner = value.items() if isinstance(value, dict) else _numbered(value)
                containers = [(key, item) for key, item in inner if isinstance(item, (dict, list))]
                stack += [node.new_child(item, key, node) for key, item in reversed(containers)]


def _numbered(value: object) -> Iterable[tuple[int, object]]:
    return enumerate(value) if isinstance(value, list) else ()


def _selected(segment: JSONPathSegment, node: JSONPathNode) -> Iterable[JSONPathNode]:
    meter = _meter(segment.env)
    for selector in segment.selectors:
        direct = isinstance(selector, (NameSelector, IndexSelector))
        size = 0 if direct or not isinstance(node.value, (dict, list)) else len(node.value)
        meter.spend(1 + size)
        yield from selector.resolve(node)


def _meter(environment: JSONPathEnvironment) -> Meter:
    assert isinstance(environment, Environment)
    return environment.meter


class _Relative(RelativeFilterQuery):
    """A query in a filter that starts at the current value. Inside it, `$` is still the document (section 2.3.5.1).

    Most are names one below the other, as in `@.name == 'limit'`; those take no nodes for each step.
    """

    __slots__ = ("_names",)

    def __init__(self, token: Token, query: JSONPathQuery) -> None:
        super().__init__(token, query)
        selectors = [segment.selectors[0] for segment in query.segments if len(segment.selectors) == 1]
        names = [one.name for one in selectors if isinstance(one, NameSelector)]
        singular = query.singular_query() and len(names) == len(query.segments)
        self._names = names if singular else None

    def evaluate(self, context: FilterContext) -> object:
        value = context.current
        if not isinstance(value, (dict, list)):
            return super().evaluate(context)
        if self._names is None:
            nodes: Iterable[JSONPathNode] = [_node(value, context)]
            for segment in self.query.segments:
                nodes = segment.resolve(nodes)
            return JSONPathNodeList(nodes)
        _meter(context.env).spend(1)
        for name in self._names:
            if not isinstance(value, dict) or name not in value:
                return JSONPathNodeList()
            value = value[name]
        return JSONPathNodeList([_node(value, context)])


def _node(value: object, context: FilterContext) -> JSONPathNode:
    return JSONPathNode(value=value, location=(), parent=None, root=context.root)


class _Parser(Parser):
    def parse_relative_query(self, stream: TokenStream) -> Expression:
        parsed = super().parse_relative_query(stream)
        assert isinstance(parsed, RelativeFilterQuery)
        return _Relative(parsed.token, parsed.query)

    def parse_query(self, stream: TokenStream, *, in_filter: bool = False) -> Iterable[JSONPathSegment]:
        for segment in super().parse_query(stream, in_filter=in_filter):
            descends = isinstance(segment, JSONPathRecursiveDescentSegment)
            kind = _Descendants if descends else _Children
            yield kind(env=segment.env, token=segment.token, selectors=segment.selectors)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> regex.Pattern[str] | None:
    """A pattern of RFC 9485, None where it is none. The dot is all that other dialects read differently (section 5.3)."""
    return regex.compile(_DOTS.sub(lambda found: found[1] or r"[^\n\r]", pattern)) if check(pattern) else None


class _Pattern(FilterFunction):
    """`match()` and `search()` (RFC 9535, sections 2.4.6 and 2.4.7), with a limit of time for each text."""

    arg_types = [ExpressionType.VALUE, ExpressionType.VALUE]  # noqa: RUF012 (the base class declares it so)
    return_type = ExpressionType.LOGICAL

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole

    def __call__(self, string: object, pattern: object) -> bool:
        compiled = _compiled(pattern) if isinstance(pattern, str) else None
        if compiled is None or not isinstance(string, str):
            return False
        find = compiled.fullmatch if self._whole else compiled.search
        try:
            return find(string, timeout=_MATCH_SECONDS) is not None
        except TimeoutError:
            raise TooMuchWork from None


class Environment(JSONPathEnvironment):
    """Compiles queries that share one meter."""

    parser_class = _Parser
    max_recursion_depth = 1000

    def __init__(self, meter: Meter | None = None) -> None:
        super().__init__()
        self.meter = meter or Meter()

    def setup_function_extensions(self) -> None:
        super().setup_function_extensions()
        self.function_extensions["match"] = _Pattern(whole=True)
        self.function_extensions["search"] = _Pattern(whole=False)


def problem_with(error: JSONPathError) -> str:
    """What is wrong with a JSONPath, and at which of its characters."""
    message = str(error.args[0]) if error.args else "it cannot be read"
    place = f" (character {error.token.index + 1})" if error.token is not None else ""
    return message + place
