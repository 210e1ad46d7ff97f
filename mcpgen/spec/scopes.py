"""The dynamic scope of schemas: which `$dynamicAnchor` a `$dynamicRef` means (JSON Schema 2020-12 core, 8.2.3.2).

A schema can be a template: `items: {$dynamicRef: "#item"}` means whatever the schema that refers to the template calls
`item`. Such a template becomes one definition for each way in which it is filled. Documents without dynamic anchors, nearly
all, know nothing of this: their scope stays empty.
"""

from __future__ import annotations

from typing import NamedTuple

from mcpgen.source.model import Node, SourceTree

Bindings = tuple[tuple[str, tuple[str, str]], ...]
"""Anchor -> file and pointer of what it means, sorted; only what differs from the schema's own document."""


class Bound(NamedTuple):
    """A schema together with what its dynamic references mean."""

    file: str
    pointer: str
    bindings: Bindings = ()


class Scopes:
    """Follows the dynamic scope along references. `inside` is the scope of the schema that is being lifted."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self.inside: Bindings = ()

    def enter(self, source: Node, target: Node) -> Bound:
        """The target of a reference as its referrer sees it: what was entered first wins."""
        own = self._tree.dynamic_anchors(target)
        scope = {**own, **self._around(source)}
        kept = ((name, place) for name, place in scope.items() if own.get(name) != place)
        return Bound(target.file, target.pointer, tuple(sorted(kept)))

    def dynamic(self, reference: str, source: Node) -> Node:
        """What a `$dynamicRef` means: as `$ref` says, unless that is a dynamic anchor that an outer schema has too.

        Raises:
            Unsupported: it leads nowhere.
        """
        target = self._tree.resolve(reference, source)
        name = reference.partition("#")[2]
        if not isinstance(target.value, dict) or target.value.get("$dynamicAnchor") != name:
            return target
        place = self._around(source).get(name)
        return target if place is None else self._tree.at(*place)

    def _around(self, source: Node) -> dict[str, tuple[str, str]]:
        return {**self._tree.dynamic_anchors(source), **dict(self.inside)}
