"""Compares what is planned with what is on disk and what was generated last. Reads the disk, changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from mcpgen.emit.lock import LOCK_NAME, LockedFile
from mcpgen.emit.merging import Choice, Conflict, Merged, marked_line, merge_file, merge_known_lines
from mcpgen.emit.model import Action, Change, ChangeSet, FormattedFile, Ownership
from mcpgen.emit.pristine import PRISTINE_NAME, line_key
from mcpgen.emit.project import Project, obstacle, text_of, unix
from mcpgen.emit.sides import Side, sides_of

CONFLICT = "output-conflict"
FOREIGN = "output-not-ours"
KEPT = "output-kept"
DELETED = "was deleted by its owner"


def check_paths(files: Iterable[FormattedFile]) -> None:
    """Makes sure that no planned path can leave the output folder or meet another one.

    Names ignore case here, because some file systems do.

    Raises:
        ValueError: a path is absolute, climbs, is one of mcpgen's own, or is planned twice. That is a bug of the planner.
    """
    own = (LOCK_NAME, PurePosixPath(PRISTINE_NAME).parts[0])
    seen: set[str] = set()
    for file in files:
        text = str(file.path)
        strange = "\\" in text or ":" in text or "\0" in text
        if file.path.is_absolute() or ".." in file.path.parts or not file.path.parts or strange:
            raise ValueError(f"planned path leaves the output folder: {text!r}")
        if text.casefold() in seen or file.path.parts[0].casefold() in own:
            raise ValueError(f"path is planned twice: {text!r}")
        seen.add(text.casefold())


@dataclass(frozen=True, slots=True)
class Comparison:
    """A project on disk, and what happens where an edit and a new text overlap.

    `rebased` are texts that count as what was generated last: they have taken up an edit of the team.
    """

    project: Project
    choice: Choice | None
    rebased: Mapping[PurePosixPath, str] = field(default_factory=dict)

    def changes(self, files: Iterable[FormattedFile], package: str | None) -> ChangeSet:
        """Decides for every planned and every locked file what happens to it.

        Raises:
            OSError: a file is there but cannot be read.
        """
        planned = {file.path: file for file in files}
        sides = sides_of(planned, self.project, package)
        for path, text in self.rebased.items():
            if path in sides and sides[path].base is not None:
                sides[path] = replace(sides[path], entry=None, base=text)
        entries = [self._planned(file, sides.get(path)) for path, file in planned.items()]
        entries += self._no_longer_planned(planned, sides)
        return ChangeSet(tuple(sorted(entries, key=lambda entry: entry.path)))

    def _planned(self, file: FormattedFile, side: Side | None) -> Change:
        in_the_way = obstacle(file.path, self.project.output)
        if in_the_way is not None:
            return Change(file.path, Action.CONFLICT, file.ownership, code=FOREIGN, reason=in_the_way)
        if side is None:
            return self._unknown(file)
        if file.ownership is Ownership.USER:
            return self._users(file, side)
        if side.ours is None:
            return Change(file.path, Action.KEPT, file.ownership, reason=DELETED, deleted=True)
        change = self._over(file, side, side.ours)
        moved = side.entry is None or side.source != file.path
        return self._placed(change, file, side.ours) if moved else change

    def _placed(self, change: Change, file: FormattedFile, ours: bytes) -> Change:
        """The change of a file whose sides are not what is on disk at its path, because something moved."""
        if change.action is Action.CONFLICT:
            return change
        kept = ours if change.action is Action.EDITED else file.data
        data = change.data if change.data is not None else kept
        before = self.project.read(file.path)
        if before == data:
            return replace(change, action=Action.IDENTICAL, data=None)
        if before is None:
            return replace(change, action=Action.CREATE, data=data)
        untouched = change.action is Action.REPLACE
        return replace(change, action=Action.REPLACE if untouched else Action.MERGE, data=data)

    def _unknown(self, file: FormattedFile) -> Change:
        """A planned file that was not planned before."""
        ours = self.project.read(file.path)
        if ours is None:
            return Change(file.path, Action.CREATE, file.ownership, file.data)
        if file.ownership is Ownership.USER:
            return Change(file.path, Action.KEPT, file.ownership, reason="is yours")
        if unix(ours) == file.data:
            return Change(file.path, Action.IDENTICAL, file.ownership)
        if self.choice is Choice.THEIRS:
            return Change(file.path, Action.REPLACE, file.ownership, file.data)
        if self.choice is Choice.OURS:
            return Change(file.path, Action.EDITED, file.ownership, reason="was there before")
        if self.choice is Choice.INLINE:
            return self._merged(file, Side(file.path, None, "", ours), ours)
        reason = "was not written by mcpgen"
        return Change(file.path, Action.CONFLICT, file.ownership, code=FOREIGN, reason=reason)

    def _users(self, file: FormattedFile, side: Side) -> Change:
        if side.ours is None:
            return Change(file.path, Action.KEPT, file.ownership, reason=DELETED, deleted=True)
        if side.source != file.path:
            return Change(file.path, Action.CREATE, file.ownership, side.ours, reason=f"was {side.source}")
        return Change(file.path, Action.KEPT, file.ownership, reason="is yours")

    def _over(self, file: FormattedFile, side: Side, ours: bytes) -> Change:
        """What happens to one of our files where `ours` is on disk."""
        if unix(ours) == file.data:
            return Change(file.path, Action.IDENTICAL, file.ownership)
        if (line := marked_line(text_of(ours))) is not None:
            fault = Conflict(line, "", "", "", "the file still holds conflict markers")
            return Change(file.path, Action.CONFLICT, file.ownership, code=CONFLICT, conflicts=(fault,))
        if side.untouched(ours):
            return Change(file.path, Action.REPLACE, file.ownership, file.data)
        if side.was(file):
            return Change(file.path, Action.EDITED, file.ownership, reason="has edits of yours")
        return self._merged(file, side, ours)

    def _merged(self, file: FormattedFile, side: Side, ours: bytes) -> Change:
        mine, new = text_of(unix(ours)), file.data.decode("utf-8")
        if side.base is not None:
            merged = merge_file(file.path, side.base, mine, new, self.choice)
        elif side.keys is not None:
            merged = merge_known_lines(file.path, side.keys, mine, new, self.choice, line_key)
        else:
            reason = f"what was generated last is not in {PRISTINE_NAME}"
            text = new if self.choice is Choice.THEIRS else mine
            merged = Merged(text, (Conflict(1, "", "", "", reason),))
        return self._outcome(file, side, ours, merged)

    def _outcome(self, file: FormattedFile, side: Side, ours: bytes, merged: Merged) -> Change:
        if merged.conflicts and self.choice is None:
            return Change(
                file.path, Action.CONFLICT, file.ownership, code=CONFLICT, conflicts=merged.conflicts
            )
        text = merged.text.replace("\n", "\r\n") if b"\r\n" in ours else merged.text
        data = text.encode("utf-8", "surrogateescape")
        reason, code = _said(merged)
        if data == ours and side.source == file.path:
            return Change(
                file.path, Action.EDITED, file.ownership, None, code, reason, conflicts=merged.conflicts
            )
        return Change(file.path, Action.MERGE, file.ownership, data, code, reason, conflicts=merged.conflicts)

    def _no_longer_planned(
        self, planned: dict[PurePosixPath, FormattedFile], sides: dict[PurePosixPath, Side]
    ) -> Iterator[Change]:
        moved = {side.source for path, side in sides.items() if side.source != path}
        for path, entry in self.project.files.items():
            if path in planned or ".." in path.parts or path.is_absolute():
                continue  # a path that climbs: the lock was tampered with
            ours = None if obstacle(path, self.project.output) else self.project.read(path)
            if ours is None or (entry.ownership is Ownership.USER and path not in moved):
                continue
            yield self._gone(path, entry, ours, sides.get(path), moved=path in moved)

    def _gone(
        self, path: PurePosixPath, entry: LockedFile, ours: bytes, side: Side | None, *, moved: bool
    ) -> Change:
        if moved:
            return Change(path, Action.REMOVE, entry.ownership, reason="has another name now")
        rest = side.ours if side is not None and side.ours is not None else ours
        if side is not None and side.untouched(rest):
            return Change(path, Action.REMOVE, entry.ownership, reason="is no longer generated")
        vendored = entry.ownership is Ownership.VENDORED  # of the run-time library, which is without it now
        reason = f"is no longer {'used' if vendored else 'generated'}, but was edited by hand"
        return Change(path, Action.KEPT, entry.ownership, code=KEPT, reason=reason)


def _said(merged: Merged) -> tuple[str, str | None]:
    """What is to be said about a merge that was carried out."""
    if merged.kept:
        names = ", ".join(merged.kept)
        return f"still holds {names}, which was edited by hand and is no longer generated", KEPT
    return "has edits of yours", None
