"""Any JSON as arguments of every tool: what leaves the server, and what the caller is told.

`python -m tests.injection.fuzzing --corpus FOLDER SPEC...` does it for specs of a folder, with more calls; `--tools all`
leaves out none of their tools.
"""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    "__proto__", "__class__", "constructor", "x[]", "a[b][c]", "_method", "%2e%2e", "%252e%252e/x", "a/../../b", "..;/x", "a\tb", "\x1b[2J", "\u202e",
    '"; filename="x', "\"\r\nX-Injected: 1\r\n\r\n", "\ufeff", "1e999", "-0", "A" * 5000,
)  # fmt: skip
_TEXT = st.sampled_from(BREAKERS) | st.text(max_size=30)
_FILE = st.fixed_dictionaries(
    {},
    optional={
        "content_base64": st.sampled_from(("eA==", "!!", "data:;base64,eA==", "e")) | _TEXT,
        "path": st.sampled_from(("../../etc/passwd", "/dev/zero", "~/x", "C:\\x", "/proc/self/environ"))
        | _TEXT,
        "filename": _TEXT,
        "content_type": st.sampled_from(("text/plain\r\nX-Injected: 1", 'a/b; x="\r\n"', "a/b;c")) | _TEXT,
    },
)
_HUGE = st.sampled_from((10**400, -(10**30), 2**63, 1e308, -0.0, 5e-324))
_LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _HUGE | _TEXT | _FILE
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
    return _problem_with_parts(request)


def _problem_with_parts(request: httpx2.Request) -> str | None:
    """What is wrong with the heads of a multipart body's parts: each has only lines that the server itself writes."""
    kind, _, boundary = request.headers.get("content-type", "").partition("boundary=")
    if not kind.startswith("multipart/") or not boundary:
        return None
    delimiter = b"--" + boundary.encode("ascii")
    if request.content.count(delimiter + b"--") != 1:
        return "the boundary of the parts stands in one of them"
    for part in re.split(rb"(?:^|\r\n)" + re.escape(delimiter), request.content)[1:-1]:
        head = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")[0] if part[:4] != b"\r\n\r\n" else b""
        if re.search(rb"^x-injected", head, re.IGNORECASE | re.MULTILINE):
            return f"a header of a part was injected: {head!r}"
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

    def fuzz(
        self, names: Sequence[str], examples: int, *, told: Callable[[int], None] = lambda _: None
    ) -> None:
        """Calls each tool so many times, and tells after each how many are done."""
        anyio.run(self._fuzz, names, examples, told)

    async def _fuzz(self, names: Sequence[str], examples: int, told: Callable[[int], None]) -> None:
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
            for done, name in enumerate(names, start=1):
                validator = Draft202012Validator(self.tools[name]["outputSchema"])
                for arguments in drawn(
                    arguments_for(self.tools[name]["inputSchema"], self.good.get(name, ())), examples
                ):
                    recorder.requests.clear()
                    await self._call(client, recorder, name, arguments, validator)
                told(done)

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


def _count(text: str) -> int:
    """How many; `all` is more than there are."""
    return sys.maxsize if text == "all" else int(text)


def _progress(spec: str, of: int) -> Callable[[int], None]:
    """Prints a line for every tenth of the tools, to the error output, where figures are not looked for."""
    step = max(1, of // 10)

    def tell(done: int) -> None:
        if done % step == 0:
            print(f"{spec}: {done} of {of} tools", file=sys.stderr, flush=True)

    return tell


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="the folder that the specs are in")
    parser.add_argument("--examples", type=int, default=25, help="calls of each tool")
    parser.add_argument(
        "--tools", type=_count, default=60, help="tools of each spec, spread over all of them; or `all`"
    )
    parser.add_argument("specs", nargs="+", help="files in that folder")
    options = parser.parse_args()
    logging.disable(logging.WARNING)  # that `{}` is not what the API promised is known here
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, spec in enumerate(options.specs):
            fuzzed = Fuzzed(str(options.corpus / spec), Path(folder), package=f"fuzzed_{number}")
            names = sorted(fuzzed.tools)
            names = names[:: max(1, len(names) // options.tools)]
            started = time.process_time()
            fuzzed.fuzz(names, options.examples, told=_progress(spec, len(names)))
            for fault in list(fuzzed.faults)[:10]:
                print(fault)
            counts = {"tools": len(names), "calls": fuzzed.calls, "sent": fuzzed.sent}
            counts |= {"refused": fuzzed.calls - fuzzed.sent, "faults": len(fuzzed.faults)}
            total.update(counts)
            print(f"{spec}: {_figures(counts)} ({time.process_time() - started:.0f} s of CPU)", flush=True)
    print(f"{len(options.specs)} specs: {_figures(total)}")
    return 1 if total["faults"] else 0


def _figures(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


if __name__ == "__main__":
    sys.exit(main())
