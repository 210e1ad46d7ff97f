"""The commands that read an audit file: `python -m PACKAGE replay FILE` and `drift FILE`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio

COMMANDS = ("replay", "drift")


def run(package: str, argv: Sequence[str]) -> int:
    """Runs one of the commands.

    Returns:
        The exit status: 0 when nothing is different or nothing drifts, 1 when something does, 2 for wrong usage.
    """
    options = _options(package, argv)
    try:
        return _drift(package, options) if options.command == "drift" else _replay(package, options)
    except OSError as error:
        print(f"{package}: {options.file} can't be read: {error.strerror}", file=sys.stderr)
        return 2


def _options(package: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m {package}")
    commands = parser.add_subparsers(dest="command", required=True)
    replay = commands.add_parser(
        "replay", help="make the reads of an audit file again, and show what differs"
    )
    replay.add_argument("--tool", metavar="NAME", help="only calls of this tool")
    replay.add_argument("--limit", type=_number, metavar="N", help="make at most N calls")
    drift = commands.add_parser("drift", help="list operations whose responses break their schemas")
    for command in (replay, drift):
        command.add_argument("file", type=Path, metavar="FILE", help="what the audit has written")
        command.add_argument("--format", choices=("text", "json"), default="text")
    return parser.parse_args(argv)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:9]) < 1:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number from 1 on")
    return int(text[:9])


def _drift(package: str, options: argparse.Namespace) -> int:
    from .drift import as_json, as_text, read_drift

    report = read_drift(options.file)
    _tell_malformed(package, options.file, report.malformed)
    print(as_json(report) if options.format == "json" else as_text(report))
    return 1 if report.drifting else 0


def _replay(package: str, options: argparse.Namespace) -> int:
    from ..app import App
    from ..catalog import Catalog, CatalogError
    from ..hooks import HooksError
    from ..secrecy.redact import log_to_stderr
    from ..setup.settings import SettingsError

    try:
        catalog = Catalog.load(package)
        own = {f"{catalog.server.env_prefix}_{name}": "" for name in ("AUDIT", "SUMMARY", "METRICS")}
        app = App(catalog, {**os.environ, **own})
        if options.tool is not None and options.tool not in app.registered:
            raise SettingsError([f"no tool {options.tool[:80]!r} is registered"])
    except (SettingsError, CatalogError, HooksError) as error:
        for line in str(error).splitlines():
            print(f"{package}: {line}", file=sys.stderr)
        return 2
    log_to_stderr(app.redactor, app.settings.log_level, package)
    try:
        return anyio.run(_run_replay, package, app, options)
    except KeyboardInterrupt:
        return 130
    finally:
        app.finished()


async def _run_replay(package: str, app: object, options: argparse.Namespace) -> int:
    from ..app import App
    from .replay import Replay, Replayer

    if not isinstance(app, App):
        raise TypeError("a replay needs the server's App")
    text = options.format == "text"
    different = False
    async for found in Replayer(app).run(options.file, options.tool, options.limit):
        if isinstance(found, Replay):
            _tell_malformed(package, options.file, found.malformed)
            print(found.summary() if text else found.as_json())
            different = bool(found.different)
        elif text:
            print("\n".join(found.as_text()))
    return 1 if different else 0


def _tell_malformed(package: str, file: Path, numbers: list[int]) -> None:
    """Says which lines could not be read."""
    for number in numbers[:20]:
        print(f"{package}: {file}, line {number} is not an audit line and is left out", file=sys.stderr)
    if len(numbers) > 20:
        print(f"{package}: and {len(numbers) - 20} more lines", file=sys.stderr)
