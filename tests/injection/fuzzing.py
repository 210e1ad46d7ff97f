"""Any JSON as arguments of every tool: what leaves the server, and what the caller is told.

`python -m tests.injection.fuzzing --corpus FOLDER SPEC...` does it for specs of a folder, with more calls.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import anyio
import httpx2
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp import Client

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

BASE = "https://api.example.test/base"
BREAKERS = (
    "../../admin", "..%2f..%2fadmin", "//evil.example/x", "https://evil.example/", "a\r\nX-Injected: 1", "a\nb", "\x00", "?x=1#y", "a/b;c=d", "@evil.example",
    "\\\\evil.example\\x", "a b", "\u2028", "\ud800", "{0}", "%0d%0aX-Injected:1", ".", "..", "", "é" * 300,
)  # fmt: skip
_TEXT = st.sampled_from(BREAKERS) | st.text(max_size=30)
_LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT
JSON = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4), max_leaves=8
)


class Recorder:
    """Stands in for the API and looks at every request."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(200, json={})


def problem_with(request: httpx2.Request) -> str | None:
    """What is wrong with a request, whatever the arguments were."""
    url = request.url
    path = url.raw_path.decode("ascii").partition("?")[0]
    parts = unquote(unquote(path)).replace("\\", "/").split("/")
    if (url.scheme, url.host, url.port) != ("https", "api.example.test", None) or url.userinfo:
        return f"it goes to {url.scheme}://{url.host}"
    if not (path == "/base" or path.startswith("/base/")) or ".." in unquote(path).split("/"):
        return f"it leaves the base path: {path}"
    if ".." in parts and ".." not in unquote(path).split("/") and path.count("%25") == 0:
        return f"it leaves the base path when it is decoded: {path}"
    for name, value in request.headers.raw:
        if b"\r" in name + value or b"\n" in name + value or b"\x00" in name + value:
            return f"a header holds a line end: {name!r}: {value!r}"
    if "x-injected" in request.headers:
        return "a header was injected"
    return None


def arguments_for(
    schema: Mapping[str, Any], good: Sequence[Mapping[str, Any]] = ()
) -> st.SearchStrategy[Any]:
    """Arguments with the tool's own names and any JSON behind them, now and then others, and calls that are good but for one value."""
    known = sorted(schema.get("properties", {}))
    required = schema.get("required", [])
    fields = {name: JSON for name in known}
    usual = st.fixed_dictionaries(
        {name: fields[name] for name in required if name in fields},
        optional={name: fields[name] for name in known if name not in required},
    )
    others = st.dictionaries(st.sampled_from(known) | _TEXT if known else _TEXT, JSON, max_size=4)
    if not good or not known:
        return usual | others
    spoilt = st.tuples(st.sampled_from(list(good)), st.sampled_from(known), _TEXT | JSON).map(
        lambda drawn: {**drawn[0], drawn[1]: drawn[2]}
    )
    nested = st.tuples(st.sampled_from(list(good)), st.integers(0, 50), _TEXT).map(
        lambda drawn: _spoilt(*drawn)
    )
    return spoilt | nested | usual | others


def _spoilt(call: Mapping[str, Any], number: int, text: str) -> Any:
    """The call with a text in place of one of those in it, however deep."""
    places = list(_texts(call, ()))
    if not places:
        return dict(call)
    changed = json.loads(json.dumps(call))
    *path, last = places[number % len(places)]
    node = changed
    for step in path:
        node = node[step]
    node[last] = text
    return changed


def _texts(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, str):
        yield path
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    ):
        yield from _texts(inner, (*path, step))


