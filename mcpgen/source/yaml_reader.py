"""YAML under the JSON rules that OpenAPI asks for (OpenAPI 3.1, section 4.3; YAML 1.2.2, chapter 10).

Values are built from libyaml's events, not from PyYAML's node tree: it is several times faster, cannot overflow the
stack, and lets every scalar be read by our own rules: keys are text as written, and only `true`, `false`, `null` (in the
spellings of YAML's core schema) and numbers as JSON writes them are not text. So `2024-01-01`, `yes`, `0123` and `1_000`
stay what they are.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

import yaml
from yaml import events

from mcpgen.source.document import Position
from mcpgen.source.limits import MAX_DEPTH, MAX_NODES, too_deep, too_many
from mcpgen.source.problem import SourceProblem
from mcpgen.source.yaml_scalars import KNOWN_TAGS, PLAIN_TAGS, YamlPositions, entry_index, plain

_TEXT_PER_NODE = 64  # so many characters of repeated text weigh as much as one repeated value
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Frame:
    """A container that is still being filled."""

    __slots__ = ("anchor", "depth", "key", "marks", "merged", "place", "size", "value")

    def __init__(self, value: dict[str, Any] | list[Any], anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.marks = array("I")
        self.key: str | None = None
        self.place: Any = None
        self.merged: list[dict[str, Any]] = []
        self.size = 1
        self.depth = 1


class YamlReader:
    """Reads one document. `notes` then holds what was odd but readable: position and sentence."""

    def __init__(self) -> None:
        self.positions = YamlPositions()
        self.notes: list[tuple[Position, str]] = []
        self._stack: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._open_anchors: set[str] = set()
        self._documents = 0
        self._aliased = False
        self._handlers: dict[type, Callable[[Any], None]] = {
            events.ScalarEvent: self._on_scalar,
            events.MappingStartEvent: self._on_mapping,
            events.SequenceStartEvent: self._on_sequence,
            events.MappingEndEvent: self._on_end,
            events.SequenceEndEvent: self._on_end,
            events.AliasEvent: self._on_alias,
            events.DocumentStartEvent: self._on_document,
        }

    def read(self, text: str) -> Any:
        """The value of the document.

        Raises:
            SourceProblem: the text is no YAML, holds several documents, or goes over a limit.
        """
        try:
            stream: Iterable[Any] = yaml.parse(text, Loader=_Loader)
            for event in stream:
                handler = self._handlers.get(type(event))
                if handler is not None:
                    handler(event)
        except yaml.reader.ReaderError as error:
            raise _unreadable_character(text, error) from None
        except yaml.MarkedYAMLError as error:
            raise _syntax(error) from None
        return self.positions.root

    def _on_document(self, event: events.DocumentStartEvent) -> None:
        self._documents += 1

    def _on_scalar(self, event: events.ScalarEvent) -> None:
        frame = self._stack[-1] if self._stack else None
        if frame is not None and frame.key is None and type(frame.value) is dict:
            frame.key, frame.place = event.value, event.start_mark
            if event.value == "<<" and not event.implicit[0]:
                frame.key = _QuotedMerge("<<")
            if event.anchor:
                self._anchors[event.anchor] = (event.value, 1, 0)
            return
        value = self._scalar(event)
        size = 1 + len(event.value) // _TEXT_PER_NODE
        if event.anchor:
            self._anchors[event.anchor] = (value, size, 0)
        self._put(value, event.start_mark, size, 0)

    def _scalar(self, event: events.ScalarEvent) -> Any:
        if event.implicit[0] and event.tag is None:
            return plain(event.value)
        if event.tag is not None:
            self._check_tag(event)
            if event.tag in PLAIN_TAGS:
                return plain(event.value)
        return event.value

    def _check_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag not in KNOWN_TAGS:
            tag = event.tag if event.tag.startswith("!") else f"!<{event.tag}>"
            self.notes.append(
                (_position(event.start_mark), f"the YAML tag {tag} has no meaning in OpenAPI and is ignored")
            )

    def _on_mapping(self, event: events.MappingStartEvent) -> None:
        self._open(event, {})

    def _on_sequence(self, event: events.SequenceStartEvent) -> None:
        self._open(event, [])

    def _open(self, event: Any, value: dict[str, Any] | list[Any]) -> None:
        position = _position(event.start_mark)
        if self._stack and self._stack[-1].key is None and type(self._stack[-1].value) is dict:
            raise SourceProblem(
                "source-syntax",
                "is not valid for OpenAPI: a key of a mapping must be text",
                position,
                hint="Put quotes around text that begins with { or [.",
            )
        self._check_tag(event)
        if len(self._stack) >= MAX_DEPTH:
            raise too_deep(position)
        if event.anchor:
            self._open_anchors.add(event.anchor)
        frame = _Frame(value, event.anchor)
        if self._stack and type(self._stack[-1].value) is list:
            self._stack[-1].place = event.start_mark
        self._stack.append(frame)

    def _on_end(self, event: Any) -> None:
        frame = self._stack.pop()
        value = frame.value
        if frame.merged and isinstance(value, dict):
            self._merge(frame, value, event)
        self.positions.marks[id(value)] = frame.marks
        if frame.anchor:
            self._anchors[frame.anchor] = (value, frame.size, frame.depth)
            self._open_anchors.discard(frame.anchor)
        self._put(value, None, frame.size, frame.depth)

    def _on_alias(self, event: events.AliasEvent) -> None:
        position = _position(event.start_mark)
        if event.anchor in self._open_anchors:
            raise SourceProblem(
                "source-syntax", f"holds an alias *{event.anchor} inside its own anchor", position
            )
        if event.anchor not in self._anchors:
            raise SourceProblem(
                "source-syntax", f"holds an alias *{event.anchor} without an anchor before it", position
            )
        value, size, depth = self._anchors[event.anchor]
        frame = self._stack[-1]
        if frame.key is None and type(frame.value) is dict:
            if not isinstance(value, str):
                raise SourceProblem(
                    "source-syntax", "is not valid for OpenAPI: a key of a mapping must be text", position
                )
            frame.key, frame.place = value, event.start_mark
            return
        if len(self._stack) + depth > MAX_DEPTH:
            raise too_deep(position)
        self._aliased = True
        self._put(value, event.start_mark, size, depth)

    def _put(self, value: Any, mark: Any, size: int, depth: int) -> None:
        """Adds a finished value to the container that is open, or makes it the document."""
        if not self._stack:
            self._finish(value, mark)
            return
        frame = self._stack[-1]
        frame.size += size
        if depth >= frame.depth:
            frame.depth = depth + 1
        if self._aliased and frame.size > MAX_NODES:
            raise too_many(_position(mark or frame.place))
        if isinstance(frame.value, list):
            place = mark or frame.place
            frame.marks.append(place.line)
            frame.marks.append(place.column)
            frame.value.append(value)
            return
        key, frame.key = frame.key or "", None
        if key == "<<" and type(key) is str and _mergeable(value):
            frame.merged.extend([value] if isinstance(value, dict) else value)
            return
        self._set(frame, frame.value, str(key), value)

    def _set(self, frame: _Frame, mapping: dict[str, Any], key: str, value: Any) -> None:
        place = frame.place
        if key in mapping:
            self.notes.append((_position(place), f"the key `{key}` is written twice; the last one counts"))
            index = entry_index(mapping, key) or 0
            frame.marks[2 * index], frame.marks[2 * index + 1] = place.line, place.column
        else:
            frame.marks.append(place.line)
            frame.marks.append(place.column)
        mapping[key] = value

    def _merge(self, frame: _Frame, mapping: dict[str, Any], event: Any) -> None:
        """Fills in what merge keys bring: own keys win, then earlier sources (YAML 1.1 merge key type)."""
        place = event.start_mark
        for source in frame.merged:
            for key, value in source.items():
                if key not in mapping:
                    mapping[key] = value
                    frame.marks.append(place.line)
                    frame.marks.append(place.column)

    def _finish(self, value: Any, mark: Any) -> None:
        if self._documents > 1 and value is None:
            return
        if self._documents > 1 and self.positions.root is not None:
            raise SourceProblem(
                "source-syntax",
                "holds more than one YAML document",
                _position(mark) if mark is not None else None,
                hint="Keep one API description in one file.",
            )
        self.positions.root = value


class _QuotedMerge(str):
    """A key written as "<<" in quotes: an ordinary key."""

    __slots__ = ()


def _mergeable(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) for item in value)
    return isinstance(value, dict)


def _position(mark: Any) -> Position:
    return mark.line + 1, mark.column + 1


def _syntax(error: yaml.MarkedYAMLError) -> SourceProblem:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it cannot be parsed"
    hint = None
    if "cannot start any token" in problem or "tab character" in problem:
        hint = (
            "Indent with spaces, not tabs, and put quotes around text that begins with a special character."
        )
    return SourceProblem(
        "source-syntax", f"is not valid YAML: {problem}", _position(mark) if mark is not None else None, hint
    )


def _unreadable_character(text: str, error: yaml.reader.ReaderError) -> SourceProblem:
    before = text.encode("utf-8", "surrogatepass")[: error.position].decode("utf-8", "replace")
    place = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    character = error.character if isinstance(error.character, int) else ord(str(error.character)[:1] or "\0")
    return SourceProblem(
        "source-syntax", f"holds the character U+{character:04X}, which YAML does not allow", place
    )
