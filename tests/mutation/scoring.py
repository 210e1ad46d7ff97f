"""What share of the faults the tests find."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .faults import Fault
from .projects import area_of
from .trying import Trial


@dataclass(frozen=True, slots=True)
class Score:
    """Of how many faults the tests reach how many, and find how many."""

    faults: int
    reached: int
    killed: int

    @property
    def plain(self) -> float:
        return 100 * self.killed / self.faults if self.faults else 0.0

    @property
    def of_reached(self) -> float:
        return 100 * self.killed / self.reached if self.reached else 0.0

    def __str__(self) -> str:
        return f"{self.killed:>6} of {self.faults:>6} {self.plain:>7.1f} %{self.reached:>8} {self.of_reached:>7.1f} %"


HEAD = f"{'':<34}{'killed':>16} {'score':>9}{'reached':>8} {'of these':>9}"


def score(trials: Iterable[Trial]) -> Score:
    """A fault counts once; it is found when it is found in any project."""
    reached: dict[Fault, bool] = defaultdict(bool)
    killed: dict[Fault, bool] = defaultdict(bool)
    for trial in trials:
        reached[trial.fault] |= trial.reached
        killed[trial.fault] |= trial.killed
    return Score(len(reached), sum(reached.values()), sum(killed.values()))


def table(title: str, trials: Sequence[Trial], row_of: Callable[[Trial], str]) -> str:
    """A line for each row, and one for all."""
    rows: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        rows[row_of(trial)].append(trial)
    lines = [f"{title:<34}{HEAD[34:]}"]
    lines += [f"  {row:<32}{score(of_row)}" for row, of_row in sorted(rows.items())]
    if len(rows) > 1:
        lines.append(f"  {'all':<32}{score(trials)}")
    return "\n".join(lines)


def shown(fault: Fault, reached: bool) -> str:
    """One line about a fault that was not found."""
    place = f"{fault.file}:{fault.lines.start}" if fault.lines else fault.file
    before, after = (" ".join(text.split())[:110] for text in (fault.before, fault.after))
    return f"{'' if reached else '(not run) '}{place} {fault.where} [{fault.operator}] {before} -> {after}"


def is_vendored(trial: Trial) -> bool:
    return area_of(trial.fault) not in ("tools", "catalogue")
