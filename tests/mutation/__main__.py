"""`make mutation`: what share of faults in generated projects their own tests find.

Faults are put into the tool functions, the catalogue, and the vendored code that builds requests, signs them, keeps the
result contract and the operator's rules. The projects are the sample and five descriptions of the corpus.

Why not mutmut or cosmic-ray. Both were tried on a generated project of 8 tools. mutmut 3.8 works, in forks: 2,402 faults of
the tool functions and of `_runtime/requests` in 153 s. But it changes functions only: not the catalogue, where method,
location, effect, security and hints of a tool are, nor the tables and defaults of modules and classes; it changes the words
of messages; and it can't join the results of several projects for code that is the same in all of them. cosmic-ray 8.7
starts pytest anew for each fault (14 in 60 s), and changes Python only, too.

What the figures mean. A fault that no test reaches counts as not found. Of the vendored code those modules are tried that a
project's tests import. A fault is tried with the tests that run its lines, or with all of them where these are many, or
where it is in code that runs at import, or in the catalogue; `--thorough` takes all tests always. So the figures are rather
too low than too high. `tests/test_processes.py` is never run.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from .equivalent import is_equivalent
from .faults import Fault
from .projects import (
    CORPUS,
    SAMPLES,
    SETS,
    NoSuchSpec,
    area_of,
    catalogue_faults_of,
    make_project,
    tool_faults,
    vendored_faults,
)
from .scoring import is_vendored, score, shown, table
from .trying import BrokenTests, Subject, Trial, subject_of, try_all

AIM = 80.0


def sampled(faults: Sequence[Fault], count: int, seed: str) -> list[Fault]:
    """Some of many, the same for the same seed; 0 is all."""
    if not count or count >= len(faults):
        return list(faults)
    return random.Random(seed).sample(faults, count)


def vendored_of(subjects: Sequence[Subject], chosen: str) -> list[Fault]:
    """Faults of vendored modules that at least one project uses: the code is the same in all of them."""
    found: dict[Fault, None] = {}
    for subject in subjects:
        found |= {
            fault: None
            for fault in vendored_faults(subject.project, chosen)
            if subject.recorded.imports(fault.file) and not is_equivalent(fault)
        }
    return list(found)


def jobs_of(subjects: Sequence[Subject], given: argparse.Namespace) -> list[tuple[Fault, list[str]]]:
    """Every fault that is tried, with the projects that it is tried in."""
    count = 0 if given.all else given.sample
    jobs: list[tuple[Fault, list[str]]] = []
    vendored = [fault for fault in vendored_of(subjects, given.set) if given.only in fault.file]
    for fault in sampled(vendored, count, f"{given.seed} vendored"):
        using = [s for s in subjects if s.recorded.imports(fault.file)]
        jobs.append((fault, [s.project.name for s in sorted(using, key=lambda s: s.seconds)]))
    for subject in subjects:
        name = subject.project.name
        for kind, faults in (
            ("tools", tool_faults(subject.project, given.set)),
            ("catalogue", catalogue_faults_of(subject.project, given.set)),
        ):
            own = [fault for fault in faults if given.only in fault.file and not is_equivalent(fault)]
            jobs += [
                (fault, [name])
                for fault in sampled(own, 0 if given.all else given.own, f"{given.seed} {name} {kind}")
            ]
    return jobs


def report(trials: Sequence[Trial], *, once: bool) -> None:
    vendored = [trial for trial in trials if is_vendored(trial)]
    own = [trial for trial in trials if not is_vendored(trial)]
    print(table("tools and catalogue, by project", own, lambda t: f"{area_of(t.fault)} of {t.project}"))
    print(
        table(
            "catalogue, by kind",
            [t for t in own if area_of(t.fault) == "catalogue"],
            lambda t: t.fault.operator,
        )
    )
    if not once:
        print(table("vendored code, by project alone", vendored, lambda t: t.project))
    print(table("vendored code, all projects", vendored, lambda t: area_of(t.fault)))
    print(table("vendored code, by part", vendored, lambda t: "/".join(t.fault.file.split("/")[1:2])))
    print(table("everything, by kind of fault", trials, lambda t: t.fault.operator))


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutation", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--projects",
        help="names, with commas: of samples (orders, shapes), of folders of the corpus, or folders of generated projects",
    )
    parser.add_argument(
        "--set",
        choices=SETS,
        default="listed",
        help="listed: swapped method, dropped parameter and their like, which must be found; general: any small change "
        "of the code; all: both",
    )
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="faults of the vendored code")
    parser.add_argument(
        "--own",
        type=int,
        default=30,
        metavar="N",
        help="faults of each project's tools, and of its catalogue",
    )
    parser.add_argument("--all", action="store_true", help="every fault (many hours)")
    parser.add_argument("--seed", default="1", help="which faults are picked")
    parser.add_argument(
        "--once", action="store_true", help="a fault that one project finds is not tried in the next"
    )
    parser.add_argument(
        "--thorough",
        action="store_true",
        help="run all tests for each fault, not only those that run the faulty code",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="only in files whose path has this text")
    parser.add_argument(
        "--tests", nargs="*", default=(), metavar="PATH", help="only these test modules of each project"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--survivors", action="store_true", help="list what no test finds")
    parser.add_argument("--corpus", type=Path, default=os.environ.get("MCPGEN_CORPUS") or None)
    return parser.parse_args(arguments)


def main() -> int:
    given = parsed()
    names = given.projects.split(",") if given.projects else [*SAMPLES, *(CORPUS if given.corpus else ())]
    if not given.projects and not given.corpus:
        print("MCPGEN_CORPUS is not set: only the sample is tried", file=sys.stderr)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        try:
            subjects = [
                subject_of(make_project(name, given.corpus, Path(folder)), Path(folder), tuple(given.tests))
                for name in names
            ]
        except (NoSuchSpec, BrokenTests) as error:
            print(error, file=sys.stderr)
            return 2
        for subject in subjects:
            print(f"{subject.project.name}: tests take {subject.seconds:.1f} s", flush=True)
        jobs = jobs_of(subjects, given)
        trials = try_all(
            jobs,
            {subject.project.name: subject for subject in subjects},
            processes=given.processes,
            once=given.once,
            thorough=given.thorough,
            tell=lambda done, of_fault: _tell(done, len(jobs), of_fault if given.survivors else ()),
        )
    report(trials, once=given.once)
    total = score(trials)
    print(f"\nmutation score: {total.plain:.1f} % of {total.faults} faults; {total.of_reached:.1f} % of the {total.reached} "
          f"that tests reach; seed {given.seed}; {time.monotonic() - start:.0f} s")  # fmt: skip
    return 0 if total.plain >= AIM else 1


def _tell(done: int, of: int, trials: Sequence[Trial]) -> None:
    if trials and not any(trial.killed for trial in trials):
        print(shown(trials[0].fault, any(trial.reached for trial in trials)), flush=True)
    if sys.stderr.isatty():
        print(f"\r{done} of {of}", end="" if done < of else "\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
