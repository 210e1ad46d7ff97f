"""Calls of a tool, made by Schemathesis from the spec."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir, storage_directory
from hypothesis.errors import HypothesisException
from schemathesis import GenerationMode
from schemathesis.errors import SchemathesisError

from mcpgen.ir.api import Operation, Schema
from mcpgen.plan.model import ToolPlan
from mcpgen.verify.arguments import arguments_of
from mcpgen.verify.document import calls_document, path_of

_DRAWS = 4
"""How many cases are drawn for one that is used, because some are equal and some are no case of this tool."""
_PLAIN_TEXT = {"generation": {"allow-x00": False, "codec": "ascii"}}
"""Letters that every API takes: a refusal is to say something about the API, not about odd letters."""

Arguments = dict[str, Any]


class Cases:
    """Makes arguments for tools. The same seed gives the same arguments, whichever tools there are besides."""

    def __init__(
        self, tools: Sequence[tuple[ToolPlan, Operation]], schemas: Mapping[str, Schema], seed_value: int
    ) -> None:
        self._numbers = {tool.name: number for number, (tool, _) in enumerate(tools)}
        self._seed = seed_value
        config = schemathesis.Config.from_dict(_PLAIN_TEXT)
        self._calls = schemathesis.openapi.from_dict(calls_document(tools, schemas), config=config)

    def valid(self, tool: ToolPlan, count: int) -> list[Arguments]:
        """At most `count` different calls: the plan's sample, which prefers the spec's examples, then Schemathesis's.

        There are fewer, or none, where the schemas admit no more.
        """
        found = _Distinct(count)
        # Not `samples.full`: its texts are there to be hard to encode.
        if tool.samples.minimal is not None:
            found.add(dict(tool.samples.minimal))

        def take(case: schemathesis.Case[Any]) -> None:
            if isinstance(case.body, Mapping):
                found.add(arguments_of(tool, case.body))

        self._draw(tool, count * _DRAWS, take)
        return found.values

    def _draw(self, tool: ToolPlan, count: int, take: Callable[[schemathesis.Case[Any]], None]) -> None:
        digest = hashlib.sha256(f"{self._seed} {tool.name}".encode()).digest()
        # A schema that nothing fits, or that Schemathesis cannot read, gives no cases; other tools have theirs.
        with suppress(HypothesisException, SchemathesisError, RecursionError, ValueError):
            operation = self._calls[path_of(self._numbers[tool.name])]["POST"]
            given_cases = given(operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
            how = settings(
                max_examples=count,
                phases=[Phase.generate],
                database=None,
                deadline=None,
                derandomize=False,
                suppress_health_check=list(HealthCheck),
                verbosity=Verbosity.quiet,
            )
            seed(int.from_bytes(digest[:8]))(how(given_cases(take)))()


@contextmanager
def nothing_kept() -> Iterator[None]:
    """While it lasts, Hypothesis keeps its files in a place that then goes, and not in the working folder."""
    before = storage_directory().path
    with tempfile.TemporaryDirectory(prefix="mcpgen-verify-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(before)


class _Distinct:
    """Up to so many different arguments, in the order in which they came."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._seen: set[str] = set()
        self.values: list[Arguments] = []

    def add(self, arguments: Arguments) -> None:
        try:
            text = json.dumps(arguments, sort_keys=True, allow_nan=False)
        except (TypeError, ValueError):  # bytes, or numbers that JSON does not have
            return
        if self._left and text not in self._seen:
            self._left -= 1
            self._seen.add(text)
            self.values.append(json.loads(text))