class Fuzzed:
    """One generated package, and the faults that calls of its tools show."""

    def __init__(
        self, spec: str, folder: Path, *, stdin: bytes | None = None, package: str = "fuzzed_mcp"
    ) -> None:
        request = GenerateRequest(
            spec, folder / package, Config(package=package, server_url=BASE), stdin=stdin
        )
        outcome = generate(request, Collector())
        if outcome.refused:
            raise ValueError([str(item.message) for item in outcome.diagnostics][:5])
        source = folder / package / "src"
        sys.path.insert(0, str(source))
        try:
            self.server = importlib.import_module(f"{package}.server")
        finally:
            sys.path.remove(str(source))
        catalog = json.loads((source / package / "catalog.json").read_text("utf-8"))
        self.tools: dict[str, dict[str, Any]] = {tool["name"]: tool for tool in catalog["tools"]}
        self.prefix: str = catalog["server"]["env_prefix"]
        self.credentials = {
            name: "test" for auth in catalog["auth"].values() for name in auth["env"].values()
        }
        self.good: dict[str, list[dict[str, Any]]] = {}
        for file in sorted((folder / package / "tests/cases").glob("*/*.json")):
            case = json.loads(file.read_text("utf-8"))
            self.good[case["tool"]] = [call["arguments"] for call in case["calls"]]
        self.faults: Counter[str] = Counter()
        self.calls = self.sent = 0

    def fuzz(self, names: Sequence[str], examples: int) -> None:
        """Calls each tool so many times."""
        anyio.run(self._fuzz, names, examples)

    async def _fuzz(self, names: Sequence[str], examples: int) -> None:
        recorder = Recorder()
        environ = {
            "BASE_URL": BASE,
            "ALLOW_EFFECTS": "read,write,destructive",
            "CONFIRM": "never",
            "POLICY": "none",
            "REPEAT_LIMIT": "0",
        }
        environ = {f"{self.prefix}_{key}": value for key, value in environ.items()} | self.credentials
        built = self.server.build(environ=environ, transport=httpx2.MockTransport(recorder))
        async with Client(built) as client:
            for name in names:
                validator = Draft202012Validator(self.tools[name]["outputSchema"])
                for arguments in drawn(
                    arguments_for(self.tools[name]["inputSchema"], self.good.get(name, ())), examples
                ):
                    recorder.requests.clear()
                    await self._call(client, recorder, name, arguments, validator)

    async def _call(
        self, client: Client, recorder: Recorder, name: str, arguments: Any, validator: Draft202012Validator
    ) -> None:
        self.calls += 1
        result = await client.call_tool(name, arguments)
        given_back: Any = result.structured_content
        self.sent += bool(recorder.requests)
        shown = f"{name} {json.dumps(arguments)[:300]}"
        if (
            given_back is None
            or not validator.is_valid(given_back)
            or bool(result.is_error) == given_back["ok"]
        ):
            self.faults[f"the result does not keep the contract: {shown}: {str(given_back)[:300]}"] += 1
        elif given_back.get("category") == "internal":
            self.faults[f"internal: {shown}: {given_back.get('error')}"] += 1
        for request in recorder.requests:
            problem = problem_with(request)
            if problem is not None:
                self.faults[f"{problem}: {shown}"] += 1


def drawn(strategy: st.SearchStrategy[Any], examples: int) -> list[Any]:
    """Examples of a strategy, the same in each run; lone surrogates can't be sent as JSON and are left out."""
    found: list[Any] = []

    @seed(7)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")))

    collect()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="the folder that the specs are in")
    parser.add_argument("--examples", type=int, default=25, help="calls of each tool")
    parser.add_argument("--tools", type=int, default=60, help="tools of each spec, spread over all of them")
    parser.add_argument("specs", nargs="+", help="files in that folder")
    options = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, spec in enumerate(options.specs):
            fuzzed = Fuzzed(str(options.corpus / spec), Path(folder), package=f"fuzzed_{number}")
            names = sorted(fuzzed.tools)
            names = names[:: max(1, len(names) // options.tools)]
            fuzzed.fuzz(names, options.examples)
            for fault in list(fuzzed.faults)[:10]:
                print(fault)
            faults += len(fuzzed.faults)
            print(
                f"{spec}: {len(names)} tools, {fuzzed.calls} calls, {fuzzed.sent} sent, "
                f"{fuzzed.calls - fuzzed.sent} refused, {len(fuzzed.faults)} faults",
                flush=True,
            )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
